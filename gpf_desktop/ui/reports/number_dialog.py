"""Chooses a number of the tables, to be put into a text by reference."""

from collections.abc import Callable, Sequence

from PySide6.QtWidgets import QCheckBox, QWidget

from gpf_desktop.domain.text import tr
from gpf_desktop.engine.reporting.drafts.references import OfferedNumber, offered
from gpf_desktop.engine.reporting.results_filter import ResultsFilter
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.theme.tokens import SPACE_3, SPACE_4
from gpf_desktop.ui.widgets.boxes import hbox, vbox
from gpf_desktop.ui.widgets.buttons import button
from gpf_desktop.ui.widgets.columns import TableColumn
from gpf_desktop.ui.widgets.data_table import DataTable
from gpf_desktop.ui.widgets.dialogs import TitledDialog
from gpf_desktop.ui.widgets.fields import SearchField
from gpf_desktop.ui.widgets.labels import label, secondary
from gpf_desktop.ui.widgets.names import named
from gpf_desktop.ui.widgets.table_models import RowsTableModel

_SIZE = (760, 520)


class NumberDialog(TitledDialog):
    """Every number of the report's tables; searched by any of the words that stand around it."""

    def __init__(
        self, context: Context, parent: QWidget, wanted: ResultsFilter, chosen: Callable[[str], object]
    ) -> None:
        super().__init__(parent, tr("Insert a number"), "report.numbers")
        self._chosen = chosen
        self._numbers: Sequence[OfferedNumber] = ()
        self.resize(*(context.theme.px(side) for side in _SIZE))
        self.search = SearchField(context.theme, tr("Search tables, rows and columns"), name="report.numbers.search")
        self.search.sought.connect(self._show)
        # Enter ends the search first, so that the first of what was found is chosen by now.
        self.search.returnPressed.connect(self._insert_sought)
        columns: tuple[TableColumn[OfferedNumber], ...] = (
            TableColumn(title=tr("Table"), text=lambda each: each.table, width=180),
            TableColumn(title=tr("Row"), text=lambda each: each.row, stretch=True),
            TableColumn(title=tr("Column"), text=lambda each: each.column, width=130),
            TableColumn(title=tr("Number"), text=lambda each: each.shown, numeric=True, width=90),
        )
        self.rows = RowsTableModel(context.theme, columns, key=lambda each: each.reference)
        self.table = DataTable(context.theme, self.rows, says=tr("Numbers of the tables"), name="report.numbers.table")
        self.table.current_changed.connect(lambda _: self._fit())
        self.table.opened.connect(lambda _: self._insert())
        self.interval = named(QCheckBox(tr("With its range and n")), "report.numbers.interval")
        # A number without its interval is the exception.
        self.interval.setChecked(True)
        self.said = secondary(tr("Reading the tables …"), name="report.numbers.said")
        self.insert = button(tr("Insert"), self._insert, primary=True, name="report.numbers.insert")
        row = hbox(
            self.interval, (self.said, 1), button(tr("Cancel"), self.close, name="report.numbers.cancel"), self.insert
        )
        vbox(
            label(tr("The text holds a reference, so the number changes with its table. Nothing is typed."), wrap=True),
            self.search,
            (self.table, 1),
            row,
            parent=self,
            spacing=SPACE_3,
            margins=SPACE_4,
        )
        self._fit()
        reports = context.engine.open_audit.reports
        context.bridge.run(lambda: tuple(offered(reports.tables(wanted))), then=self._arrived, owner=self)
        self.search.setFocus()

    def _arrived(self, numbers: Sequence[OfferedNumber]) -> None:
        self._numbers = numbers
        self._show(self.search.text())

    def _show(self, sought: str) -> None:
        words = sought.casefold().split()
        found = [each for each in self._numbers if all(word in _said(each) for word in words)]
        self.rows.set_rows(found)
        self.said.setText(tr("{n:,} of {all:,} numbers", n=len(found), all=len(self._numbers)))
        if found:
            self.table.selectRow(0)
        self._fit()

    def _fit(self) -> None:
        now = self.rows.row_at(self.table.currentIndex().row())
        self.insert.setEnabled(now is not None)
        self.interval.setEnabled(now is not None and bool(now.with_interval))

    def _insert_sought(self) -> None:
        if self.search.text().strip():
            self._insert()

    def _insert(self) -> None:
        now = self.rows.row_at(self.table.currentIndex().row())
        if now is None:
            return
        spans = self.interval.isChecked() and bool(now.with_interval)
        self._chosen(now.with_interval if spans else now.reference)
        self.close()


def _said(number: OfferedNumber) -> str:
    return f"{number.table} {number.row} {number.column} {number.shown}".casefold()
