"""A round's calls as a table, what went over the wire, and what is left when a round is deleted."""

import sqlite3
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import pytest

from gpf_desktop.domain.embeddings import Vector
from gpf_desktop.domain.ids import CellId, ModelId, RunId
from gpf_desktop.domain.responses import Miss, Missing, Reply, Usage
from gpf_desktop.domain.reviews import Judgement, Verdict
from gpf_desktop.domain.wire import Exchange
from gpf_desktop.storage import (
    audits,
    cells,
    exchanges,
    ledger,
    lost_calls,
    responses,
    review_steps,
    reviewers,
    reviews,
    run_deletion,
    runs,
    unknown_refusals,
    used_numbers,
    vectors,
)
from gpf_desktop.storage.audit_file import AuditFile
from gpf_desktop.storage.ledger import CallFilter, CallOrder, CallState
from gpf_desktop.storage.responses import CellResult
from gpf_desktop.storage.review_steps import StepKind
from gpf_desktop.storage.writer import Connection
from tests.storage.rows import factors, planned, run

EXCHANGE = Exchange(
    method="POST",
    url="https://api.example/v1/chat/completions",
    headers={"Authorization": "Bearer $API_KEY"},
    body='{"messages": [{"content": "Council approves new bus lanes\\nThey open in spring. “Née”"}]}',
    status=200,
    reply_headers={"x-request-id": "r1"},
    reply='{"choices": [{"message": {"content": "They \\"open\\"\\nsoon."}}]}',
)


def result(cell_id: CellId, outcome: Reply | Miss, *, attempt: int = 1, seconds: float = 1.0) -> CellResult:
    return CellResult(
        cell_id=cell_id, attempt=attempt, outcome=outcome, seconds=seconds, microdollars=500.0, exchange=EXCHANGE
    )


@pytest.fixture
def asked(audit: AuditFile) -> tuple[RunId, list[CellId]]:
    """Four cells: answered slowly at the second try, refused, timed out, open."""

    def write(connection: Connection) -> tuple[RunId, list[CellId]]:
        run_id = run(connection)
        ids = planned(connection, run_id, *(factors(name) for name in ("Left", "Right", "Centre", "Green")))
        cells.record_starts(connection, [(ids[0], 1), (ids[0], 2), (ids[1], 1), (ids[2], 1)])
        responses.close_call(connection, ids[0], 1, outcome="outcome unknown", status=None, detail="", microdollars=0.0)
        answer = Reply(text='They "open"\nsoon.', usage=Usage(prompt=40, completion=9))
        responses.save(
            connection,
            [
                result(ids[0], answer, attempt=2, seconds=7.0),
                result(ids[1], Miss(reason=Missing.REFUSED, detail="I cannot 100%", status=200), seconds=2.0),
                result(ids[2], Miss(reason=Missing.HTTP_ERROR, detail="Overloaded", status=503), seconds=3.0),
            ],
        )
        return run_id, ids

    return audit.write(write).result()


def listed(audit: AuditFile, run_id: RunId, **wanted: object) -> list[int]:
    return list(audit.read(lambda c: ledger.keys(c, run_id, CallFilter(**wanted))))  # type: ignore[arg-type]


def test_that_vectors_of_other_rounds_stay_when_one_is_deleted(audit: AuditFile) -> None:
    def write(connection: Connection) -> list[tuple[bytes]]:
        first, other = (run(connection), run(connection))
        cells_there = [planned(connection, each, factors("Left"), factors("Right")) for each in (first, other)]
        own, shared = (Vector(digest=name, data=b"\0\0\0\0") for name in (b"own", b"shared"))
        both = [(cells_there[0][0], own), *((ids[1], shared) for ids in cells_there)]
        vectors.save(connection, both)
        run_deletion.delete(connection, first)
        return connection.execute("SELECT digest FROM vector").fetchall()

    assert audit.write(write).result() == [(b"shared",)]


def test_that_only_cells_that_are_missing_now_are_opened_again(
    audit: AuditFile, asked: tuple[RunId, list[CellId]]
) -> None:
    """One that is being asked again keeps its former miss until then, and is not asked twice for it."""
    run_id, ids = asked

    def write(connection: Connection) -> list[list[CellId]]:
        reasons = [Missing.REFUSED, Missing.HTTP_ERROR]
        first = cells.reopen_missing(connection, run_id, reasons)
        cells.record_starts(connection, [(ids[1], 2), (ids[2], 2)])
        cells.reopen_failed(connection, run_id, [503])
        again = [cells.reopen_missing(connection, run_id, reasons), cells.reopen_chosen(connection, ids, reasons)]
        return [first, *again]

    assert audit.write(write).result() == [ids[1:3], [], []]
    states = audit.read(lambda c: [c.execute("SELECT state FROM cell WHERE id = ?", (n,)).fetchone()[0] for n in ids])
    assert states == ["answered", "asked", "asked", "open"]


