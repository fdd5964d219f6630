"""The line above the queue: tabs with counts, order, filter, blind mode."""

from dataclasses import replace

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QSizePolicy,
    QTabBar,
)

from gpf_desktop.domain.review_queue import FilterChoices, QueueFilter, QueueOrder, QueueTab
from gpf_desktop.domain.text import capital, shortened, tr
from gpf_desktop.ui.review.queue_state import QueueState
from gpf_desktop.ui.review.wording import about_words, score_words, tab_words
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.theme.tokens import SPACE_2, SPACE_4
from gpf_desktop.ui.widgets.boxes import PlainWidget, by_width, hbox
from gpf_desktop.ui.widgets.buttons import button, menu_button
from gpf_desktop.ui.widgets.choice_box import ChoiceBox
from gpf_desktop.ui.widgets.labels import label
from gpf_desktop.ui.widgets.layouts import SpreadLayout
from gpf_desktop.ui.widgets.plain import plain_entry, plain_tip
from gpf_desktop.ui.wording import count

_RANDOM = "random"
_ICON = 16
_LEAST_SORT = 100
_LONGEST = 24
"""Letters of a filter's name on the button; the tool tip has all of them."""
_LONGEST_NAME = 18
"""Letters of the reviewer's name on the button."""
_MOVES = (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Home, Qt.Key.Key_End)


class KeyedTabBar(QTabBar):
    """While it has the keyboard, arrow keys go from tab to tab and not from bundle to bundle."""

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and event.key() in _MOVES:
            event.accept()
            return True
        return super().event(event)


