"""The panel of what was found in the box: sources to tick, and five items of the one that is looked at."""

from dataclasses import dataclass

from gpf_desktop.domain.articles import Dropped, Item
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.collect.discovery import PREVIEW, Candidate
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.sources.adding_view_model import AddingViewModel
from gpf_desktop.ui.widgets.boxes import fill, row_of
from gpf_desktop.ui.widgets.buttons import button
from gpf_desktop.ui.widgets.cards import Card
from gpf_desktop.ui.widgets.columns import TableColumn
from gpf_desktop.ui.widgets.data_table import DataTable
from gpf_desktop.ui.widgets.labels import caption, secondary, show_words
from gpf_desktop.ui.widgets.table_models import RowsTableModel
from gpf_desktop.ui.wording import count, moment


@dataclass(frozen=True, slots=True, kw_only=True)
class _Offered:
    at: int
    candidate: Candidate
    ticked: bool


class FoundPanel(Card):
    """Shown in place of the lists while one decides."""

    def __init__(self, context: Context, model: AddingViewModel) -> None:
        super().__init__(" ", name="sources.found")
        self._model = model
        self._offers = RowsTableModel(context.theme, _offer_columns(), key=lambda offered: offered.at)
        self._offers.ticked.connect(lambda offered, on: model.tick(offered.at, on))
        self.offers = DataTable(
            context.theme, self._offers, says=tr("Sources found"), name="sources.offers", embedded=True
        )
        self.offers.current_changed.connect(lambda offered: model.show(offered.at) if offered is not None else None)
        self._items = RowsTableModel(context.theme, _item_columns(), key=lambda item: item.key)
        self.items = DataTable(
            context.theme, self._items, says=tr("First items"), name="sources.preview", embedded=True
        )
        self._missed = RowsTableModel(context.theme, _missed_columns(), key=lambda missed: missed.url)
        self.missed = DataTable(
            context.theme, self._missed, says=tr("Feeds that offer nothing now"), name="sources.missed", embedded=True
        )
        self._summary = secondary(wrap=True, name="sources.foundSummary")
        self._notes = caption()
        self.add = button("", model.add, primary=True, name="sources.add")
        self.cancel = button(tr("Cancel"), model.cancel, name="sources.cancel")
        self.tick_all = button("", model.tick_all, compact=True, name="sources.tickAll")
        self.foot = row_of(self.tick_all, 1, self.cancel, self.add)
        fill(
            self.body,
            self._notes,
            self.offers,
            self.missed,
            self._summary,
            self.items,
            self.foot,
            1,
        )

    def show_model(self) -> None:
        """Paint the view-model's state."""
        model = self._model
        self.title.setText(model.title)
        notes = "" if model.detection is None else "\n".join(model.detection.notes)
        show_words(self._notes, notes)
        offers = [
            _Offered(at=at, candidate=candidate, ticked=at in model.ticked)
            for at, candidate in enumerate(model.candidates)
        ]
        self._offers.set_rows(offers)
        self.offers.setVisible(len(offers) > 1)
        self.offers.fit_height(5)
        self._missed.set_rows(model.missed)
        self.missed.setVisible(bool(model.missed))
        self.missed.fit_height(5)
        self.tick_all.setVisible(len(offers) > 1)
        self.tick_all.setText(tr("Tick none") if model.all_ticked else tr("Tick all"))
        self._summary.setText(model.summary)
        self._items.set_rows(model.preview.items[:PREVIEW] if model.preview is not None else ())
        self.items.fit_height(PREVIEW)
        self.add.setText(model.add_words)
        self.add.setEnabled(bool(model.ticked))


def _offer_columns() -> tuple[TableColumn[_Offered], ...]:
    return (
        TableColumn(
            title=tr("Source"),
            text=lambda offered: offered.candidate.title,
            checked=lambda offered: offered.ticked,
            tip=lambda offered: offered.candidate.address,
            stretch=True,
        ),
        TableColumn(title=tr("Kind"), text=lambda offered: offered.candidate.kind_title),
        TableColumn(title=tr("Items"), text=lambda offered: count(offered.candidate.kept), numeric=True),
        TableColumn(title=tr("Dropped"), text=lambda offered: count(len(offered.candidate.dropped)), numeric=True),
    )


def _missed_columns() -> tuple[TableColumn[Dropped], ...]:
    return (
        TableColumn(
            title=tr("Offers nothing now"),
            text=lambda missed: missed.url or missed.headline,
            tip=lambda missed: missed.url,
            width=320,
        ),
        TableColumn(title=tr("Why"), text=lambda missed: missed.reason, tip=lambda missed: missed.reason, stretch=True),
    )


def _item_columns() -> tuple[TableColumn[Item], ...]:
    return (
        TableColumn(
            title=tr("Published"),
            text=lambda item: tr("no date") if item.published is None else moment(item.published),
            width=150,
        ),
        TableColumn(title=tr("Headline"), text=lambda item: item.headline, width=380, strong=True),
        TableColumn(
            title=tr("Description"),
            text=lambda item: item.description or tr("headline only"),
            tip=lambda item: "\n".join((item.description, *item.notes)).strip(),
            token=lambda item: "" if item.description else "text_secondary",
            stretch=True,
        ),
    )
