"""Answers below each other, each whole, at a width that is easy to read; side by side in pairs where two fit."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from gpf_desktop.ui.review.answer_card import AnswerCard, widest
from gpf_desktop.ui.review.reading_content import CardContent
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.theme.tokens import SPACE_2, SPACE_3
from gpf_desktop.ui.widgets.boxes import PlainWidget, hbox, spaced_grid
from gpf_desktop.ui.widgets.layouts import scrolling

_NARROWER = 0.9
"""Of the widest card: what an answer may give up so that another stands beside it."""

_FIRST = 1000
"""Stretch of a column of answers, beside 1 of what is left."""


class AnswerStack(PlainWidget):
    """Cards are made once and filled again for each bundle."""

    card_made = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._pool: list[AnswerCard] = []
        self._shown: list[AnswerCard] = []
        self._holder = QWidget()
        self._grid = spaced_grid(parent=self._holder, across=SPACE_3, down=SPACE_3, margins=(0, 0, SPACE_2, 0))
        self._beside = 0
        """Answers in a row of the grid."""
        self.area = scrolling(self._holder, "review.stack")
        hbox(self.area, parent=self)
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
            self._put(len(self._pool) - 1)
            self.card_made.emit(card)
        return self._pool[at]

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        for card in self._pool:
            card.setMaximumWidth(widest(self._theme))
        room = self.width() - self.area.verticalScrollBar().sizeHint().width()
        beside = max(1, int((room + SPACE_3) // (widest(self._theme) * _NARROWER + SPACE_3)))
        if beside != self._beside:
            self._beside = beside
            for at in range(len(self._pool)):
                self._put(at)
            for column in range(self._grid.columnCount() + 1):
                # What answers do not take is left to their right.
                self._grid.setColumnStretch(column, _FIRST if column < beside else int(column == beside))

    def _put(self, at: int) -> None:
        row, column = divmod(at, max(1, self._beside))
        # It may have been the row behind the last answer so far, which takes what height is left.
        self._grid.setRowStretch(row, 0)
        self._grid.addWidget(self._pool[at], row, column, Qt.AlignmentFlag.AlignTop)
        self._grid.setRowStretch(len(self._pool), 1)
