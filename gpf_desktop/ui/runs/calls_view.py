"""A round's calls: any number of rows, filtered and sorted by the store; the one looked at beside them."""

from array import array
from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Qt, QTimer
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QComboBox

from gpf_desktop.domain.hidden_names import names_hidden
from gpf_desktop.domain.text import tr
from gpf_desktop.storage.ledger import CallOrder, CallRow
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.runs.call_pane import CallPane, levels
from gpf_desktop.ui.runs.calls_view_model import OUTCOMES, CallsViewModel, words_of_outcome
from gpf_desktop.ui.theme.tokens import SPACE_2
from gpf_desktop.ui.widgets.boxes import PlainWidget, splitter, stacked, vbox
from gpf_desktop.ui.widgets.cards import EmptyState
from gpf_desktop.ui.widgets.columns import TableColumn
from gpf_desktop.ui.widgets.data_table import DataTable
from gpf_desktop.ui.widgets.fields import SearchField
from gpf_desktop.ui.widgets.labels import caption, secondary
from gpf_desktop.ui.widgets.layouts import flowing
from gpf_desktop.ui.widgets.names import named
from gpf_desktop.ui.widgets.table_models import PagedTableModel
from gpf_desktop.ui.wording import NO_VALUE, count, decimal, money

_ORDERS = (
    CallOrder.CELL,
    CallOrder.MODEL,
    CallOrder.OUTCOME,
    CallOrder.ATTEMPTS,
    CallOrder.STATUS,
    CallOrder.SECONDS,
    CallOrder.PROMPT,
    CallOrder.COMPLETION,
    CallOrder.DOLLARS,
)
"""By column."""
_SEARCH = 330
_SECOND = 1_000