def test_that_in_doubt_is_what_a_call_may_have_cost_beyond_what_is_counted_of_it(audit: AuditFile) -> None:
    def write(connection: Connection) -> dict[ModelId, float]:
        run_id = run(connection)
        ids = planned(connection, run_id, *(factors(name) for name in ("Left", "Right")))
        cells.record_starts(connection, [(ids[0], 1), (ids[1], 1)], at_most=5e6)
        # Its end names no bound of its own, and takes nothing off the one that it began with.
        for cell, counted in zip(ids, (2e6, 9e6), strict=True):
            responses.close_call(
                connection, cell, 1, outcome="outcome unknown", status=None, detail="", microdollars=counted
            )
        return lost_calls.in_doubt(connection, run_id)

    assert list(audit.write(write).result().values()) == [3.0]


def test_that_what_was_declined_by_words_that_nobody_knows_is_listed_and_counted(
    audit: AuditFile, asked: tuple[RunId, list[CellId]]
) -> None:
    run_id, ids = asked
    declined = Miss(reason=Missing.REFUSED, detail="Of this nobody speaks here.", status=400)

    def unlike(**changes: object) -> Miss:
        return replace(declined, **changes)  # type: ignore[arg-type]

    for outcome, there in (
        (declined, [ids[3]]),
        (unlike(status=422), [ids[3]]),
        (unlike(status=200), []),
        (unlike(finish="content_filter"), []),
        (unlike(detail="Content Exists Risk"), []),
        (unlike(detail=""), []),
        (unlike(reason=Missing.HTTP_ERROR), []),
    ):
        audit.write(partial(responses.save, landed=[result(ids[3], outcome)])).result()
        assert listed(audit, run_id, state=CallState.UNKNOWN_WORDS) == there
        (count,) = audit.read(partial(runs.counts, run_id=run_id))
        assert count.unknown_refusals == len(there)
        (row,) = audit.read(lambda c: ledger.rows(c, [ids[3]]))
        assert ("does not know" in row.outcome_words) is bool(there)
        assert audit.read(partial(unknown_refusals.within, runs={run_id})).n == len(there)
        assert audit.read(partial(unknown_refusals.within, runs={run_id}, models=())).n == 0


@pytest.mark.parametrize(
    ("wanted", "places"),
    [
        ({}, [0, 1, 2, 3]),
        ({"state": CallState.ANSWERED}, [0]),
        ({"state": CallState.GAPS}, [1, 2]),
        ({"state": CallState.OPEN}, [3]),
        ({"state": CallState.AGAIN}, [0]),
        ({"state": CallState.UNKNOWN}, [0]),
        ({"state": Missing.REFUSED}, [1]),
        ({"words": "overload"}, [2]),
        ({"words": "100%"}, [1]),
        ({"words": "bus lanes"}, [0, 1, 2, 3]),
        ({"words": "Political"}, [0, 1, 2, 3]),
        ({"words": "Green"}, [3]),
        ({"words": "lanes green BUS"}, [3]),
        ({"words": "green overload"}, []),
    ],
)
def test_that_calls_are_filtered(
    audit: AuditFile, asked: tuple[RunId, list[CellId]], wanted: dict[str, object], places: list[int]
) -> None:
    run_id, ids = asked
    assert listed(audit, run_id, **wanted) == [ids[place] for place in places]


@pytest.mark.parametrize(
    ("order", "places"),
    [(CallOrder.SECONDS, [0, 2, 1, 3]), (CallOrder.ATTEMPTS, [0, 1, 2, 3]), (CallOrder.PROMPT, [0, 1, 2, 3])],
)
def test_that_calls_are_sorted_with_those_without_a_value_last(
    audit: AuditFile, asked: tuple[RunId, list[CellId]], order: CallOrder, places: list[int]
) -> None:
    run_id, ids = asked
    found = audit.read(lambda c: ledger.keys(c, run_id, CallFilter(), order, descending=True))
    assert list(found) == [ids[place] for place in places]


def test_that_every_order_is_one_that_sqlite_takes(audit: AuditFile, asked: tuple[RunId, list[CellId]]) -> None:
    run_id, ids = asked
    for order in CallOrder:
        assert sorted(audit.read(lambda c, o=order: ledger.keys(c, run_id, CallFilter(), o))) == ids  # type: ignore[misc]


