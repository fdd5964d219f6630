"""The draft as text beside its form: what is changed in one of them is changed in the other."""

from PySide6.QtCore import QSignalBlocker
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QPlainTextEdit

from gpf_desktop.domain.text import tr
from gpf_desktop.ui.protocol.edit_view_model import EditViewModel
from gpf_desktop.ui.theme.tokens import SPACE_2
from gpf_desktop.ui.widgets.boxes import PlainWidget, vbox
from gpf_desktop.ui.widgets.labels import caption, problem_label
from gpf_desktop.ui.widgets.names import named
from gpf_desktop.ui.widgets.undo_guard import UndoGuard


class TextPanel(PlainWidget):
    """As a protocol file has it; what cannot be read is said with line and field."""

    def __init__(self, model: EditViewModel) -> None:
        super().__init__()
        self._model = model
        self._filled = -1
        self.text = named(QPlainTextEdit(), "protocol.text", tr("Protocol as text"))
        self.text.setTabChangesFocus(True)
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.text.setUndoRedoEnabled(False)
        self.text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        UndoGuard(self, model.pause, self.text)
        self.text.textChanged.connect(lambda: model.take_text(self.text.toPlainText()))
        self.problem = problem_label(name="protocol.textProblem")
        about = caption(tr("As a file has it. Form and text say the same; Undo takes back changes of both."))
        vbox(about, (self.text, 1), self.problem, parent=self, spacing=SPACE_2)

    def show_model(self) -> None:
        """Paint the view-model's state; what is typed is not touched."""
        model = self._model
        if model.editing and self._filled != model.text_version:
            self._filled = model.text_version
            scrolled, at = self.text.verticalScrollBar().value(), self.text.textCursor().position()
            with QSignalBlocker(self.text):
                self.text.setPlainText(model.text)
            cursor = self.text.textCursor()
            cursor.setPosition(min(at, len(model.text)))
            self.text.setTextCursor(cursor)
            self.text.verticalScrollBar().setValue(scrolled)
        self.problem.setText(model.text_problem)
