"""The protocol as the text of its file, to edit; what is saved is a new version."""

from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QPlainTextEdit

from gpf_desktop.domain.text import tr
from gpf_desktop.ui.methods.gpf_livenews.protocol.protocol_view_model import ProtocolViewModel
from gpf_desktop.ui.theme.tokens import SPACE_2
from gpf_desktop.ui.widgets.boxes import PlainWidget, hbox, vbox
from gpf_desktop.ui.widgets.buttons import button
from gpf_desktop.ui.widgets.labels import problem_label, secondary


class TextPanel(PlainWidget):
    """Nothing is kept before "Save as a new version"; what is wrong is said with line and field."""

    def __init__(self, model: ProtocolViewModel) -> None:
        super().__init__()
        self._model = model
        self._filled = -1
        self.text = QPlainTextEdit()
        self.text.setObjectName("protocol.text")
        self.text.setAccessibleName(tr("Protocol as text"))
        self.text.setTabChangesFocus(True)
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.problem = problem_label(name="protocol.textProblem")
        self.save = button(tr("Save as a new version"), self._save, primary=True, name="protocol.saveText")
        self.cancel = button(tr("Cancel"), model.stop_editing, name="protocol.cancelText")
        buttons = hbox((secondary(tr("Runs that used the old version keep it.")), 1), self.cancel, self.save)
        vbox((self.text, 1), self.problem, buttons, parent=self, spacing=SPACE_2)

    def show_model(self) -> None:
        """Paint the view-model's state; a text being edited is not touched."""
        if not self._model.editing:
            self._filled = -1
        elif self._filled != self._model.generation:
            self._filled = self._model.generation
            self.text.setPlainText(self._model.text)
        self.problem.setText(self._model.problem)

    def _save(self) -> None:
        self._model.save_text(self.text.toPlainText())
