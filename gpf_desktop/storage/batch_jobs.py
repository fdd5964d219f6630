"""Batch jobs: recorded before they are sent, so that none is lost and none of their questions is asked twice."""

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from gpf_desktop.domain.batch_jobs import LIVE, JobState, StoredJob
from gpf_desktop.domain.ids import BatchJobId, CellId, ModelId, RunId
from gpf_desktop.domain.responses import Missing
from gpf_desktop.storage import cells, models, stored
from gpf_desktop.storage.cells import OpenCell
from gpf_desktop.storage.rows import insert, records
from gpf_desktop.storage.texts import storable
from gpf_desktop.storage.times import as_moment, as_moment_or_none, now

_LIVE = ", ".join(f"'{state}'" for state in LIVE)
_COLUMNS = (
    "j.id, j.model_id, m.label AS model, j.tag, j.vendor_id, j.state, j.submitted_at AS submitted,"
    " j.ended_at AS ended, j.requests, j.done, j.batch_discount AS discount, j.detail"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Unanswered:
    """A question that a job gave back and that may be asked again."""

    cell_id: CellId
    attempt: int
    reason: Missing
    detail: str
    microdollars: float


def begin(
    connection: sqlite3.Connection,
    run_id: RunId,
    model_id: ModelId,
    taken: Sequence[OpenCell],
    *,
    tag: str,
    discount: float,
    at_most: float = 0.0,
) -> BatchJobId:
    """Record a job of the cells *taken*, each with the start of a call: durable before the first byte leaves.

    *at_most*: millionths of a dollar that each question may cost.
    """
    at = now()
    job_id = insert(
        connection,
        "batch_job",
        run_id=run_id,
        model_id=model_id,
        tag=tag,
        state=JobState.SUBMITTING,
        submitted_at=at,
        requests=len(taken),
        batch_discount=discount,
    )
    connection.executemany(
        "INSERT INTO batch_job_cell (job_id, cell_id, attempt) VALUES (?, ?, ?)",
        [(job_id, cell.id, cell.attempts + 1) for cell in taken],
    )
    connection.executemany(
        "INSERT INTO call (cell_id, attempt, started_at, at_most) VALUES (?, ?, ?, ?)",
        [(cell.id, cell.attempts + 1, at, at_most) for cell in taken],
    )
    # A state of their own: what a killed execution left as `asked` is opened again, these wait for their job.
    connection.executemany("UPDATE cell SET state = 'submitted' WHERE id = ?", [(cell.id,) for cell in taken])
    return BatchJobId(job_id)


def accepted(connection: sqlite3.Connection, job_id: BatchJobId, vendor_id: str) -> None:
    """Record the provider's name for a job; one that is to be cancelled stays so."""
    connection.execute(
        # The auditor may have given the job up while it was being sent.
        "UPDATE batch_job SET vendor_id = ?, state = iif(state = ?, ?, state) WHERE id = ?",
        (vendor_id, JobState.SUBMITTING, JobState.WAITING, job_id),
    )


def set_done(connection: sqlite3.Connection, job_id: BatchJobId, done: int) -> None:
    connection.execute("UPDATE batch_job SET done = ? WHERE id = ?", (done, job_id))


def live(connection: sqlite3.Connection, run_id: RunId, model_id: ModelId | None = None) -> list[StoredJob]:
    """A run's jobs that have not come to their end, of one model or of all, in the order submitted."""
    of_model = "" if model_id is None else " AND j.model_id = ?"
    return _jobs(
        connection,
        f"j.run_id = ?{of_model} AND j.state IN ({_LIVE})",
        (run_id,) if model_id is None else (run_id, model_id),
    )


def of_run(connection: sqlite3.Connection, run_id: RunId) -> list[StoredJob]:
    """All jobs of a run, in the order submitted."""
    return _jobs(connection, "j.run_id = ?", (run_id,))


def vendor_ids(connection: sqlite3.Connection) -> list[str]:
    """The providers' names of every job of this audit."""
    return [row[0] for row in connection.execute("SELECT vendor_id FROM batch_job WHERE vendor_id <> ''")]


def waiting(connection: sqlite3.Connection, job_id: BatchJobId) -> list[OpenCell]:
    """The cells of a job that have no end yet; `attempts` is the number of the call that the job stands for."""
    rows = connection.execute("SELECT cell_id, attempt FROM batch_job_cell WHERE job_id = ?", (job_id,))
    attempts = {CellId(cell_id): attempt for cell_id, attempt in rows}
    found = cells.select(
        connection,
        "id IN (SELECT cell_id FROM batch_job_cell WHERE job_id = ?) AND state = 'submitted' ORDER BY position",
        (job_id,),
    )
    return [replace(cell, attempts=attempts[cell.id]) for cell in found]


def give_back(connection: sqlite3.Connection, unanswered: Iterable[Unanswered]) -> None:
    """Open cells again that a job did not answer, their calls closed with the reason."""
    unanswered = list(unanswered)
    at = now()
    connection.executemany(
        "UPDATE call SET finished_at = ?, outcome = ?, detail = ?, microdollars = ? WHERE cell_id = ? AND attempt = ?",
        [(at, str(one.reason), storable(one.detail), one.microdollars, one.cell_id, one.attempt) for one in unanswered],
    )
    connection.executemany("UPDATE cell SET state = 'open' WHERE id = ?", [(one.cell_id,) for one in unanswered])


def end(connection: sqlite3.Connection, job_id: BatchJobId, state: JobState, detail: str = "") -> int:
    """Close a job. Cells that it still holds open again; returns how many there were.

    Refused: their calls are taken back, nothing was asked. Else their calls are closed as of unknown outcome.
    """
    held = connection.execute(
        "SELECT x.cell_id, x.attempt FROM batch_job_cell x JOIN cell c ON c.id = x.cell_id"
        " WHERE x.job_id = ? AND c.state = 'submitted'",
        (job_id,),
    ).fetchall()
    if state is JobState.REFUSED:
        connection.executemany("DELETE FROM call WHERE cell_id = ? AND attempt = ?", held)
    else:
        connection.executemany(
            "UPDATE call SET finished_at = ?, outcome = ? WHERE cell_id = ? AND attempt = ?",
            [(now(), str(Missing.UNKNOWN), *one) for one in held],
        )
    connection.executemany("UPDATE cell SET state = 'open' WHERE id = ?", [(cell_id,) for cell_id, _ in held])
    connection.execute(
        "UPDATE batch_job SET state = ?, ended_at = ?, detail = ? WHERE id = ?",
        (state, now(), storable(detail), job_id),
    )
    return len(held)


def give_up(connection: sqlite3.Connection, run_id: RunId) -> int:
    """Have a run's live jobs cancelled, and its models asked no more that way; returns how many jobs there are."""
    cursor = connection.execute(
        f"UPDATE batch_job SET state = ? WHERE run_id = ? AND state IN ({_LIVE})", (JobState.CANCELLING, run_id)
    )
    # Its open cells are asked one by one from now on.
    models.change_endpoints(connection, run_id, lambda endpoint: replace(endpoint, batch_jobs=False))
    return cursor.rowcount


def _jobs(connection: sqlite3.Connection, where: str, values: Sequence[object]) -> list[StoredJob]:
    rows = connection.execute(
        f"SELECT {_COLUMNS} FROM batch_job j JOIN model m ON m.id = j.model_id WHERE {where} ORDER BY j.id", values
    )
    return records(StoredJob, rows, state=partial(stored.word, JobState), submitted=as_moment, ended=as_moment_or_none)
