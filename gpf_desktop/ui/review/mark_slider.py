"""How many of the words that carry the score are marked: less to the left, more to the right."""

from PySide6.QtCore import QEvent, QSignalBlocker, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QSlider

from gpf_desktop.domain.text import tr
from gpf_desktop.engine.review.reading_aids.carrying_words import AMOUNTS
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.widgets.plain import plain_tip
from gpf_desktop.ui.wording import percent

_WIDE = 76
_OWN_KEYS = frozenset({Qt.Key.Key_Left, Qt.Key.Key_Right})


class MarkSlider(QSlider):
    """A place in `AMOUNTS`."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.setObjectName("review.amount")
        self.setAccessibleName(tr("Marks: fewer or more"))
        self.setRange(0, len(AMOUNTS) - 1)
        self.setPageStep(1)
        theme.follow(self, lambda: self.setFixedWidth(theme.px(_WIDE)))

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and event.key() in _OWN_KEYS:
            # Elsewhere on the page arrows go from bundle to bundle.
            event.accept()
            return True
        return super().event(event)

    def show_amount(self, amount: int) -> None:
        with QSignalBlocker(self):
            self.setValue(amount)
        said = tr(
            "Marked: the words that carry {share} of how far apart the answers are (fewer, more: Shift+H)",
            share=percent(AMOUNTS[amount], 1),
        )
        self.setToolTip(plain_tip(said))
        self.setAccessibleDescription(said)
