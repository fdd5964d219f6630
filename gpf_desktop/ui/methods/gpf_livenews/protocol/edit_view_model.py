"""State of the protocol's form: the draft, what is wrong with it, what undo takes back, where it is kept."""

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from gpf_desktop.domain.errors import GpfError
from gpf_desktop.domain.protocol_problems import Path
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.engine.protocol.protocol_drafts import ProtocolDraft
from gpf_desktop.engine.protocol.protocol_service import ProtocolService
from gpf_desktop.methods.gpf_livenews.method import METHOD
from gpf_desktop.methods.gpf_livenews.protocol import Family, Protocol
from gpf_desktop.ui.actions import Meaning
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.methods.gpf_livenews.protocol.edit_history import EditHistory, EditStep, Moment
from gpf_desktop.ui.methods.gpf_livenews.protocol.edit_paths import (
    at,
    paths_swapped,
    paths_without,
    put,
    shape,
    stands,
    swapped,
    without,
)
from gpf_desktop.ui.methods.gpf_livenews.protocol.edit_problems import Problems, Section, items_around, section_of
from gpf_desktop.ui.methods.gpf_livenews.protocol.overlap_labels import relabelled, unlabelled
from gpf_desktop.ui.page import ViewModel

_KEEP_MS = 250
"""A pause in typing after which the draft is stored."""


