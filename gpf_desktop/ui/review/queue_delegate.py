"""How a row of the queue is painted."""

from dataclasses import dataclass

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QTableView

from gpf_desktop.ui.review.queue_groups import QueueGroup
from gpf_desktop.ui.review.queue_words import QueueLine, RowState
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.theme.tokens import SPACE_1, SPACE_2, SPACE_3

Index = QModelIndex | QPersistentModelIndex
LINE_ROLE = Qt.ItemDataRole.UserRole + 1
HEADING_ROLE = Qt.ItemDataRole.UserRole + 2
"""The `QueueGroup` whose heading a row is; None: a bundle's row."""
ROW = 68
CLOSE_ROW = 50
HEADING = 24
"""Pixels at 100 %."""
_ICON = 14
_OPEN = 3
_SMALL = 0.82
_MODEL_PART = 0.5
"""Of a line's width, at most."""
_MEMO_PART = 0.35
"""Of a line's width, what the mark of a memo takes at most with its word."""
_USUAL_SCORE = "0.00"
_SCORE_PART = 1 / 3
"""Of a row, what a category in place of a score may take."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitted:
    """Places of the parts of a row's last line, in pixels from its left."""

    place: str
    """As far as there is room."""
    states: tuple[RowState, ...]
    """Those that are shown."""
    places: tuple[float, ...]
    """One per state: its icon's left side."""
    right: float
    """Where the last state ends."""


