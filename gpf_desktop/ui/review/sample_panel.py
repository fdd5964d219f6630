"""Draws a sample of the queue: at random, stratified, or the highest by the score in force."""

from collections.abc import Iterable
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QButtonGroup, QCheckBox, QRadioButton, QWidget

from gpf_desktop.domain.queue_samples import MODEL, SampleKind, SampleWish
from gpf_desktop.domain.review_queue import QueueFilter
from gpf_desktop.domain.text import tr
from gpf_desktop.ui.review import sample_words
from gpf_desktop.ui.review.bulk_words import bundles
from gpf_desktop.ui.review.filters_view_model import FiltersViewModel
from gpf_desktop.ui.theme.tokens import SPACE_1, SPACE_2
from gpf_desktop.ui.widgets.boxes import PlainWidget, vbox
from gpf_desktop.ui.widgets.buttons import button, link, menu_button
from gpf_desktop.ui.widgets.editors import whole_box
from gpf_desktop.ui.widgets.labels import caption, label
from gpf_desktop.ui.widgets.layouts import flowing
from gpf_desktop.ui.widgets.names import named
from gpf_desktop.ui.widgets.plain import plain_entry
from gpf_desktop.ui.wording import count

SIZES = (10, 25, 50, 100, 200)
TEST_SETS = 24
"""Two hours at five minutes a set."""
_MOST = 100_000
_REMEMBERED = 12


class SamplePanel(PlainWidget):
    """Folds open under the filters."""

    closed = Signal()

    def __init__(self, filters: FiltersViewModel) -> None:
        super().__init__(name="review.sample")
        self._filters = filters
        self._group = QButtonGroup(self)
        self.kinds: dict[SampleKind, QRadioButton] = {}
        for kind in SampleKind:
            choice = QRadioButton(sample_words.kind_words(kind, filters.order.score))
            choice.setObjectName(f"review.sample.{kind.value}")
            choice.toggled.connect(self._chosen)
            self._group.addButton(choice)
            self.kinds[kind] = choice
        self._help = caption(name="review.sample.help")
        self.strata = {MODEL: self._stratum_box(MODEL)}
        """What strata can be made of."""
        self._by = flowing(label(tr("Groups by"), "secondary"), *self.strata.values())
        self.number = named(whole_box(1, _MOST), "review.sample.size", tr("Sets in the sample"))
        self.number.setValue(50)
        sizes = [self._size_button(size) for size in SIZES]
        self._from = label("", "secondary", name="review.sample.from")
        self.draw = button(tr("Draw the sample"), self._draw, primary=True, name="review.sample.draw")
        self._before = menu_button(tr("Drawn before"), name="review.sample.before")
        close = link(tr("Close"), self.closed.emit, name="review.sample.close")
        vbox(
            flowing(label(tr("Sample"), "heading"), *self.kinds.values()),
            self._help,
            self._by,
            flowing(self.number, *sizes, self._from),
            flowing(self.draw, self._before, close),
            parent=self,
            spacing=SPACE_2,
            margins=(0, SPACE_1, 0, 0),
        )
        self.kinds[SampleKind.RANDOM].setChecked(True)
        filters.changed.connect(self._show)
        filters.chosen.connect(self._count)
        filters.sampled.connect(self._drawn)

    def offer(self, factors: Iterable[str]) -> None:
        """Strata can be made of *factors* and of models."""
        names = [MODEL, *factors]
        if names == [*self.strata]:
            return
        row = self._by.layout()
        assert row is not None
        for box in self.strata.values():
            row.removeWidget(box)
            box.deleteLater()
        self.strata = {name: self._stratum_box(name) for name in names}
        before: QWidget = self.kinds[SampleKind.TOP]
        for box in self.strata.values():
            row.addWidget(box)
            self.setTabOrder(before, box)
            before = box
        self.setTabOrder(before, self.number)
        self._show()

    def _stratum_box(self, name: str) -> QCheckBox:
        box = named(QCheckBox(sample_words.made_of_words(name)), f"review.sample.by.{name}")
        box.setAccessibleName(tr("Groups by {name}", name=box.text()))
        box.setChecked(True)
        box.toggled.connect(self._chosen)
        return box

    def open(self) -> None:
        """Show it with the keyboard in it."""
        self._filters.look_at_samples()
        self.show()
        self._show()
        self.kinds[self.wish.kind].setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        match event.key():
            case Qt.Key.Key_Escape:
                self.closed.emit()
            case Qt.Key.Key_Return | Qt.Key.Key_Enter if self.draw.isEnabled():
                self._draw()
            case _:
                super().keyPressEvent(event)

    def _size_button(self, size: int) -> QWidget:
        made = button(count(size), partial(self.number.setValue, size), compact=True, name=f"review.sample.size{size}")
        made.setAccessibleName(bundles(size))
        return made

    @property
    def wish(self) -> SampleWish:
        """The sample that is asked for now."""
        return SampleWish(
            kind=next(kind for kind, choice in self.kinds.items() if choice.isChecked()),
            size=self.number.value(),
            strata=tuple(name for name, box in self.strata.items() if box.isChecked()),
        )

    def _draw(self) -> None:
        # Enter may come before the box has taken over what is typed in it.
        self.number.interpretText()
        self._filters.draw(self.wish)

    def _drawn(self) -> None:
        if self.isVisible():
            self.closed.emit()

    def _count(self) -> None:
        if self.isVisible():
            self._filters.look_at_samples()

    def _chosen(self) -> None:
        if self.sender() is self.kinds.get(SampleKind.CONCLUSION) and self.kinds[SampleKind.CONCLUSION].isChecked():
            self.number.setValue(TEST_SETS)
        if any(choice.isChecked() for choice in self.kinds.values()):
            self._show()

    def _show(self) -> None:
        if self.isHidden():
            return
        filters, wish = self._filters, self.wish
        for kind, choice in self.kinds.items():
            choice.setText(sample_words.kind_words(kind, filters.order.score))
        stratified = wish.kind is SampleKind.STRATIFIED
        pool = filters.pool
        sets = wish.size if pool is None else min(wish.size, pool)
        self._help.setText(sample_words.kind_help(wish.kind, sets))
        self._by.setVisible(stratified)
        self._from.setText(tr("counting …") if pool is None else tr("out of {bundles}", bundles=bundles(pool)))
        self.draw.setEnabled(not filters.drawing and pool != 0 and bool(wish.strata or not stratified))
        self.draw.setText(tr("Drawing …") if filters.drawing else tr("Draw the sample"))
        self._show_drawn()

    def _show_drawn(self) -> None:
        menu = self._before.menu()
        menu.clear()
        for sample in self._filters.drawn[:_REMEMBERED]:
            action = menu.addAction(plain_entry(sample_words.drawn_words(sample)))
            action.setEnabled(self._filters.may_use(sample.wanted))
            action.triggered.connect(partial(self._use, sample.wanted))
        self._before.setVisible(bool(self._filters.drawn))

    def _use(self, wanted: QueueFilter, _checked: bool = False) -> None:
        self._filters.use_sample(wanted)