class EditViewModel(ViewModel):
    """One edit at a time; it ends by being saved as a version, discarded, or put aside as a draft."""

    saved = Signal(str)
    """The draft became a version; its hash."""

    def __init__(self, context: Context, parent: QObject) -> None:
        super().__init__(context, parent)
        self.draft: Protocol | None = None
        """What is edited; None while nothing is."""
        self.waiting: ProtocolDraft | None = None
        """An edit that was put aside."""
        self.problems = Problems()
        self.refusal = ""
        """Why the last attempt to save failed."""
        self.asking = False
        """Cancel was asked for and there are changes: keep or discard them?"""
        self.section = Section.DIMENSIONS
        self.opened: frozenset[Path] = frozenset()
        self.focus: Path | None = None
        """The field that gets the keyboard when the form is shown next."""
        self.touched: Path | None = None
        """The field changed last; the preview turns to it."""
        self.next_versions: Mapping[str, int] = {}
        self._base: Protocol | None = None
        self._base_hash = ""
        self._saving = False
        self._history = EditHistory()
        self._keep = QTimer(self)
        self._keep.setSingleShot(True)
        self._keep.setInterval(_KEEP_MS)
        self._keep.timeout.connect(self.flush)

    @property
    def editing(self) -> bool:
        return self.draft is not None

    @property
    def dirty(self) -> bool:
        """The draft says something else than the version that it began with."""
        return self.draft != self._base

    @property
    def can_save(self) -> bool:
        return self.editing and self.dirty and not self.problems and not self._saving

    @property
    def shape(self) -> Any:
        """Changes where the form needs other fields."""
        return shape(self.draft) if self.draft is not None else None

    @property
    def status(self) -> str:
        """What saving would make, or why it cannot be done."""
        if self.draft is None:
            return ""
        if self.problems:
            return trn("{n} field is wrong.", "{n} fields are wrong.", self.problems.fields)
        if self.refusal:
            return self.refusal
        if not self.dirty:
            return tr("Nothing has been changed yet.")
        name = self.draft.name.strip()
        version = self.next_versions.get(name, 1)
        if self._base is not None and name != self._base.name:
            return tr("Will be a protocol of its own: {name}, version {n}.", name=name, n=version)
        return tr("Will be version {n}. Runs that used an earlier one keep it.", n=version)

    def begin(self, protocol: Protocol, digest: str) -> None:
        """Edit *protocol*, the version with this hash, or go on with what was put aside."""
        waiting = self.waiting
        self._base, self._base_hash = protocol, digest
        self._start(protocol if waiting is None else waiting.protocol)
        if waiting is not None and waiting.base != digest:
            # Until its base is read, and where that cannot be, the draft counts as changed.
            self._base_hash = waiting.base
            self._base = None
            self.context.bridge.run(self._service().protocol, waiting.base, then=self._based, failed=lambda _: None)

    def has(self, path: Path) -> bool:
        """Whether the form stands and has something at *path*: a button of what was removed may be pressed again."""
        return self.draft is not None and stands(self.draft, path)

    def left_behind(self, family: int, wording: int) -> bool:
        """Whether a wording says something else than in the version edited, and its twin without an identity does not.

        The control would then hold answers to one question against answers to another.
        """
        now, before = (_family(each, family) for each in (self.draft, self._base))
        if now is None or before is None:
            return False
        pairs = [
            (each.templates[wording : wording + 1], each.identity_free[wording : wording + 1]) for each in (now, before)
        ]
        (template, twin), (old_template, old_twin) = pairs
        return bool(old_template and twin) and template != old_template and twin == old_twin

    def put(self, path: Path, value: Any, words: str, *, typing: bool = True) -> None:
        """Let the field at *path* say *value*; *words* name the step."""
        if not self.has(path) or at(self.draft, path) == value:
            return
        draft = self._draft()
        now = self._moment()
        before = self._history.did(EditStep(words=words, before=now, path=path, typing=typing))
        # From where the typing began: half a word may be another identity's label, whose overlaps it would take.
        start = before.protocol if typing else draft
        self.touched = path
        self._become(relabelled(put(start, path, value), start, path), self.opened)

    def add(self, path: Path, item: Any, words: str, *, field: Path = ()) -> None:
        """One more at the end of the list at *path*; its *field* gets the keyboard."""
        if not self.has(path):
            return
        items = at(self._draft(), path)
        new = (*path, len(items))
        self._did(words, new)
        self.focus = (*new, *field)
        self._become(put(self._draft(), path, (*items, item)), self.opened | {new})

    def remove(self, path: Path, words: str) -> None:
        """Take the item at *path* out of its list."""
        if not self.has(path):
            return
        draft = self._draft()
        self._did(words, path)
        left, number = len(at(draft, path[:-1])) - 1, path[-1]
        assert isinstance(number, int)
        self.focus = (*path[:-1], min(number, left - 1)) if left else None
        self._become(unlabelled(without(draft, path), draft, path), paths_without(self.opened, path))

    def move(self, path: Path, step: int, words: str) -> None:
        """Let the item at *path* change places with its neighbour *step* away, where there is one."""
        number = path[-1]
        assert isinstance(number, int)
        if not self.has(path) or not 0 <= number + step < len(at(self._draft(), path[:-1])):
            return
        self._did(words, path)
        other, before = number + step, self.shape
        moved = swapped(self._draft(), path, other)
        # Where no field has to be made anew the button keeps the keyboard.
        self.focus = None if shape(moved) == before else (*path[:-1], other)
        self._become(moved, paths_swapped(self.opened, path, other))

    def undo(self) -> None:
        self._turn(self._history.undo(self._moment()))

    def redo(self) -> None:
        self._turn(self._history.redo(self._moment()))

    def pause(self) -> None:
        """A field was left: what is typed next is a step of its own."""
        self._history.pause()

    def set_open(self, path: Path, shown: bool) -> None:
        """Fold a part of the form out or away."""
        opened = self.opened | {path} if shown else self.opened - {path}
        if opened != self.opened:
            self.opened = opened
            self.touch_now()

    def show_section(self, section: Section) -> None:
        if section is not self.section:
            self.section = section
            self.touch_now()

    def show_problem(self) -> None:
        """Turn to the first field that is wrong."""
        if self.problems:
            self._show_path(self.problems.first)
            self.touch_now()

    def save(self) -> None:
        """Make the draft a new version, which new rounds use."""
        if not self.can_save:
            return
        self._keep.stop()
        # With the timer stopped above: a draft that is stored after this would outlive the version that it becomes.
        self._saving = True
        draft, service = self._draft(), self._service()
        self.context.bridge.run(
            lambda: service.save_edited(draft, ends_draft=True).result(),
            then=self._saved,
            failed=self._refused,
            owner=self,
        )
        self.touch_now()

    def cancel(self) -> None:
        """Leave at once where nothing was changed, else ask what becomes of the changes."""
        if self.dirty:
            self.asking = True
            self.touch_now()
        else:
            self.discard()

    def go_on(self) -> None:
        self.asking = False
        self.touch_now()

    def put_aside(self) -> None:
        """Leave the form; the draft waits."""
        self.flush()
        self.waiting = ProtocolDraft(base=self._base_hash, protocol=self._draft())
        self._end()

    def discard(self) -> None:
        """Forget the draft, edited or waiting."""
        self._keep.stop()
        self.waiting = None
        self._store(None)
        self._end()

    def found(self, waiting: ProtocolDraft | None) -> None:
        """What the audit keeps, unless an edit is under way, which is newer."""
        if not self.editing:
            self.waiting = waiting

    def close(self) -> None:
        """The audit is another one, or none."""
        self._keep.stop()
        self.waiting = None
        self._end()

    def flush(self) -> None:
        """Store the draft now."""
        self._keep.stop()
        if self.editing and not self._saving and self.context.engine.has_open_audit:
            self._store(ProtocolDraft(base=self._base_hash, protocol=self._draft()) if self.dirty else None)

    def _start(self, draft: Protocol) -> None:
        self._history.clear()
        self.asking, self.refusal, self.focus = False, "", None
        self.opened = frozenset({("dimensions", 0), ("families", 0)})
        # The timer that `_become` started is stopped: nothing was edited yet that would have to be stored.
        self._become(draft, self.opened)
        self._keep.stop()

    def _based(self, base: Protocol) -> None:
        if self.editing:
            self._base = base
            self.touch_now()

    def _become(self, draft: Protocol, opened: frozenset[Path]) -> None:
        self.draft, self.opened = draft, opened
        self.problems = Problems.of(draft)
        self.refusal = ""
        self.asking = self.asking and self.dirty
        self._keep.start()
        self._show_steps()
        self.touch_now()

    def _did(self, words: str, path: Path) -> None:
        self._history.did(EditStep(words=words, before=self._moment(), path=path, typing=False))

    def _turn(self, step: EditStep | None) -> None:
        if step is not None:
            self._show_path(step.path)
            self._become(step.before.protocol, step.before.opened | self.opened)

    def _show_path(self, path: Path) -> None:
        self.section = section_of(path)
        self.focus = path
        self.opened |= items_around(path)

    def _show_steps(self) -> None:
        history, editing = self._history, self.editing
        for action, verb, words, do in (
            ("edit.undo", tr("&Undo"), history.undo_words, self.undo),
            ("edit.redo", tr("&Redo"), history.redo_words, self.redo),
        ):
            meaning = Meaning(text=f"{verb} {words}".strip(), do=do, enabled=bool(words))
            self.context.actions.mean(action, "protocol", meaning if editing else None)

    def _saved(self, digest: str) -> None:
        self.waiting = None
        self._end()
        self.saved.emit(digest)

    def _refused(self, error: BaseException) -> None:
        self._saving = False
        if isinstance(error, GpfError):
            self.refusal = str(error)
        else:
            self.context.messages.bug(error)
        # Nothing was stored while it was being saved, and it is still a draft.
        self._keep.start()
        self.touch_now()

    def _end(self) -> None:
        self._keep.stop()
        self.draft = self._base = None
        self.problems, self.refusal, self.asking, self._saving, self.focus = Problems(), "", False, False, None
        self._history.clear()
        self._show_steps()
        self.touch_now()

    def _store(self, draft: ProtocolDraft | None) -> None:
        if self.context.engine.has_open_audit:
            self.context.bridge.follow(self._service().keep_draft(draft), owner=self)

    def _moment(self) -> Moment:
        return Moment(protocol=self._draft(), opened=self.opened)

    def _draft(self) -> Protocol:
        assert self.draft is not None, "nothing is edited"
        return self.draft

    def _service(self) -> ProtocolService:
        return self.context.engine.open_audit.protocols_of(METHOD.name)


def _family(protocol: Protocol | None, number: int) -> Family | None:
    return None if protocol is None or number >= len(protocol.families) else protocol.families[number]
