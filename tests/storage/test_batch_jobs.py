"""Batch jobs in the store: recorded before they are sent, their cells asked nowhere else, each end kept."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace

import pytest

from gpf_desktop.domain.batch_jobs import JobState
from gpf_desktop.domain.ids import BatchJobId, ModelId, RunId
from gpf_desktop.domain.models import Endpoint
from gpf_desktop.domain.responses import Missing, Reply
from gpf_desktop.storage import batch_jobs, cells, lost_calls, models, responses
from gpf_desktop.storage.batch_jobs import Unanswered
from gpf_desktop.storage.migrations import migrations
from tests.storage import rows


@pytest.fixture
def c() -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        for sql in migrations():
            connection.executescript(sql)
        connection.execute("PRAGMA foreign_keys = ON")
        yield connection


def submitted(c: sqlite3.Connection) -> tuple[RunId, ModelId, BatchJobId]:
    """A job of three cells."""
    run, model = rows.run(c), rows.model(c)
    rows.planned(c, run, *(rows.factors(name) for name in ("A", "B", "C")))
    taken = cells.next_open(c, run, model, after=-1, limit=10)
    return run, model, batch_jobs.begin(c, run, model, taken, tag="gpf1", discount=0.5)


def still_open(c: sqlite3.Connection, run: RunId, model: ModelId) -> list[int]:
    return [cell.attempts for cell in cells.next_open(c, run, model, after=-1, limit=10)]


def test_that_a_job_s_cells_are_asked_nowhere_else_while_it_lives(c: sqlite3.Connection) -> None:
    run, model, job_id = submitted(c)
    assert still_open(c, run, model) == []
    assert cells.close_unknown(c, run) == 0
    cells.withdraw_unsent(c, run)
    assert still_open(c, run, model) == []
    assert list(cells.open_by_group(c, run).values()) == [3]
    assert [cell.attempts for cell in batch_jobs.waiting(c, job_id)] == [1, 1, 1]
    (job,) = batch_jobs.live(c, run, model)
    assert (job.state, job.vendor_id, job.requests, job.discount) == (JobState.SUBMITTING, "", 3, 0.5)
    assert (job.model_id, job.model, job.tag) == (model, models.get(c, model).label, "gpf1")


def test_that_a_job_is_closed_with_what_became_of_each_cell(c: sqlite3.Connection) -> None:
    run, model, job_id = submitted(c)
    batch_jobs.accepted(c, job_id, "batch_1")
    first, second, third = batch_jobs.waiting(c, job_id)
    answer = Reply(text="An answer.")
    landed = responses.CellResult(cell_id=first.id, attempt=1, outcome=answer, seconds=None, microdollars=2.0)
    responses.save(c, [landed])
    assert [cell.id for cell in batch_jobs.waiting(c, job_id)] == [second.id, third.id]
    gone = Unanswered(cell_id=second.id, attempt=1, reason=Missing.TIMED_OUT, detail="expired", microdollars=0.0)
    # One that was come to, paid for, and is asked again all the same.
    paid = replace(gone, cell_id=third.id, reason=Missing.REFUSED, microdollars=3.0)
    batch_jobs.give_back(c, [gone, paid])
    assert batch_jobs.end(c, job_id, JobState.COLLECTED) == 0
    assert still_open(c, run, model) == [1, 1]
    assert batch_jobs.live(c, run) == []
    assert batch_jobs.vendor_ids(c) == ["batch_1"]
    assert c.execute("SELECT outcome, microdollars FROM call ORDER BY cell_id").fetchall() == [
        ("answered", 2.0),
        ("timed out", 0.0),
        (str(Missing.REFUSED), 3.0),
    ]


def test_that_a_refused_job_was_never_asked(c: sqlite3.Connection) -> None:
    run, model, job_id = submitted(c)
    assert batch_jobs.end(c, job_id, JobState.REFUSED, "bad key") == 3
    assert still_open(c, run, model) == [0, 0, 0]
    assert batch_jobs.of_run(c, run)[0].detail == "bad key"


def test_that_a_lost_job_s_calls_are_listed_as_possibly_billed(c: sqlite3.Connection) -> None:
    run, model, job_id = submitted(c)
    batch_jobs.end(c, job_id, JobState.LOST, "nowhere")
    assert len(lost_calls.unknown_calls(c, run)) == 3
    assert still_open(c, run, model) == [1, 1, 1]


def test_that_giving_batch_jobs_up_is_kept_with_the_run(c: sqlite3.Connection) -> None:
    by_jobs = Endpoint(provider="openai", model="m", batch_jobs=True)
    run = rows.run(c, models_in=[models.keep(c, by_jobs, synthetic=False)])
    (model,) = models.of_run(c, run)
    assert model.endpoint.batch_jobs
    rows.planned(c, run, rows.factors("A"))
    c.execute("UPDATE cell SET model_id = ?", (model.id,))
    taken = cells.next_open(c, run, model.id, after=-1, limit=10)
    job_id = batch_jobs.begin(c, run, model.id, taken, tag="gpf1", discount=0.5)
    assert batch_jobs.give_up(c, run) == 1
    batch_jobs.accepted(c, job_id, "batch_1")
    assert [job.state for job in batch_jobs.live(c, run)] == [JobState.CANCELLING]
    assert not models.of_run(c, run)[0].endpoint.batch_jobs
