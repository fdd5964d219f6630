"""The cap is never passed: by answers without a limit, by calls of which nobody saw the end, by rounding."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from gpf_desktop.domain.events import CellAnswered, RunProgressed, RunRested
from gpf_desktop.domain.ids import RunId
from gpf_desktop.domain.models import Endpoint, Price
from gpf_desktop.domain.money import digits_of, exact, rounded_up
from gpf_desktop.domain.protocol import Decoding
from gpf_desktop.domain.runs import RunState
from tests.support.http_server import Mode, Reply
from tests.support.openai_server import OpenAIServer
from tests.support.rounds import Scene, scene, server_model, small_protocol

LONG = 3_000
PRICE = Price(prompt=0.0, completion=100.0, entered=date(2026, 11, 1))
"""So that a long answer costs $0.30."""


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Scene]:
    with scene(tmp_path) as opened:
        yield opened


def priced(server: OpenAIServer, *, most: int = 50, price: Price = PRICE, **limits: object) -> Endpoint:
    return replace(server_model(server.base_url, **limits), price=price, decoding=Decoding(max_tokens=most))


def run(stage: Scene, run_id: RunId) -> RunState:
    return stage.open_audit.rounds.start(run_id).result(timeout=250)


def long_reply(length: int = LONG) -> Reply:
    return Reply.of_json(
        {
            "choices": [{"message": {"role": "assistant", "content": "word " * length}, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 10, "completion_tokens": length},
        }
    )


@pytest.mark.parametrize("cap", [1.0, 8.0])
def test_that_a_round_whose_model_takes_no_limit_stays_under_its_cap(stage: Scene, cap: float) -> None:
    with OpenAIServer(not_supported=("max_tokens", "max_completion_tokens"), answer=lambda _: "word " * LONG) as server:
        run_id = stage.plan([priced(server, in_flight=8)], articles=3, protocol=small_protocol(), spend_cap=cap)
        assert run(stage, run_id) is RunState.PAUSED
    assert stage.open_audit.rounds.run(run_id).spent <= cap
    assert "spend cap is reached" in stage.heard(RunRested)[-1].why


def test_that_a_model_that_writes_on_beyond_its_limit_stays_under_the_cap(stage: Scene) -> None:
    with OpenAIServer() as server:
        server.fail(".", reply=long_reply())
        run_id = stage.plan([priced(server, in_flight=1)], protocol=small_protocol(), spend_cap=1.0)
        assert run(stage, run_id) is RunState.PAUSED
    assert 0.3 <= stage.open_audit.rounds.run(run_id).spent <= 1.0


def test_that_calls_on_the_wire_are_held_at_what_one_of_them_turned_out_to_cost(stage: Scene) -> None:
    """Else each that lands makes room for another, and a server that knows no limit writes the cap over."""
    with OpenAIServer(gate=True) as server:
        assert server.gate is not None
        server.fail(".", reply=long_reply(), times=1)
        server.fail(".", reply=replace(long_reply(), gate=server.gate))
        run_id = stage.plan([priced(server, in_flight=4)], protocol=small_protocol(), spend_cap=0.9)
        resting = stage.open_audit.rounds.start(run_id)
        server.http.wait_for_requests(4)
        stage.wait_for(CellAnswered, count=1)
        server.gate.open()
        assert resting.result(timeout=250) is RunState.PAUSED
        assert server.http.received == 4


@pytest.mark.parametrize(
    ("usage", "spent"),
    [
        (None, None),
        ({"prompt_tokens": 0, "completion_tokens": 0}, None),
        ({"total_tokens": 120}, None),
        ({"input_tokens": "20", "output_tokens": 100.0}, 0.1),
        # xAI: reasoning is in the total alone.
        ({"prompt_tokens": 20, "completion_tokens": 60, "total_tokens": 120}, 0.1),
    ],
)
def test_that_answers_whose_tokens_nobody_counts_count_against_the_cap(
    stage: Scene, usage: object, spent: float | None
) -> None:
    said = {"choices": [{"message": {"role": "assistant", "content": "word " * 60}, "finish_reason": "stop"}]}
    with OpenAIServer() as server:
        server.fail(".", reply=Reply.of_json({**said, "usage": usage} if usage else said))
        run_id = stage.plan([priced(server, in_flight=1)], protocol=small_protocol(), spend_cap=1.0)
        assert run(stage, run_id) is RunState.FINISHED
    # 300 letters are 100 tokens at most, and ten answers a tenth of a dollar.
    assert stage.open_audit.rounds.run(run_id).spent == pytest.approx(spent or 0.1)
    noted = " ".join(note.sentence for note in stage.open_audit.rounds.notes(run_id))
    assert ("does not say how many tokens" in noted) is (spent is None)


def test_that_an_error_s_own_count_of_tokens_is_paid(stage: Scene) -> None:
    body = {"error": {"message": "Provider disconnected", "code": 502}, "usage": {"completion_tokens": 100}}
    with OpenAIServer() as server:
        server.fail(".", reply=Reply.of_json(body))
        model = priced(server, attempts=1, in_flight=1)
        run(stage, run_id := stage.plan([model], protocol=small_protocol(), spend_cap=1.0))
        assert stage.open_audit.rounds.run(run_id).spent == pytest.approx(0.01 * server.http.received)


def killed_in_flight(tmp_path: Path, stage: Scene, *, calls: int, cap: float) -> tuple[Path, RunId]:
    """A copy of an audit as a kill leaves it while *calls* are on the wire, each of which may cost half a cent."""
    with OpenAIServer(gate=True) as server:
        run_id = stage.plan([priced(server, in_flight=calls)], protocol=small_protocol(), spend_cap=cap)
        resting = stage.open_audit.rounds.start(run_id)
        server.http.wait_for_requests(calls)
        (killed := tmp_path / "killed").mkdir()
        with (
            closing(sqlite3.connect(tmp_path / "audit.gpf")) as audit,
            closing(sqlite3.connect(killed / "audit.gpf")) as left,
        ):
            audit.backup(left)
        assert server.gate is not None
        server.gate.open()
        resting.result(timeout=250)
    return killed, run_id


def test_that_calls_of_unknown_end_are_held_at_their_worst_case_and_told_in_dollars(
    tmp_path: Path, stage: Scene
) -> None:
    killed, run_id = killed_in_flight(tmp_path, stage, calls=5, cap=0.028)
    with scene(killed) as opened:
        rounds = opened.open_audit.rounds
        assert rounds.progress(run_id).in_doubt == pytest.approx(5 * 0.005)
        assert [call.at_most for call in rounds.unknown_calls(run_id)] == [pytest.approx(0.005)] * 5
        assert "$0.025 is in doubt" in rounds.notes(run_id)[0].sentence
        assert run(opened, run_id) is RunState.PAUSED
        why = opened.heard(RunRested)[-1].why
        assert "of $0.028 is spent (and up to $0.025 in doubt)" in why
        assert "raise the cap to $0.031 at least" in why
        assert rounds.run(run_id).spent == 0.0


def test_that_a_call_that_timed_out_counts_against_the_cap(stage: Scene) -> None:
    with OpenAIServer() as server:
        server.fail(".", reply=Reply(mode=Mode.HANG))
        model = priced(server, attempts=2, timeout=0.2, in_flight=1)
        run_id = stage.plan([model], protocol=small_protocol(), spend_cap=0.014)
        assert run(stage, run_id) is RunState.PAUSED
        assert server.http.received == 2
    assert stage.open_audit.rounds.progress(run_id).in_doubt == pytest.approx(0.01)


@pytest.mark.parametrize("cap", [0.005, 0.0125, 0.5])
def test_that_the_caps_message_has_the_digits_of_the_cap(stage: Scene, openai_server: OpenAIServer, cap: float) -> None:
    endpoint = priced(openai_server, most=4000, price=replace(PRICE, completion=1000.0))
    run_id = stage.plan([endpoint], protocol=small_protocol(), spend_cap=cap)
    assert run(stage, run_id) is RunState.PAUSED
    rested = stage.heard(RunRested)[-1]
    assert f"of {exact(cap)} is spent" in rested.why
    assert rested.cap_needed is not None
    assert exact(rested.cap_needed, digits_of(cap)) in rested.why


def test_that_a_cap_below_the_first_call_is_told_what_all_calls_may_take(
    stage: Scene, openai_server: OpenAIServer
) -> None:
    run_id = stage.plan([priced(openai_server)], protocol=small_protocol(), spend_cap=0.001)
    assert run(stage, run_id) is RunState.PAUSED
    rested = stage.heard(RunRested)[-1]
    # Ten questions at half a cent, room for another, and a unit above it.
    assert rested.cap_needed == pytest.approx(0.056)
    assert "raise the cap to $0.006 at least; all that is open may take $0.056 in all" in rested.why


def test_that_what_the_cap_s_message_tells_adds_up_to_more_than_the_cap(
    stage: Scene, openai_server: OpenAIServer
) -> None:
    openai_server.fail(".", reply=long_reply(44))
    run_id = stage.plan([priced(openai_server, most=68)], articles=2, protocol=small_protocol(), spend_cap=0.05)
    assert run(stage, run_id) is RunState.PAUSED
    assert "$0.044 of $0.050 is spent, and the next answer may cost $0.007" in stage.heard(RunRested)[-1].why


@pytest.mark.parametrize(
    ("call", "gives"),
    [
        (lambda: digits_of(10.0), 2),
        (lambda: digits_of(0.005), 3),
        (lambda: digits_of(0.1 + 0.2), 2),
        (lambda: exact(0.0125), "$0.0125"),
        (lambda: exact(0.00004, 2), "$0.00004"),
        (lambda: exact(0.0, 2), "$0.00"),
        (lambda: exact(0.1234567), "$0.1235"),
        (lambda: exact(1.234567), "$1.23"),
        (lambda: exact(1234.5), "$1,234.50"),
        (lambda: rounded_up(0.0251, 3), 0.026),
        (lambda: rounded_up(0.1 + 0.2, 2), 0.3),
    ],
)
def test_that_dollars_are_shown_as_they_are(call: Callable[[], object], gives: object) -> None:
    assert call() == gives


def test_that_a_stop_tells_in_dollars_what_it_leaves_in_doubt(stage: Scene) -> None:
    with OpenAIServer(gate=True) as server:
        run_id = stage.plan([priced(server, in_flight=4)], protocol=small_protocol(), spend_cap=1.0)
        resting = stage.open_audit.rounds.start(run_id)
        server.http.wait_for_requests(4)
        stage.open_audit.rounds.stop().result(timeout=250)
        assert resting.result(timeout=250) is RunState.STOPPED
    (rested,) = [note.sentence for note in stage.open_audit.rounds.notes(run_id) if note.sentence.startswith("Stopped")]
    assert "at most in doubt" in rested
    assert stage.open_audit.rounds.progress(run_id).in_doubt >= 4 * 0.005


@pytest.mark.parametrize(
    "lost",
    [
        *(Reply(mode=Mode.HANG), Reply(mode=Mode.RESET), Reply(status=504), Reply(status=524)),
        Reply.of_json({"id": "c"}),
    ],
    ids=["hang", "reset", "504", "524", "unreadable"],
)
def test_that_what_is_in_doubt_is_the_same_before_and_after_a_restart(tmp_path: Path, lost: Reply) -> None:
    """Also where the worst case grew while the call was on its way, and where the line broke and no time ran out."""
    with scene(tmp_path) as opened, OpenAIServer() as server:
        server.fail("Socialist", reply=lost)
        server.fail(".", reply=long_reply())
        model = priced(server, attempts=1, timeout=1.0, in_flight=10)
        run_id = opened.plan([model], protocol=small_protocol())
        assert run(opened, run_id) is RunState.FINISHED_WITH_GAPS
        told = opened.heard(RunProgressed)[-1].progress.in_doubt
        assert told > 0
        assert opened.open_audit.rounds.progress(run_id).in_doubt == pytest.approx(told)
    with scene(tmp_path) as again:
        assert again.open_audit.rounds.progress(run_id).in_doubt == pytest.approx(told)


def test_that_what_a_stop_leaves_in_doubt_is_the_same_after_a_restart(tmp_path: Path) -> None:
    with scene(tmp_path) as opened, OpenAIServer() as server:
        server.fail("Socialist", reply=Reply(mode=Mode.HANG))
        server.fail(".", reply=long_reply())
        run_id = opened.plan([priced(server, in_flight=10)], protocol=small_protocol())
        resting = opened.open_audit.rounds.start(run_id)
        # Eight have answered at more than the worst case that the two were begun with.
        opened.wait_for(CellAnswered, count=8)
        opened.open_audit.rounds.stop().result(timeout=250)
        assert resting.result(timeout=250) is RunState.STOPPED
        told = opened.heard(RunProgressed)[-1].progress.in_doubt
    assert told >= 2 * 0.45
    with scene(tmp_path) as again:
        assert again.open_audit.rounds.progress(run_id).in_doubt == pytest.approx(told)
