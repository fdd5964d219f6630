"""The strip above the answers: all of them at a glance, and the way to each."""

from collections.abc import Collection, Sequence
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QEvent,
    QItemSelection,
    QMimeData,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QDrag, QKeyEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QApplication, QFrame, QListView, QSizePolicy

from gpf_desktop.domain.text import tr
from gpf_desktop.ui.review.strip_content import StripTile
from gpf_desktop.ui.review.strip_delegate import PAIRED_ROLE, SEEN_ROLE, TILE_ROLE, StripDelegate
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.widgets.plain import plain_tip

Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole
_ROOT = QModelIndex()
_LEAST_TILE = 30
"""Pixels at 100 % under which tiles go on in another row."""
_OWN_KEYS = frozenset({Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Return, Qt.Key.Key_Enter})
_NUMBERED = 9
ANSWER = "application/x-gpf-answer"
"""What is dragged from the strip: the key of an answer."""
_DIGITS = range(Qt.Key.Key_1, Qt.Key.Key_9 + 1)


class StripTableModel(QAbstractTableModel):
    """Tiles for Qt."""

    def __init__(self, parent: QListView) -> None:
        super().__init__(parent)
        self.tiles: tuple[StripTile, ...] = ()
        self.pair: tuple[str, ...] = ()
        self.seen: Collection[str] = ()
        """Keys of the answers in the columns that are in sight."""

    def show_seen(self, seen: Collection[str]) -> None:
        if self.seen != seen:
            self.seen = seen
            if self.tiles:
                self.dataChanged.emit(self.index(0, 0), self.index(len(self.tiles) - 1, 0))

    def show(self, tiles: tuple[StripTile, ...], pair: tuple[str, ...]) -> None:
        """The tile that is current stays so while the same answers stand in the strip."""
        same = [tile.key for tile in tiles] == [tile.key for tile in self.tiles]
        if not same:
            self.beginResetModel()
        self.tiles, self.pair = tiles, pair
        if not same:
            self.endResetModel()
        elif tiles:
            self.dataChanged.emit(self.index(0, 0), self.index(len(tiles) - 1, 0))

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.tiles)

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else 1

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        if not index.isValid():
            return None
        tile = self.tiles[index.row()]
        if role in (Role.DisplayRole, Role.AccessibleTextRole):
            return tile.spoken
        if role == Role.ToolTipRole:
            key = tr("Key {n}: beside the answers in sight", n=index.row() + 1) if index.row() < _NUMBERED else ""
            return plain_tip(f"{tile.spoken}\n{key}".strip())
        own = {TILE_ROLE: tile, SEEN_ROLE: tile.key in self.seen, PAIRED_ROLE: tile.key in self.pair}
        return own.get(role)


