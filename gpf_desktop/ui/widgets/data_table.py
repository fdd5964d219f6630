"""The one table view: hairline rows, numbers at the right, copying, widths that are remembered."""

import json
from collections.abc import Callable, Hashable
from math import ceil
from typing import Any

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QSettings, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QKeyEvent, QKeySequence, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QMenu

from gpf_desktop.domain.text import tr
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.widgets.delegates import TableDelegate
from gpf_desktop.ui.widgets.hidden_names import ask_of_names
from gpf_desktop.ui.widgets.large_selection import LargeSelectionTable
from gpf_desktop.ui.widgets.table_models import ColumnsTableModel, PagedTableModel, RowsTableModel
from gpf_desktop.ui.widgets.title_header import LOOKED_AT, TitleHeader

_ROW = 34
_WIDEST = 420
_LEAST_STRETCH = 140
_LEAST_WORDS = 64
_MOST_LINES = 3
"""Of a title."""


class DataTable(LargeSelectionTable):
    """Shows a `RowsTableModel` or a `PagedTableModel`. Tab leaves it; arrow keys move inside; Ctrl+C copies rows."""

    current_changed = Signal(object)
    """The current row's object, or None."""
    opened = Signal(object)
    """A row was double-clicked, or Enter was pressed on it."""
    copying = Signal(int)
    """That many rows are on their way to the clipboard."""
    copied = Signal(int)
    """That many rows, their header beside them, are in the clipboard."""

    def __init__(
        self,
        theme: Theme,
        model: ColumnsTableModel[Any],
        *,
        says: str,
        name: str = "",
        settings: QSettings | None = None,
        embedded: bool = False,
        row_height: int = _ROW,
        least_words: int = _LEAST_WORDS,
        even: bool = False,
    ) -> None:
        """*says* is the accessible name; with *name* and *settings* column widths are remembered.

        *least_words*: pixels at 100 % below which no column of words is squeezed, however little room there is; the
        table then scrolls sideways. *even*: room that no words need goes to every column, not to the stretching one
        alone, so that numbers stand near the words of their row.
        """
        super().__init__()
        self._theme, self._settings = theme, settings
        self.row_commands: dict[str, Callable[[Any], object]] = {}
        """What else its context menu offers to do with the current row, by its words."""
        self._row_height, self._least_words, self._even = row_height, least_words, even
        self.tells_names = False
        """Its rows name models or readers, so that who reads with names hidden is asked before they are copied."""
        self._held: Hashable = None
        self._wanted: dict[int, int] = {}
        """Widths that the columns have where there is room for all."""
        self._needed: dict[int, int] = {}
        """Widths of the cells looked at, until they change: asked again at every step of a resize."""
        self._left_out: set[int] = set()
        self._sized = self._fitting = False
        self._most = self._scale = 0
        self.setObjectName(name)
        self.setAccessibleName(says)
        self.setProperty("embedded", embedded)
        # A Qt view owns neither its delegate nor its model: as its children both go with it.
        self.setItemDelegate(TableDelegate(theme))
        self.itemDelegate().setParent(self)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().hide()
        head = TitleHeader(self)
        self.setHorizontalHeader(head)
        model.setParent(self)
        self.setModel(model)
        # A header asks of every row whether it is selected, which takes seconds where all of 300,000 are.
        head.setSelectionModel(QItemSelectionModel(model, head))
        self._model = model
        if isinstance(model, RowsTableModel) or (isinstance(model, PagedTableModel) and model.sorts):
            self._sort_by_header()
        if isinstance(model, RowsTableModel):
            model.modelAboutToBeReset.connect(self._hold)
        else:
            model.dataChanged.connect(self._first_page)
        model.modelReset.connect(self._after_reset)
        model.dataChanged.connect(lambda *_: self._grow())
        self.selectionModel().currentRowChanged.connect(self._current)
        # Not `activated`, which a desktop may give by a single click and so twice by a double one.
        self.doubleClicked.connect(self._open)
        head.sectionResized.connect(self._remember)
        theme.follow(self, self._restyle)

    def _sort_by_header(self) -> None:
        head = self.horizontalHeader()
        # Before sorting is enabled, or Qt sorts by the first column at once.
        head.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self.setSortingEnabled(True)
        head.setSortIndicatorClearable(True)

    def current_row(self) -> Any:
        """The object of the current row, or None."""
        return self._model.row_at(self.currentIndex().row()) if self.currentIndex().isValid() else None

    def selected_rows(self) -> list[Any]:
        """The objects of the selected rows, top first."""
        return [row for row in map(self._model.row_at, self._selected()) if row is not None]

    def _selected(self) -> list[int]:
        """Places, top first. Qt's own `selectedRows` asks every cell, which takes seconds for 300,000 rows."""
        ranges = self.selectionModel().selection().toList()
        return sorted({at for each in ranges for at in range(each.top(), each.bottom() + 1)})

    def select_key(self, key: Hashable) -> bool:
        """Make the row with *key* current; False where it is not shown."""
        model = self._model
        at = model.index_of(key) if isinstance(model, RowsTableModel) else -1
        if at >= 0:
            self.selectRow(at)
        return at >= 0

    def fit_height(self, most: int = 12) -> None:
        """Be as high as the rows, up to *most* of them, from now on."""
        self._most = most
        wide = self._sized and self.horizontalHeader().length() > self.viewport().width()
        bar = self.horizontalScrollBar().sizeHint().height() if wide else 0
        self.setFixedHeight(self.height_of(most) + bar)

    def height_of(self, most: int) -> int:
        """Pixels in which its rows, up to *most* of them, can be seen with their header."""
        rows = min(self._model.rowCount(), most) * self.verticalHeader().defaultSectionSize()
        return self.horizontalHeader().sizeHint().height() + rows + 2 * self.frameWidth()

    def copy(self) -> None:
        """Copy the selected rows, or all where none is selected, with their header."""
        if self.tells_names:
            ask_of_names(self, self._copy)
        else:
            self._copy()

    def _copy(self) -> None:
        rows = self._selected() or list(range(self._model.rowCount()))
        self.copying.emit(len(rows))

        def put(text: str) -> None:
            QGuiApplication.clipboard().setText(text)
            # One break for each row: the header stands first, and the last line ends without one.
            self.copied.emit(text.count("\n"))

        self._model.as_text(rows, put)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self._open(self.currentIndex())
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if self.actions():
            menu.addActions(self.actions())
            menu.addSeparator()
        menu.addAction(tr("&Copy rows")).triggered.connect(self.copy)
        menu.addAction(tr("Select &all")).triggered.connect(self.selectAll)
        row = self.current_row()
        for words, do in self.row_commands.items() if row is not None else ():
            menu.addAction(words).triggered.connect(lambda _checked=False, do=do: do(row))
        menu.popup(event.globalPos())

    def _open(self, index: QModelIndex) -> None:
        row = self._model.row_at(index.row())
        if row is not None:
            self.opened.emit(row)

    def _current(self, now: QModelIndex) -> None:
        self.current_changed.emit(self._model.row_at(now.row()) if now.isValid() else None)

    def _hold(self) -> None:
        index, model = self.currentIndex(), self._model
        if isinstance(model, RowsTableModel):
            self._held = model.key_at(index.row()) if index.isValid() else None

    def _after_reset(self) -> None:
        self._needed.clear()
        if self._held is not None:
            self.select_key(self._held)
        if not self._sized:
            self._size_columns()
        self._grow()
        if self._most:
            self.fit_height(self._most)

    def _grow(self) -> None:
        """Give what has outgrown its column the room that it needs, for as long as it does."""
        self._needed.clear()
        # Of a paged table only what is looked at is known: its columns would move while one scrolls.
        if not self._sized or not self.isVisible() or not isinstance(self._model, RowsTableModel):
            return
        changed = False
        for at in set(self._first) - self._chosen:
            # Figures have one width: where lengths stay none needs measuring, which takes ten times longer.
            text = self._model.columns[at].text
            longest = max((len(text(row)) for row in self._model.rows[:LOOKED_AT]), default=0)
            if longest == self._longest.get(at):
                continue
            self._longest[at] = longest
            most = self._need(at) if self._model.columns[at].numeric else self._theme.px(_WIDEST)
            first, wanted, need = self._first[at], self._wanted[at], min(most, self._need(at))
            if need > wanted or wanted > first >= need:
                self._wanted[at], changed = max(first, need), True
        if changed:
            self._give_room()

    def _first_page(self) -> None:
        # Once only: rows that come later must not move the columns under the reader's eyes.
        self._model.dataChanged.disconnect(self._first_page)
        self._size_columns()

    def _restyle(self) -> None:
        self.verticalHeader().setDefaultSectionSize(self._theme.px(self._row_height))
        # Other colours move nothing; and sizing the columns of hidden tables held up the page that is looked at.
        if self.isVisible() and self._scale != self._theme.text_scale:
            self._rescale()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._scale != self._theme.text_scale:
            self._rescale()

    def _rescale(self) -> None:
        """Fit the columns to the text size, and when first shown to the style of the window around the table."""
        self._scale = self._theme.text_scale
        self._size_columns()
        if self._most:
            self.fit_height(self._most)

    def _size_columns(self) -> None:
        self._needed.clear()
        head = self.horizontalHeader()
        own = self._remembered()
        # No width that is set here is one that the auditor chose: `_remember` must not hear of it.
        head.blockSignals(True)
        for at, column in enumerate(self._model.columns):
            # For Qt a hidden section is 0 wide, which `_wanted` would take for its width.
            head.setSectionHidden(at, False)
            if column.stretch:
                head.setSectionResizeMode(at, QHeaderView.ResizeMode.Stretch)
            else:
                head.setSectionResizeMode(at, QHeaderView.ResizeMode.Interactive)
                wanted = self._theme.px(column.width) or min(self._need(at), self._theme.px(_WIDEST))
                if column.numeric or column.whole:
                    wanted = max(wanted, self._need(at))
                chosen = self._theme.px(own.get(column.title, 0))
                self.setColumnWidth(at, chosen or max(wanted, head.sectionSizeHint(at)))
        head.blockSignals(False)
        self._longest: dict[int, int] = {}
        # Columns whose width the auditor chose.
        self._chosen = {at for at, column in enumerate(self._model.columns) if column.title in own}
        self._wanted = {at: head.sectionSize(at) for at in range(head.count())}
        # What columns may grow beyond, and come back to.
        columns = self._model.columns
        grows = {at for at, column in enumerate(columns) if column.numeric or not (column.width or column.stretch)}
        self._first = {at: self._wanted[at] for at in grows}
        # Without rows there were only titles to go by: the first that come have the columns sized again.
        self._sized = self._model.rowCount() > 0
        self._give_room()

    def leave_out(self, at: int, *, out: bool) -> None:
        """Show the table with or without column *at*, however much room there is."""
        if out != (at in self._left_out):
            self._left_out ^= {at}
            self._size_columns()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._wanted:
            self._give_room()

    def _give_room(self) -> None:
        """Fit the columns into the view: a stretching one takes the room that is left, the others of words give some
        up where there is too little. A stretching column never gets so narrow that its words are gone."""
        head = self.horizontalHeader()
        # Nobody chose the widths that are set from here on: `_remember` is not to keep them.
        self._fitting = True
        broken, self._model.broken = self._model.broken, {}
        px, usual = self._theme.px, max(_LEAST_STRETCH, self._least_words)
        stretching = {at: px(column.width or usual) for at, column in enumerate(self._model.columns) if column.stretch}
        least = {at: max(head.sectionSizeHint(at), min(self._need(at), width)) for at, width in stretching.items()}
        room = self.viewport().width() - sum(least.values())
        self._hide_spare(room)
        widths = self._squeezed(room)
        if self._even:
            spare = room - sum(widths.values()) - sum(max(0, self._need(at) - least[at]) for at in stretching)
            more = max(0, spare) // (len(widths) + len(stretching))
            widths = {at: width + more for at, width in widths.items()}
        for at, width in widths.items():
            if head.sectionSize(at) != width:
                self.setColumnWidth(at, width)
        others = sum(head.sectionSize(at) for at in range(head.count()) if at not in least)
        fits = self.viewport().width() - others >= sum(least.values())
        mode = QHeaderView.ResizeMode.Stretch if fits else QHeaderView.ResizeMode.Interactive
        for at in stretching:
            if head.sectionResizeMode(at) is not mode:
                head.setSectionResizeMode(at, mode)
            if not fits:
                self.setColumnWidth(at, least[at])
        self._fitting = False
        if self._model.broken != broken:
            # Cut short with dots a title counts as one line, however many it has.
            head.setTextElideMode(Qt.TextElideMode.ElideNone if self._model.broken else Qt.TextElideMode.ElideRight)
            self.updateGeometries()
        if self._most:
            self.fit_height(self._most)

    def _hide_spare(self, room: int) -> None:
        """Show as many columns as have *room* for their words, beside those that stretch."""
        columns = self._model.columns
        for at in self._left_out:
            self.horizontalHeader().setSectionHidden(at, True)
        sized = [at for at, column in enumerate(columns) if not column.stretch and at not in self._left_out]
        whole = {at: self._whole_width(at) for at in sized}
        short = sum(whole.values()) - room
        for at in sorted((at for at in whole if columns[at].spare), key=lambda at: -columns[at].spare):
            self.horizontalHeader().setSectionHidden(at, short > 0)
            short -= whole[at] if short > 0 else 0

    def _squeezed(self, room: int) -> dict[int, int]:
        """Widths of the shown columns that do not stretch: as wanted, or less where *room* is short. What no words
        stand on goes first, then words; titles break into two or three lines before they are cut."""
        head, columns = self.horizontalHeader(), self._model.columns
        widths = {at: w for at, w in self._wanted.items() if not (columns[at].stretch or head.isSectionHidden(at))}
        narrowest = head.minimumSectionSize()
        for least in (self._whole_width, self._least_width):
            widths = _given_up(widths, {at: least(at) for at in widths}, sum(widths.values()) - room)
        for lines in (2, _MOST_LINES):
            if sum(widths.values()) > room:
                self._model.broken = dict.fromkeys(widths, lines)
                widths = _given_up(widths, {at: self._least_width(at) for at in widths}, sum(widths.values()) - room)
                self._break_titles(widths)
        untitled = {at: max(narrowest, min(self._least_width(at), self._need(at))) for at in widths}
        cut = _given_up(widths, untitled, sum(widths.values()) - room)
        # What has to be scrolled sideways all the same keeps its titles whole.
        return cut if sum(cut.values()) <= room else widths

    def _break_titles(self, widths: dict[int, int]) -> None:
        """Into as few lines as fit *widths*."""
        needed: dict[int, int] = {}
        for lines in range(_MOST_LINES, 0, -1):
            self._model.broken = dict.fromkeys(widths, lines)
            fitting = [at for at, width in widths.items() if self.horizontalHeader().sectionSizeHint(at) <= width]
            needed |= dict.fromkeys(fitting, lines)
        self._model.broken = {at: lines for at in widths if (lines := needed.get(at, _MOST_LINES)) > 1}

    def _whole_width(self, at: int) -> int:
        """The width of a column's title and words, within what the auditor or the column allows; numbers may grow into
        theirs.
        """
        title, column = self.horizontalHeader().sectionSizeHint(at), self._model.columns[at]
        if column.numeric or column.whole:
            return max(title, self._need(at), self._theme.px(column.width))
        return max(title, min(self._need(at), self._wanted[at]))

    def _need(self, at: int) -> int:
        if at not in self._needed:
            self._needed[at] = self.sizeHintForColumn(at)
        return self._needed[at]

    def _least_width(self, at: int) -> int:
        """Words may be cut short; numbers never, nor what must be whole."""
        title, whole = self.horizontalHeader().sectionSizeHint(at), self._need(at)
        if self._model.columns[at].numeric or self._model.columns[at].whole:
            return max(title, whole)
        return max(title, min(whole, self._theme.px(self._least_words)))

    def _remember(self, at: int, _before: int, width: int) -> None:
        """Keep a width that the auditor chose, as it would be with text at 100 %."""
        column = self._model.columns[at]
        if self._fitting or column.stretch or at not in self._wanted or not self.isVisible():
            return
        self._wanted[at] = width
        self._chosen.add(at)
        if self._settings is not None and self.objectName():
            widths = self._remembered() | {column.title: round(100 * width / self._theme.text_scale)}
            self._settings.setValue(f"tables/{self.objectName()}", json.dumps(widths))

    def _remembered(self) -> dict[str, int]:
        """Title of a column → its width at 100 %."""
        if self._settings is None or not self.objectName():
            return {}
        try:
            found = json.loads(str(self._settings.value(f"tables/{self.objectName()}", "{}")))
        except ValueError:
            return {}
        return {title: width for title, width in found.items() if isinstance(width, int)} if found else {}


def _given_up(widths: dict[int, int], least: dict[int, int], short: int) -> dict[int, int]:
    """*widths* less *short* in all, each in proportion to what it has beyond its *least*."""
    giving = {at: max(0, width - least[at]) for at, width in widths.items()}
    share = min(1.0, max(0, short) / (sum(giving.values()) or 1))
    # Rounded up, so that all together give no less than what is short.
    return {at: width - ceil(giving[at] * share) for at, width in widths.items()}
