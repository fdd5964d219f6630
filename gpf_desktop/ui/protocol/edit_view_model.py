"""State of a protocol's form: the draft, what is wrong with it, what undo takes back, and the same as text."""

from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QObject

from gpf_desktop.domain.errors import GpfError
from gpf_desktop.domain.ports.method import Method
from gpf_desktop.domain.protocol_problems import FieldProblem, Path
from gpf_desktop.domain.text import in_quotes, tr
from gpf_desktop.engine.core.protocols import read_protocol, write_protocol
from gpf_desktop.ui.audit_timer import AuditTimer
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.page import ViewModel
from gpf_desktop.ui.protocol import kinds
from gpf_desktop.ui.protocol.edit_history import EditHistory, EditStep, Moment
from gpf_desktop.ui.protocol.edit_paths import at, paths_swapped, paths_without, put, stands, swapped, without
from gpf_desktop.ui.protocol.own_form import PLAIN, OwnForm
from gpf_desktop.ui.protocol.tabs import Tab, items_around, tab_of, tabs_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Problems:
    """Problems of one draft; false where there are none."""

    found: tuple[FieldProblem, ...] = ()

    @classmethod
    def of(cls, method: Method, draft: Any) -> "Problems":
        return cls(found=tuple(method.problems(draft)))

    def __bool__(self) -> bool:
        return bool(self.found)

    @property
    def fields(self) -> int:
        """How many fields are wrong."""
        return len({each.path for each in self.found})

    @property
    def first(self) -> FieldProblem:
        """There must be one."""
        return self.found[0]

    def at(self, path: Path) -> str:
        """Words on the problem of the field at *path*, or of a line or an entry of it."""
        for problem in self.found:
            if problem.path[: len(path)] != path:
                continue
            match problem.path[len(path) :]:
                case ():
                    return problem.words
                case (int(line),):
                    return tr("line {n}: {problem}", n=line + 1, problem=problem.words)
                case rest:
                    return tr("{place}: {problem}", place=_place(rest), problem=problem.words)
        return ""

    def of_list(self, path: Path) -> str:
        """Words on the problem of the list at *path* itself."""
        return next((problem.words for problem in self.found if problem.path == path), "")

    def inside(self, item: Path, head: Path) -> str:
        """Words on a problem within the *item* of a list, but for the field at *head* by which it is known."""
        found = (each for each in self.found if each.path[: len(item)] == item and each.path not in (item, head))
        return next((each.words for each in found), "")

    def within(self, names: tuple[str, ...]) -> int:
        """How many there are in the fields of these names."""
        return sum(problem.path[:1] in {(name,) for name in names} for problem in self.found)


def _place(path: Path) -> str:
    # pydantic calls the name of an entry so, behind the entry.
    parts = [part for part in path if part != "[key]"]
    return " › ".join(tr("line {n}", n=part + 1) if isinstance(part, int) else in_quotes(str(part)) for part in parts)


_WRITE_MS = 200
"""A pause in typing after which form and text are brought in step."""
_MANY = 500
"""Items of a list from which on a protocol is checked off the GUI thread."""