class QueueBar(PlainWidget):
    """Says what was chosen by signals."""

    tab_chosen = Signal(object)
    order_chosen = Signal(object)
    filter_asked = Signal()
    blind_chosen = Signal(bool)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setSizePolicy(by_width(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum))
        self._theme = theme
        self._order = QueueOrder()
        self._seed = 0
        self._tabs: tuple[QueueTab, ...] = ()
        self._sort_label = label(tr("Sort"), "secondary")
        self._pile = label("", "caption", name="review.pile.short")
        self._pile.hide()
        self._folds = False
        self._pile_words: tuple[str, ...] = ()
        self.tabs = KeyedTabBar()
        self.tabs.setObjectName("review.tabs")
        self.tabs.setAccessibleName(tr("Queue"))
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        self.tabs.currentChanged.connect(self._tab_changed)
        self.sort = ChoiceBox(20)
        self.sort.setObjectName("review.sort")
        for part in (self.sort, self.sort.view()):
            part.setAccessibleName(tr("Sort by"))
        self.sort.activated.connect(self._sorted)
        self.filter = button(tr("Filter"), self.filter_asked.emit, name="review.filter")
        self.filter.setCheckable(True)
        self.blind = button(tr("Names hidden: off"), name="review.blind")
        self.blind.setCheckable(True)
        self.blind.clicked.connect(self.blind_chosen)
        self.blind.setToolTip(
            tr("Hides which answer is which, the model and what others said until you have submitted")
        )
        self.more = menu_button("", name="review.more")
        self.reader = ""
        theme.put_icon(self.more, "more")
        self._lay_out()
        self.show_reader("")
        theme.follow(self, self._restyle)

    def _lay_out(self) -> None:
        ends = PlainWidget()
        self._sort_label.setBuddy(self.sort)
        hbox(self._pile, self._sort_label, self.sort, self.filter, self.blind, self.more, parent=ends, spacing=SPACE_2)
        self._ends = ends
        SpreadLayout(self, self.tabs, ends, spacing=SPACE_4)

    def show_queue(self, queue: QueueState, tab: QueueTab) -> None:
        """Counts per tab; Disagree stands there from the second reviewer on."""
        shown = tuple(each for each in QueueTab if each is not QueueTab.DISAGREE or queue.reviewers > 1)
        # Qt makes the first tab that is added the current one, which nobody has chosen.
        self.tabs.blockSignals(True)
        if shown != self._tabs:
            while self.tabs.count():
                self.tabs.removeTab(0)
            for each in shown:
                self.tabs.addTab(tab_words(each))
            self._tabs = shown
        for at, each in enumerate(shown):
            words = f"{tab_words(each)} {count(queue.count(each))}"
            if self.tabs.tabText(at) != words:
                self.tabs.setTabText(at, words)
        if tab in shown:
            self.tabs.setCurrentIndex(shown.index(tab))
        self.tabs.blockSignals(False)
        self._fit()

    def show_pile(self, words: str, short: str, *, folded: bool) -> None:
        """*words*: how much was read, and what is left; *folded*: so is the queue, above which they stand else."""
        self._pile_words = (words, short) if words else ()
        self._folds = folded
        self._fit()

    def show_reader(self, name: str) -> None:
        """*name*: under which readings are stored, so that nobody reads under another's."""
        self.reader = shortened(name, _LONGEST_NAME)
        says = tr("Reviewers, code book and samples")
        self.more.setAccessibleName(tr("You read as {name}. {more}", name=name, more=says) if name else says)
        self.more.setToolTip(plain_tip(self.more.accessibleName()))
        self._fit()

    def show_order(self, order: QueueOrder, choices: FilterChoices | None, seed: int) -> None:
        self._order, self._seed = order, seed
        measures = choices.scores if choices is not None else ()
        names = [each.name for each in measures]
        wanted = [*names, _RANDOM] if names else []
        tips = {each.name: about_words(each) for each in measures} | {_RANDOM: tr("Always the same order for you")}
        if [self.sort.itemData(at) for at in range(self.sort.count())] != wanted:
            self.sort.clear()
            for at, name in enumerate(wanted):
                self.sort.addItem(tr("At random") if name == _RANDOM else capital(score_words(name, measures)), name)
                self.sort.setItemData(at, plain_tip(tips[name]), Qt.ItemDataRole.ToolTipRole)
        now = _RANDOM if order.seed is not None else order.score or (names or [""])[0]
        if now in wanted:
            self.sort.setCurrentIndex(wanted.index(now))
            self.sort.setToolTip(plain_tip(tips[now] or self.sort.currentText()))
        # An assignment has no scores, and bundles that are not scored yet none to be sorted by.
        if self.sort.isHidden() == bool(wanted):
            self.sort.setVisible(bool(wanted))
            self._fit()

    def show_filter(self, wanted: QueueFilter, name: str, *, shown: bool) -> None:
        """Tell what narrows the queue: the filter's *name*, that it is a sample, or the number of fields."""
        narrowed = wanted.narrowed
        what, says = "", tr("Filter")
        if name:
            what, says = name, tr("Filter, “{name}” in force", name=name)
        elif wanted.bundle_ids is not None and wanted.drawn is not None:
            what = tr("sample of {n}", n=count(len(wanted.bundle_ids)))
            says = tr("Filter, {sample} in force", sample=what)
        elif narrowed:
            what, says = count(narrowed), tr("Filter, {n} in force", n=count(narrowed))
        if len(what) > _LONGEST:
            what = what[: _LONGEST - 1].rstrip() + "…"
        self.filter.setText(f"{tr('Filter')} · {_plain(what)}" if what else tr("Filter"))
        self.filter.setAccessibleName(says)
        self.filter.setToolTip(plain_tip(says if what else ""))
        self.filter.setChecked(shown)
        self._fit()

    def show_blind(self, blind: bool) -> None:
        self.blind.setChecked(blind)
        words = tr("Names hidden: on") if blind else tr("Names hidden: off")
        self.blind.setAccessibleName(words)
        self._theme.put_icon(self.blind, "eye-off" if blind else "eye")
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """One line where it can be one: words that an icon can say give way first, then letters of the order."""
        # The chosen tab is wider than it was, which Qt does not tell.
        self.tabs.updateGeometry()
        self._name(shortly=False)
        pile = self._pile.sizeHint().width() + SPACE_2
        needed = self._needed(self._ends.sizeHint().width()) - (0 if self._pile.isHidden() else pile)
        room, metrics = self.width() - needed - SPACE_2, self._pile.fontMetrics()
        fitting = (words for words in self._pile_words if metrics.horizontalAdvance(words) <= room)
        self._pile.setText(next(fitting, "") if self._folds else "")
        self._pile.setVisible(bool(self._pile.text()))
        if needed > self.width():
            self._name(shortly=True)
            if self._needed(self._ends.minimumSizeHint().width()) > self.width():
                self._name(shortly=False)

    def _restyle(self) -> None:
        self.sort.setMinimumWidth(self._theme.px(_LEAST_SORT))
        for made in (self.blind, self.more):
            made.setIconSize(QSize(self._theme.px(_ICON), self._theme.px(_ICON)))
        self._fit()

    def _needed(self, ends: int) -> int:
        return self.tabs.sizeHint().width() + SPACE_4 + ends

    def _name(self, *, shortly: bool) -> None:
        self._sort_label.setVisible(not shortly and not self.sort.isHidden())
        self.blind.setText("" if shortly else f" {self.blind.accessibleName()}")
        self.more.setText("" if shortly or not self.reader else f" {plain_entry(self.reader)}")
        for each in (self.blind, self.more):
            each.updateGeometry()
        # The ends and the bar too: what was asked of them with the longer words would stay.
        for widget in (self._ends, self):
            layout = widget.layout()
            if layout is not None:
                layout.invalidate()
            widget.updateGeometry()

    def _tab_changed(self, at: int) -> None:
        self._fit()
        if 0 <= at < len(self._tabs):
            self.tab_chosen.emit(self._tabs[at])

    def _sorted(self, at: int) -> None:
        name = str(self.sort.itemData(at))
        if name == _RANDOM:
            self.order_chosen.emit(replace(self._order, seed=self._seed))
        else:
            self.order_chosen.emit(replace(self._order, score=name, seed=None))


def _plain(name: str) -> str:
    # An ampersand on a button marks the letter behind it.
    return plain_entry(name)
