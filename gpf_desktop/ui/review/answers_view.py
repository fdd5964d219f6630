"""The answers beside each other: columns with pinned ones, a stack, or a grid of sentences."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QPoint, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QScrollArea, QStackedWidget, QVBoxLayout, QWidget

from gpf_desktop.domain.text import tr
from gpf_desktop.ui.review.answer_card import AnswerCard
from gpf_desktop.ui.review.reading_content import CardContent, Layout, Reading
from gpf_desktop.ui.review.sentence_grid_view import SentenceGridView
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.theme.tokens import SPACE_2, SPACE_3
from gpf_desktop.ui.widgets.layouts import scrolling
from gpf_desktop.ui.widgets.span_text import Mark

PINNED = 3
_WIDEST = 640
_STEPS = frozenset({Mark.ONLY_HERE, Mark.MISSING_HERE})


class AnswersView(QStackedWidget):
    """Shows a `Reading` in one of the layouts. Cards are made once and filled again for each bundle."""

    repeats_asked = Signal(str)
    pins_changed = Signal()
    answer_focused = Signal(str)
    """The identity whose answer has the keyboard."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setObjectName("review.answers")
        self.setAccessibleName(tr("Answers"))
        self.columns = _Columns(theme)
        self.stack = _Stack(theme)
        self.grid = SentenceGridView(theme)
        self._reading: Reading | None = None
        self._layout = Layout.COLUMNS
        self._shares: dict[str, tuple[str, str]] = {}
        self._pinned: list[str] = []
        self._difference: tuple[int, int] = (-1, -1)
        for page in (self.columns, self.stack, self.grid):
            self.addWidget(page)
        for holder in (self.columns, self.stack):
            holder.card_made.connect(self._join)

    @property
    def pinned(self) -> tuple[str, ...]:
        return tuple(self._pinned)

    def cards(self) -> list[AnswerCard]:
        """Those shown now, in order."""
        return self.stack.cards() if self._layout is Layout.STACK else self.columns.cards()

    def show_reading(self, reading: Reading | None, layout: Layout) -> None:
        """Show *reading*, or nothing."""
        self._reading, self._layout = reading, layout
        self._difference = (-1, -1)
        cards = reading.cards if reading is not None else ()
        match layout:
            case Layout.GRID:
                self.grid.show_grid(None if reading is None else reading.grid)
                self.setCurrentWidget(self.grid)
            case Layout.STACK:
                self.stack.show_cards(cards)
                self.setCurrentWidget(self.stack)
            case Layout.COLUMNS | Layout.BASELINE:
                self.columns.show_cards(cards, self._pins(cards, layout))
                self.setCurrentWidget(self.columns)
        self._show_shares()

    def show_shares(self, shares: dict[str, tuple[str, str]]) -> None:
        """Identity → (words, help)."""
        self._shares = shares
        self._show_shares()

    def next_difference(self, step: int) -> bool:
        """Go to the next mark of a difference, through all cards; False where there is none."""
        marks = [
            (at, span.start)
            for at, card in enumerate(self.cards())
            if card.content is not None and not card.content.missing
            for span in sorted(card.content.spans, key=lambda span: span.start)
            if span.mark in _STEPS
        ]
        if not marks:
            return False
        ahead = [mark for mark in marks if (mark > self._difference if step > 0 else mark < self._difference)]
        around = ahead or marks
        target = around[0] if step > 0 else around[-1]
        card = self.cards()[target[0]]
        card.text.setFocus()
        card.text.reveal(target[1])
        self._difference = target
        return True

    def focus_first(self) -> None:
        cards = self.cards()
        if cards:
            cards[0].text.setFocus()

    def _pins(self, cards: Sequence[CardContent], layout: Layout) -> list[str]:
        pins = [identity for identity in self._pinned if any(identity in card.identities for card in cards)]
        base = next((card.identities[0] for card in cards if card.baseline), None)
        if layout is Layout.BASELINE and base is not None and base not in pins:
            pins = [base, *pins]
        return pins[:PINNED]

    def _join(self, card: AnswerCard) -> None:
        card.pin_asked.connect(self._toggle_pin)
        card.repeats_asked.connect(self.repeats_asked)
        card.focused.connect(self._focused)

    def _focused(self, card: AnswerCard) -> None:
        if card.content is not None:
            self.answer_focused.emit(card.content.identities[0])

    def _toggle_pin(self, identity: str) -> None:
        if identity in self._pinned:
            self._pinned.remove(identity)
        else:
            self._pinned = [*self._pinned, identity][-PINNED:]
        self.show_reading(self._reading, self._layout)
        self.pins_changed.emit()

    def _show_shares(self) -> None:
        for card in self.cards():
            if card.content is not None:
                card.show_share(*self._shares.get(card.content.identities[0], ("", "")))


