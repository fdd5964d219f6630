"""Cells that hold more than text."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.theme.qt_palette import groove
from gpf_desktop.ui.theme.tokens import SPACE_2
from gpf_desktop.ui.widgets.table_models import BAR_ROLE

_THICK = 6


class TableDelegate(QStyledItemDelegate):
    """Draws a share as a bar, and cuts names in their middle; everything else as usual."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme

    def initStyleOption(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        super().initStyleOption(option, index)
        # Ids of models, addresses and paths differ where they end, and so do names with an address behind them; what is
        # said in words is read from its beginning.
        if " " not in option.text or option.text.endswith(")"):
            option.textElideMode = Qt.TextElideMode.ElideMiddle

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        super().paint(painter, option, index)
        share = index.data(BAR_ROLE)
        if share is None:
            return
        rect = QRectF(option.rect).adjusted(SPACE_2, 0, -SPACE_2, 0)
        thick = self._theme.px(_THICK)
        track = QRectF(rect.left(), rect.center().y() - thick / 2, rect.width(), thick)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(groove(self._theme.tokens)))
        painter.drawRoundedRect(track, thick / 2, thick / 2)
        filled = QRectF(track)
        filled.setWidth(track.width() * max(0.0, min(1.0, float(share))))
        painter.setBrush(self._theme.color("accent"))
        painter.drawRoundedRect(filled, thick / 2, thick / 2)
        painter.restore()