def test_that_a_row_tells_what_its_calls_came_to(audit: AuditFile, asked: tuple[RunId, list[CellId]]) -> None:
    _, ids = asked
    answered, refused = audit.read(lambda c: ledger.rows(c, [ids[0], ids[1]]))
    assert (answered.attempts, answered.unknown, answered.seconds, answered.dollars) == (2, 1, 7.0, 0.0005)
    assert (answered.prompt_tokens, answered.completion_tokens) == (40, 9)
    assert [(row.state, row.repeat) for row in (answered, refused)] == [("answered", 0), ("missing", 0)]
    assert answered.status == 200
    assert (refused.missing, refused.detail, refused.status) == ("refused", "I cannot 100%", 200)
    assert dict(answered.coordinates)["identity"] == "Left"


def test_that_exchanges_come_back_as_they_went(audit: AuditFile, asked: tuple[RunId, list[CellId]]) -> None:
    _, ids = asked
    for cell_id, attempt in ((ids[0], 2), (ids[1], 1)):
        assert audit.read(lambda c, i=cell_id, a=attempt: exchanges.get(c, i, a)) == EXCHANGE  # type: ignore[misc]
    assert audit.read(lambda c: exchanges.get(c, ids[0], 1)) is None


def test_that_only_failed_ones_of_those_chosen_are_opened_again(
    audit: AuditFile, asked: tuple[RunId, list[CellId]]
) -> None:
    run_id, ids = asked
    assert audit.write(lambda c: cells.reopen_chosen(c, ids, ["HTTP error", "timed out"])).result() == [ids[2]]
    assert listed(audit, run_id, state=CallState.OPEN) == [ids[2], ids[3]]


def test_that_a_deleted_run_leaves_nothing_but_its_articles(
    audit: AuditFile, asked: tuple[RunId, list[CellId]]
) -> None:
    run_id, _ = asked
    audit.write(lambda c: runs.note(c, run_id, "Started.")).result()
    audit.write(begin_reading).result()
    audit.write(lambda c: run_deletion.delete(c, run_id)).result()
    tables: Callable[[str], int] = lambda name: audit.read(  # noqa: E731
        lambda c: int(c.execute(f"SELECT count(*) FROM {name}").fetchone()[0])
    )
    gone = ("run", "run_model", "run_note", "cell", "call", "response", "exchange", "bundle", "fit_group", "batch")
    assert {name: tables(name) for name in gone} == dict.fromkeys(gone, 0)
    assert audit.read(lambda c: c.execute("SELECT batch_id FROM item").fetchall()) == [(None,)]


def test_that_the_money_of_deleted_runs_stays_spent(audit: AuditFile, asked: tuple[RunId, list[CellId]]) -> None:
    assert audit.read(run_deletion.dollars) == 0.0
    audit.write(lambda c: run_deletion.delete(c, asked[0])).result()
    assert audit.read(run_deletion.dollars) == pytest.approx(3 * 500e-6)
    assert audit.read(run_deletion.unpriced), "its model has no price"
    for odd in ("nan", "-3", "inf", "much"):
        change = lambda c, odd=odd: c.execute(  # noqa: E731
            "UPDATE setting SET value = ? WHERE name LIKE 'microdollars%'", (odd,)
        )
        audit.write(change).result()
        assert audit.read(run_deletion.dollars) == 0.0


def test_that_numbers_of_a_deleted_run_are_not_given_to_another(
    audit: AuditFile, asked: tuple[RunId, list[CellId]]
) -> None:
    def in_use(end: str) -> tuple[int, ...]:
        columns = ", ".join(f"(SELECT {end}(id) FROM {table})" for table in ("run", "bundle", "cell"))
        return tuple(audit.read(lambda c: c.execute(f"SELECT {columns}").fetchone()))

    def again(connection: Connection) -> None:
        run_deletion.delete(connection, connection.execute("SELECT id FROM run").fetchone()[0])
        planned(connection, run(connection), factors("Left"), factors("Right"))

    for _ in range(2):
        used = in_use("max")
        audit.write(again).result()
        assert in_use("min") == tuple(number + 1 for number in used)


@pytest.mark.parametrize("kept", ["many", "-1", "9" * 19, "9" * 10])
def test_that_a_number_that_a_file_says_was_used_is_believed_only_where_it_may_be(audit: AuditFile, kept: str) -> None:
    name = "used numbers: cell"
    audit.write(lambda c: audits.set_setting(c, name, kept)).result()
    assert audit.read(lambda c: used_numbers.next_number(c, "cell")) is None


def begin_reading(connection: sqlite3.Connection) -> None:
    """A verdict that was chosen and not submitted, which Undo knows."""
    reviewer = reviewers.add(connection, "Ada").id
    bundle = connection.execute("SELECT min(id) FROM bundle").fetchone()[0]
    judgement = Judgement(verdict=Verdict.UNSURE)
    reviews.save_draft(connection, bundle, reviewer, judgement)
    review_steps.push(connection, reviewer, bundle, kind=StepKind.VERDICT, before=Judgement(), after=judgement)
