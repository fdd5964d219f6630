"""The levels of one factor, a row each: its name, the words that stand in the prompt, its group."""

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QHeaderView, QTableWidget, QTableWidgetItem

from gpf_desktop.domain.text import tr
from gpf_desktop.ui.methods.contextual_stereoset.grid_draft import LevelRow

_FITTING = QHeaderView.ResizeMode.ResizeToContents


class LevelTable(QTableWidget):
    """Edited in place."""

    edited = Signal()

    def __init__(self) -> None:
        super().__init__(0, 3)
        self.setObjectName("grid.levels")
        self.setAccessibleName(tr("Levels and their words"))
        self.setHorizontalHeaderLabels([tr("Level"), tr("Words in the prompt"), tr("Group")])
        for column, mode in enumerate((_FITTING, QHeaderView.ResizeMode.Stretch, _FITTING)):
            self.horizontalHeader().setSectionResizeMode(column, mode)
        self.verticalHeader().hide()
        self.setTabKeyNavigation(False)
        self.itemChanged.connect(lambda _item: self.edited.emit())

    def show_rows(self, rows: Sequence[LevelRow]) -> None:
        # Filling is no edit, and `itemChanged` tells of every cell that is set.
        with QSignalBlocker(self):
            self.setRowCount(len(rows))
            for at, row in enumerate(rows):
                for column, text in enumerate(row):
                    self.setItem(at, column, QTableWidgetItem(text))
        self.setColumnHidden(2, not any(group for _, _, group in rows))

    def level_rows(self) -> list[LevelRow]:
        return [(self._text(at, 0), self._text(at, 1), self._text(at, 2)) for at in range(self.rowCount())]

    def add(self) -> None:
        """A further level, its name open to be typed."""
        names = {name for name, _, _ in self.level_rows()}
        number = next(n for n in range(1, len(names) + 2) if tr("level {n}", n=n) not in names)
        name = tr("level {n}", n=number)
        self.show_rows([*self.level_rows(), (name, name, "")])
        self.setCurrentCell(self.rowCount() - 1, 0)
        self.setFocus()
        self.edited.emit()

    def remove(self) -> None:
        """The level that is chosen."""
        at = self.currentRow()
        if at >= 0:
            self.removeRow(at)
            self.edited.emit()

    def _text(self, row: int, column: int) -> str:
        item = self.item(row, column)
        return "" if item is None else item.text().strip()
