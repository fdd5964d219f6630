"""Fetches a model from huggingface.co, inside the form that names it."""

from collections.abc import Callable

from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QVBoxLayout, QWidget

from gpf_desktop.domain.text import tr
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.results.model_download_view_model import ModelDownloadViewModel
from gpf_desktop.ui.theme.tokens import SPACE_2
from gpf_desktop.ui.widgets.buttons import button
from gpf_desktop.ui.widgets.labels import caption, problem_label

_STEPS = 1000


class ModelDownloadRow(QWidget):
    """Layout and connections. *named* gives the model and the revision that the form holds."""

    def __init__(self, context: Context, named: Callable[[], tuple[str, str]]) -> None:
        super().__init__()
        self.setProperty("plain", True)
        self.model = ModelDownloadViewModel(context, self)
        self._named = named
        self.act = button("", self._press, name="rescore.download")
        self.progress = QProgressBar()
        self.progress.setTextVisible(False)
        self.progress.setRange(0, _STEPS)
        self.progress.setAccessibleName(tr("Download"))
        self.said = caption(name="rescore.download.said")
        self.problem = problem_label(name="rescore.download.problem")
        row = QHBoxLayout()
        row.setSpacing(SPACE_2)
        row.addWidget(self.act)
        row.addWidget(self.progress, 1)
        row.addStretch(0)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SPACE_2)
        column.addLayout(row)
        column.addWidget(self.said)
        column.addWidget(self.problem)
        self.model.changed.connect(self.show_state)
        self.show_state()

    def show_state(self) -> None:
        model, (name, _) = self.model, self._named()
        if model.offer is not None and model.offer.model != name:
            model.forget()
        self.act.setText(model.button)
        # Also while the hub is asked, when a press does nothing: switched off, it would hand the keyboard on.
        self.act.setEnabled(model.downloading or bool(name))
        self.progress.setVisible(model.downloading)
        self.progress.setValue(round(_STEPS * model.share))
        self.said.setText(model.said)
        self.said.setVisible(bool(model.said))
        self.problem.setText(model.problem)

    def _press(self) -> None:
        self.model.press(*self._named())
