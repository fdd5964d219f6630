"""Folding of queue and form, by choice or to give their room to the answers, and whether there is a use for them."""

from dataclasses import dataclass
from enum import Enum, auto

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from gpf_desktop.ui.context import Context
from gpf_desktop.ui.review.foot_form import FootForm
from gpf_desktop.ui.review.form_panel import FormPanel
from gpf_desktop.ui.review.panel_stack import PanelStack
from gpf_desktop.ui.review.queue_pane import QueuePane
from gpf_desktop.ui.review.queue_rail import QueueRail
from gpf_desktop.ui.review.queue_split import QueueSplit

_FORM_BELOW = 1240
"""Width of the page at 100 % under which the form gives its room to the answers."""
_QUEUE_BELOW = 700
"""Width of the page at 100 % under which the queue gives its room as well."""
QUEUE = "review/queue"
"""The setting that keeps whether the queue is folded; without it, it is as `ROOMY` and the width have it."""
ROOMY = "review/roomy"
"""The setting that keeps whether answers have all the room."""
_JUDGED_BESIDE = frozenset({"", "readings"})
"""Panels beside which verdicts are always in sight: none, and what is being settled."""


class InSight(Enum):
    """The kind of content in the middle of the page."""

    ANSWERS = auto()
    OTHER = auto()
    """The reviewers, or the code book: nothing to judge, and a queue to come back by."""
    CHOICE = auto()
    """None of the sets in the list is open."""
    NOTHING = auto()
    """There is none to open."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoldingParts:
    """The parts of the page that fold."""

    queue: QueuePane
    rail: QueueRail
    split: QueueSplit
    form: FormPanel
    foot: FootForm
    panels: PanelStack


class Folding(QObject):
    """Folds the parts that the reviewer chose to fold, else those for which *page* is too narrow."""

    changed = Signal()
    """`is_given` says something else now."""
    left = Signal()
    """What had the keyboard has gone."""

    def __init__(self, page: QWidget, context: Context, parts: FoldingParts) -> None:
        super().__init__(page)
        self._page, self._theme, self._settings, self._parts = page, context.theme, context.settings, parts
        self._roomy = str(context.settings.value(ROOMY, 1)) != "0"
        self._form: bool | None = None
        """Folded by the reviewer; None: as `_roomy` and the width have it. `_queue` likewise."""
        kept = str(context.settings.value(QUEUE, ""))
        self._queue: bool | None = kept != "0" if kept else None
        self._peeks = False
        """The queue stands open where there is no room for it beside the answers, until a set is picked."""
        self._writes = False
        """The form stands open for as long as it is written in."""
        self._shown = InSight.ANSWERS
        self.is_folded = False
        """The form stands at the foot, not beside the answers."""
        self.is_given = False
        """Queue and form are folded, and the rail of the window with them."""
        parts.panels.changed.connect(lambda _name: self._fit_foot())

    def show(self, shown: InSight) -> None:
        """Leave no verdicts where there is nothing to judge, and no way through a list that is empty."""
        if shown is not self._shown:
            self._shown = shown
            self.fit()

    def set_folded(self, folded: bool | None) -> None:
        """Fold the form away or open it; None: as the width has it."""
        self._form, self._writes = folded, False
        self.fit()
        if folded is False:
            self._parts.form.note.setFocus()

    def toggle_form(self) -> None:
        self.set_folded(not self._form_folds)

    def toggle(self) -> None:
        """Fold queue and form to their rails, so that the answers have all the room; or open both again."""
        self.set_roomy(not (self._form_folds and self._queue_folds))

    def set_roomy(self, roomy: bool) -> None:
        """Give the answers all the room, or as much as the width leaves them; kept from one start to the next."""
        self._roomy, self._form, self._queue = roomy, None, None
        self._writes = self._peeks = False
        self._settings.setValue(ROOMY, int(roomy))
        self._settings.remove(QUEUE)
        self.fit()
        if not self._queue_folds:
            self.left.emit()

    def set_queue_folded(self, folded: bool) -> None:
        """The keyboard goes from the queue to the answers, and back into it; kept from one start to the next."""
        self._peeks = not folded and self._narrow(_QUEUE_BELOW)
        # A look into the list of a narrow window is no wish for a wide one.
        if not self._peeks:
            self._queue = folded
            self._settings.setValue(QUEUE, int(folded))
        self.fit()
        if not folded:
            self.left.emit()

    def toggle_queue(self) -> None:
        self.set_queue_folded(not self._queue_folds)

    def end_peek(self) -> None:
        """A set was picked: where queue and answers have no room beside each other, the answers have it."""
        if self._peeks:
            self._peeks = False
            self.fit()

    def set_writing(self, writes: bool) -> None:
        """Open the form for as long as it is written in."""
        self._writes = writes
        self.fit()

    def fit(self) -> None:
        """Show what there is room and use for."""
        parts, judges = self._parts, self._shown is InSight.ANSWERS
        folded, queue_folded = self._form_folds, self._queue_folds
        leads_on = queue_folded and self._shown is not InSight.NOTHING
        going = (
            (parts.form, folded or not judges), (parts.foot, not judges),
            (parts.queue, queue_folded), (parts.rail, not leads_on),
        )  # fmt: skip
        left = any(gone and part.isAncestorOf(self._page.focusWidget()) for part, gone in going)
        parts.rail.setVisible(leads_on)
        opens = parts.queue.isHidden() and not queue_folded
        parts.queue.setVisible(not queue_folded)
        if opens:
            parts.split.fit()
        parts.form.setVisible(judges and not folded)
        self.is_folded = judges and folded
        self._fit_foot()
        given = folded and queue_folded
        if self.is_given is not given:
            self.is_given = given
            self.changed.emit()
        if left:
            self.left.emit()

    def _fit_foot(self) -> None:
        """Shorter while a panel is open; in a low window one that explains has all the room, and keys still judge."""
        panel = self._parts.panels.shown
        low = self._parts.foot.fit(self._page.height(), beside_panel=bool(panel))
        self._parts.foot.setVisible(self.is_folded and not (low and panel not in _JUDGED_BESIDE))

    @property
    def _form_folds(self) -> bool:
        chosen = (self._roomy or self._narrow(_FORM_BELOW)) if self._form is None else self._form
        return chosen and not self._writes

    @property
    def _queue_folds(self) -> bool:
        if self._shown is InSight.CHOICE:
            return False
        if self._narrow(_QUEUE_BELOW):
            return not self._peeks
        return self._roomy if self._queue is None else self._queue

    def _narrow(self, below: int) -> bool:
        return self._page.width() < self._theme.px(below)