class EditViewModel(ViewModel):
    """One edit at a time, of a protocol of any method. A subclass says what becomes of it."""

    def __init__(self, context: Context, parent: QObject) -> None:
        super().__init__(context, parent)
        self.method: Method | None = None
        self.own: OwnForm = PLAIN
        self.only: tuple[str, ...] = ()
        """Fields that the form has; empty: all."""
        self.draft: Any = None
        """What is edited; None while nothing is."""
        self.base: Any = None
        """What the edit began with; None where that cannot be read."""
        self.problems = Problems()
        self.checking = False
        """The problems are of an earlier draft."""
        self.tab = ""
        self.opened: frozenset[Path] = frozenset()
        self.focus: Path | None = None
        """The field that gets the keyboard when the form is shown next."""
        self.touched: Path | None = None
        """The field changed last; the preview turns to it."""
        self.text = ""
        """The draft as text, as it was last written or typed."""
        self.text_problem = ""
        """Why what was typed as text is no protocol; the draft is what the text was before."""
        self.text_version = 0
        """Rises when the text was written anew, and not typed."""
        self._typed: str | None = None
        self._history = EditHistory()
        self._write = AuditTimer(context.bridge, self, _WRITE_MS, self._in_step)

    @property
    def editing(self) -> bool:
        return self.draft is not None

    @property
    def dirty(self) -> bool:
        """The draft says something else than what the edit began with."""
        return bool(self.draft != self.base)

    @property
    def can_save(self) -> bool:
        wrong = self.problems or self.checking or self.text_problem or self._typed is not None
        return self.editing and self.dirty and not wrong

    @property
    def tabs(self) -> tuple[Tab, ...]:
        return () if self.draft is None else tabs_of(type(self.draft), self.own.names, self.only)

    @property
    def undo_words(self) -> str:
        """Words for the step that undo would take back; empty: there is none."""
        return tr("editing the text") if self.text_problem else self._history.undo_words

    @property
    def redo_words(self) -> str:
        return self._history.redo_words

    def has(self, path: Path) -> bool:
        """Whether the form stands and has something at *path*: a button of what was removed may be pressed again."""
        return self.draft is not None and stands(self.draft, path)

    def put(self, path: Path, value: Any, words: str, *, typing: bool = True) -> None:
        """Let the field at *path* say *value*; *words* name the step."""
        if not self.has(path) or at(self.draft, path) == value:
            return
        now = self._moment()
        before = self._history.did(EditStep(words=words, before=now, path=path, typing=typing))
        # From where the typing began: half a word may be the name of something else, which would then follow it.
        start = before.protocol if typing else self._draft()
        self.touched = path
        self._become(self.own.followed(put(start, path, value), start, path), self.opened)

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
        self._become(self.own.followed(without(draft, path), draft, path), paths_without(self.opened, path))

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
        self.focus = None if kinds.shape(type(moved), moved, self.own.names) == before else (*path[:-1], other)
        self._become(moved, paths_swapped(self.opened, path, other))

    @property
    def shape(self) -> Any:
        """Changes where the form needs other fields."""
        draft = self._draft()
        return kinds.shape(type(draft), draft, self.own.names)

    def undo(self) -> None:
        if self.text_problem or self._typed is not None:
            # What cannot be read is no draft yet: the text goes back to the last that was.
            self._typed, self.text_problem = None, ""
            self._render()
            self.show_steps()
            self.touch_now()
            return
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

    def show_tab(self, key: str) -> None:
        if key != self.tab:
            self.tab = key
            self.touch_now()

    def show_problem(self) -> None:
        """Turn to the first field that is wrong."""
        if self.problems:
            self._show_path(self.problems.first.path)
            self.touch_now()

    def take_text(self, text: str) -> None:
        """Let the draft be what *text* says, once it can be read."""
        if self.editing and text != self.text:
            self.text = self._typed = text
            self._write.start()
            self.show_steps()
            self.touch_now()

    def start(self, method: Method, own: OwnForm, draft: Any, base: Any, text: str = "") -> None:
        """Edit *draft*, a protocol of *method*, which began as *base*; *text*: what it is as text, where that is
        known."""
        self.method, self.own, self.base = method, own, base
        self._history.clear()
        self.focus, self.text_problem, self._typed = None, "", None
        tabs = tabs_of(type(draft), own.names, self.only)
        self.tab = self.tab if any(each.key == self.tab for each in tabs) else tabs[0].key
        lists = [each for tab in tabs for each in tab.fields if each.look is kinds.FieldLook.CARDS]
        self._become(draft, frozenset((each.name, 0) for each in lists))
        if text:
            self._show_text(text)

    def end(self) -> None:
        """Nothing is edited any more."""
        self._write.stop()
        self.draft = self.base = self._typed = None
        self.problems, self.checking, self.focus, self.text_problem = Problems(), False, None, ""
        self._history.clear()
        self.show_steps()
        self.touch_now()

    def changed_draft(self) -> None:
        """For a subclass: the draft is another one."""

    def show_steps(self) -> None:
        """For a subclass: undo and redo would do something else now."""

    def _become(self, draft: Any, opened: frozenset[Path]) -> None:
        self.draft, self.opened = draft, opened
        if self._typed is None:
            self._write.start()
        self._check()
        self.changed_draft()
        self.show_steps()
        self.touch_now()

    def _check(self) -> None:
        method, draft = self.method, self.draft
        assert method is not None
        lists = [getattr(draft, each.name) for tab in self.tabs for each in tab.fields]
        if sum(len(each) for each in lists if isinstance(each, tuple)) <= _MANY:
            self.problems, self.checking = Problems.of(method, draft), False
            return
        self.checking = True
        self.context.bridge.run(Problems.of, method, draft, then=self._checked, latest="problems", owner=self)

    def _checked(self, found: Problems) -> None:
        if self.editing:
            self.problems, self.checking = found, False
            self.touch_now()

    def _in_step(self) -> None:
        if not self.editing:
            return
        if self._typed is None:
            self._render()
            return
        text, method = self._typed, self._method().name
        self.context.bridge.run(
            lambda: read_protocol(text, where=tr("The text"), method=method),
            then=lambda read: self._text_read(text, read),
            failed=lambda error: self._text_refused(text, error),
            latest="text",
            owner=self,
        )

    def _render(self) -> None:
        draft, method = self._draft(), self._method().name
        self.context.bridge.run(write_protocol, draft, method, then=self._written, latest="text", owner=self)

    def _written(self, text: str) -> None:
        if self.editing and self._typed is None and not self.text_problem:
            self._show_text(text)

    def _show_text(self, text: str) -> None:
        self._write.stop()
        if text != self.text:
            self.text = text
            self.text_version += 1
            self.touch_now()

    def _text_read(self, text: str, protocol: Any) -> None:
        if text != self._typed:
            return
        self.text_problem = ""
        if protocol != self.draft:
            step = EditStep(words=tr("editing the text"), before=self._moment(), path=(), typing=True)
            self._history.did(step)
            self._become(protocol, self.opened)
        self._typed = None
        self.show_steps()
        self.touch_now()

    def _text_refused(self, text: str, error: BaseException) -> None:
        if text != self._typed:
            return
        self._typed = None
        if isinstance(error, GpfError):
            self.text_problem = str(error)
        else:
            self.context.messages.bug(error)
        self.show_steps()
        self.touch_now()

    def _did(self, words: str, path: Path) -> None:
        self._history.did(EditStep(words=words, before=self._moment(), path=path, typing=False))

    def _turn(self, step: EditStep | None) -> None:
        if step is not None:
            if step.path:
                self._show_path(step.path)
            self._become(step.before.protocol, step.before.opened | self.opened)

    def _show_path(self, path: Path) -> None:
        tab = tab_of(self.tabs, path)
        self.tab = self.tab if tab is None else tab.key
        self.focus = path
        self.opened |= items_around(self._draft(), path)

    def _moment(self) -> Moment:
        return Moment(protocol=self._draft(), opened=self.opened)

    def _draft(self) -> Any:
        assert self.draft is not None, "nothing is edited"
        return self.draft

    def _method(self) -> Method:
        assert self.method is not None
        return self.method
