"""Fields of the report's editor: undo is the editor's, and numbers are put in from a list."""

from collections.abc import Callable

from PySide6.QtCore import QSignalBlocker
from PySide6.QtGui import QSyntaxHighlighter, QTextCharFormat
from PySide6.QtWidgets import QApplication, QComboBox, QLineEdit, QToolButton, QWidget

from gpf_desktop.domain.hidden_names import names_hidden
from gpf_desktop.domain.text import tr
from gpf_desktop.domain.verdict_words import SEVERITIES, severity_called
from gpf_desktop.engine.reporting.drafts.draft import Evidence
from gpf_desktop.engine.reporting.drafts.references import REFERENCE
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.reports.draft_view_model import DraftViewModel
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.theme.tokens import SPACE_1
from gpf_desktop.ui.widgets.boxes import PlainWidget, vbox
from gpf_desktop.ui.widgets.buttons import icon_button, link
from gpf_desktop.ui.widgets.growing_text import GrowingText
from gpf_desktop.ui.widgets.labels import label
from gpf_desktop.ui.widgets.layouts import SpreadLayout
from gpf_desktop.ui.widgets.names import named
from gpf_desktop.ui.widgets.undo_guard import UndoGuard


class LineField(PlainWidget):
    """One line with its label above it."""

    def __init__(self, model: DraftViewModel, says: str, name: str, typed: Callable[[str], object]) -> None:
        super().__init__()
        self.editor = named(QLineEdit(), name, says)
        self.editor.textEdited.connect(typed)
        UndoGuard(model, model.pause, self.editor)
        words = label(says)
        words.setBuddy(self.editor)
        vbox(words, self.editor, parent=self, spacing=SPACE_1)

    def show_text(self, text: str) -> None:
        if text != self.editor.text():
            self.editor.setText(text)


class TextField(PlainWidget):
    """A text with its label, and with numbers put in from a list."""

    def __init__(
        self,
        context: Context,
        model: DraftViewModel,
        says: str,
        name: str,
        typed: Callable[[str], object],
        *,
        choose_number: Callable[[QWidget, Callable[[str], object]], object] | None = None,
        least: int = 2,
        prompt: str = "",
    ) -> None:
        """*choose_number* asks for a number and hands its reference over; None: this text has none."""
        super().__init__()
        self.editor = GrowingText(least, 14)
        self.editor.setObjectName(name)
        self.editor.setAccessibleName(says)
        self.editor.setPlaceholderText(prompt)
        self._told, self._typed = "", typed
        # Qt has no signal here for what is typed alone, as a line has: it comes for other colours of the text, too.
        self.editor.textChanged.connect(self._changed)
        UndoGuard(model, model.pause, self.editor)
        words = label(says)
        words.setBuddy(self.editor)
        head = PlainWidget()
        spread = SpreadLayout(head)
        spread.addWidget(words)
        if choose_number is not None:
            ReferenceMarks(context, self.editor)
            number = link(tr("Insert a number …"), lambda: choose_number(self, self.insert), name=f"{name}.number")
            number.setAccessibleName(tr("Insert a number into {text}", text=says))
            spread.addWidget(number)
        vbox(head, self.editor, parent=self, spacing=SPACE_1)

    def insert(self, words: str) -> None:
        """Put *words* where the cursor is."""
        self.editor.insertPlainText(words)
        self.editor.setFocus()

    def show_text(self, text: str) -> None:
        self._told = text
        if text != self.editor.toPlainText():
            with QSignalBlocker(self.editor):
                self.editor.setPlainText(text)

    def _changed(self) -> None:
        text = self.editor.toPlainText()
        if text != self._told:
            self._told = text
            self._typed(text)


def severity_box(chosen: Callable[[int | None], object], name: str) -> QComboBox:
    """None, or 1 to 4: the place in the list is the severity."""
    box = named(QComboBox(), name, tr("Severity"))
    box.addItem(tr("No severity"))
    for number in SEVERITIES:
        box.addItem(severity_called(number))
    box.activated.connect(lambda at: chosen(at or None))
    return box


class ReferenceMarks(QSyntaxHighlighter):
    """References stand out from the words around them."""

    def __init__(self, context: Context, editor: GrowingText) -> None:
        super().__init__(editor.document())
        self._theme = context.theme
        context.theme.on_change(editor, self.rehighlight)

    def highlightBlock(self, text: str) -> None:
        marked = QTextCharFormat()
        marked.setForeground(self._theme.color("accent"))
        marked.setFontUnderline(True)
        for found in REFERENCE.finditer(text):
            self.setFormat(found.start(), found.end() - found.start(), marked)


def mover(
    theme: Theme, what: str, at: int, of: int, name: str, move: Callable[[int], object]
) -> tuple[QToolButton, ...]:
    """Buttons that move *what*, the one at *at* of *of*, up and down; *name* tells them from those of other rows."""
    up = icon_button(theme, "chevron-up", tr("Move {what} up", what=what), lambda: move(-1))
    down = icon_button(theme, "chevron-down", tr("Move {what} down", what=what), lambda: move(1))
    up.setObjectName(f"{name}.up")
    down.setObjectName(f"{name}.down")
    up.setEnabled(at > 0)
    down.setEnabled(at < of - 1)
    return up, down


def shown_title(item: Evidence) -> str:
    """The title of *item* here; without model and reader while names are hidden."""
    return item.unnamed if names_hidden() else item.title


def rebuild(panel: QWidget, make: Callable[[], object], otherwise: QWidget) -> None:
    """Let *make* replace rows of *panel*; the keyboard stays on the button of the same name, or of its row.

    Where that row is gone, it goes to *otherwise*, or to a button that moves another.
    """
    focused = QApplication.focusWidget()
    name = focused.objectName() if focused is not None and panel.isAncestorOf(focused) else ""
    gone = panel.findChildren(QToolButton)
    make()
    if not name or not isinstance(focused, QToolButton):
        return
    row = name.rpartition(".")[0]
    # Those just made count as hidden until Qt shows them; rows that stayed are in both.
    buttons = [each for each in panel.findChildren(QToolButton) if each not in gone or not each.isHidden()]
    named_so = (
        each for wanted in (name, f"{row}.up", f"{row}.down") for each in buttons if each.objectName() == wanted
    )
    moving = (each for each in buttons if each.objectName().endswith((".up", ".down")))
    for each in (*named_so, otherwise, *moving):
        if each.isEnabled() and not (each is otherwise and each.isHidden()):
            each.show()
            each.setFocus()
            return
