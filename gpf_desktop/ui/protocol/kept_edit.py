"""An edit of an audit's protocol: its draft is kept in the audit, and becomes a version."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, Signal

from gpf_desktop.domain.errors import GpfError
from gpf_desktop.domain.ports.method import Method
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.engine.protocol.protocol_drafts import ProtocolDraft
from gpf_desktop.engine.protocol.protocol_service import ProtocolService
from gpf_desktop.ui.actions import Meaning
from gpf_desktop.ui.audit_timer import AuditTimer
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.protocol.edit_view_model import EditViewModel
from gpf_desktop.ui.protocol.kinds import place_in_words
from gpf_desktop.ui.protocol.own_form import OwnForm

_KEEP_MS = 250
"""A pause in typing after which the draft is stored."""


class KeptEdit(EditViewModel):
    """It ends by being saved as a version, discarded, or put aside as a draft."""

    saved = Signal(str)
    """The draft became a version; its hash."""

    def __init__(self, context: Context, parent: QObject) -> None:
        super().__init__(context, parent)
        self.waiting: ProtocolDraft | None = None
        """An edit that was put aside."""
        self.refusal = ""
        """Why the last attempt to save failed."""
        self.asking = False
        """Cancel was asked for and there are changes: keep or discard them?"""
        self.next_versions: Mapping[str, int] = {}
        self._base_hash = ""
        self._saving: object = None
        """What is being saved as a version; None: nothing is."""
        self._keep = AuditTimer(context.bridge, self, _KEEP_MS, self.flush)

    @property
    def can_save(self) -> bool:
        return super().can_save and self._saving is None

    @property
    def status(self) -> str:
        """A sentence on what saving would make, or on why it cannot be done."""
        if self.draft is None:
            return ""
        if wrong := self._wrong():
            return wrong
        if not self.dirty:
            return tr("Nothing has been changed yet.")
        name = self.draft.name.strip()
        version = self.next_versions.get(name, 1)
        if self.base is not None and name != self.base.name:
            return tr("Will be a protocol of its own: {name}, version {n}.", name=name, n=version)
        return tr("Will be version {n}. Rounds that used an earlier one keep it.", n=version)

    def _wrong(self) -> str:
        if self.text_problem:
            return tr("The text cannot be read yet. Mend it, or undo, to go on in the form.")
        if not self.problems:
            return self.refusal
        first = self.problems.first
        many = trn("{n} field is wrong.", "{n} fields are wrong.", self.problems.fields)
        place = place_in_words(type(self.draft), first.path)
        return tr("{many} {place}: {problem}.", many=many, place=place, problem=first.words)

    def begin(self, method: Method, own: OwnForm, protocol: Any, digest: str, text: str) -> None:
        """Edit *protocol*, the version with this hash and this text, or go on with what was put aside."""
        waiting = self.waiting
        self._base_hash = digest
        self.asking, self.refusal = False, ""
        if waiting is None:
            self.start(method, own, protocol, protocol, text)
        else:
            self.start(method, own, waiting.protocol, protocol)
            if waiting.base != digest:
                # Until its base is read, and where that cannot be, the draft counts as changed.
                self._base_hash, self.base = waiting.base, None
                read = self._service().protocol
                then, base = partial(self._based, waiting.base), waiting.base
                self.context.bridge.run(read, base, then=then, failed=lambda _: None, owner=self)
        # Nothing was edited yet that would have to be stored.
        self._keep.stop()

    def save(self) -> None:
        """Make the draft a new version, which new rounds use."""
        if not self.can_save:
            return
        self._keep.stop()
        # With the timer stopped above: a draft that is stored after this would outlive the version that it becomes.
        self._saving = saving = self.draft
        draft, service = self.own.finished(saving, self.base), self._service()
        self.context.bridge.run(
            lambda: service.save_edited(draft, ends_draft=True).result(),
            then=partial(self._saved, saving, draft),
            failed=partial(self._refused, saving),
            owner=self,
        )
        self.touch_now()

    def cancel(self) -> None:
        """Leave at once where nothing was changed, else ask what becomes of the changes."""
        if self.dirty or self.text_problem:
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
        self.waiting = ProtocolDraft(base=self._base_hash, protocol=self.draft)
        self.end()

    def discard(self) -> None:
        """Forget the draft, edited or waiting."""
        self._keep.stop()
        self.waiting = None
        self._store(None)
        self.end()

    def found(self, waiting: ProtocolDraft | None) -> None:
        """Take the draft that the audit keeps, unless an edit is under way, which is newer."""
        if not self.editing:
            self.waiting = waiting

    def close(self) -> None:
        """The audit is another one, or none."""
        self.waiting = None
        self.end()

    def flush(self) -> None:
        """Store the draft now."""
        self._keep.stop()
        if self.editing and self._saving is None and self.context.engine.has_open_audit:
            self._store(ProtocolDraft(base=self._base_hash, protocol=self.draft) if self.dirty else None)

    def end(self) -> None:
        self._keep.stop()
        self.refusal, self.asking, self._saving = "", False, None
        super().end()

    def changed_draft(self) -> None:
        self.refusal = ""
        self.asking = self.asking and self.dirty
        self._keep.start()

    def show_steps(self) -> None:
        for action, verb, words, do in (
            ("edit.undo", tr("&Undo"), self.undo_words, self.undo),
            ("edit.redo", tr("&Redo"), self.redo_words, self.redo),
        ):
            meaning = Meaning(text=f"{verb} {words}".strip(), do=do, enabled=bool(words))
            self.context.actions.mean(action, "protocol", meaning if self.editing else None)

    def _based(self, digest: str, base: Any) -> None:
        if self.editing and digest == self._base_hash:
            self.base = base
            self.touch_now()

    def _saved(self, saving: object, draft: Any, digest: str) -> None:
        # Another edit may have been begun since, or this one gone on with: what was typed meanwhile is a draft still.
        if self._saving is saving:
            self.waiting, self._saving = None, None
            if self.draft is saving and self._typed is None and not self.text_problem:
                self.end()
            else:
                self.base, self._base_hash = draft, digest
                self._keep.start()
                self.touch_now()
        self.saved.emit(digest)

    def _refused(self, saving: object, error: BaseException) -> None:
        if self._saving is not saving:
            self.context.messages.failure(error, topic="protocol")
            return
        self._saving = None
        if isinstance(error, GpfError):
            self.refusal = str(error)
        else:
            self.context.messages.bug(error)
        # Nothing was stored while it was being saved, and it is still a draft.
        self._keep.start()
        self.touch_now()

    def _store(self, draft: ProtocolDraft | None) -> None:
        if self.context.engine.has_open_audit and self.method is not None:
            self.context.bridge.follow(self._service().keep_draft(draft), owner=self)

    def _service(self) -> ProtocolService:
        return self.context.engine.open_audit.protocols_of(self._method().name)
