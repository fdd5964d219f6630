"""The calls of a run as a table: a row a cell, filtered, in any order, read page by page."""

import json
import sqlite3
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final

from gpf_desktop.domain.coordinates import Coordinates
from gpf_desktop.domain.ids import BundleId, CellId, ModelId, RunId
from gpf_desktop.domain.responses import Missing, reason_words
from gpf_desktop.domain.text import tr
from gpf_desktop.domain.unknown_refusals import is_unknown
from gpf_desktop.storage import lost_calls, stored, unknown_refusals
from gpf_desktop.storage.archived_texts import REASONING, TEXT
from gpf_desktop.storage.coordinate_sets import COORDINATES, SETS
from gpf_desktop.storage.rows import records
from gpf_desktop.storage.times import as_moment, as_moment_or_none


class CallOrder(StrEnum):
    """The properties by which rows can be sorted."""

    ASKED = "asked"
    MODEL = "model"
    CELL = "cell"
    OUTCOME = "outcome"
    ATTEMPTS = "attempts"
    STATUS = "status"
    SECONDS = "seconds"
    PROMPT = "prompt"
    COMPLETION = "completion"
    DOLLARS = "dollars"


class CallState(StrEnum):
    """The states to choose calls by, beside a single reason why one is missing (`Missing`)."""

    ANSWERED = "answered"
    GAPS = "gaps"
    OPEN = "open"
    AGAIN = "again"
    """Asked more than once."""
    UNKNOWN = "unknown"
    """A call of theirs has an unknown outcome: possibly billed."""
    UNKNOWN_WORDS = "unknown words"
    """Declined by words that no table knows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallFilter:
    """A filter of the cells to list; empty parts keep out none."""

    state: CallState | Missing | None = None
    model_id: ModelId | None = None
    words: str = ""
    """In the provider's words, the item's title, the model's name or a level."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallRow:
    """One cell with what its calls came to."""

    cell_id: CellId
    bundle_id: BundleId
    method: str
    model: str
    headline: str
    coordinates: Coordinates
    repeat: int
    state: str
    """answered, missing, or the state of a cell that has no end yet."""
    missing: str
    """The reason of a missing one."""
    attempts: int
    unknown: int
    """Calls whose outcome nobody knows."""
    built_in: bool
    """Answered by a built-in model: nothing went over a network."""
    status: int | None
    detail: str
    """The provider's own words."""
    finish: str
    """The provider's word for why it stopped."""
    seconds: float | None
    prompt_tokens: int | None
    cached_tokens: int | None
    """Of the prompt's, those that the provider had in its cache."""
    completion_tokens: int | None
    dollars: float

    @property
    def outcome_words(self) -> str:
        """The reason why the answer is missing, in words; says so if it was declined by words that no table knows."""
        if is_unknown(self.missing, self.status, self.detail, self.finish):
            return tr("declined, by words that this program does not know")
        return reason_words(self.missing)


@dataclass(frozen=True, slots=True, kw_only=True)
class CallAttempt:
    """One call over the network."""

    attempt: int
    started: datetime
    finished: datetime | None
    outcome: str
    """Empty while it is on its way."""
    status: int | None
    detail: str
    dollars: float


_CALLS: Final = "(SELECT count(*) FROM call k WHERE k.cell_id = c.id)"
_ORDERS: Final = {
    CallOrder.ASKED: "",
    CallOrder.MODEL: "(SELECT position FROM run_model x WHERE x.run_id = c.run_id AND x.model_id = c.model_id)",
    CallOrder.CELL: "c.bundle_id",
    CallOrder.OUTCOME: "iif(c.state = 'missing', p.missing, c.state)",
    CallOrder.ATTEMPTS: _CALLS,
    CallOrder.STATUS: "p.status",
    CallOrder.SECONDS: "p.seconds",
    CallOrder.PROMPT: "p.prompt_tokens",
    CallOrder.COMPLETION: "p.completion_tokens",
    CallOrder.DOLLARS: "(SELECT sum(k.microdollars) FROM call k WHERE k.cell_id = c.id)",
}
_OF_RESPONSE: Final = frozenset(
    {CallOrder.OUTCOME, CallOrder.STATUS, CallOrder.SECONDS, CallOrder.PROMPT, CallOrder.COMPLETION}
)


def keys(
    connection: sqlite3.Connection,
    run_id: RunId,
    wanted: CallFilter,
    order: CallOrder = CallOrder.ASKED,
    *,
    descending: bool = False,
) -> Sequence[int]:
    """The ids of the cells that *wanted* lets through, in order; those without a value come last."""
    where, values = _where(connection, run_id, wanted)
    joined = ""
    if order in _OF_RESPONSE:
        # Without the index SQLite would look into rows that are full of text: half a second more for 300,000.
        joined = "LEFT JOIN response p INDEXED BY response_facts ON p.cell_id = c.id"
    rank, way = _ORDERS[order], "DESC" if descending else "ASC"
    by = f"{rank} {way}, c.position, c.id" if rank else f"c.position {way}, c.id"
    # SQLite sorts NULL before everything, and behind it when descending.
    last = f"{rank} IS NULL, " if order in _OF_RESPONSE else ""
    rows = connection.execute(f"SELECT c.id FROM cell c {joined} WHERE {where} ORDER BY {last}{by}", values)
    # Eight bytes an id, where a list of int objects takes some 36: a large run has several hundred thousand.
    return array("q", (row[0] for row in rows))


