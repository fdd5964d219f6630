"""The line at the foot of the window: the active run, its spend, where keys are kept, whether all is saved."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame

from gpf_desktop.domain.text import tr
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.theme.tokens import SPACE_4, SPACE_5
from gpf_desktop.ui.widgets.announcing import announce
from gpf_desktop.ui.widgets.boxes import hbox
from gpf_desktop.ui.widgets.buttons import ToolButton
from gpf_desktop.ui.widgets.labels import ElidedLabel, show_words
from gpf_desktop.ui.widgets.names import named


class StatusStrip(QFrame):
    """Words only; the run's entry is a button that goes to Runs."""

    run_chosen = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("statusStrip")
        self._theme = theme
        self._quarter = 0
        self._run = named(ToolButton(), "statusRun")
        self._run.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._run.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._run.clicked.connect(self.run_chosen)
        theme.put_icon(self._run, "dot", "text_secondary")
        self._left = ElidedLabel()
        self._spend = ElidedLabel()
        self._sample = ElidedLabel()
        self._origin = ElidedLabel()
        self._origin.setObjectName("statusOrigin")
        self._keys = ElidedLabel()
        self._keys.setObjectName("statusKeys")
        self._saved = ElidedLabel()
        hbox(
            self._run,
            self._left,
            self._spend,
            1,
            self._origin,
            self._sample,
            self._keys,
            self._saved,
            parent=self,
            spacing=SPACE_5,
            margins=(SPACE_4 - 4, 2, SPACE_4, 2),
        )
        self.show_run("", "", "")
        self.show_keys("")
        self.show_saved("")
        self.show_sample(False)
        self.show_origin("")

    def show_run(self, text: str, left: str, spend: str, quarter: int = 0) -> None:
        """Show the round that runs, the time left and the cost so far; empty where none runs. A new *quarter* is
        announced.
        """
        show_words(self._run, text)
        self._run.setAccessibleName(tr("Round being asked: {run}", run=text) if text else tr("No round is being asked"))
        self._run.setToolTip(tr("Show this round"))
        for label, words in ((self._left, left), (self._spend, spend)):
            show_words(label, words)
        if quarter != self._quarter:
            self._quarter = quarter
            announce(self, ", ".join(filter(None, (text, left))))

    def show_keys(self, text: str) -> None:
        show_words(self._keys, text)

    def show_saved(self, text: str) -> None:
        show_words(self._saved, text)

    def show_origin(self, text: str) -> None:
        """Say for as long as it is open that its answers were asked elsewhere."""
        show_words(self._origin, text)

    def show_sample(self, shown: bool) -> None:
        """Say for as long as it is open that this audit holds made-up data."""
        self._sample.setText(tr("Sample audit: synthetic answers"))
        self._sample.setVisible(shown)
