"""The queue at the left: any number of rows, two lines each, loaded as they come into view."""

from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
)

from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.review_queue import QueueRow
from gpf_desktop.domain.text import tr
from gpf_desktop.ui.review.queue_words import QueueLine, queue_line
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.theme.tokens import SPACE_1, SPACE_2, SPACE_3

Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole
LINE_ROLE = Role.UserRole + 1
PAGE = 60
KEPT = 4000
_ROOT = QModelIndex()
_ROW = 50
_ICON = 14


class QueueTableModel(QAbstractTableModel):
    """Bundles in order; *load(ids, then)* brings rows and must not block."""

    def __init__(
        self, load: Callable[[Sequence[BundleId], Callable[[Sequence[QueueRow]], None]], object], parent: QTableView
    ) -> None:
        super().__init__(parent)
        self._load = load
        self._ids: list[BundleId] = []
        self._rows: OrderedDict[BundleId, QueueRow] = OrderedDict()
        self._asked: set[BundleId] = set()
        self.open_bundle: BundleId | None = None
        self.blind = False

    def show(self, ids: Sequence[BundleId]) -> None:
        """Show these bundles. One that left or came is taken out or put in; anything else is a new list."""
        new = list(ids)
        gone = _single(self._ids, new)
        come = _single(new, self._ids)
        if new == self._ids:
            return
        if gone is not None:
            self.beginRemoveRows(_ROOT, gone, gone)
            self._ids = new
            self.endRemoveRows()
        elif come is not None:
            self.beginInsertRows(_ROOT, come, come)
            self._ids = new
            self.endInsertRows()
        else:
            self.beginResetModel()
            self._ids = new
            self.endResetModel()

    def renew(self, bundles: Sequence[BundleId]) -> None:
        """Load the rows of *bundles* again (all where empty); the old ones are shown until the new ones are there."""
        chosen = [bundle for bundle in (bundles or self._rows) if bundle in self._rows]
        if not bundles:
            self._repaint()
        if chosen:
            self._load(chosen[-PAGE * 2 :], self._arrived)

    def forget(self) -> None:
        """Scores of another kind are shown, or another audit."""
        self._rows.clear()
        self._asked.clear()
        self._repaint()

    def id_at(self, at: int) -> BundleId | None:
        return self._ids[at] if 0 <= at < len(self._ids) else None

    def row_at(self, at: int) -> QueueRow | None:
        bundle = self.id_at(at)
        row = self._rows.get(bundle) if bundle is not None else None
        if row is None and bundle is not None and bundle not in self._asked:
            start = at - at % PAGE
            wanted = [b for b in self._ids[start : start + PAGE] if b not in self._rows and b not in self._asked]
            self._asked.update(wanted)
            self._load(wanted, self._arrived)
        return row

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._ids)

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else 1

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        if not index.isValid() or role not in (
            Role.DisplayRole, Role.AccessibleTextRole, Role.ToolTipRole, LINE_ROLE
        ):  # fmt: skip
            return None
        row = self.row_at(index.row())
        if row is None:
            return None if role == LINE_ROLE else "…"
        line = queue_line(row, blind=self.blind, is_open=row.bundle_id == self.open_bundle)
        match role:
            case Role.DisplayRole | Role.AccessibleTextRole:
                return line.spoken
            case Role.ToolTipRole:
                return line.tip
            case _:
                return line

    def set_open(self, bundle: BundleId | None) -> None:
        self.open_bundle = bundle
        self._repaint()

    def set_blind(self, blind: bool) -> None:
        if blind != self.blind:
            self.blind = blind
            self._repaint()

    def _arrived(self, rows: Sequence[QueueRow]) -> None:
        for row in rows:
            self._rows[row.bundle_id] = row
            self._rows.move_to_end(row.bundle_id)
            self._asked.discard(row.bundle_id)
        while len(self._rows) > KEPT:
            self._rows.popitem(last=False)
        self._repaint()

    def _repaint(self) -> None:
        if self._ids:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._ids) - 1, 0))


def _single(longer: Sequence[BundleId], shorter: Sequence[BundleId]) -> int | None:
    """Where *longer* has the one element that *shorter* lacks, or None where they differ otherwise."""
    if len(longer) != len(shorter) + 1:
        return None
    at = next((i for i, bundle in enumerate(shorter) if longer[i] != bundle), len(shorter))
    return at if longer[at + 1 :] == shorter[at:] else None