class QueueDelegate(QStyledItemDelegate):
    """Score at the left; what was asked above the rest of its place and status, each as icon and word."""

    def __init__(self, theme: Theme, parent: QTableView) -> None:
        super().__init__(parent)
        self._theme = theme
        self.close = False
        """Two lines a row: what was asked, whose answers these are behind it, and the item below."""

    def sizeHint(self, _option: QStyleOptionViewItem, _index: Index) -> QSize:
        return QSize(self._theme.px(200), self.row_height)

    @property
    def row_height(self) -> int:
        return self._theme.px(CLOSE_ROW if self.close else ROW)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        theme, rect = self._theme, QRectF(option.rect)
        painter.save()
        group = index.data(HEADING_ROLE)
        if isinstance(group, QueueGroup):
            self._paint_heading(painter, rect, group, focused=bool(option.state & QStyle.StateFlag.State_HasFocus))
            painter.restore()
            return
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.fillRect(rect, theme.color("selection" if chosen else "surface"))
        line = index.data(LINE_ROLE)
        if isinstance(line, QueueLine) and line.is_open:
            # Among several selected rows the open one is told by more than its weight.
            painter.fillRect(QRectF(rect.left(), rect.top(), theme.px(_OPEN), rect.height()), theme.color("accent"))
        hairline = theme.color("border")
        hairline.setAlphaF(0.45)
        painter.setPen(QPen(hairline, 1))
        painter.drawLine(rect.bottomLeft(), rect.bottomRight())
        if isinstance(line, QueueLine):
            self._paint_line(painter, rect, line)
        painter.restore()

    def _paint_heading(self, painter: QPainter, band: QRectF, group: QueueGroup, *, focused: bool) -> None:
        theme, icon = self._theme, self._theme.px(_ICON)
        painter.fillRect(band, theme.color("sunken"))
        left = band.left() + theme.px(SPACE_1)
        chevron = "chevron-right" if group.folded else "chevron-down"
        top = round(band.center().y() - icon / 2)
        painter.drawPixmap(round(left), top, theme.pixmap(chevron, "text_secondary", _ICON))
        painter.setPen(theme.color("text_secondary"))
        font = theme.font(_SMALL, weight=QFont.Weight.DemiBold)
        painter.setFont(font)
        words = QRectF(band)
        words.setLeft(left + icon + theme.px(SPACE_1))
        words.setRight(band.right() - theme.px(SPACE_2))
        said = QFontMetricsF(font).elidedText(group.words, Qt.TextElideMode.ElideRight, words.width())
        painter.drawText(words, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, said)
        if focused:
            painter.setPen(QPen(theme.color("accent"), theme.px(1)))
            painter.drawRect(band.adjusted(1, 1, -1, -1))

    def _paint_line(self, painter: QPainter, rect: QRectF, line: QueueLine) -> None:
        theme = self._theme
        painter.setPen(theme.color("text" if line.score_known else "text_secondary"))
        painter.setFont(self._score_font())
        left = rect.adjusted(theme.px(SPACE_3), 0, 0, 0)
        room = self.room(rect.width(), line.score)
        said = QFontMetricsF(self._score_font()).elidedText(
            line.score, Qt.TextElideMode.ElideRight, self._score_room(rect.width(), line.score)
        )
        painter.drawText(left, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, said)
        margin = theme.px(SPACE_1) + 2
        words_left = rect.right() - theme.px(SPACE_2) - room
        right = QRectF(words_left, rect.top() + margin, room, rect.height() - 2 * margin)
        name_font = theme.font(1.0, weight=QFont.Weight.DemiBold if line.is_open else QFont.Weight.Normal)
        high = right.height() / (2 if self.close else 3)
        whole = QRectF(right.left(), right.top(), right.width(), high)
        middle = whole.translated(0, high)
        lower = whole.translated(0, high if self.close else 2 * high)
        upper = self._paint_memo(painter, whole, line.memo)
        painter.setPen(theme.color("text"))
        painter.setFont(name_font)
        metrics = QFontMetricsF(name_font)
        asked = f"{line.title} · {line.place}" if self.close and line.item and line.place else line.title
        beside = QFontMetricsF(theme.font(_SMALL)).horizontalAdvance(line.model) + theme.px(SPACE_2)
        most = upper.width() - (min(beside, upper.width() * _MODEL_PART) if self.close and line.model else 0)
        name = metrics.elidedText(asked, Qt.TextElideMode.ElideRight, most)
        painter.drawText(upper, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, name)
        behind = upper.adjusted(metrics.horizontalAdvance(name) + theme.px(SPACE_2), 0, 0, 0)
        self._paint_about(painter, behind if self.close else middle, line)
        self._paint_states(painter, lower, line)

    def _paint_memo(self, painter: QPainter, rect: QRectF, words: str) -> QRectF:
        """At the right of *rect*, of which what is left comes back; where there is little room the icon alone."""
        if not words:
            return rect
        theme, font = self._theme, self._theme.font(_SMALL)
        icon, gap = theme.px(_ICON), theme.px(SPACE_1)
        said = QFontMetricsF(font).horizontalAdvance(words) + gap
        if icon + said > rect.width() * _MEMO_PART:
            said = 0.0
        left = rect.right() - icon - said
        painter.drawPixmap(
            round(left), round(rect.center().y() - icon / 2), theme.pixmap("document", "text_secondary", _ICON)
        )
        if said:
            painter.setFont(font)
            painter.setPen(theme.color("text_secondary"))
            painter.drawText(rect, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, words)
        return rect.adjusted(0, 0, left - rect.right() - gap, 0)

    def _paint_about(self, painter: QPainter, rect: QRectF, line: QueueLine) -> None:
        """The item, where it has not a line of its own, then the model cut in its middle: both its ends tell it."""
        theme, font = self._theme, self._theme.font(_SMALL)
        metrics, gap = QFontMetricsF(font), theme.px(SPACE_2)
        beside = "" if self.close else line.item
        model = metrics.elidedText(
            line.model, Qt.TextElideMode.ElideMiddle, rect.width() * (_MODEL_PART if beside else 1)
        )
        used = metrics.horizontalAdvance(model) + gap if model else 0.0
        item = metrics.elidedText(beside, Qt.TextElideMode.ElideRight, max(0.0, rect.width() - used))
        painter.setFont(font)
        painter.setPen(theme.color("text_secondary"))
        painter.drawText(rect, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, item)
        painter.drawText(rect, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, model)

    def room(self, width: float, score: str = _USUAL_SCORE) -> float:
        """Pixels for the words of a row that is *width* wide beside its *score*; empty: none is shown."""
        beside = self._score_room(width, score)
        return width - 2 * self._theme.px(SPACE_3) - beside - self._theme.px(SPACE_2)

    def _score_room(self, width: float, score: str) -> float:
        """As wide as a number at least, so that words begin below each other; a category is cut at a third."""
        if not score:
            return 0.0
        metrics = QFontMetricsF(self._score_font())
        usual = metrics.horizontalAdvance(_USUAL_SCORE)
        return max(usual, min(metrics.horizontalAdvance(score), width * _SCORE_PART))

    def _score_font(self) -> QFont:
        return self._theme.font(1.12, weight=QFont.Weight.DemiBold)

    def fitted(self, line: QueueLine, width: float) -> Fitted:
        """The last line in *width* pixels: states whole, the place or the item cut short or left out."""
        theme, metrics = self._theme, QFontMetricsF(self._theme.font(_SMALL))
        icon, gap = theme.px(_ICON), theme.px(SPACE_1)
        tells_item = self.close and bool(line.item)
        states = tuple(state for state in line.states if not (tells_item and state.waits))
        widths = [icon + gap + metrics.horizontalAdvance(state.words) for state in states]
        kept = sum(widths) + 2 * gap * len(widths)
        said = metrics.elidedText(
            line.item if tells_item else line.place, Qt.TextElideMode.ElideRight, max(0.0, width - kept)
        )
        if said in ("…", ""):
            said = ""
        at = metrics.horizontalAdvance(said) + 2 * gap if said else 0.0
        places = []
        for needed in widths:
            places.append(at)
            at += needed + 2 * gap
        return Fitted(place=said, states=states, places=tuple(places), right=max(0.0, at - 2 * gap))

    def _paint_states(self, painter: QPainter, rect: QRectF, line: QueueLine) -> None:
        theme, fitted = self._theme, self.fitted(line, rect.width())
        icon, gap = theme.px(_ICON), theme.px(SPACE_1)
        font = theme.font(_SMALL)
        painter.setFont(font)
        painter.setPen(theme.color("text_secondary"))
        painter.drawText(rect, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, fitted.place)
        for state, place in zip(fitted.states, fitted.places, strict=True):
            left = rect.left() + place
            top = round(rect.center().y() - icon / 2)
            painter.drawPixmap(round(left), top, theme.pixmap(state.icon, state.color, _ICON))
            painter.setPen(theme.color(state.color))
            words = rect.adjusted(place + icon + gap, 0, 0, 0)
            # Large text has no room for both words of what was settled: the verdict is the first.
            said = QFontMetricsF(font).elidedText(state.words, Qt.TextElideMode.ElideRight, words.width())
            painter.drawText(words, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, said)
