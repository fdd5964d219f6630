"""The book of rounds: what each asked, cost and came to, call by call; renamed, copied, put away, deleted."""

import json
import shlex
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.events import RunsChanged
from gpf_desktop.domain.ids import CellId, ProtocolId, RunId
from gpf_desktop.domain.models import Role
from gpf_desktop.domain.plans import Plan
from gpf_desktop.domain.scopes import Scope
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.domain.wire import Exchange
from gpf_desktop.engine.core.context import EngineContext
from gpf_desktop.engine.core.protocols import kept_protocol, stored_controls
from gpf_desktop.engine.rounds.planning import Freeze
from gpf_desktop.engine.rounds.rounds import Rounds
from gpf_desktop.storage import batch_jobs, exchanges, ledger, models, protocols, run_deletion, runs
from gpf_desktop.storage.ledger import CallAttempt, CallFilter, CallOrder, CallRow
from gpf_desktop.storage.writer import Connection, Write


@dataclass(frozen=True, slots=True, kw_only=True)
class CallDetails:
    """Everything that is known of one cell's calls."""

    row: CallRow
    attempts: tuple[CallAttempt, ...]
    exchanges: dict[int, Exchange]
    """By attempt, as far as something went over the wire and was kept."""
    answer: str
    reasoning: str


class Ledger:
    """Reads answer at once from any thread; commands return when they are stored."""

    def __init__(self, context: EngineContext, rounds: Rounds, forget: Callable[[], object]) -> None:
        """*forget* is called when answers are no more, by which others keep what they made of them."""
        self._context = context
        self._rounds = rounds
        self._forget = forget

    def calls(
        self, run_id: RunId, wanted: CallFilter, order: CallOrder = CallOrder.ASKED, *, descending: bool = False
    ) -> Sequence[int]:
        """The ids of the cells that *wanted* lets through, in order."""
        return self._context.audit.read(lambda c: ledger.keys(c, run_id, wanted, order, descending=descending))

    def rows(self, cell_ids: Sequence[int]) -> list[CallRow]:
        return self._context.audit.read(lambda connection: ledger.rows(connection, cell_ids))

    def details(self, cell_id: CellId) -> CallDetails | None:
        """None for a cell that is no more: its round was deleted."""

        def read(connection: Connection) -> CallDetails | None:
            rows = ledger.rows(connection, [cell_id])
            if not rows:
                return None
            attempts = tuple(ledger.attempts(connection, cell_id))
            kept = {each.attempt: exchanges.get(connection, cell_id, each.attempt) for each in attempts}
            answer, reasoning = ledger.answer(connection, cell_id)
            return CallDetails(
                row=rows[0],
                attempts=attempts,
                exchanges={attempt: exchange for attempt, exchange in kept.items() if exchange is not None},
                answer=answer,
                reasoning=reasoning,
            )

        return self._context.audit.read(read)

    def commands(self, cell_ids: Sequence[int]) -> list[str]:
        """The last request for each of *cell_ids*, as a `curl` command, if something of it is kept."""
        return [curl(each) for each in self._context.audit.read(partial(exchanges.last, cell_ids=cell_ids))]

    def retry(self, run_id: RunId, cell_ids: Sequence[int]) -> "Future[object]":
        """Ask those of *cell_ids* again that failed. Raises `UserError` where none did, or a round is being asked."""
        return self._rounds.retry_failed(run_id, cell_ids)  # type: ignore[return-value]

    def rename(self, run_id: RunId, name: str) -> None:
        """Raises `UserError` for an empty name."""
        if not name.strip():
            raise UserError(tr("A round needs a name."), tr("Type one."))
        self._change(lambda connection: runs.rename(connection, run_id, name.strip()))

    def archive(self, run_id: RunId, *, archived: bool) -> None:
        """Put a round away from the list, or back; its answers stay in every table and report."""
        self._change(lambda connection: runs.set_archived(connection, run_id, archived=archived))

    def duplicate(self, run_id: RunId) -> RunId:
        """A new draft that asks the same batch of the same models by the same protocol, controls and seed."""
        frozen = self._context.audit.read(lambda connection: _copy(connection, run_id))
        made = self._context.loop.submit(self._rounds.freeze(lambda _: frozen)).result()
        self._context.emit(RunsChanged())
        return made

    def delete(self, run_id: RunId) -> None:
        """Take a round out of the file with its answers and scores. Raises `UserError` as `check_deletion`."""
        self.check_deletion(run_id)
        self._change(lambda connection: run_deletion.delete(connection, run_id))

    def check_deletion(self, run_id: RunId) -> None:
        """Raises `UserError` where a round is being asked, where questions of it are with a provider, or where a
        reviewer's sealed entries speak of it."""
        if self._rounds.active == run_id:
            raise UserError(tr("The round is being asked."), tr("Stop it first."))
        if self._context.audit.read(lambda connection: batch_jobs.live(connection, run_id)):
            raise UserError(
                tr("Questions of the round are with a provider in batch jobs."), tr("Cancel the batch jobs first.")
            )
        read = self._context.audit.read(lambda connection: run_deletion.bundles_read(connection, run_id))
        if read:
            raise UserError(
                trn(
                    "{n} set of answers of the round was read: reviewers' entries stand in a chain of check "
                    "codes and are never deleted.",
                    "{n} sets of answers of the round were read: reviewers' entries stand in a chain of check "
                    "codes and are never deleted.",
                    read,
                ),
                tr("Archive the round instead."),
            )

    def _change(self, write: Write[None]) -> None:
        self._context.audit.write(write).result()
        self._forget()
        self._context.emit(RunsChanged())


def curl(exchange: Exchange) -> str:
    """*exchange*'s request as a command for a shell, which takes the key from the variable API_KEY."""
    lines = [f"curl -X {exchange.method} {shlex.quote(exchange.url)}"]
    for name, value in exchange.headers.items():
        header = f"{name}: {value}"
        # Double quotes, so that the shell puts the variable's value there.
        lines.append(f'-H "{header}"' if "$API_KEY" in value else f"-H {shlex.quote(header)}")
    if exchange.body:
        lines.append(f"--data-raw {shlex.quote(exchange.body)}")
    return " \\\n  ".join(lines)


def _copy(connection: Connection, run_id: RunId) -> Freeze:
    run = runs.get(connection, run_id)
    stored = protocols.get(connection, ProtocolId(run.protocol_id))
    protocol = kept_protocol(stored.text, where=stored.name, method=run.method)
    chosen = tuple(models.of_run(connection, run_id))
    kept = json.loads(runs.plan(connection, run_id))
    plan = Plan(
        name=tr("{name}, again", name=run.name),
        articles_per_source=1,
        method=run.method,
        protocol=protocol.name,
        controls=stored_controls(run.method, runs.controls(connection, run_id)),
        last_batch=True,
        seed=run.seed,
        spend_cap=run.spend_cap,
        scope=Scope.of_plan(kept),
        sources=(),
        models=tuple(model.endpoint for model in chosen),
        roles=tuple(model.role for model in chosen) if any(model.role is not Role.TARGET for model in chosen) else (),
    )
    return Freeze(plan=plan, name=plan.name, batch_id=run.batch_id, protocol=protocol, models=chosen)
