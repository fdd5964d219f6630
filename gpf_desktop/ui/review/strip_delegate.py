"""How a tile of the strip is painted: letter and level, whether its answer stands in a column, and what was marked."""

import math

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from gpf_desktop.ui.review.strip_content import StripTile
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.theme.tokens import RADIUS, SPACE_1, SPACE_2

Index = QModelIndex | QPersistentModelIndex
TILE_ROLE = Qt.ItemDataRole.UserRole + 1
SEEN_ROLE = Qt.ItemDataRole.UserRole + 2
"""Whether the tile's answer stands in a column that is in sight."""
PAIRED_ROLE = Qt.ItemDataRole.UserRole + 3
"""Whether the tile's answer is one of the two that are compared."""
_NAME = 0.9
_UNDER = 3
_ICON = 12
_FEWEST = 3
"""Letters of a name that there is room for."""


class StripDelegate(QStyledItemDelegate):
    """One line. What stands in a column has a ground and a stroke above it, so that neither is told by colour alone."""

    def __init__(self, theme: Theme, parent: QListView) -> None:
        super().__init__(parent)
        self._theme, self._list = theme, parent

    @property
    def height(self) -> int:
        """The height of a tile, in pixels."""
        return round(QFontMetricsF(self._letter_font()).height()) + 2 * self._theme.px(SPACE_1) + 2 * _UNDER

    def least_width(self, tile: StripTile) -> int:
        """In which letter, the beginning of the name and what was marked can be read."""
        name = QFontMetricsF(self._name_font()).horizontalAdvance(tile.name[:_FEWEST])
        letter = QFontMetricsF(self._letter_font()).horizontalAdvance(tile.letter)
        return math.ceil(letter + name + self._marks_width(tile)) + 3 * self._theme.px(SPACE_2)

    def sizeHint(self, _option: QStyleOptionViewItem, _index: Index) -> QSize:
        return QSize(self._list.gridSize().width(), self.height)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        tile = index.data(TILE_ROLE)
        if not isinstance(tile, StripTile):
            return
        theme, rect = self._theme, self._to_end(QRectF(option.rect))
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        # The frame's corners are round: a tile in them would paint over the arc.
        within = QPainterPath()
        within.addRoundedRect(QRectF(self._list.viewport().rect()), RADIUS - 1, RADIUS - 1)
        painter.setClipPath(within)
        seen = bool(index.data(SEEN_ROLE))
        painter.fillRect(rect, theme.color("selection" if seen else "surface"))
        if seen:
            painter.fillRect(QRectF(rect.left(), rect.top(), rect.width(), _UNDER - 1), theme.color("accent"))
        current = bool(option.state & QStyle.StateFlag.State_Selected)
        self._paint_edges(painter, rect, current=current, paired=bool(index.data(PAIRED_ROLE)))
        margin = theme.px(SPACE_2)
        self._paint_words(painter, rect.adjusted(margin, _UNDER, -margin, -_UNDER), tile, strong=seen)
        if option.state & QStyle.StateFlag.State_HasFocus and option.state & QStyle.StateFlag.State_Active:
            painter.setPen(QPen(theme.color("focus"), 2))
            painter.drawRect(rect.adjusted(1, 1, -1, -1))
        painter.restore()

    def _to_end(self, rect: QRectF) -> QRectF:
        """*rect*, and of the last tile of a row the few pixels behind it too, which no tile has."""
        end = self._list.viewport().width()
        if rect.right() + rect.width() > end:
            rect.setRight(end)
        return rect

    def _paint_edges(self, painter: QPainter, rect: QRectF, *, current: bool, paired: bool) -> None:
        theme = self._theme
        if rect.right() < self._list.viewport().width():
            hairline = theme.color("border")
            painter.setPen(QPen(hairline, 1))
            painter.drawLine(QPointF(rect.right() - 0.5, rect.top()), QPointF(rect.right() - 0.5, rect.bottom()))
        if current or paired:
            line = _UNDER if current else 1
            painter.fillRect(QRectF(rect.left(), rect.bottom() - line, rect.width(), line), theme.color("accent"))

    def _paint_words(self, painter: QPainter, line: QRectF, tile: StripTile, *, strong: bool) -> None:
        """The letter, as much of the level as there is room for, and at the right what was found and marked."""
        theme, bold, font = self._theme, self._letter_font(), self._name_font()
        flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.setFont(bold)
        painter.setPen(theme.color("text"))
        painter.drawText(line, flags, tile.letter)
        used = QFontMetricsF(bold).horizontalAdvance(tile.letter) + theme.px(SPACE_1 + 2)
        marks = self._marks_width(tile)
        room = line.adjusted(used, 0, -marks, 0)
        # The end tells apart the same model at two hosts.
        cut = Qt.TextElideMode.ElideMiddle if "/" in tile.name else Qt.TextElideMode.ElideRight
        said = QFontMetricsF(font).elidedText(tile.name, cut, room.width())
        painter.setFont(font)
        painter.setPen(theme.color("text" if strong else "text_secondary"))
        if len(said) > 1:
            painter.drawText(room, flags, said)
        icon, at = theme.px(_ICON), line.right() - marks + theme.px(SPACE_1)
        for name, token, words in self._marks(tile):
            painter.drawPixmap(QPointF(at, line.center().y() - icon / 2), theme.pixmap(name, token, _ICON))
            at += icon + 1
            painter.drawText(QRectF(at, line.top(), line.right() - at + 1, line.height()), flags, words)
            at += QFontMetricsF(font).horizontalAdvance(words) + theme.px(SPACE_1)

    def _marks(self, tile: StripTile) -> list[tuple[str, str, str]]:
        """Icon, its colour and the number behind it."""
        marks = []
        if tile.missing or tile.refused:
            marks.append(("warning", "warning", ""))
        if tile.affected:
            marks.append(("check", "warning", ""))
        if tile.passages:
            marks.append(("edit", "accent", str(tile.passages)))
        return marks

    def _marks_width(self, tile: StripTile) -> float:
        metrics = QFontMetricsF(self._name_font())
        icon, gap = self._theme.px(_ICON) + 1, self._theme.px(SPACE_1)
        return sum((gap + icon + metrics.horizontalAdvance(words) for _icon, _token, words in self._marks(tile)), 0.0)

    def _letter_font(self) -> QFont:
        return self._theme.font(1.0, weight=QFont.Weight.DemiBold)

    def _name_font(self) -> QFont:
        return self._theme.font(_NAME)
