"""The queue where room is wanted for the answers: a strip with the way through it."""

from PySide6.QtCore import Qt, Signal

from gpf_desktop.domain.text import tr
from gpf_desktop.ui.actions import ActionRegistry
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.theme.tokens import SPACE_1, SPACE_2
from gpf_desktop.ui.widgets.buttons import icon_action, icon_button
from gpf_desktop.ui.widgets.cards import Card
from gpf_desktop.ui.widgets.labels import label
from gpf_desktop.ui.widgets.plain import plain_tip
from gpf_desktop.ui.wording import count

_WIDE = 44


class QueueRail(Card):
    """The queue as a narrow strip: back, on, where one is, and one button opens it."""

    step_asked = Signal(int)

    def __init__(self, theme: Theme, actions: ActionRegistry) -> None:
        super().__init__(name="review.rail")
        self.setAccessibleName(tr("Queue"))
        self.unfold = icon_action(theme, "chevron-right", actions.action("review.fold_queue"), tr("Open the queue"))
        back = icon_button(theme, "chevron-up", tr("Previous set"), lambda: self.step_asked.emit(-1))
        on = icon_button(theme, "chevron-down", tr("Next set"), lambda: self.step_asked.emit(1))
        self._at = label("", "caption")
        self._of = label("", "caption")
        self.body.setContentsMargins(SPACE_1, SPACE_2, SPACE_1, SPACE_2)
        self.body.setSpacing(SPACE_1)
        for each in (self.unfold, back, self._at, self._of, on):
            self.body.addWidget(each, 0, Qt.AlignmentFlag.AlignHCenter)
        self.body.addStretch(1)
        self._theme = theme
        theme.follow(self, self._fit)

    def show_place(self, at: int, of: int) -> None:
        """*at* from 0; below 0: the open bundle stands in another tab."""
        self._at.setText(count(at + 1) if at >= 0 else "–")
        self._of.setText(f"/ {count(of)}")
        self.setToolTip(plain_tip(tr("Set {n} of {all} in this tab", n=self._at.text(), all=count(of))))
        self._fit()

    def _fit(self) -> None:
        """Wider where the queue is long, so that no digit is cut off."""
        needed = max(each.sizeHint().width() for each in (self._at, self._of)) + 2 * (SPACE_1 + self.frameWidth())
        self.setFixedWidth(max(self._theme.px(_WIDE), needed))
