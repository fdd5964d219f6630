"""Says on Results that some scores do not rest on every answer yet, with a button that sees to it."""

from PySide6.QtWidgets import QFrame

from gpf_desktop.domain.text import tr
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.results.stale_scores_view_model import StaleScoresViewModel
from gpf_desktop.ui.theme.tokens import SPACE_2, SPACE_3
from gpf_desktop.ui.widgets.boxes import hbox
from gpf_desktop.ui.widgets.buttons import button
from gpf_desktop.ui.widgets.labels import label


class StaleScoresNotice(QFrame):
    """Layout and connections; takes no room while every score is current."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self.setProperty("card", True)
        self.setObjectName("behind")
        self.model = StaleScoresViewModel(context, self)
        self.sentence = label("", wrap=True, name="behind.sentence")
        self.refresh = button(tr("Bring up to date"), self.model.refresh, name="behind.bring")
        self.stop = button(tr("Stop"), self.model.stop, name="behind.stop")
        hbox(
            (self.sentence, 1),
            self.refresh,
            self.stop,
            parent=self,
            spacing=SPACE_3,
            margins=(SPACE_3, SPACE_2, SPACE_3, SPACE_2),
        )
        self.model.changed.connect(self._show)
        self._show()

    def _show(self) -> None:
        self.setVisible(self.model.visible)
        self.sentence.setText(self.model.words)
        self.refresh.setVisible(not self.model.working)
        self.stop.setVisible(self.model.working)