class QueueDelegate(QStyledItemDelegate):
    """Score at the left; family above dimension and status, each as icon and word."""

    def __init__(self, theme: Theme, parent: QTableView) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, _option: QStyleOptionViewItem, _index: Index) -> QSize:
        return QSize(self._theme.px(200), self._theme.px(_ROW))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        theme = self._theme
        painter.save()
        rect = QRectF(option.rect)
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.fillRect(rect, theme.color("selection" if chosen else "surface"))
        hairline = theme.color("border")
        hairline.setAlphaF(0.45)
        painter.setPen(QPen(hairline, 1))
        painter.drawLine(rect.bottomLeft(), rect.bottomRight())
        line = index.data(LINE_ROLE)
        if isinstance(line, QueueLine):
            self._paint_line(painter, rect.adjusted(theme.px(SPACE_3), 0, -theme.px(SPACE_2), 0), line)
        painter.restore()

    def _paint_line(self, painter: QPainter, rect: QRectF, line: QueueLine) -> None:
        theme = self._theme
        score_font = theme.font(1.12, weight=QFont.Weight.DemiBold)
        small = theme.font(0.82)
        score_width = QFontMetricsF(score_font).horizontalAdvance("0.00") + theme.px(SPACE_3)
        painter.setPen(theme.color("text" if line.score_known else "text_secondary"))
        painter.setFont(score_font)
        left = QRectF(rect.left(), rect.top(), score_width, rect.height())
        painter.drawText(left, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, line.score)
        right = rect.adjusted(score_width, theme.px(SPACE_1) + 2, 0, -theme.px(SPACE_1) - 2)
        name_font = theme.font(1.0, weight=QFont.Weight.DemiBold if line.is_open else QFont.Weight.Normal)
        upper = QRectF(right.left(), right.top(), right.width(), right.height() / 2)
        lower = QRectF(right.left(), right.top() + right.height() / 2, right.width(), right.height() / 2)
        painter.setPen(theme.color("text"))
        painter.setFont(name_font)
        name = QFontMetricsF(name_font).elidedText(line.title, Qt.TextElideMode.ElideRight, upper.width())
        painter.drawText(upper, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, name)
        self._paint_states(painter, lower, line, small)

    def _paint_states(self, painter: QPainter, rect: QRectF, line: QueueLine, font: QFont) -> None:
        """The state is said in full: the dimension before it is cut short where there is too little room."""
        theme, metrics = self._theme, QFontMetricsF(font)
        icon, gap = theme.px(_ICON), theme.px(SPACE_1)
        painter.setFont(font)
        painter.setPen(theme.color("text_secondary"))
        kept = sum(icon + 3 * gap + metrics.horizontalAdvance(state.words) + 1 for state in line.states)
        said = metrics.elidedText(line.dimension, Qt.TextElideMode.ElideRight, max(0.0, rect.width() - kept))
        painter.drawText(rect, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, said)
        at = rect.left() + metrics.horizontalAdvance(said) + 2 * gap
        for state in line.states:
            top = round(rect.center().y() - icon / 2)
            painter.drawPixmap(round(at), top, theme.pixmap(state.icon, state.color, _ICON))
            at += icon + gap
            painter.setPen(theme.color(state.color))
            room = max(0.0, rect.right() - at)
            words = metrics.elidedText(state.words, Qt.TextElideMode.ElideRight, room)
            painter.drawText(
                QRectF(at, rect.top(), room, rect.height()),
                Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft,
                words,
            )
            at += metrics.horizontalAdvance(words) + 2 * gap


class QueueTable(QTableView):
    """Rows of the tab shown; the current row is the bundle that is open."""

    picked = Signal(object)
    """The id of the bundle that the reviewer went to."""

    def __init__(
        self, theme: Theme, load: Callable[[Sequence[BundleId], Callable[[Sequence[QueueRow]], None]], object]
    ) -> None:
        super().__init__()
        self._theme = theme
        self._quiet = False
        self.setObjectName("review.queue")
        self.setAccessibleName(tr("Bundles to read"))
        self.rows_model = QueueTableModel(load, self)
        self.setModel(self.rows_model)
        self.setItemDelegate(QueueDelegate(theme, self))
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.horizontalHeader().hide()
        self.verticalHeader().hide()
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.selectionModel().currentRowChanged.connect(self._went)
        theme.follow(self, self._restyle)

    def show_ids(self, ids: Sequence[BundleId], current: BundleId | None, at: int) -> None:
        """Show *ids* with *current* selected, which stands at *at* (-1: nowhere in this tab)."""
        self._quiet = True
        self.rows_model.show(ids)
        self._select(current, at)
        self._quiet = False

    def select(self, current: BundleId | None, at: int) -> None:
        self._quiet = True
        self._select(current, at)
        self._quiet = False

    def _select(self, current: BundleId | None, at: int) -> None:
        self.rows_model.set_open(current)
        if at < 0:
            self.clearSelection()
        elif self.currentIndex().row() != at or not self.selectionModel().isRowSelected(at):
            self.setCurrentIndex(self.rows_model.index(at, 0))
            # Right after a reset Qt does not scroll to the current row by itself.
            self.scrollTo(self.rows_model.index(at, 0))

    def _went(self, now: QModelIndex) -> None:
        bundle = self.rows_model.id_at(now.row()) if now.isValid() else None
        if bundle is not None and not self._quiet:
            self.picked.emit(bundle)

    def _restyle(self) -> None:
        self.verticalHeader().setDefaultSectionSize(self._theme.px(_ROW))
        self.viewport().update()
