"""The line above the queue that tells what narrows it, with the button that takes it away."""

from PySide6.QtCore import Qt, Signal

from gpf_desktop.domain.text import tr
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.widgets.boxes import PlainWidget, hbox
from gpf_desktop.ui.widgets.buttons import icon_button
from gpf_desktop.ui.widgets.labels import caption


class FilterLine(PlainWidget):
    """Takes no room while every bundle stands in the queue."""

    removed = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        # Wrapped: the end of the words names the cell that was clicked.
        self._said = caption(name="review.only")
        self._said.setMinimumWidth(0)
        self.remove = icon_button(theme, "close", tr("Show every set"), self.removed.emit)
        self.remove.setObjectName("review.only.remove")
        hbox((self._said, 1), (self.remove, 0, Qt.AlignmentFlag.AlignTop), parent=self)
        self.hide()

    @property
    def words(self) -> str:
        return self._said.text()

    def show_words(self, words: str) -> None:
        """*words* name the filter in force; empty: there is none."""
        self._said.setText(words)
        self.remove.setAccessibleName(tr("Take away the filter “{words}”", words=words))
        self.setVisible(bool(words))
