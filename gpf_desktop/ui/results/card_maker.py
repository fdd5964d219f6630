"""Makes the cards of findings: the one place where a card of Results gets its buttons and connections."""

from collections.abc import Sequence
from functools import partial
from typing import TypeVar

from gpf_desktop.domain.figures import Intervals, Profiles
from gpf_desktop.domain.findings import Finding, Row
from gpf_desktop.domain.text import tr
from gpf_desktop.ui.results.finding_cards import TableCard, chart_card
from gpf_desktop.ui.results.results_view_model import ResultsViewModel
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.widgets.buttons import menu_button
from gpf_desktop.ui.widgets.chart_card import ChartCard
from gpf_desktop.ui.widgets.chart_files import SavedWords
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


C = TypeVar("C", ChartCard, TableCard)


class CardMaker:
    """Cards of one page's findings, dressed alike."""

    def __init__(self, theme: Theme, model: ResultsViewModel) -> None:
        self._theme = theme
        self._model = model

    def chart(self, finding: Finding, at: int) -> ChartCard:
        """Figure number *at* of *finding*; dots stand above a table that tells the rest."""
        figure = finding.figures[at]
        card = chart_card(
            self._theme,
            finding,
            figure,
            under=self._model.under,
            shared=self._model.shared,
            name=f"card.{finding.name}.{at}",
            marked=self._model.all_synthetic,
            choices=self._model.series_choices,
            brief=at > 0 or isinstance(figure, Intervals | Profiles),
        )
        card.names = self._model.names
        return self._dressed(card, figure.title)

    def table(self, finding: Finding, keys: Sequence[str] | None = None) -> TableCard:
        """*keys*: the columns that are shown; None: all."""
        return self._dressed(
            TableCard(
                self._theme,
                finding,
                under=self._model.under,
                shared=self._model.shared,
                name=f"card.{finding.name}",
                keys=keys,
                names=self._model.names,
            )
        )

    def _dressed(self, card: C, figure: str = "") -> C:
        """Buttons of a card's header go into `card.top`, before "Save"; *figure*: the title of what it draws."""
        card.saved_words = self._saved_words(card.finding, figure)
        adding = AddButton(card, card.finding.name, self._model, figure)
        card.top.insertWidget(card.top.indexOf(card.save), adding.button)
        card.bundles_chosen.connect(partial(self._model.answers.number, card.finding.title))
        card.not_saved.connect(self._model.not_saved)
        return card

    def _saved_words(self, finding: Finding, figure: str) -> SavedWords:
        planted = bool(finding.rows) and all(row.synthetic for row in finding.rows)
        mark = tr("All answers synthetic: made up by built-in test models.") if planted else ""
        caption = (" ".join(filter(None, (figure or finding.title, mark))), self._model.under)
        return SavedWords(filtered=self._model.filtered, caption=caption)
