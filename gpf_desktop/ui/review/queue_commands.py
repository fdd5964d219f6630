"""Joins the commands of the queue as a whole with its widgets."""

from functools import partial

from gpf_desktop.domain.queue_samples import SampleKind
from gpf_desktop.domain.reviews import Verdict
from gpf_desktop.domain.verdict_words import SEVERITIES
from gpf_desktop.ui.actions import ActionRegistry
from gpf_desktop.ui.review.bulk_strip import BulkStrip
from gpf_desktop.ui.review.bulk_view_model import BulkViewModel
from gpf_desktop.ui.review.filter_row import FilterRow
from gpf_desktop.ui.review.filters_view_model import FiltersViewModel
from gpf_desktop.ui.review.queue_actions import SEVERAL
from gpf_desktop.ui.review.queue_table import QueueTable
from gpf_desktop.ui.review.wording import VERDICT_ACTIONS


def join_filters(actions: ActionRegistry, row: FilterRow, filters: FiltersViewModel) -> None:
    """Filters, saved filters and samples from the menu and the palette."""
    actions.on("review.filter", partial(_open, row))
    actions.on("review.save_filter", row.ask_name)
    actions.on("review.saved_filters", partial(_choose, row))
    actions.on("review.sample", partial(open_samples, row))
    actions.on("review.all_bundles", filters.clear)


def join_bulk(actions: ActionRegistry, table: QueueTable, strip: BulkStrip, bulk: BulkViewModel) -> None:
    """Decisions about the selected bundles, from the menu, the palette and a right click on the queue."""
    actions.on("review.select_all", table.selectAll)
    actions.on(f"{SEVERAL}flag", partial(bulk.flag, True))
    actions.on(f"{SEVERAL}unflag", partial(bulk.flag, False))
    actions.on(f"{SEVERAL}tag", strip.ask_tag)
    actions.on(f"{SEVERAL}submit", bulk.submit)
    for verdict, action in VERDICT_ACTIONS.items():
        name = action.replace("review.", SEVERAL)
        if verdict is Verdict.HARMFUL:
            for severity in SEVERITIES:
                actions.on(f"{name}{severity}", partial(bulk.set_verdict, verdict, severity))
        else:
            actions.on(name, partial(bulk.set_verdict, verdict, None))
    table.addActions([actions.action(spec.id) for spec in actions.specs() if spec.id.startswith(SEVERAL)])


def _open(row: FilterRow) -> None:
    row.show()
    row.saved.setFocus()


def _choose(row: FilterRow) -> None:
    _open(row)
    row.saved.menu().popup(row.saved.mapToGlobal(row.saved.rect().bottomLeft()))


def open_samples(row: FilterRow, kind: SampleKind | None = None) -> None:
    """Show what draws a sample, of *kind* where it is given."""
    if row.panel.isHidden():
        row.toggle_sample()
    if kind is not None:
        row.panel.kinds[kind].setChecked(True)
        row.panel.kinds[kind].setFocus()
