"""Runs: frozen before the first call, so that every number can be recomputed."""

import sqlite3
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from functools import partial

from gpf_desktop.domain.ids import BatchId, ModelId, ProtocolId, RunId
from gpf_desktop.domain.models import TargetModel
from gpf_desktop.domain.runs import NoteKind, Run, RunState, Starter
from gpf_desktop.storage import audits, endpoints, lost_calls, registrations, stored, unknown_refusals
from gpf_desktop.storage.rows import insert, records
from gpf_desktop.storage.times import as_moment, as_moment_or_none, as_text_not_before, next_after, now
from gpf_desktop.storage.used_numbers import next_number

_TELLING = "run.untold."
"""Before the hash of a plan, in the name of a setting that holds the id of its run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewRun:
    """The facts that are frozen with a run, beside its models and cells."""

    name: str
    plan_hash: str
    plan: str
    """The plan as JSON."""
    batch_id: BatchId
    protocol_id: ProtocolId
    method: str
    method_version: str
    controls: str
    """The controls in force as JSON."""
    seed: int
    spend_cap: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunNote:
    """A line under "What happened"."""

    at: datetime
    sentence: str
    kind: NoteKind = NoteKind.PLAIN


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCount:
    """Cells of one model of a run by state, and what they cost."""

    model_id: ModelId
    planned: int
    answered: int
    by_reason: dict[str, int]
    spent: float
    """US dollars."""
    in_doubt: float = 0.0
    """US dollars that calls of unknown end may have cost at most."""
    unknown_refusals: int = 0
    """As in `ModelProgress`."""


def methods(connection: sqlite3.Connection) -> tuple[str, ...]:
    """Names of those that runs were planned by, in the order first used."""
    rows = connection.execute("SELECT method FROM run GROUP BY method ORDER BY min(id)")
    return tuple(str(row[0]) for row in rows)


def create(connection: sqlite3.Connection, run: NewRun, models: Sequence[TargetModel]) -> RunId:
    number = next_number(connection, "run")
    created = as_text_not_before(next_after(registrations.before_round(connection, run.method)))
    run_id = insert(connection, "run", id=number, state=RunState.DRAFT, created_at=created, **asdict(run))
    connection.executemany(
        "INSERT INTO run_model (run_id, model_id, position, role, endpoint, not_supported)"
        # With the parameters that earlier rounds found refused, so that this one need not find them again.
        " SELECT ?, id, ?, ?, ?, not_supported FROM model WHERE id = ?",
        [(run_id, position, m.role, endpoints.as_json(m.endpoint), m.id) for position, m in enumerate(models)],
    )
    return RunId(run_id)


# Counted in subqueries: joined in one go, the rows of cells, calls and models would multiply each other.
_SELECT = """
SELECT r.id, r.name, r.method, r.state, r.plan_hash, r.batch_id, r.protocol_id, r.seed, r.spend_cap,
    r.created_at AS created, r.started_at AS started, r.finished_at AS finished, r.started_by, r.archived,
    (SELECT count(*) FROM cell c WHERE c.run_id = r.id) AS planned,
    (SELECT count(*) FROM cell c WHERE c.run_id = r.id AND c.state = 'answered') AS answered,
    (SELECT count(*) FROM cell c WHERE c.run_id = r.id AND c.state = 'missing') AS missing,
    (SELECT coalesce(sum(k.microdollars), 0) FROM call k JOIN cell c ON c.id = k.cell_id WHERE c.run_id = r.id) / 1e6
        AS spent,
    NOT EXISTS (SELECT 1 FROM run_model x JOIN model m ON m.id = x.model_id WHERE x.run_id = r.id AND NOT m.synthetic)
        AS synthetic,
    (SELECT count(*) FROM batch_item i WHERE i.batch_id = r.batch_id) AS articles,
    (SELECT p.name || ', version ' || p.version FROM protocol p WHERE p.id = r.protocol_id) AS protocol,
    (SELECT json_group_array(label) FROM (SELECT m.label FROM run_model x JOIN model m ON m.id = x.model_id
        WHERE x.run_id = r.id ORDER BY x.position)) AS models,
    coalesce(t.prompt, 0) AS prompt_tokens, coalesce(t.completion, 0) AS completion_tokens,
    coalesce(t.cached, 0) AS cached_tokens
FROM run r LEFT JOIN tokens t ON t.run_id = r.id
"""
# Added up beside the runs and from the index alone: the rows themselves hold the answers' texts.
_TOKENS = """
WITH tokens AS (
    SELECT c.run_id, sum(p.prompt_tokens) AS prompt, sum(p.completion_tokens) AS completion,
        sum(p.cached_tokens) AS cached
    FROM cell c JOIN response p INDEXED BY response_facts ON p.cell_id = c.id {where} GROUP BY c.run_id)
