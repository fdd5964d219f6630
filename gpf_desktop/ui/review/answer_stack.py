"""Answers below each other, each whole, at a width that is easy to read."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from gpf_desktop.ui.review.answer_card import AnswerCard, widest
from gpf_desktop.ui.review.reading_content import CardContent
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.theme.tokens import SPACE_2, SPACE_3
from gpf_desktop.ui.widgets.layouts import scrolling


class AnswerStack(QWidget):
    """Cards are made once and filled again for each bundle."""

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
        theme.follow(self, self._fit)

    def cards(self) -> list[AnswerCard]:
        return list(self._shown)

    def show_cards(self, contents: Sequence[CardContent]) -> None:
        other_bundle = [c.content.cell_id for c in self._shown if c.content] != [c.cell_id for c in contents]
        self._shown = []
        for at, content in enumerate(contents):
            card = self._card(at)
            card.show_answer(content, pinnable=False)
            card.show()
            self._shown.append(card)
        for card in self._pool[len(contents) :]:
            card.hide()
        if other_bundle:
            self.area.verticalScrollBar().setValue(0)

    def show_top(self, card: AnswerCard) -> None:
        """Scroll to the beginning of *card*."""
        self.area.verticalScrollBar().setValue(card.y())

    def show_cursor(self, card: AnswerCard) -> None:
        """Scroll to the place in *card*'s text where the keyboard is; whole answers do not scroll themselves."""
        place = card.text.viewport().mapTo(self._holder, card.text.cursorRect().center())
        self.area.ensureVisible(place.x(), place.y(), 0, self.area.viewport().height() // 4)

    def _card(self, at: int) -> AnswerCard:
        while len(self._pool) <= at:
            card = AnswerCard(self._theme, grow=True)
            card.focused.connect(self.area.ensureWidgetVisible)
            card.setMaximumWidth(widest(self._theme))
            self._pool.append(card)
            self._column.insertWidget(len(self._pool) - 1, card)
            self.card_made.emit(card)
        return self._pool[at]

    def _fit(self) -> None:
        for card in self._pool:
            card.setMaximumWidth(widest(self._theme))
