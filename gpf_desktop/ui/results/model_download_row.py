"""Fetches a model from huggingface.co, inside the form that names it."""

from collections.abc import Callable

from PySide6.QtWidgets import QProgressBar

from gpf_desktop.domain.text import tr
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.results.model_download_view_model import ModelDownloadViewModel
from gpf_desktop.ui.theme.tokens import SPACE_2
from gpf_desktop.ui.widgets.boxes import PlainWidget, hbox, vbox
from gpf_desktop.ui.widgets.buttons import button
from gpf_desktop.ui.widgets.labels import caption, problem_label, show_words

_STEPS = 1000


class ModelDownloadRow(PlainWidget):
    """Layout and connections. *named* gives the model and the revision that the form holds."""

    def __init__(self, context: Context, named: Callable[[], tuple[str, str]]) -> None:
        super().__init__()
        self.model = ModelDownloadViewModel(context, self)
        self._named = named
        self.act = button("", self._press, name="rescore.download")
        self.progress = QProgressBar(textVisible=False)
        self.progress.setRange(0, _STEPS)
        self.progress.setAccessibleName(tr("Download"))
        self.said = caption(name="rescore.download.said")
        self.problem = problem_label(name="rescore.download.problem")
        vbox(
            hbox(self.act, (self.progress, 1), 0, spacing=SPACE_2),
            self.said,
            self.problem,
            parent=self,
            spacing=SPACE_2,
        )
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
        show_words(self.said, model.said)
        self.problem.setText(model.problem)

    def _press(self) -> None:
        self.model.press(*self._named())
