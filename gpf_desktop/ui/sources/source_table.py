"""The table of sources with their health, and what can be done with those selected."""

from gpf_desktop.domain.text import tr
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.sources.sources_view_model import SourceLine, SourcesViewModel
from gpf_desktop.ui.sources.wording import HEALTH, dropped_words, health_word, last_success
from gpf_desktop.ui.widgets.boxes import fill
from gpf_desktop.ui.widgets.buttons import button
from gpf_desktop.ui.widgets.cards import Card
from gpf_desktop.ui.widgets.columns import TableColumn
from gpf_desktop.ui.widgets.data_table import DataTable
from gpf_desktop.ui.widgets.table_models import RowsTableModel
from gpf_desktop.ui.wording import count

_LEAST = 105
"""Pixels at 100 %: the header and two sources."""


class SourceTable(Card):
    """Selecting a row shows its details and its dropped items in the inspector."""

    def __init__(self, context: Context, model: SourcesViewModel) -> None:
        super().__init__(tr("Where the news comes from"))
        self._model, self._theme = model, context.theme
        self._rows = RowsTableModel(context.theme, _columns(), key=lambda line: line.row.id)
        self.table = DataTable(
            context.theme,
            self._rows,
            says=tr("Sources"),
            name="sources.table",
            settings=context.settings,
            embedded=True,
        )
        self.table.current_changed.connect(model.select)
        self.table.selectionModel().selectionChanged.connect(self._selected)
        self.retry = button(tr("Fetch"), self._fetch, compact=True, name="sources.fetchSelected")
        self.remove = button(tr("Remove"), self._remove, compact=True, name="sources.remove")
        fill(self.top, self.retry, self.remove)
        self.body.addWidget(self.table, 1)
        self._selected()
        context.theme.follow(self, self._fit)

    def show_model(self) -> None:
        """Paint the view-model's state."""
        self._rows.set_rows(self._model.lines)
        self._selected()
        self._fit()

    def _fit(self) -> None:
        """Be no higher than the sources are: the articles below have the room."""
        high = self.table.height_of(len(self._model.lines))
        least = min(high, self._theme.px(_LEAST))
        if (least, high) != (self.table.minimumHeight(), self.table.maximumHeight()):
            self.table.setMinimumHeight(least)
            self.table.setMaximumHeight(high)
            hint = max(least, min(high, self.table.sizeHint().height()))
            self.setMaximumHeight(self.sizeHint().height() - hint + high)

    def _selected(self, *_: object) -> None:
        some = bool(self.table.selected_rows())
        self.retry.setEnabled(some and not self._model.fetching)
        self.remove.setEnabled(some)

    def _fetch(self) -> None:
        self._model.fetch(self.table.selected_rows())

    def _remove(self) -> None:
        self._model.remove(self.table.selected_rows())


def _columns() -> tuple[TableColumn[SourceLine], ...]:
    return (
        TableColumn(
            title=tr("State"),
            text=lambda line: tr("fetching …") if line.fetching else health_word(line.health),
            icon=lambda line: ("refresh", "accent") if line.fetching else _icon(line),
        ),
        TableColumn(
            title=tr("Source"),
            text=lambda line: line.row.title,
            icon=lambda line: ("synthetic", "synthetic") if line.row.synthetic else None,
            spoken=lambda line: (
                tr("Source {title}", title=line.row.title) + (tr(", synthetic") if line.row.synthetic else "")
            ),
            tip=lambda line: line.row.address,
            strong=True,
            width=200,
        ),
        TableColumn(
            title=tr("Last success"),
            text=lambda line: last_success(line.row),
            sort=lambda line: line.row.succeeded,
            width=100,
            spare=2,
        ),
        TableColumn(
            title=tr("Kept"),
            text=lambda line: count(line.row.kept),
            sort=lambda line: line.row.kept,
            help=tr("Items of the last answer that were kept."),
            numeric=True,
        ),
        TableColumn(
            title=tr("Dropped"),
            text=lambda line: dropped_words(line.row),
            sort=lambda line: line.row.dropped + line.row.uncounted,
            help=tr("Items of the last answer that were not kept; select the source to see why."),
            numeric=True,
            spare=1,
        ),
        TableColumn(
            title=tr("Last error"),
            text=lambda line: line.row.error,
            spoken=lambda line: tr("Last error: {error}", error=line.row.error or tr("none")),
            tip=lambda line: line.row.error,
            token=lambda _: "danger",
            stretch=True,
        ),
    )


def _icon(line: SourceLine) -> tuple[str, str]:
    icon, tone = HEALTH[line.health]
    return icon, tone.token
