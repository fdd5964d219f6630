"""How answers lie on the screen: layout, order, and whether they scroll together."""

from collections.abc import Callable, Iterable
from enum import StrEnum
from functools import partial
from typing import TypeVar

from PySide6.QtCore import Signal, SignalInstance
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QWidget

from gpf_desktop.domain.text import tr
from gpf_desktop.ui.review.reading_content import AnswerOrder, Layout

C = TypeVar("C", bound=StrEnum)


def layout_words(layout: Layout) -> str:
    return {
        Layout.COLUMNS: tr("Columns"),
        Layout.STACK: tr("Stack"),
        Layout.BASELINE: tr("Difference"),
        Layout.GRID: tr("Sentences"),
    }[layout]


def order_words(order: AnswerOrder) -> str:
    return {
        AnswerOrder.PLANNED: tr("As in the protocol"),
        AnswerOrder.SHARE: tr("Most unlike first"),
        AnswerOrder.TONE: tr("Tone, lowest first"),
        AnswerOrder.LENGTH: tr("Length, longest first"),
    }[order]


def layout_and_order_words(layout: Layout, order: AnswerOrder) -> str:
    """Columns, by tone; the order of the protocol goes without saying."""
    words = layout_words(layout)
    match order:
        case AnswerOrder.SHARE:
            return tr("{layout}, most unlike first", layout=words)
        case AnswerOrder.TONE:
            return tr("{layout}, by tone", layout=words)
        case AnswerOrder.LENGTH:
            return tr("{layout}, by length", layout=words)
        case _:
            return words


class LayoutMenu(QMenu):
    """Says what was chosen by signals."""

    layout_chosen = Signal(object)
    order_chosen = Signal(object)
    alone_chosen = Signal(bool)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._layouts = self._choices(Layout, layout_words, self.layout_chosen)
        self.addSeparator()
        self._orders = self._choices(AnswerOrder, order_words, self.order_chosen)
        self.addSeparator()
        self._alone = self.addAction(tr("Scroll each answer by itself"))
        self._alone.setCheckable(True)
        self._alone.triggered.connect(self.alone_chosen)

    def show_choices(self, layout: Layout, order: AnswerOrder, *, alone: bool, shuffled: bool) -> None:
        """*shuffled*: the order of the protocol is hidden by one that says nothing."""
        self._layouts[layout].setChecked(True)
        self._orders[order].setChecked(True)
        self._orders[AnswerOrder.PLANNED].setText(tr("Shuffled") if shuffled else order_words(AnswerOrder.PLANNED))
        self._alone.setChecked(alone)

    def _choices(self, choices: Iterable[C], words: Callable[[C], str], chosen: SignalInstance) -> dict[C, QAction]:
        group = QActionGroup(self)
        made = {}
        for choice in choices:
            action = self.addAction(words(choice))
            action.setCheckable(True)
            group.addAction(action)
            action.triggered.connect(partial(self._chose, chosen, choice))
            made[choice] = action
        return made

    def _chose(self, chosen: SignalInstance, choice: StrEnum, _checked: bool = False) -> None:
        chosen.emit(choice)
