"""The columns of somebody's table, of which there may be thousands: to choose from, and with their first rows."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from PySide6.QtCore import QAbstractListModel, QAbstractTableModel, QModelIndex, QSize, Qt
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QComboBox, QHeaderView, QListView, QSizePolicy, QStyle, QStyleOptionComboBox, QTableView

from gpf_desktop.domain.text import tr
from gpf_desktop.engine.commands.import_command import ImportPreview
from gpf_desktop.ui.widgets.names import named
from gpf_desktop.ui.widgets.table_models import Index

LONGEST: Final = 200
"""Characters of a name or a cell that are shown."""
_WIDEST: Final = 260
"""Pixels of a column at most; longer texts are cut."""
_MEASURED: Final = 60
"""Columns whose widths are taken from what stands in them; each takes a millisecond."""
_LEAST_CHARACTERS: Final = 12
_LEAST_ROWS: Final = 2
"""That are seen in a low window."""
_ROOT: Final = QModelIndex()


class ColumnBox(QComboBox):
    """One of *columns*, or what its first entry says.

    The others are entries from when it has the keyboard or is opened: at each change of its looks Qt goes through all
    entries of a box, and a dialog with a dozen boxes of 5,000 stood still for five seconds.
    """

    def __init__(self, columns: Sequence[str], *, name: str, title: str) -> None:
        super().__init__()
        # As wide as its place, whatever the longest name of a column is.
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._choices = _Choices(columns, self)
        self.setModel(self._choices)
        listed = QListView()
        listed.setUniformItemSizes(True)
        listed.setAccessibleName(title)
        self.setView(listed)
        self.setCurrentIndex(0)
        self.setObjectName(f"import.column.{name}")
        self.setAccessibleName(title)

    def say_first(self, text: str) -> None:
        self._choices.say_first(text)

    def choose(self, column: str) -> None:
        self._choices.load()
        self.setCurrentIndex(self.findData(column))

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._choices.load()
        super().focusInEvent(event)

    def showPopup(self) -> None:
        self._choices.load()
        super().showPopup()

    def sizeHint(self) -> QSize:
        # Qt's own looks at every entry, which of some thousand takes longer than a frame.
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        inside = QSize(self.fontMetrics().averageCharWidth() * _LEAST_CHARACTERS, self.fontMetrics().height() + 2)
        return self.style().sizeFromContents(QStyle.ContentsType.CT_ComboBox, option, inside, self)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()


class _Choices(QAbstractListModel):
    def __init__(self, columns: Sequence[str], parent: ColumnBox) -> None:
        super().__init__(parent)
        self._columns, self._loaded = columns, False
        self._first = tr("(by its name)")

    def say_first(self, text: str) -> None:
        self._first = text
        first = self.index(0)
        self.dataChanged.emit(first, first)

    def load(self) -> None:
        if not self._loaded and self._columns:
            self.beginInsertRows(_ROOT, 1, len(self._columns))
            self._loaded = True
            self.endInsertRows()

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else 1 + len(self._columns) * self._loaded

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
            return self._columns[index.row() - 1][:LONGEST] if index.row() else self._first
        if role == Qt.ItemDataRole.UserRole:
            return self._columns[index.row() - 1] if index.row() else ""
        return None


class FirstRows(QTableView):
    """The first rows of a table."""

    def __init__(self, found: ImportPreview) -> None:
        super().__init__()
        named(self, "import.preview").setAccessibleName(tr("The first rows of the table"))
        self.setTabKeyNavigation(False)
        self.show_rows(found)

    def show_rows(self, found: ImportPreview) -> None:
        """Show *found* in place of what stood here."""
        before = self.model()
        self._rows = _Rows(found, self)
        self.setModel(self._rows)
        if before is not None:
            before.deleteLater()
        head = self.horizontalHeader()
        head.setMaximumSectionSize(_WIDEST)
        for column in range(min(len(found.columns), _MEASURED)):
            # And not measured here, before the head has its looks.
            head.setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
        # The head, and a line for the bar that scrolls sideways, beside the rows.
        line = self.verticalHeader().defaultSectionSize()
        self.setMinimumHeight(line * (min(len(found.rows), _LEAST_ROWS) + 2))
        self.setMaximumHeight(line * (len(found.rows) + 2))

    def read_as(self, rows: Sequence[Mapping[str, str]]) -> None:
        """Show each row with what is read of it, by column: of messages and whole replies that is their words."""
        self._rows.read_as(rows)


class _Rows(QAbstractTableModel):
    def __init__(self, found: ImportPreview, parent: FirstRows) -> None:
        super().__init__(parent)
        self._found = found
        self._read: Sequence[Mapping[str, str]] = [{} for _ in found.rows]

    def read_as(self, rows: Sequence[Mapping[str, str]]) -> None:
        self._read = rows
        if rows and self._found.columns:
            self.dataChanged.emit(self.index(0, 0), self.index(len(rows) - 1, len(self._found.columns) - 1))

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._found.rows)

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._found.columns)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        row, column = index.row(), index.column()
        text = self._read[row].get(self._found.columns[column]) or self._found.rows[row][column]
        return " ".join(text[:LONGEST].split())

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        return self._found.columns[section][:LONGEST] if orientation == Qt.Orientation.Horizontal else section + 1