class _Columns(QWidget):
    """Cards side by side at least 320 px wide; the pinned ones stay while the others scroll sideways."""

    card_made = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setProperty("plain", True)
        self._theme = theme
        self._pool: list[AnswerCard] = []
        self._shown: list[AnswerCard] = []
        self._quiet = False
        self._pinned = QHBoxLayout()
        self._pinned.setSpacing(SPACE_3)
        holder = QWidget()
        self._row = QHBoxLayout(holder)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(SPACE_3)
        self.area: QScrollArea = scrolling(holder, "review.columns")
        self.area.setHorizontalScrollBarPolicy(self.area.horizontalScrollBarPolicy().ScrollBarAsNeeded)
        self.area.setVerticalScrollBarPolicy(self.area.verticalScrollBarPolicy().ScrollBarAlwaysOff)
        self.area.horizontalScrollBar().rangeChanged.connect(self._align_ends)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(SPACE_3)
        row.addLayout(self._pinned)
        row.addWidget(self.area, 1)

    def cards(self) -> list[AnswerCard]:
        return list(self._shown)

    def show_cards(self, contents: Sequence[CardContent], pinned: Sequence[str]) -> None:
        first = [c for c in contents if any(identity in pinned for identity in c.identities)]
        first.sort(key=lambda card: min(pinned.index(i) for i in card.identities if i in pinned))
        ordered = [*first, *(card for card in contents if card not in first)]
        other_bundle = [c.content.cell_id for c in self._shown if c.content] != [c.cell_id for c in ordered]
        self._shown = []
        for at, content in enumerate(ordered):
            card = self._card(at)
            layout = self._pinned if at < len(first) else self._row
            if layout.indexOf(card) < 0:
                layout.addWidget(card, 1)
            card.setMaximumWidth(self._theme.px(_WIDEST))
            card.show_answer(content, pinned=at < len(first))
            card.show()
            self._shown.append(card)
        for card in self._pool[len(ordered) :]:
            card.hide()
        self._order(len(first))
        if other_bundle:
            self.area.horizontalScrollBar().setValue(0)

    def _align_ends(self, _low: int, most: int) -> None:
        """Pinned cards end where the others do: above the scroll bar."""
        below = self.area.horizontalScrollBar().sizeHint().height() if most else 0
        self._pinned.setContentsMargins(0, 0, 0, below)

    def _order(self, pinned: int) -> None:
        """Layouts keep the order of adding; after a change of pins they must be filled again."""
        for layout, cards in ((self._pinned, self._shown[:pinned]), (self._row, self._shown[pinned:])):
            for at, card in enumerate(cards):
                if layout.indexOf(card) != at:
                    layout.removeWidget(card)
                    layout.insertWidget(at, card, 1)

    def _card(self, at: int) -> AnswerCard:
        while len(self._pool) <= at:
            card = AnswerCard(self._theme)
            card.text.verticalScrollBar().valueChanged.connect(partial(self._scrolled, card))
            card.focused.connect(self._reveal)
            self._pool.append(card)
            self.card_made.emit(card)
        return self._pool[at]

    def _reveal(self, card: AnswerCard) -> None:
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


class _Stack(QWidget):
    """Cards below each other at reading width."""

    card_made = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setProperty("plain", True)
        self._theme = theme
        self._pool: list[AnswerCard] = []
        self._shown: list[AnswerCard] = []
        self._holder = QWidget()
        self._column = QVBoxLayout(self._holder)
        self._column.setContentsMargins(0, 0, SPACE_2, 0)
        self._column.setSpacing(SPACE_3)
        self._column.addStretch(1)
        self.area = scrolling(self._holder, "review.stack")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.area)

    def cards(self) -> list[AnswerCard]:
        return list(self._shown)

    def show_cards(self, contents: Sequence[CardContent]) -> None:
        other_bundle = [c.content.cell_id for c in self._shown if c.content] != [c.cell_id for c in contents]
        self._shown = []
        for at, content in enumerate(contents):
            while len(self._pool) <= at:
                card = AnswerCard(self._theme, grow=True)
                card.focused.connect(self.area.ensureWidgetVisible)
                self._pool.append(card)
                self._column.insertWidget(len(self._pool) - 1, card)
                self.card_made.emit(card)
            card = self._pool[at]
            card.setMaximumWidth(self._theme.px(_WIDEST + 120))
            card.show_answer(content, pinnable=False)
            card.show()
            self._shown.append(card)
        for card in self._pool[len(contents) :]:
            card.hide()
        if other_bundle:
            self.area.verticalScrollBar().setValue(0)
