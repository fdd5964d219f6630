"""How a tile of the strip is painted: letter and level, tone on a scale, share of S as a bar, words and marks."""

import math

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from gpf_desktop.ui.review.strip_content import StripTile
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.theme.tokens import SPACE_1
from gpf_desktop.ui.wording import percent

Index = QModelIndex | QPersistentModelIndex
TILE_ROLE = Qt.ItemDataRole.UserRole + 1
MOST_ROLE = Qt.ItemDataRole.UserRole + 2
"""The largest share among the tiles: the bar that is full."""
MEASURED_ROLE = Qt.ItemDataRole.UserRole + 3
"""Whether tiles leave room for tone and share."""
PAIRED_ROLE = Qt.ItemDataRole.UserRole + 4
"""Whether the tile's answer is one of the two that are compared."""
_SMALL = 0.78
_UNDER = 3
_DOT = 3.0
_BAR = 4
_SCALES = 20
"""Pixels at 100 % of the tone's scale and the share's bar together."""
_ICON = 12


class StripDelegate(QStyledItemDelegate):
    """Tone is a place on a line from -1 to +1 with a stroke at 0, share a length: neither is told by colour."""

    def __init__(self, theme: Theme, parent: QListView) -> None:
        super().__init__(parent)
        self._theme, self._list = theme, parent

    def height(self, *, measured: bool) -> int:
        """Of a tile, in pixels."""
        name, small = QFontMetricsF(self._name_font()), QFontMetricsF(self._small_font())
        scales = self._theme.px(_SCALES) if measured else 0
        return round(name.height() + small.height()) + scales + 3 * self._theme.px(SPACE_1)

    def least_width(self, tile: StripTile) -> int:
        """In which the number of its words can be read."""
        return math.ceil(QFontMetricsF(self._small_font()).horizontalAdvance(str(tile.words)) + 2 * self._margin)

    @property
    def _margin(self) -> int:
        return self._theme.px(SPACE_1) + 2

    def sizeHint(self, _option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(self._list.gridSize().width(), self.height(measured=bool(index.data(MEASURED_ROLE))))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        tile = index.data(TILE_ROLE)
        if not isinstance(tile, StripTile):
            return
        theme, rect = self._theme, QRectF(option.rect)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        current = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.fillRect(rect, theme.color("selection" if current else "surface"))
        self._paint_edges(painter, rect, current=current, paired=bool(index.data(PAIRED_ROLE)))
        gap, margin = theme.px(SPACE_1), self._margin
        inside = rect.adjusted(margin, gap, -margin, -gap)
        below = self._paint_name(painter, inside, tile)
        if index.data(MEASURED_ROLE):
            self._paint_measures(painter, below, tile, index.data(MOST_ROLE) or 0.0)
        self._paint_words(painter, inside, tile)
        if option.state & QStyle.StateFlag.State_HasFocus and option.state & QStyle.StateFlag.State_Active:
            painter.setPen(QPen(theme.color("focus"), 2))
            painter.drawRect(rect.adjusted(1, 1, -1, -1))
        painter.restore()

    def _paint_edges(self, painter: QPainter, rect: QRectF, *, current: bool, paired: bool) -> None:
        theme = self._theme
        # At the end of the row are a few pixels that no tile has, which a line would make one of.
        if rect.right() + rect.width() <= self._list.viewport().width():
            hairline = theme.color("border")
            hairline.setAlphaF(0.6)
            painter.setPen(QPen(hairline, 1))
            painter.drawLine(rect.topRight() - QPointF(0.5, 0), rect.bottomRight() - QPointF(0.5, 0))
        if current or paired:
            line = theme.px(_UNDER)
            painter.fillRect(QRectF(rect.left(), rect.bottom() - line, rect.width(), line), theme.color("accent"))

    def _paint_name(self, painter: QPainter, inside: QRectF, tile: StripTile) -> QRectF:
        """The letter, and as much of the level as there is room for; what is left below."""
        theme, bold = self._theme, self._name_font()
        high = QFontMetricsF(bold).height()
        line = QRectF(inside.left(), inside.top(), inside.width(), high)
        painter.setFont(bold)
        painter.setPen(theme.color("text"))
        painter.drawText(line, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, tile.letter)
        used = QFontMetricsF(bold).horizontalAdvance(tile.letter) + theme.px(SPACE_1)
        small = self._small_font()
        room = line.adjusted(used, 0, 0, 0)
        # The end tells apart the same model at two hosts.
        cut = Qt.TextElideMode.ElideMiddle if "/" in tile.name else Qt.TextElideMode.ElideRight
        said = QFontMetricsF(small).elidedText(tile.name, cut, room.width())
        if len(said) > 1:
            painter.setFont(small)
            painter.setPen(theme.color("text_secondary"))
            painter.drawText(room, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, said)
        return QRectF(inside.left(), line.bottom(), inside.width(), theme.px(_SCALES))

    def _paint_measures(self, painter: QPainter, area: QRectF, tile: StripTile, most: float) -> None:
        theme = self._theme
        middle = area.top() + area.height() * 0.25
        line = theme.color("text_secondary")
        if tile.tone is not None:
            line.setAlphaF(0.55)
            painter.setPen(QPen(line, 1))
            painter.drawLine(QPointF(area.left(), middle), QPointF(area.right(), middle))
            tick = theme.px(3)
            painter.drawLine(QPointF(area.center().x(), middle - tick), QPointF(area.center().x(), middle + tick))
            dot = theme.px(_DOT)
            room = area.width() - 2 * dot
            at = QPointF(area.left() + dot + room * (tile.tone + 1) / 2, middle)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("text"))
            painter.drawEllipse(at, dot, dot)
            painter.setBrush(Qt.BrushStyle.NoBrush)
        if tile.share is not None and most > 0:
            thick = theme.px(_BAR)
            bar = QRectF(area.left(), area.top() + area.height() * 0.62, area.width(), thick)
            painter.fillRect(bar, theme.color("sunken"))
            painter.fillRect(
                QRectF(bar.left(), bar.top(), bar.width() * tile.share / most, thick), theme.color("accent")
            )

    def _paint_words(self, painter: QPainter, inside: QRectF, tile: StripTile) -> None:
        """Words at the left, marked passages and share at the right as far as there is room."""
        theme, font = self._theme, self._small_font()
        metrics = QFontMetricsF(font)
        line = QRectF(inside.left(), inside.bottom() - metrics.height(), inside.width(), metrics.height())
        painter.setFont(font)
        painter.setPen(theme.color("text_secondary"))
        icon = theme.px(_ICON)
        if tile.missing:
            painter.drawPixmap(
                QPointF(line.left(), line.center().y() - icon / 2), theme.pixmap("warning", "warning", _ICON)
            )
            return
        said = str(tile.words)
        painter.drawText(line, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, said)
        left = metrics.horizontalAdvance(said) + theme.px(SPACE_1)
        if tile.refused:
            at = QPointF(line.left() + left, line.center().y() - icon / 2)
            painter.drawPixmap(at, theme.pixmap("warning", "warning", _ICON))
            left += icon + theme.px(SPACE_1)
        if tile.passages:
            at = QPointF(line.left() + left, line.center().y() - icon / 2)
            painter.drawPixmap(at, theme.pixmap("edit", "accent", _ICON))
            painter.setPen(theme.color("accent"))
            painter.drawText(line.adjusted(left + icon + 1, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, str(tile.passages))
            left += icon + metrics.horizontalAdvance(str(tile.passages)) + theme.px(SPACE_1)
        share = "" if tile.share is None else percent(tile.share, 1)
        if share and left + metrics.horizontalAdvance(share) <= line.width():
            painter.setPen(theme.color("text_secondary"))
            painter.drawText(line, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, share)

    def _name_font(self) -> QFont:
        return self._theme.font(1.0, weight=QFont.Weight.DemiBold)

    def _small_font(self) -> QFont:
        return self._theme.font(_SMALL)
