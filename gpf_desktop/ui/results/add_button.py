"""“Add to report” of a card of Results: its figure, its table, or the row that is selected in it."""

from functools import partial

from gpf_desktop.domain.findings import Row
from gpf_desktop.domain.text import tr
from gpf_desktop.ui.results.finding_cards import TableCard
from gpf_desktop.ui.results.results_view_model import ResultsViewModel
from gpf_desktop.ui.widgets.buttons import menu_button
from gpf_desktop.ui.widgets.chart_card import ChartCard
from gpf_desktop.ui.widgets.data_table import DataTable


class AddButton:
    """A button with a menu, made for one card."""

    def __init__(self, card: ChartCard | TableCard, name: str, model: ResultsViewModel, figure: str) -> None:
        """*name* of the finding; *figure*: the title of what the card draws, empty for a table."""
        self._card, self._name, self._model, self._figure = card, name, model, figure
        says = tr("Add to report: {title}", title=figure or card.finding.title)
        self.button = menu_button(tr("Add to report"), compact=True, name=f"{card.objectName()}.add", says=says)
        menu = self.button.menu()
        if figure:
            menu.addAction(tr("This &figure"), lambda: model.adder.figure(model.wanted, name, figure))
        menu.addAction(tr("The whole &table"), lambda: model.adder.table(model.wanted, name))
        self._row_action = menu.addAction(tr("The selected &row"), self._add_selected)
        menu.aboutToShow.connect(lambda: self._row_action.setEnabled(self._selected() is not None))
        if isinstance(card, TableCard):
            self._offer_rows(card.table)
        else:
            card.as_table.toggled.connect(lambda on: self._offer_rows(card.table) if on else None)

    def _offer_rows(self, table: DataTable) -> None:
        table.row_commands[tr("Add to &report")] = partial(self._model.adder.row, self._model.wanted, self._name)

    def _selected(self) -> Row | None:
        card = self._card
        if isinstance(card, ChartCard) and not card.as_table.isChecked():
            return None
        row = card.table.current_row()
        return row if isinstance(row, Row) else None

    def _add_selected(self) -> None:
        row = self._selected()
        if row is not None:
            self._model.adder.row(self._model.wanted, self._name, row)