class AnswerStrip(QListView):
    """A click, Return or a digit goes to an answer, and brings it into the columns where it stands in none.

    With Ctrl it is compared with the one that was gone to last; dragged onto a column it takes its place.
    """

    chosen = Signal(str)
    paired = Signal(str, str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._pressed: QPoint | None = None
        self.setObjectName("review.strip")
        self.setAccessibleName(tr("All answers at a glance"))
        self.setProperty("strip", True)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.setFlow(QListView.Flow.LeftToRight)
        self.setWrapping(True)
        self.setMovement(QListView.Movement.Static)
        self.setUniformItemSizes(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setTabKeyNavigation(False)
        self.tiles = StripTableModel(self)
        self.setModel(self.tiles)
        self._delegate = StripDelegate(theme, self)
        self.setItemDelegate(self._delegate)
        theme.follow(self, self._fit)

    def show_tiles(self, tiles: Sequence[StripTile], *, pair: tuple[str, ...] = ()) -> None:
        """Show *tiles*; *pair*: the two that are compared."""
        read = self.current
        self.tiles.show(tuple(tiles), pair)
        self.show_current(read)
        self._fit()

    def show_current(self, key: str) -> None:
        """Mark the answer that is being read; the keyboard stays where it is."""
        at = next((at for at, tile in enumerate(self.tiles.tiles) if tile.key == key), None)
        if at is not None and at != self.currentIndex().row():
            self.setCurrentIndex(self.tiles.index(at, 0))

    def forget(self) -> None:
        """No answer was gone to."""
        self.setCurrentIndex(QModelIndex())

    def choose(self, at: int) -> None:
        """Go to the answer of the tile at *at*, where there is one."""
        if 0 <= at < len(self.tiles.tiles):
            self.setCurrentIndex(self.tiles.index(at, 0))
            self.chosen.emit(self.tiles.tiles[at].key)

    @property
    def current(self) -> str:
        """The key of the answer that was gone to last; empty: none."""
        at = self.currentIndex().row()
        return self.tiles.tiles[at].key if 0 <= at < len(self.tiles.tiles) else ""

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self._pressed = event.position().toPoint()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        pressed = self._pressed
        if pressed is None or not event.buttons() & Qt.MouseButton.LeftButton:
            return
        tile = self.tiles.index(self.indexAt(pressed).row(), 0).data(TILE_ROLE)
        far = (event.position().toPoint() - pressed).manhattanLength() >= QApplication.startDragDistance()
        if far and isinstance(tile, StripTile):
            self._pressed = None
            drag = QDrag(self)
            carried = QMimeData()
            carried.setData(ANSWER, tile.key.encode())
            drag.setMimeData(carried)
            drag.setPixmap(self.viewport().grab(self.visualRect(self.indexAt(pressed))))
            drag.exec(Qt.DropAction.MoveAction)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        pressed, self._pressed = self._pressed, None
        if pressed is None or event.button() is not Qt.MouseButton.LeftButton:
            return
        at = self.indexAt(pressed).row()
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._pair(at)
        else:
            self.choose(at)

    def event(self, event: QEvent) -> bool:
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and (event.key() in _OWN_KEYS or event.key() in _DIGITS)
            and not event.modifiers() & Qt.KeyboardModifier.AltModifier
        ):
            # Elsewhere on the page arrows go from bundle to bundle, and digits are a severity.
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        at = self.currentIndex().row()
        match event.key():
            case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                self.choose(at)
            case Qt.Key.Key_Left | Qt.Key.Key_Right:
                step = 1 if event.key() == Qt.Key.Key_Right else -1
                self.setCurrentIndex(self.tiles.index(max(0, min(len(self.tiles.tiles) - 1, at + step)), 0))
            case key if key in _DIGITS:
                self.choose(key - Qt.Key.Key_1)
            case _:
                super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def selectionChanged(self, selected: QItemSelection, deselected: QItemSelection) -> None:
        super().selectionChanged(selected, deselected)
        # The last tile is painted beyond its place, which Qt alone would paint anew.
        self.viewport().update()

    def sizeHint(self) -> QSize:
        return QSize(self._theme.px(_LEAST_TILE), self.height())

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def _pair(self, at: int) -> None:
        tiles, first = self.tiles.tiles, self.current
        if 0 <= at < len(tiles) and first and tiles[at].key != first:
            self.paired.emit(first, tiles[at].key)

    def _fit(self) -> None:
        """As many tiles in a row as are wide enough, all of one width; as high as the rows."""
        number = max(1, len(self.tiles.tiles))
        # A tile that ends where the room ends is put on another line by Qt.
        room = self.width() - 2 * self.frameWidth() - 1
        least = max(self._theme.px(_LEAST_TILE), *map(self._delegate.least_width, self.tiles.tiles), 1)
        rows = -(-number // max(1, room // least))
        across = -(-number // rows)
        high = self._delegate.height
        self.setGridSize(QSize(max(1, room // across), high))
        self.setFixedHeight(rows * high + 2 * self.frameWidth())