class CallsView(PlainWidget):
    """Enter or a double click goes to the bundle that the call belongs to."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self.model = CallsViewModel(context, self)
        self._listed: Sequence[int] = ()
        self.rows: PagedTableModel[int, CallRow] = PagedTableModel(
            context.theme, _columns(), self.model.load, lambda row: row.cell_id, sorts=True
        )
        self.table = DataTable(
            context.theme, self.rows, says=tr("Calls of this round"), name="runs.calls", settings=context.settings
        )
        self.rows.ordered.connect(self._sort)
        self.table.selectionModel().selectionChanged.connect(lambda *_: self._selected())
        # When a row is chosen its page may still be on its way.
        self.rows.dataChanged.connect(lambda *_: self._look())
        self.table.copying.connect(self.model.copying_rows)
        self.table.copied.connect(self.model.copied_rows)
        self.table.tells_names = True
        self.table.opened.connect(lambda row: context.navigator.go("review", bundle=row.bundle_id))
        self.outcome = named(QComboBox(maxVisibleItems=len(OUTCOMES)), "calls.outcome", tr("Which calls"))
        for each in OUTCOMES:
            self.outcome.addItem(words_of_outcome(each), each)
        self.outcome.activated.connect(lambda at: self.model.narrow(state=OUTCOMES[at]))
        self.search = SearchField(context.theme, tr("Find in items, models, levels and errors"), name="calls.search")
        self.search.sought.connect(lambda words: self.model.narrow(words=words))
        context.theme.follow(self, lambda: self.search.setMinimumWidth(context.theme.px(_SEARCH)))
        self._counted = secondary(name="calls.counted")
        self.pane = CallPane(context.theme, self.model)
        self.pane.setFocusProxy(self.table)
        parts = splitter((self.table, 3), (self.pane, 2), orientation=Qt.Orientation.Vertical)
        self._hint = caption()
        self.cover = EmptyState(context.theme, "eye-off")
        self.cover.explain(
            tr(
                "Names are hidden while you read. Calls name models and readers beside their answers, and may tell"
                " whose answers you have still to read."
            ),
            tr("Show the calls"),
            self._uncover,
        )
        self._uncovered = False
        self._reading = stacked(parts, self.cover)
        told = flowing(self.outcome, self.search, self._counted)
        vbox(told, (self._reading, 1), self._hint, parent=self, spacing=SPACE_2)
        self.model.listed.connect(self._list)
        self.model.changed.connect(self._show)
        self._clock = QTimer(self, interval=_SECOND)
        self._clock.timeout.connect(self._follow_round)
        self._show()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._clock.start()
        self._show()

    def _uncover(self) -> None:
        """Show the calls to who reads with names hidden, until they leave the page."""
        self._uncovered = True
        self._show()
        self.table.setFocus()

    def hideEvent(self, event: QHideEvent) -> None:
        self._clock.stop()
        self._uncovered = False
        super().hideEvent(event)

    def _follow_round(self) -> None:
        # The clock goes on from audit to audit for as long as the list is shown; each time is that of the open one.
        self._context.bridge.bind(self.model.follow_round)()

    def _list(self) -> None:
        if self.model.ids == self._listed:
            # The same calls, whose cells may be others: a reset would lose the selection and the place in the list.
            self.rows.refresh()
        else:
            self._listed = self.model.ids
            looked_at = self.model.details if len(self.model.selected) == 1 else None
            self.rows.set_keys(self._listed)
            if looked_at is not None:
                self.table.selectRow(self._listed.index(looked_at.row.cell_id))
            # Qt forgets the selection without a word, and what nobody sees selected is not to be asked again.
            self._selected()

    def _show(self) -> None:
        model = self.model
        covered = names_hidden() and not self._uncovered
        self._reading.setCurrentIndex(int(covered))
        with QSignalBlocker(self.outcome):
            self.outcome.setCurrentIndex(OUTCOMES.index(model.wanted.state))
        if self.search.text() != model.wanted.words and not self.search.hasFocus():
            with QSignalBlocker(self.search):
                self.search.setText(model.wanted.words)
        self._counted.setText(model.counted)
        nothing = not model.ids and bool(model.planned)
        choose = tr("Choose a call to see what was sent and what came back.")
        self._hint.setText(tr("Nothing matches this filter.") if nothing else choose)
        self._hint.setVisible(not covered and (nothing or (model.details is None and bool(model.ids))))

    def _sort(self, column: int, descending: bool) -> None:
        self.model.sort(_ORDERS[column] if column >= 0 else CallOrder.ASKED, descending=descending)

    def _selected(self) -> None:
        # Eight bytes a call: all of a large round may be selected.
        chosen = array("q")
        for each in self.table.selectionModel().selection().toList():
            chosen.extend(self._listed[each.top() : each.bottom() + 1])
        self.model.select(chosen)
        self._look()

    def _look(self) -> None:
        # What is asked again is what is selected; the current row moves alone with Ctrl, and as the keyboard comes.
        chosen = self.table.selectionModel().selection().toList()
        if not chosen:
            return
        row = self.rows.row_at(chosen[0].top()) if len(self.model.selected) == 1 else self.table.current_row()
        details = self.model.details
        if row is not None and (details is None or details.row.cell_id != row.cell_id):
            self.model.look_at(row)


def _columns() -> list[TableColumn[CallRow]]:
    return [
        TableColumn(
            title=tr("Question"),
            text=_cell,
            tip=lambda row: f"{row.headline}\n{levels(row)}",
            stretch=True,
            help=tr("Article, and where the question stands in the design"),
        ),
        TableColumn(
            title=tr("Model"), text=lambda row: row.model.partition("/")[2], tip=lambda row: row.model, width=150
        ),
        TableColumn(
            title=tr("Outcome"),
            text=_outcome,
            token=lambda row: "warning" if row.missing else "",
            tip=lambda row: row.detail or _outcome(row),
            help=tr("A call is lost where nobody knows its answer; it may be billed."),
            width=150,
        ),
        TableColumn(
            title=tr("Tries"),
            text=lambda row: count(row.attempts),
            numeric=True,
            help=tr("Calls made for it"),
            spare=1,
        ),
        TableColumn(title=tr("Status"), text=_status, tip=_why_no_status, numeric=True, help=tr("HTTP status")),
        TableColumn(
            title=tr("Seconds"),
            text=lambda row: NO_VALUE if row.seconds is None else decimal(row.seconds, 1),
            numeric=True,
        ),
        TableColumn(
            title=tr("In"),
            text=lambda row: _or_none(row.prompt_tokens),
            tip=_of_cache,
            numeric=True,
            help=tr("Prompt tokens"),
        ),
        TableColumn(
            title=tr("Out"), text=lambda row: _or_none(row.completion_tokens), numeric=True, help=tr("Answer tokens")
        ),
        TableColumn(
            title=tr("Cost"),
            text=lambda row: money(row.dollars) if row.dollars else NO_VALUE,
            numeric=True,
            spare=2,
        ),
    ]


def _cell(row: CallRow) -> str:
    return f"{levels(row)} · {row.headline}"


def _outcome(row: CallRow) -> str:
    words = {"answered": tr("answered"), "open": tr("not asked yet"), "asked": tr("on its way")}
    words["submitted"] = tr("in a batch job")
    if row.state == "open" and row.unknown:
        return tr("lost, maybe billed")
    said = row.outcome_words if row.missing else words.get(row.state, row.state)
    return tr("{outcome}, {n} lost", outcome=said, n=row.unknown) if row.unknown else said


def _status(row: CallRow) -> str:
    return tr("built in") if row.built_in else NO_VALUE if row.status is None else str(row.status)


def _why_no_status(row: CallRow) -> str:
    return tr("A built-in model: nothing went over the network.") if row.built_in else ""


def _of_cache(row: CallRow) -> str:
    cached = row.cached_tokens
    return tr("{n} of them from the provider's cache, at its price", n=count(cached)) if cached else ""


def _or_none(number: int | None) -> str:
    return NO_VALUE if number is None else count(number)
