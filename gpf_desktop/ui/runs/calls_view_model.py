"""State of a round's table of calls: which are listed, in which order, and the one that is looked at."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication

from gpf_desktop.domain.events import AuditClosed, RunProgressed, RunRested, RunsChanged
from gpf_desktop.domain.ids import CellId, RunId
from gpf_desktop.domain.responses import Missing, reason_words
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.domain.unknown_refusals import is_unknown
from gpf_desktop.engine.rounds.ledger import CallDetails, Ledger, curl
from gpf_desktop.storage.ledger import CallFilter, CallOrder, CallRow, CallState
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.page import ViewModel
from gpf_desktop.ui.wording import count, count_of

OUTCOMES: tuple[CallState | Missing | None, ...] = (
    None,
    CallState.ANSWERED,
    CallState.GAPS,
    *(each for each in Missing if each not in (Missing.UNKNOWN, Missing.NOT_RUN)),
    CallState.OPEN,
    CallState.AGAIN,
    CallState.UNKNOWN,
    CallState.UNKNOWN_WORDS,
)

_COPYING = "copying"
_AT_ONCE = 500
"""Rows that are copied within a moment."""
MOST_COMMANDS = 10_000
"""Calls that are copied as commands at once: some 50 MB of text."""


def words_of_outcome(outcome: CallState | Missing | None) -> str:
    if isinstance(outcome, Missing):
        return tr("Gap: {reason}", reason=reason_words(str(outcome)))
    return {
        None: tr("All calls"),
        CallState.ANSWERED: tr("Answered"),
        CallState.GAPS: tr("Gaps, for any reason"),
        CallState.OPEN: tr("Not asked yet"),
        CallState.AGAIN: tr("Asked more than once"),
        CallState.UNKNOWN: tr("Outcome unknown, possibly billed"),
        CallState.UNKNOWN_WORDS: tr("Declined, by words that this program does not know"),
    }[outcome]


class CallsViewModel(ViewModel):
    """Reads are asked of the engine; the newest filter and order win."""

    listed = Signal()
    """`ids` changed."""

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        super().__init__(context, parent)
        self.run_id: RunId | None = None
        self.wanted = CallFilter()
        self.order, self.descending = CallOrder.ASKED, False
        self.ids: Sequence[int] = ()
        self.planned = 0
        self.details: CallDetails | None = None
        self.selected: Sequence[int] = ()
        self.listen(lambda _: self._closed(), AuditClosed)
        self._moved = False
        self.listen(lambda _: self.reload(), RunRested, RunsChanged)
        self.listen(self._progressed, RunProgressed)

    @property
    def ledger(self) -> Ledger:
        return self.context.engine.open_audit.ledger

    @property
    def counted(self) -> str:
        """How many are listed."""
        if len(self.ids) == self.planned:
            return trn("{count} call", "{count} calls", self.planned, count=count(self.planned))
        return count_of(len(self.ids), self.planned)

    @property
    def retriable(self) -> bool:
        """Something may be asked again: an answer never is, and a refusal in known words is a result."""
        if len(self.selected) != 1 or self.details is None:
            return len(self.selected) > 1
        row = self.details.row
        if row.missing == Missing.REFUSED:
            return is_unknown(row.missing, row.status, row.detail, row.finish)
        return bool(row.missing)

    @property
    def retry_words(self) -> str:
        return tr("Ask the failed ones again") if len(self.selected) > 1 else tr("Ask again")

    @property
    def curl_words(self) -> str:
        n = len(self.selected)
        return tr("Copy {n} as curl", n=count(n)) if n > 1 else tr("Copy as curl")

    def show(self, run_id: RunId, planned: int, state: CallState | Missing | None = None) -> None:
        """List the calls of a round of *planned* cells, all or those of one *state*."""
        self.planned = planned
        if run_id != self.run_id or state is not None:
            self.run_id, self.wanted = run_id, CallFilter(state=state)
            self.details, self.selected = None, ()
        self.reload()
        self.touch_now()

    def narrow(self, **changes: object) -> None:
        """Change parts of the filter."""
        self.wanted = replace(self.wanted, **changes)  # type: ignore[arg-type]
        self.reload()

    def sort(self, order: CallOrder, *, descending: bool) -> None:
        self.order, self.descending = order, descending
        self.reload()

    def reload(self) -> None:
        """List again."""
        run_id = self.run_id
        if run_id is not None and self.context.engine.has_open_audit:
            read = self.ledger.calls
            # Taken along: when the read begins on its thread, the auditor may have chosen others.
            wanted, order, down = self.wanted, self.order, self.descending
            self.context.bridge.run(
                lambda: read(run_id, wanted, order, descending=down), then=self._listed, latest="calls"
            )

    def follow_round(self) -> None:
        """Show what the round came to since; for as long as it goes on."""
        if not self._moved:
            return
        narrowed = bool(self.wanted.state or self.wanted.words)
        # A list of other calls would lose the selection: it comes once that is gone.
        self._moved = narrowed and bool(self.selected)
        if narrowed and not self.selected:
            self.reload()
        else:
            self._listed(self.ids)

    def load(self, keys: Sequence[int], then: Callable[[Sequence[CallRow]], None]) -> None:
        """Hand the rows of *keys* to *then*."""
        self.context.bridge.run(self.ledger.rows, keys, then=then, owner=self)

    def look_at(self, row: CallRow | None) -> None:
        """Read everything about one call."""
        if row is None:
            return
        self.context.bridge.run(self.ledger.details, row.cell_id, then=self._looked, latest="details")

    def select(self, cell_ids: Sequence[int]) -> None:
        self.selected = cell_ids
        self.touch()

    def copying_rows(self, n: int) -> None:
        """Say so where it takes more than a moment."""
        if n > _AT_ONCE:
            self.context.messages.info(tr("Copying {n} rows …", n=count(n)), topic=_COPYING)

    def copied_rows(self, n: int) -> None:
        """Say how many are in the clipboard."""
        self.context.messages.success(
            trn("{count} row copied.", "{count} rows copied.", n, count=count(n)), topic=_COPYING
        )

    def retry(self) -> None:
        """Ask those of the selected calls again that failed."""
        run_id, bridge = self.run_id, self.context.bridge
        if run_id is not None and self.selected:
            messages = self.context.messages
            bridge.run(
                self.ledger.retry,
                run_id,
                self.selected,
                then=lambda future: bridge.follow(future, owner=self),
                failed=lambda error: messages.failure(error, topic="run"),
                owner=self,
            )

    def copy_curl(self, attempt: int) -> None:
        """Put an attempt's request into the clipboard, as a command without the key; of several calls the last ones."""
        if len(self.selected) > 1:
            self.copying_rows(min(MOST_COMMANDS, len(self.selected)))
            self.context.bridge.run(
                self.ledger.commands, self.selected[:MOST_COMMANDS], then=self._put_commands, latest=_COPYING
            )
        elif self.details is not None and attempt in self.details.exchanges:
            QGuiApplication.clipboard().setText(curl(self.details.exchanges[attempt]))
            self.context.messages.success(
                tr("Copied as a command. It takes the key from the variable API_KEY."), topic=_COPYING
            )

    def _put_commands(self, commands: Sequence[str]) -> None:
        n = len(commands)
        if not n:
            self.context.messages.info(tr("Of none of these calls is kept what was sent."), topic=_COPYING)
            return
        QGuiApplication.clipboard().setText("\n\n".join(commands))
        said = trn(
            "{count} call copied as a command. It takes the key from the variable API_KEY.",
            "{count} calls copied as commands. They take the key from the variable API_KEY.",
            n,
            count=count(n),
        )
        if len(self.selected) > MOST_COMMANDS:
            said += " " + tr("No more than {n} are copied at once.", n=count(MOST_COMMANDS))
        self.context.messages.success(said, topic=_COPYING)

    def read_bundle(self) -> None:
        if self.details is not None:
            self.context.navigator.go("review", bundle=self.details.row.bundle_id)

    def _progressed(self, event: RunProgressed) -> None:
        self._moved = self._moved or event.progress.run_id == self.run_id

    def _listed(self, ids: Sequence[int]) -> None:
        self.ids = ids
        self.details = self._if_listed(self.details)
        self.listed.emit()
        # The call that is looked at may have been asked again since.
        if self.details is not None:
            self.context.bridge.run(
                self.ledger.details, CellId(self.details.row.cell_id), then=self._looked, latest="details"
            )
        self.touch_now()

    def _looked(self, details: CallDetails | None) -> None:
        self.details = self._if_listed(details)
        self.touch_now()

    def _if_listed(self, details: CallDetails | None) -> CallDetails | None:
        """None where the filter leaves its call out."""
        return details if details is not None and details.row.cell_id in self.ids else None

    def _closed(self) -> None:
        self.run_id, self.ids, self.details, self.selected = None, (), None, ()
        self.listed.emit()
        self.touch_now()
