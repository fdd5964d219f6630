"""Fields of the protocol's form, each bound to a path of the draft."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QObject, QSignalBlocker
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QLineEdit,
    QToolButton,
    QWidget,
)

from gpf_desktop.domain.protocol_problems import Path
from gpf_desktop.domain.text import tr
from gpf_desktop.ui.protocol.edit_paths import at
from gpf_desktop.ui.protocol.edit_view_model import EditViewModel
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.theme.tokens import SPACE_1
from gpf_desktop.ui.widgets.boxes import PlainWidget, spaced_grid
from gpf_desktop.ui.widgets.buttons import icon_button
from gpf_desktop.ui.widgets.editors import Editor, lines_in
from gpf_desktop.ui.widgets.fields import FormField
from gpf_desktop.ui.widgets.growing_text import GrowingText
from gpf_desktop.ui.widgets.labels import problem_label
from gpf_desktop.ui.widgets.layouts import restyle
from gpf_desktop.ui.widgets.names import named
from gpf_desktop.ui.widgets.plain import plain_tip
from gpf_desktop.ui.widgets.undo_guard import UndoGuard


class BareField(PlainWidget):
    """An editor without a label of its own, what can be done with its row beside it, what is wrong with it below."""

    def __init__(self, editor: QWidget, before: Sequence[QWidget] = (), after: Sequence[QWidget] = ()) -> None:
        super().__init__()
        self.editor = editor
        self._problem = problem_label()
        grid = spaced_grid(parent=self, across=SPACE_1, down=SPACE_1, wide=len(before))
        for at_column, each in enumerate((*before, editor, *after)):
            grid.addWidget(each, 0, at_column)
        grid.addWidget(self._problem, 1, len(before))

    @property
    def problem(self) -> str:
        return self._problem.text()

    def set_problem(self, words: str) -> None:
        """Say what is wrong; empty: nothing is."""
        self._problem.setText(words)
        if bool(self.editor.property("problem")) != bool(words):
            self.editor.setProperty("problem", bool(words))
            restyle(self.editor)
        self.editor.setAccessibleDescription(words)


@dataclass(slots=True, kw_only=True)
class _Bound:
    editor: Editor
    field: BareField | FormField
    shown: Any = None


class FieldBook(QObject):
    """The bound fields of one part of the form: shows the draft and its problems, takes what is typed."""

    def __init__(self, model: EditViewModel, parent: QObject) -> None:
        super().__init__(parent)
        self.model = model
        self.live = True
        """Its fields stand in the form; those of a form that was made anew since are pressed for nothing."""
        self._undo = UndoGuard(self, model.pause)
        self._bound: dict[Path, _Bound] = {}
        self._followers: list[Callable[[], object]] = []

    def bind(
        self, path: Path, editor: Editor, field: BareField | FormField, words: str, *, typing: bool = True
    ) -> None:
        """Join *editor*, which stands in *field*, with the draft at *path*; *words* name a change of it. *typing*: one
        change after the other is one step."""
        bound = _Bound(editor=editor, field=field)
        self._bound[path] = bound
        for widget in (editor.widget, *editor.widget.findChildren(QWidget)):
            self._undo.watch(widget)

        def typed(*_: object) -> None:
            # Before the model tells of it: a field that is typed into must not be filled in, which moves its cursor.
            bound.shown = editor.get()
            self.model.put(path, bound.shown, words, typing=typing)

        editor.changed.connect(typed)

    def follow(self, paint: Callable[[], object]) -> None:
        """Call *paint* whenever the draft is shown: for words that name what stands elsewhere in it."""
        self._followers.append(paint)

    def field(self, path: Path) -> BareField | FormField:
        return self._bound[path].field

    def show_model(self) -> None:
        """Bring every field to what the draft says."""
        draft = self.model.draft
        if draft is None:
            return
        for path, bound in self._bound.items():
            value = at(draft, path)
            if value != bound.shown:
                bound.shown = value
                self._set(bound.editor, value)
            words = self.model.problems.at(path)
            if words != bound.field.problem:
                bound.field.set_problem(words)
        for paint in self._followers:
            paint()

    def focus(self, path: Path) -> QWidget | None:
        """Give the keyboard to the field at *path*, or to the first in it, and return who has it."""
        for found, bound in self._bound.items():
            if found[: len(path)] == path or path[: len(found)] == found:
                editor = bound.editor.widget
                editor.setFocus()
                if isinstance(editor, QLineEdit):
                    editor.selectAll()
                return editor
        return None

    @staticmethod
    def _set(editor: Editor, value: Any) -> None:
        inner = [editor.widget, *editor.widget.findChildren(QAbstractSpinBox)]
        blockers = [QSignalBlocker(each) for each in inner]
        editor.set(value)
        del blockers


def line_editor(says: str, name: str) -> Editor:
    """One line of text."""
    line = named(QLineEdit(), name, says)
    return Editor(widget=line, get=line.text, set=line.setText, changed=line.textChanged)


def text_editor(says: str, name: str, *, least: int = 1) -> Editor:
    """Text of any length."""
    text = named(GrowingText(least), name, says)
    return Editor(widget=text, get=text.toPlainText, set=text.setPlainText, changed=text.textChanged)


def lines_editor(says: str, name: str) -> Editor:
    """Several texts, one in a line."""
    text = named(GrowingText(2), name, says)
    text.setPlaceholderText(tr("one per line"))
    return lines_in(text)


def row_tools(theme: Theme, book: FieldBook, path: Path, says: Callable[[], str], length: int) -> list[QToolButton]:
    """Up, down and remove for the item at *path* of a list of *length*; *says* what it is called at the time."""
    model, number = book.model, path[-1]
    assert isinstance(number, int)
    name = name_of(path)

    def made(icon: str, sentence: str, do: Callable[[], object], verb: str, *, enabled: bool) -> QToolButton:
        tool = icon_button(theme, icon, sentence, lambda: do() if book.live else None)
        tool.setObjectName(f"{name}.{verb}")
        tool.setEnabled(enabled)
        book.follow(lambda: say(tool, sentence.format(item=says())))
        return tool

    def moving() -> str:
        return tr("moving {item}", item=says())

    return [
        made("chevron-up", tr("Move {item} up"), lambda: model.move(path, -1, moving()), "up", enabled=number > 0),
        made(
            "chevron-down",
            tr("Move {item} down"),
            lambda: model.move(path, 1, moving()),
            "down",
            enabled=number < length - 1,
        ),
        made(
            "trash",
            tr("Remove {item}"),
            lambda: model.remove(path, tr("removing {item}", item=says())),
            "remove",
            enabled=True,
        ),
    ]


def say(widget: QWidget, words: str) -> None:
    """Let an icon's tool tip and spoken name be *words*."""
    if widget.accessibleName() != words:
        widget.setToolTip(plain_tip(words))
        widget.setAccessibleName(words)


def name_of(path: Path) -> str:
    """The object name of the field at *path*."""
    return "protocol." + ".".join(str(part) for part in path)