def rows(connection: sqlite3.Connection, cell_ids: Sequence[int]) -> list[CallRow]:
    """The rows of *cell_ids*, in their order; those that are no more are left out."""
    marks = ", ".join("?" for _ in cell_ids)
    calls = connection.execute(
        f"SELECT c.id AS cell_id, c.bundle_id, r.method, m.label AS model, i.title AS headline, {COORDINATES},"
        # A cell that was opened again keeps its former miss until the next answer takes its place.
        " c.repeat, c.state, iif(c.state = 'missing', coalesce(p.missing, ''), '') AS missing,"
        f" {_CALLS} AS attempts,"
        f" (SELECT count(*) FROM call k WHERE k.cell_id = c.id AND {lost_calls.IS_UNKNOWN}) AS unknown,"
        " m.synthetic AS built_in, p.status, coalesce(p.detail, '') AS detail, coalesce(p.finish, '') AS finish,"
        " p.seconds, p.prompt_tokens,"
        " p.cached_tokens, p.completion_tokens,"
        " (SELECT coalesce(sum(k.microdollars), 0) FROM call k WHERE k.cell_id = c.id) / 1e6 AS dollars"
        " FROM cell c JOIN run r ON r.id = c.run_id JOIN bundle b ON b.id = c.bundle_id"
        f"{SETS} JOIN model m ON m.id = c.model_id"
        " JOIN item i ON i.id = c.item_id LEFT JOIN response p ON p.cell_id = c.id"
        f" WHERE c.id IN ({marks})",
        list(cell_ids),
    )
    found = {row.cell_id: row for row in records(CallRow, calls, coordinates=stored.joined_coordinates, built_in=bool)}
    return [found[CellId(cell_id)] for cell_id in cell_ids if cell_id in found]


def attempts(connection: sqlite3.Connection, cell_id: CellId) -> list[CallAttempt]:
    """Every call made for a cell, the first one first."""
    calls = connection.execute(
        "SELECT attempt, started_at AS started, finished_at AS finished, coalesce(outcome, '') AS outcome, status,"
        " detail, microdollars / 1e6 AS dollars FROM call WHERE cell_id = ? ORDER BY attempt",
        (cell_id,),
    )
    return records(CallAttempt, calls, started=as_moment, finished=as_moment_or_none)


def answer(connection: sqlite3.Connection, cell_id: CellId) -> tuple[str, str]:
    """The answer of a cell, and the reasoning that the model wrote before it; empty where there is none."""
    row = connection.execute(f"SELECT {TEXT}, {REASONING} FROM response p WHERE p.cell_id = ?", (cell_id,)).fetchone()
    return (row[0], row[1]) if row else ("", "")


def _where(connection: sqlite3.Connection, run_id: RunId, wanted: CallFilter) -> tuple[str, list[object]]:
    parts = ["c.run_id = ?"]
    values: list[object] = [run_id]
    if wanted.model_id is not None:
        parts.append("c.model_id = ?")
        values.append(wanted.model_id)
    match wanted.state:
        case Missing():
            parts.append(
                "c.state = 'missing' AND EXISTS (SELECT 1 FROM response q INDEXED BY response_facts"
                " WHERE q.cell_id = c.id AND q.missing = ?)"
            )
            values.append(wanted.state)
        case CallState.ANSWERED:
            parts.append("c.state = 'answered'")
        case CallState.GAPS:
            parts.append("c.state = 'missing'")
        case CallState.OPEN:
            parts.append("c.state NOT IN ('answered', 'missing')")
        case CallState.AGAIN:
            parts.append("EXISTS (SELECT 1 FROM call k WHERE k.cell_id = c.id AND k.attempt > 1)")
        case CallState.UNKNOWN:
            parts.append(f"EXISTS (SELECT 1 FROM call k WHERE k.cell_id = c.id AND {lost_calls.IS_UNKNOWN})")
        case CallState.UNKNOWN_WORDS:
            parts.append("c.id IN (SELECT value FROM json_each(?))")
            values.append(json.dumps(unknown_refusals.cells(connection, run_id)))
    for word in wanted.words.split():
        parts.append(_WORD)
        like = f"%{word.replace('!', '!!').replace('%', '!%').replace('_', '!_')}%"
        values += [like, like, run_id, like, like, run_id, like]
    return " AND ".join(parts), values


_WORD: Final = (
    "(c.model_id IN (SELECT id FROM model WHERE label LIKE ? ESCAPE '!')"
    " OR c.item_id IN (SELECT id FROM item WHERE title LIKE ? ESCAPE '!')"
    " OR c.bundle_id IN (SELECT b.id FROM bundle b JOIN coordinate f ON f.set_id = b.coordinates_id"
    "  WHERE b.run_id = ? AND f.level LIKE ? ESCAPE '!')"
    " OR c.coordinates_id IN (SELECT set_id FROM coordinate WHERE level LIKE ? ESCAPE '!')"
    " OR c.id IN (SELECT d.cell_id FROM cell e JOIN response d ON d.cell_id = e.id WHERE e.run_id = ?"
    "  AND e.state = 'missing' AND d.detail LIKE ? ESCAPE '!'))"
)