"""


def get(connection: sqlite3.Connection, run_id: RunId) -> Run:
    tokens = _TOKENS.format(where="WHERE c.run_id = :run")
    return _runs(connection.execute(f"{tokens} {_SELECT} WHERE r.id = :run", {"run": run_id}))[0]


def every(connection: sqlite3.Connection) -> list[Run]:
    """All runs, the newest first."""
    return _runs(connection.execute(f"{_TOKENS.format(where='')} {_SELECT} ORDER BY r.id DESC"))


def unfinished(connection: sqlite3.Connection, plan_hash: str) -> RunId | None:
    """The run of this plan that can be resumed, the newest first."""
    row = connection.execute(
        "SELECT id FROM run WHERE plan_hash = ? AND state NOT IN (?, ?) ORDER BY id DESC LIMIT 1",
        (plan_hash, RunState.FINISHED, RunState.FINISHED_WITH_GAPS),
    ).fetchone()
    return None if row is None else RunId(row[0])


def newest(connection: sqlite3.Connection, plan_hash: str) -> RunId | None:
    """The run of this plan that was planned last, at rest or not."""
    row = connection.execute("SELECT id FROM run WHERE plan_hash = ? ORDER BY id DESC LIMIT 1", (plan_hash,)).fetchone()
    return None if row is None else RunId(row[0])


def expect_telling(connection: sqlite3.Connection, plan_hash: str, run_id: RunId) -> None:
    """Somebody waits for the summary of this run of a plan."""
    audits.set_setting(connection, _TELLING + plan_hash, str(run_id))


def has_been_told(connection: sqlite3.Connection, plan_hash: str) -> None:
    audits.drop_setting(connection, _TELLING + plan_hash)


def untold(connection: sqlite3.Connection, plan_hash: str) -> RunId | None:
    """The finished run of this plan whose summary somebody still waits for."""
    row = connection.execute(
        "SELECT r.id FROM run r JOIN setting s ON s.name = ? AND s.value = CAST(r.id AS TEXT)"
        " WHERE r.plan_hash = ? AND r.state IN (?, ?)",
        (_TELLING + plan_hash, plan_hash, RunState.FINISHED, RunState.FINISHED_WITH_GAPS),
    ).fetchone()
    return None if row is None else RunId(row[0])


def plan(connection: sqlite3.Connection, run_id: RunId) -> str:
    """The frozen plan as JSON."""
    return str(connection.execute("SELECT plan FROM run WHERE id = ?", (run_id,)).fetchone()[0])


def controls(connection: sqlite3.Connection, run_id: RunId) -> str:
    """The controls in force as JSON."""
    return str(connection.execute("SELECT controls FROM run WHERE id = ?", (run_id,)).fetchone()[0])


def set_state(connection: sqlite3.Connection, run_id: RunId, state: RunState) -> None:
    # Which rounds were read one after the other is told by these moments, whatever the clock was set to meanwhile.
    created, begun, ended = connection.execute(
        "SELECT r.created_at, max(o.started_at), max(o.finished_at) FROM run r JOIN run o ON o.method = r.method"
        " WHERE r.id = ?",
        (run_id,),
    ).fetchone()
    started = as_text_not_before(created, next_after(ended)) if state is RunState.RUNNING else None
    # A run that is resumed has no end any more, and keeps its first start.
    finished = as_text_not_before(begun) if state.over else None
    connection.execute(
        "UPDATE run SET state = ?, started_at = coalesce(started_at, ?), finished_at = ? WHERE id = ?",
        (state, started, finished, run_id),
    )


def set_spend_cap(connection: sqlite3.Connection, run_id: RunId, cap: float | None) -> None:
    connection.execute("UPDATE run SET spend_cap = ? WHERE id = ?", (cap, run_id))


def set_protocol(connection: sqlite3.Connection, run_id: RunId, protocol_id: ProtocolId) -> None:
    """Give the run another protocol, for judges of answers that were there before them."""
    connection.execute("UPDATE run SET protocol_id = ? WHERE id = ?", (protocol_id, run_id))


def set_controls(connection: sqlite3.Connection, run_id: RunId, controls: str) -> None:
    """*controls*: as `NewRun.controls`."""
    connection.execute("UPDATE run SET controls = ? WHERE id = ?", (controls, run_id))


def rename(connection: sqlite3.Connection, run_id: RunId, name: str) -> None:
    connection.execute("UPDATE run SET name = ? WHERE id = ?", (name, run_id))


def active(connection: sqlite3.Connection) -> list[RunId]:
    """Runs that are being asked; when an audit is opened, those that were when the program ended without saying so."""
    rows = connection.execute("SELECT id FROM run WHERE state IN (?, ?)", (RunState.RUNNING, RunState.PAUSING))
    return [RunId(row[0]) for row in rows]


def mark_interrupted(connection: sqlite3.Connection) -> list[RunId]:
    """Call the active runs interrupted; returns them."""
    found = active(connection)
    connection.executemany(
        "UPDATE run SET state = ? WHERE id = ?", [(RunState.INTERRUPTED, run_id) for run_id in found]
    )
    return found


def set_archived(connection: sqlite3.Connection, run_id: RunId, *, archived: bool) -> None:
    connection.execute("UPDATE run SET archived = ? WHERE id = ?", (archived, run_id))


def set_starter(connection: sqlite3.Connection, run_id: RunId, starter: Starter) -> bool:
    """Store who had the run asked first, and return whether this was the first time; who resumes it later changes
    nothing."""
    first = connection.execute("UPDATE run SET started_by = ? WHERE id = ? AND started_by = ''", (starter, run_id))
    return first.rowcount > 0


def note(connection: sqlite3.Connection, run_id: RunId, sentence: str, kind: NoteKind = NoteKind.PLAIN) -> None:
    # It may name a file, whose name may hold bytes that are no text.
    said = sentence.encode(errors="replace").decode()
    connection.execute(
        "INSERT INTO run_note (run_id, at, sentence, kind) VALUES (?, ?, ?, ?)", (run_id, now(), said, kind)
    )


def notes(connection: sqlite3.Connection, run_id: RunId, limit: int = 200) -> list[RunNote]:
    """The newest first, as many of each kind, so that what is said often pushes nothing out."""
    rows = connection.execute(
        "SELECT at, sentence, kind FROM (SELECT id, at, sentence, kind, row_number() OVER (PARTITION BY kind"
        " ORDER BY id DESC) AS place FROM run_note WHERE run_id = ?) WHERE place <= ? ORDER BY id DESC",
        (run_id, limit),
    )
    return records(RunNote, rows, at=as_moment, kind=partial(stored.word, NoteKind))


def counts(connection: sqlite3.Connection, run_id: RunId) -> list[ModelCount]:
    """Per model, in the run's order."""
    totals = connection.execute(
        "SELECT x.model_id, count(c.id), count(*) FILTER (WHERE c.state = 'answered') FROM run_model x"
        " LEFT JOIN cell c ON c.run_id = x.run_id AND c.model_id = x.model_id"
        " WHERE x.run_id = ? GROUP BY x.model_id ORDER BY x.position",
        (run_id,),
    ).fetchall()
    reasons: dict[int, dict[str, int]] = {}
    rows = connection.execute(
        "SELECT c.model_id, p.missing, count(*) FROM cell c JOIN response p ON p.cell_id = c.id"
        " WHERE c.run_id = ? AND c.state = 'missing' GROUP BY c.model_id, p.missing ORDER BY count(*) DESC",
        (run_id,),
    )
    for model_id, reason, n in rows:
        reasons.setdefault(model_id, {})[reason] = n
    spent = dict(
        connection.execute(
            "SELECT c.model_id, sum(k.microdollars) FROM cell c JOIN call k ON k.cell_id = c.id"
            " WHERE c.run_id = ? GROUP BY c.model_id",
            (run_id,),
        ).fetchall()
    )
    doubt = lost_calls.in_doubt(connection, run_id)
    unknown = unknown_refusals.by_model(connection, run_id)
    return [
        ModelCount(
            model_id=ModelId(model_id),
            planned=planned,
            answered=answered,
            by_reason=reasons.get(model_id, {}),
            spent=spent.get(model_id, 0.0) / 1e6,
            in_doubt=doubt.get(model_id, 0.0),
            unknown_refusals=unknown[model_id],
        )
        for model_id, planned, answered in totals
    ]


def flagged(connection: sqlite3.Connection, run_id: RunId, flag: str) -> dict[ModelId, int]:
    """How many answers of each model carry *flag*; a model without one is left out."""
    rows = connection.execute(
        "SELECT c.model_id, count(*) FROM flag f JOIN cell c ON c.id = f.cell_id"
        " WHERE f.name = ? AND c.run_id = ? AND c.state = 'answered' GROUP BY c.model_id",
        (flag, run_id),
    )
    return {ModelId(model_id): n for model_id, n in rows}


def _runs(rows: sqlite3.Cursor) -> list[Run]:
    return records(
        Run,
        rows,
        state=partial(stored.word, RunState),
        created=as_moment,
        started=as_moment_or_none,
        finished=as_moment_or_none,
        started_by=lambda text: stored.word(Starter, text) if text else None,
        synthetic=bool,
        archived=bool,
        models=lambda text: tuple(stored.structure(text)),
    )
