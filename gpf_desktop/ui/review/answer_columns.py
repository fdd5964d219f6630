"""Answers side by side, as many as can be read at a time; pinned ones stay while the others scroll sideways."""

from collections.abc import Sequence

from PySide6.QtCore import QSize, QTimer, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QResizeEvent
from PySide6.QtWidgets import QScrollArea

from gpf_desktop.ui.review.answer_card import LEAST_WIDTH, AnswerCard, comfortable, widest
from gpf_desktop.ui.review.answer_strip import ANSWER
from gpf_desktop.ui.review.column_gaps import ColumnGaps
from gpf_desktop.ui.review.reading_content import CardContent, GridContent
from gpf_desktop.ui.review.scroll_together import ScrollTogether
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.theme.tokens import SPACE_3
from gpf_desktop.ui.widgets.boxes import PlainWidget, hbox
from gpf_desktop.ui.widgets.layouts import scrolling

_LEAST_ROOM = 200
"""Pixels that the columns need at least, at any text size; a card is never wider than its room."""
NARROWEST = 208
"""Pixels at 100 % under which no column can be dragged."""
_CLOSE = 35
"""Characters a line from which another column is shown: four at 1440 pixels, five at 1920."""


class AnswerColumns(PlainWidget):
    """Whole columns of a width that the reader drags; until then of 45 to 75 characters a line where there is room.

    Pinned cards stay as long as another column has room beside them; further ones stand first among those that scroll.
    """

    card_made = Signal(object)
    dropped = Signal(str, str)
    """Keys of an answer from the strip, and of the one in whose column it was let go."""
    seen_changed = Signal()
    """Other answers may be in sight."""
    width_chosen = Signal(int)
    """Pixels at 100 % of a column, by the reader."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setAcceptDrops(True)
        self._pool: list[AnswerCard] = []
        self._shown: list[AnswerCard] = []
        self._pins = 0
        self._chosen = 0
        self._first: int | None = None
        """The column to begin with, until there is room to scroll to it."""
        self._fitted = QTimer(self, singleShot=True, interval=0)
        self._fitted.timeout.connect(self._show_whole)
        self.together = ScrollTogether()
        self._pinned = hbox(spacing=SPACE_3)
        self._gaps = ColumnGaps(theme)
        self._gaps.dragged.connect(self._dragged)
        self._row = hbox(1, parent=self._gaps, spacing=SPACE_3)
        self.area: QScrollArea = scrolling(self._gaps, "review.columns")
        self.area.setHorizontalScrollBarPolicy(self.area.horizontalScrollBarPolicy().ScrollBarAsNeeded)
        self.area.setVerticalScrollBarPolicy(self.area.verticalScrollBarPolicy().ScrollBarAlwaysOff)
        self.area.horizontalScrollBar().rangeChanged.connect(self._align_ends)
        self.area.horizontalScrollBar().valueChanged.connect(self.seen_changed)
        hbox(self._pinned, (self.area, 1), parent=self, spacing=0)
        theme.follow(self, self._fit)

    def cards(self) -> list[AnswerCard]:
        return list(self._shown)

    def in_sight(self) -> list[AnswerCard]:
        """The cards whose column is seen now, pinned ones first."""
        moving, pinned = self._moving(), [card for card in self._shown if not self._gaps.isAncestorOf(card)]
        if not moving:
            return pinned
        bar, step = self.area.horizontalScrollBar(), moving[0].width() + SPACE_3
        first = round((self._first or 0) if self._first is not None else bar.value() / step)
        room = max(1, self._at_once() - len(pinned))
        first = min(first, max(0, len(moving) - room))
        return [*pinned, *moving[first : first + room]]

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasFormat(ANSWER):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        at = event.position().toPoint()
        onto = next(
            (card for card in self._shown if card.rect().contains(card.mapFrom(self, at)) and card.isVisible()), None
        )
        if onto is not None and onto.content is not None:
            event.acceptProposedAction()
            self.dropped.emit(bytes(event.mimeData().data(ANSWER).data()).decode(), onto.content.key)

    @property
    def at_once(self) -> int:
        """Columns that can be seen at a time."""
        return self._at_once()

    def set_width(self, chosen: int) -> None:
        """Pixels at 100 % of a column; 0: as there is room."""
        self._chosen = chosen
        self._fit()

    def step(self, columns: int) -> None:
        """Show one column more or less at a time."""
        self._choose(self._at_once() + columns)

    def show_cards(
        self, contents: Sequence[CardContent], pinned: Sequence[str], grid: GridContent | None = None
    ) -> None:
        """*grid* says which sentences are like, for scrolling."""
        first = [c for c in contents if any(level in pinned for level in c.levels)]
        first.sort(key=lambda card: min(pinned.index(i) for i in card.levels if i in pinned))
        ordered = [*first, *(card for card in contents if card not in first)]
        before = {c.content.cell_id for c in self._shown if c.content}
        # A card that was scrolled moves as it is filled, while others still have another bundle's text.
        self.together.show((), None)
        self._shown = []
        self._pins = len(first)
        for at, content in enumerate(ordered):
            card = self._card(at)
            card.show_answer(content, pinned=at < len(first))
            self._shown.append(card)
        self._fit()
        for at, card in enumerate(self._pool):
            card.setVisible(at < len(ordered))
        self.together.show(self._shown, grid)
        if before.isdisjoint(content.cell_id for content in ordered):
            self._first = None
            self.area.horizontalScrollBar().setValue(0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def minimumSizeHint(self) -> QSize:
        """Cards are as wide as the room allows, so they never ask for any."""
        return QSize(_LEAST_ROOM, super().minimumSizeHint().height())

    def _at_once(self) -> int:
        least = self._theme.px(LEAST_WIDTH)
        if self._chosen:
            fitting = self._fitting(self._theme.px(max(NARROWEST, self._chosen)))
        else:
            fitting = max(self._fitting(comfortable(self._theme, _CLOSE)), min(2, self._fitting(least)))
        return max(1, min(len(self._shown), fitting))

    def _fitting(self, width: int) -> int:
        return (self.width() + SPACE_3) // (width + SPACE_3)

    def _fit(self) -> None:
        """Give every card its width, and the pinned ones that there is room for their place."""
        if not self._shown:
            return
        at_once = self._at_once()
        width = min((self.width() + SPACE_3) // at_once - SPACE_3, widest(self._theme))
        if at_once == 1 < len(self._shown) and not self._chosen:
            # The next card's edge is to be seen: answers are read beside each other.
            width = min(width, comfortable(self._theme))
        staying = min(self._pins, at_once - 1)
        for layout, cards in ((self._pinned, self._shown[:staying]), (self._row, self._shown[staying:])):
            for at, card in enumerate(cards):
                if layout.indexOf(card) != at:
                    for holder in (self._pinned, self._row):
                        holder.removeWidget(card)
                    layout.insertWidget(at, card)
        if self._shown[staying].width() != width:
            self._keep_first(self._shown[staying].width())
        for card in self._pool:
            card.setFixedWidth(max(width, 1))
        lead = max(card.lead(width) for card in self._shown)
        for card in self._shown:
            card.set_lead(lead)
        self.seen_changed.emit()
        edges = self._pinned.contentsMargins()
        self._pinned.setContentsMargins(0, 0, SPACE_3 if staying else 0, edges.bottom())

    def _keep_first(self, width: int) -> None:
        """The first column in sight, of *width* so far, stays so through other widths, of which several may come."""
        if self._first is None:
            self._first = round(self.area.horizontalScrollBar().value() / (width + SPACE_3))
        self._fitted.start()

    def _show_whole(self) -> None:
        """Have whole columns in sight, among them the one that is read; once more where there is no room for it yet."""
        if self._first is None:
            return
        read = next((card for card in self._moving() if card.isAncestorOf(self.focusWidget())), None)
        if self._scroll_to(self._first, read):
            self._first = None

    def _scroll_to(self, first: int, read: AnswerCard | None) -> bool:
        """Begin with the column at *first*, or the nearest from which *read* is whole too; False: not laid out yet."""
        moving, bar, room = self._moving(), self.area.horizontalScrollBar(), self.area.viewport().width()
        if not moving:
            return True
        # By their widths: where they stand is known later.
        step = moving[0].width() + SPACE_3
        if read is not None:
            at = moving.index(read)
            first = min(max(first, at - max(1, (room + SPACE_3) // step) + 1), at)
        wanted = min(first * step, len(moving) * step - SPACE_3 - room)
        bar.setValue(wanted)
        return bar.maximum() >= wanted

    def _moving(self) -> list[AnswerCard]:
        return [card for card in self._shown if self._gaps.isAncestorOf(card)]

    def _dragged(self, edge: int, x: int) -> None:
        """The right edge of the column at *edge* in the row is wanted at *x* of the row."""
        step = self._moving()[0].width() + SPACE_3
        first = min(edge, round(self.area.horizontalScrollBar().value() / step))
        # Between the first column in sight, which stays there, and *x* there are a gap less than columns.
        width = (x - first * step + SPACE_3) / (edge - first + 1) - SPACE_3
        self._choose(round((self.width() + SPACE_3) / max(1.0, width + SPACE_3)))

    def _choose(self, columns: int) -> None:
        most = min(len(self._shown), self._fitting(self._theme.px(NARROWEST)))
        columns = max(1, min(most, columns))
        if not self._shown or columns == self._at_once():
            return
        width = (self.width() + SPACE_3) // columns - SPACE_3
        # By a thousand pixels, in which the rounding of one is lost, and cut: as many columns must fit again.
        self.set_width(int(width / self._theme.px(1000) * 1000))
        self.width_chosen.emit(self._chosen)

    def _align_ends(self, _low: int, most: int) -> None:
        """Pinned cards end where the others do: above the scroll bar."""
        below = self.area.horizontalScrollBar().sizeHint().height() if most else 0
        self._pinned.setContentsMargins(0, 0, self._pinned.contentsMargins().right(), below)
        self._show_whole()

    def make_card(self) -> None:
        """One more for later: making nine when the first bundle is shown held up the window for 100 ms."""
        self._card(len(self._pool)).hide()

    def _card(self, at: int) -> AnswerCard:
        while len(self._pool) <= at:
            card = AnswerCard(self._theme)
            self.together.follow(card)
            card.focused.connect(self.reveal)
            # In its place at once: to move nine cards there took 40 ms.
            self._row.insertWidget(len(self._pool), card)
            self._pool.append(card)
            self.card_made.emit(card)
        return self._pool[at]

    def reveal(self, card: AnswerCard) -> None:
        """Scroll sideways as far as *card* needs."""
        # After the focus change has been laid out; at once it would move by a stale geometry.
        QTimer.singleShot(0, card, lambda: self._into_view(card))

    def _into_view(self, card: AnswerCard) -> None:
        bar, room = self.area.horizontalScrollBar(), self.area.viewport().width()
        if card in self._moving() and not bar.value() <= card.x() <= bar.value() + room - card.width():
            self._scroll_to(round(bar.value() / (card.width() + SPACE_3)), card)
