"""Opens the editor of the grid from the set-up of a study."""

from PySide6.QtWidgets import QHBoxLayout, QWidget

from gpf_desktop.domain.text import tr
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.methods.contextual_stereoset.grid_dialog import GridDialog
from gpf_desktop.ui.studies.study_view_model import StudyViewModel
from gpf_desktop.ui.widgets.buttons import button


class GridButton(QWidget):
    """Closed until the protocol is there."""

    def __init__(self, context: Context, model: StudyViewModel) -> None:
        super().__init__()
        self.setProperty("plain", True)
        self._context, self._model = context, model
        self.open = button(tr("Edit the grid …"), self._edit, compact=True, name="study.grid")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.open)
        row.addStretch(1)
        model.changed.connect(self._show)
        self._show()

    def _show(self) -> None:
        self.open.setEnabled(self._model.protocol is not None)

    def _edit(self) -> None:
        method = self._model.method
        assert method is not None
        dialog = GridDialog(self._context, method, self._model.protocol, self.window())
        dialog.taken.connect(self._model.take_protocol)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()
