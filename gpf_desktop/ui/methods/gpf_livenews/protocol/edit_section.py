"""What the parts of the protocol's form share: built anew where the draft has other lists, else filled in place."""

from collections.abc import Callable

from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from gpf_desktop.domain.protocol_problems import Path
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.methods.gpf_livenews.protocol.edit_fields import (
    BareField,
    FieldBook,
    line_editor,
    name_of,
    row_tools,
    say,
    text_editor,
)
from gpf_desktop.ui.methods.gpf_livenews.protocol.edit_paths import at, shape
from gpf_desktop.ui.methods.gpf_livenews.protocol.edit_view_model import EditViewModel
from gpf_desktop.ui.theme.tokens import SPACE_2, SPACE_3
from gpf_desktop.ui.widgets.boxes import PlainWidget, row_of, vbox
from gpf_desktop.ui.widgets.buttons import button, icon_button
from gpf_desktop.ui.widgets.editors import Editor
from gpf_desktop.ui.widgets.fields import FormField
from gpf_desktop.ui.widgets.labels import problem_label
from gpf_desktop.ui.widgets.layouts import clear_layout, scrolling


class EditSection(PlainWidget):
    """One part of the form; a subclass says in `build` what stands in it."""

    def __init__(self, context: Context, model: EditViewModel, *paths: Path) -> None:
        super().__init__()
        self.context, self.model = context, model
        self._paths = paths
        self._built: object = None
        self.book = FieldBook(model, self)
        self._content = QWidget()
        self.column = vbox(parent=self._content, spacing=SPACE_3, margins=(0, 0, SPACE_2, 0))
        self.area = scrolling(self._content)
        vbox(self.area, parent=self)

    def build(self) -> None:
        """Put the fields of the draft into `column`."""
        raise NotImplementedError

    def show_model(self) -> None:
        """Paint the view-model's state."""
        draft = self.model.draft
        if draft is None:
            return
        wanted = (tuple(shape(at(draft, path)) for path in self._paths), self._opened())
        if wanted != self._built:
            self._built = wanted
            scrolled = self.area.verticalScrollBar().value()
            self.book.live = False
            self.book.deleteLater()
            self.book = FieldBook(self.model, self)
            # Shown as a whole: what is added to a visible layout appears, and takes the keyboard, only later.
            self._content.hide()
            clear_layout(self.column)
            self.build()
            self.column.addStretch(1)
            self.book.show_model()
            self._content.show()
            self._content.adjustSize()
            self.area.verticalScrollBar().setValue(scrolled)
        else:
            self.book.show_model()

    def go_to(self, path: Path) -> None:
        """Give the keyboard to the field at *path* and bring it into view."""
        editor = self.book.focus(path)
        if editor is not None:
            self.column.activate()
            self.area.ensureWidgetVisible(editor)

    def line(self, path: Path, title: str, words: str, *, help: str = "") -> FormField:  # noqa: A002
        """A labelled line."""
        return self.labelled(path, title, words, line_editor(title, name_of(path)), help=help)

    def text(self, path: Path, title: str, words: str, *, help: str = "", least: int = 2) -> FormField:  # noqa: A002
        """A labelled text."""
        return self.labelled(path, title, words, text_editor(title, name_of(path), least=least), help=help)

    def labelled(self, path: Path, title: str, words: str, editor: Editor, *, help: str = "") -> FormField:  # noqa: A002
        """A label over any editor."""
        field = FormField(title, editor.widget, help=help, name=name_of(path))
        self.book.bind(path, editor, field, words)
        return field

    def row(self, path: Path, says: Callable[[], str], words: str, editor: Editor, *, fold: str = "") -> BareField:
        """An item of a list with what can be done with it.

        *says* what the item is called at the time; *fold* is what the button says that folds the item out.
        """
        depth = max(n for n, part in enumerate(path) if isinstance(part, int))
        item, length = path[: depth + 1], len(at(self.model.draft, path[:depth]))
        tools = row_tools(self.context.theme, self.book, item, says, length)
        before = [self._fold(item, says, fold)] if fold else []
        field = BareField(editor.widget, before, tools)
        self.book.bind(path, editor, field, words)
        return field

    def says(self, path: Path, otherwise: str) -> Callable[[], str]:
        """What the thing named at *path* is called at the time; *otherwise* where it has no name."""
        return lambda: (str(at(self.model.draft, path)).strip() if self.model.has(path) else "") or otherwise

    def _fold(self, path: Path, says: Callable[[], str], sentence: str) -> QWidget:
        shown = path in self.model.opened
        icon = "chevron-down" if shown else "chevron-right"
        made = icon_button(
            self.context.theme, icon, sentence, lambda: self.model.set_open(path, path not in self.model.opened)
        )
        made.setObjectName(f"{name_of(path)}.fold")
        self.book.follow(lambda: say(made, sentence.format(item=says())))
        return made

    def problem_of(self, path: Path) -> QWidget:
        """A line that says what is wrong with the list at *path*."""
        made = problem_label(name=f"{name_of(path)}.problem")
        self.book.follow(lambda: made.setText(self.model.problems.of_list(path)))
        return made

    def head(self, title: QLabel, add: QPushButton) -> QWidget:
        """A title with a button at its right."""
        title.setWordWrap(True)
        return row_of((title, 1), add, spacing=SPACE_2)

    def adder(self, text: str, path: Path, item: object, words: str, field: Path = ()) -> QPushButton:
        """A button that adds *item* to the list at *path*."""
        made = button(
            text, lambda: self.model.add(path, item, words, field=field), compact=True, name=f"{name_of(path)}.add"
        )
        self.context.theme.put_icon(made, "add")
        return made

    def _opened(self) -> frozenset[Path]:
        return frozenset(path for path in self.model.opened if any(path[: len(own)] == own for own in self._paths))
