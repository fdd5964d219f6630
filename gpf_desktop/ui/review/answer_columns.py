"""Answers side by side, as many as can be read at a time; pinned ones stay while the others scroll sideways."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QPoint, QSize, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QScrollArea, QWidget

from gpf_desktop.ui.review.answer_card import LEAST_WIDTH, AnswerCard, comfortable, widest
from gpf_desktop.ui.review.reading_content import CardContent
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.theme.tokens import SPACE_3
from gpf_desktop.ui.widgets.layouts import scrolling

_LEAST_ROOM = 200
"""Pixels that the columns need at least, at any text size; a card is never wider than its room."""


class AnswerColumns(QWidget):
    """Whole columns of 45 to 75 characters a line where there is room, and never narrower than 320 pixels.

    Pinned cards stay as long as another column has room beside them; further ones stand first among those that scroll.
    """

    card_made = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setProperty("plain", True)
        self._theme = theme
        self._pool: list[AnswerCard] = []
        self._shown: list[AnswerCard] = []
        self._pins = 0
        self._quiet = False
        self._pinned = QHBoxLayout()
        self._pinned.setSpacing(SPACE_3)
        holder = QWidget()
        self._row = QHBoxLayout(holder)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(SPACE_3)
        self._row.addStretch(1)
        self.area: QScrollArea = scrolling(holder, "review.columns")
        self.area.setHorizontalScrollBarPolicy(self.area.horizontalScrollBarPolicy().ScrollBarAsNeeded)
        self.area.setVerticalScrollBarPolicy(self.area.verticalScrollBarPolicy().ScrollBarAlwaysOff)
        self.area.horizontalScrollBar().rangeChanged.connect(self._align_ends)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addLayout(self._pinned)
        row.addWidget(self.area, 1)
        theme.follow(self, self._fit)

    def cards(self) -> list[AnswerCard]:
        return list(self._shown)

    def show_cards(self, contents: Sequence[CardContent], pinned: Sequence[str]) -> None:
        first = [c for c in contents if any(identity in pinned for identity in c.identities)]
        first.sort(key=lambda card: min(pinned.index(i) for i in card.identities if i in pinned))
        ordered = [*first, *(card for card in contents if card not in first)]
        other_bundle = [c.content.cell_id for c in self._shown if c.content] != [c.cell_id for c in ordered]
        self._shown = []
        self._pins = len(first)
        for at, content in enumerate(ordered):
            card = self._card(at)
            card.show_answer(content, pinned=at < len(first))
            self._shown.append(card)
        self._fit()
        for at, card in enumerate(self._pool):
            card.setVisible(at < len(ordered))
        if other_bundle:
            self.area.horizontalScrollBar().setValue(0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def minimumSizeHint(self) -> QSize:
        """Cards are as wide as the room allows, so they never ask for any."""
        return QSize(_LEAST_ROOM, super().minimumSizeHint().height())

    def _fit(self) -> None:
        """Give every card its width, and the pinned ones that there is room for their place."""
        if not self._shown:
            return
        room = self.width() + SPACE_3
        least = self._theme.px(LEAST_WIDTH)

        def fitting(width: int) -> int:
            return room // (width + SPACE_3)

        at_once = max(1, min(len(self._shown), max(fitting(comfortable(self._theme)), min(2, fitting(least)))))
        width = min(room // at_once - SPACE_3, widest(self._theme))
        if at_once == 1 < len(self._shown):
            # The next card's edge is to be seen: answers are read beside each other.
            width = min(width, comfortable(self._theme))
        staying = min(self._pins, at_once - 1)
        for layout, cards in ((self._pinned, self._shown[:staying]), (self._row, self._shown[staying:])):
            for at, card in enumerate(cards):
                if layout.indexOf(card) != at:
                    for holder in (self._pinned, self._row):
                        holder.removeWidget(card)
                    layout.insertWidget(at, card)
        for card in self._pool:
            card.setFixedWidth(max(width, 1))
        edges = self._pinned.contentsMargins()
        self._pinned.setContentsMargins(0, 0, SPACE_3 if staying else 0, edges.bottom())

    def _align_ends(self, _low: int, most: int) -> None:
        """Pinned cards end where the others do: above the scroll bar."""
        below = self.area.horizontalScrollBar().sizeHint().height() if most else 0
        self._pinned.setContentsMargins(0, 0, self._pinned.contentsMargins().right(), below)

    def _card(self, at: int) -> AnswerCard:
        while len(self._pool) <= at:
            card = AnswerCard(self._theme)
            card.text.verticalScrollBar().valueChanged.connect(partial(self._scrolled, card))
            card.focused.connect(self.reveal)
            self._pool.append(card)
            self.card_made.emit(card)
        return self._pool[at]

    def reveal(self, card: AnswerCard) -> None:
        """Scroll sideways as far as *card* needs."""
        # After the focus change has been laid out; at once it would move by a stale geometry.
        QTimer.singleShot(0, card, lambda: self._into_view(card))

    def _into_view(self, card: AnswerCard) -> None:
        inside = self.area.widget()
        if inside is not None and inside.isAncestorOf(card):
            left = card.mapTo(inside, QPoint(0, 0)).x()
            bar = self.area.horizontalScrollBar()
            if left < bar.value():
                bar.setValue(left)
            elif left + card.width() > bar.value() + self.area.viewport().width():
                bar.setValue(left + card.width() - self.area.viewport().width())

    def _scrolled(self, source: AnswerCard, value: int) -> None:
        """All answers move together, each by its own length, so that beginnings and ends meet."""
        if self._quiet:
            return
        most = source.text.verticalScrollBar().maximum()
        share = value / most if most else 0.0
        self._quiet = True
        for card in self._shown:
            if card is not source:
                bar = card.text.verticalScrollBar()
                bar.setValue(round(share * bar.maximum()))
        self._quiet = False
