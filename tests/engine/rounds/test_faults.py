"""A server that is off, refuses, fails or is another one stops its model; the same round is asked again in full."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from gpf_desktop.domain.account_faults import AccountFault
from gpf_desktop.domain.events import RunProgressed, RunRested
from gpf_desktop.domain.ids import CellId, RunId
from gpf_desktop.domain.models import Endpoint
from gpf_desktop.domain.responses import Miss, Missing
from gpf_desktop.domain.responses import Reply as Answer
from gpf_desktop.domain.runs import RunState
from gpf_desktop.engine.rounds.faults import Faults, words_of_silence, words_of_stop
from tests.support.http_server import Reply
from tests.support.openai_server import OpenAIServer
from tests.support.rounds import Scene, calibration, scene, server_model, small_protocol

pytestmark = pytest.mark.slow


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Scene]:
    with scene(tmp_path) as opened:
        yield opened


def run(stage: Scene, run_id: RunId) -> RunState:
    return stage.open_audit.rounds.start(run_id).result(timeout=250)


def page(status: int = 200) -> Reply:
    return Reply(status=status, body="<html>\n<h1>Sign\x07 in</h1></html>", headers={"Content-Type": "text/html"})


FAULTS = {
    "wrong key": (Reply.of_json({"error": {"message": "no such key"}}, status=401), "no such key"),
    "no credit": (Reply.of_json({"error": {"message": "nothing left"}}, status=402), "Add credit"),
    "broken server": (Reply.of_json({"error": {"message": "out of order"}}, status=500), "out of order"),
    "login page": (page(), "a web page in place of an answer (HTTP status 200): Sign in."),
    "other service": (Reply.of_json(["hello"]), '["hello"]'),
}


@pytest.mark.parametrize("kind", FAULTS)
def test_that_a_fault_of_the_server_stops_its_model_and_leaves_no_holes(
    kind: str, stage: Scene, openai_server: OpenAIServer
) -> None:
    reply, words = FAULTS[kind]
    openai_server.fail(".", reply=reply)
    run_id = stage.plan([server_model(openai_server.base_url, attempts=1)])
    assert run(stage, run_id) is RunState.PAUSED
    assert openai_server.http.received < 30, "most of the round was not spent on it"
    progress = stage.open_audit.rounds.progress(run_id)
    assert (progress.answered, progress.missing) == (0, 0)
    why = stage.heard(RunRested)[-1].why
    assert words in why
    assert openai_server.base_url.split("/")[2] in why
    openai_server.fail_no_more()
    assert run(stage, run_id) is RunState.FINISHED
    assert openai_server.answered == 294
    progress = stage.open_audit.rounds.progress(run_id)
    assert (progress.answered, progress.bundles_scored, progress.bundles_provisional) == (294, 42, 0)


def test_that_an_ending_that_nobody_knows_stops_its_model_within_a_few_calls(
    stage: Scene, openai_server: OpenAIServer
) -> None:
    answer = {"choices": [{"message": {"content": "Half an ans"}, "finish_reason": "quux"}]}
    openai_server.fail(".", reply=Reply.of_json(answer))
    run_id = stage.plan([server_model(openai_server.base_url)])
    assert run(stage, run_id) is RunState.PAUSED
    assert openai_server.http.received < 12
    assert "“quux”" in stage.heard(RunRested)[-1].why


def test_that_among_answers_a_strange_ending_now_and_then_stops_nothing() -> None:
    faults, strange = Faults(), Miss(reason=Missing.HTTP_ERROR, detail="", status=200, finish="quux")
    for _ in range(20):
        assert not faults.is_foreign_ending(strange)
        assert not faults.is_foreign_ending(strange)
        faults.is_foreign_ending(Answer(text="Yes."))
    assert not any(faults.is_foreign_ending(replace(strange, finish="network_error")) for _ in range(20))


def test_that_a_server_that_goes_off_at_the_last_cell_leaves_the_round_open(stage: Scene) -> None:
    with OpenAIServer() as server:
        server.fail("I am Socialist", status=401)
        run_id = stage.plan([server_model(server.base_url, in_flight=1)], protocol=small_protocol())
        assert run(stage, run_id) is RunState.PAUSED
        assert "Check this model's key" in stage.heard(RunRested)[-1].why
        assert stage.open_audit.rounds.run(run_id).missing == 0
        server.fail_no_more()
        assert run(stage, run_id) is RunState.FINISHED
        assert server.answered == 10


def test_that_nothing_answered_is_asked_again_after_a_fault(stage: Scene, openai_server: OpenAIServer) -> None:
    openai_server.fail("I am (Socialist|Liberal|Libertarian)", status=500)
    run_id = stage.plan(
        [server_model(openai_server.base_url, attempts=1, in_flight=1), calibration()], protocol=small_protocol()
    )
    run(stage, run_id)
    answered = openai_server.answered
    openai_server.fail_no_more()
    if stage.open_audit.rounds.run(run_id).state is RunState.PAUSED:
        run(stage, run_id)
    assert answered < 10
    questions = [chat["messages"][-1]["content"] for chat in openai_server.chats]
    assert len(questions) == len(set(questions))


def test_that_failures_a_killed_program_left_behind_are_asked_again(stage: Scene, openai_server: OpenAIServer) -> None:
    openai_server.fail("I am Socialist", status=503)
    run_id = stage.plan([server_model(openai_server.base_url, attempts=1)], protocol=small_protocol())
    assert run(stage, run_id) is RunState.FINISHED_WITH_GAPS
    mark = "UPDATE run SET state = 'interrupted'"
    stage.open_audit.context.audit.write(lambda connection: connection.execute(mark).rowcount).result()
    openai_server.fail_no_more()
    assert run(stage, run_id) is RunState.FINISHED
    assert openai_server.answered == 10


def test_that_empty_answers_are_gaps_and_their_bundles_are_not_counted_as_scored(stage: Scene) -> None:
    with OpenAIServer(answer=lambda _: "") as server:
        run_id = stage.plan([server_model(server.base_url)], protocol=small_protocol())
        assert run(stage, run_id) is RunState.FINISHED_WITH_GAPS
    progress = stage.open_audit.rounds.progress(run_id)
    assert (progress.missing, progress.bundles_planned, progress.bundles_scored) == (10, 2, 0)
    assert stage.heard(RunProgressed)[-1].progress.bundles_scored == 0


def unreadable(text: str = "") -> Miss:
    return Miss(reason=Missing.UNREADABLE, detail="?", status=200, text=text)


def test_that_one_unreadable_cell_among_answers_stays_data() -> None:
    faults = Faults()
    empty = Miss(reason=Missing.EMPTY, detail="An answer without text.")
    for number in range(20):
        assert not faults.landed(CellId(number), unreadable() if number % 5 else empty)
    assert faults.to_ask_again == {}


def test_that_unreadable_answers_with_paid_text_stop_nothing() -> None:
    faults = Faults()
    assert not any(faults.landed(CellId(number), unreadable("Half an answer")) for number in range(20))


def test_that_what_still_lands_after_the_stop_is_asked_again_too() -> None:
    faults = Faults()
    refused = Miss(reason=Missing.HTTP_ERROR, status=401, detail="no")
    assert [faults.landed(CellId(number), refused) for number in range(4)] == [False, False, True, True]
    assert len(faults.to_ask_again) == 4


@pytest.mark.parametrize(
    ("miss", "words"),
    [
        (Miss(reason=Missing.HTTP_ERROR, status=401, detail="bad key"), "variable MY_KEY (key_env)"),
        (Miss(reason=Missing.HTTP_ERROR, status=400, detail="API key not valid"), "variable MY_KEY (key_env)"),
        (Miss(reason=Missing.HTTP_ERROR, status=404, detail="none"), "“m”"),
        (Miss(reason=Missing.HTTP_ERROR, status=429, detail="slow down"), "limits of this account"),
        (Miss(reason=Missing.HTTP_ERROR, status=302, detail="It redirects."), "base_url"),
        (Miss(reason=Missing.HTTP_ERROR, detail="It broke off.", finish="network_error"), "well again"),
        (
            Miss(reason=Missing.HTTP_ERROR, status=200, detail="balance is used up", account=AccountFault.CREDIT),
            "said (HTTP status 200): balance is used up. Add credit there",
        ),
        (Miss(reason=Missing.HTTP_ERROR, status=429, detail="week", account=AccountFault.SPAN), "counts anew"),
        (
            Miss(reason=Missing.HTTP_ERROR, status=400, detail="page", account=AccountFault.ADDRESS),
            "begin with https://",
        ),
        (Miss(reason=Missing.UNREACHABLE, detail="refused"), "that the server runs"),
        (Miss(reason=Missing.TIMED_OUT, detail="late"), "more time"),
        (Miss(reason=Missing.UNKNOWN, detail="lost"), "well again"),
    ],
)
def test_that_a_stop_says_who_said_what_and_what_to_do(miss: Miss, words: str) -> None:
    endpoint = Endpoint(provider="openai", model="m", base_url="https://u:p@models.test:99/v1", key_env="MY_KEY")
    said = words_of_stop("openai/m", endpoint, miss)
    assert words in said
    assert "models.test:99" in said
    assert "u:p" not in said
    assert miss.detail.rstrip(".") in said


def test_that_a_silent_account_is_named_with_how_long_and_what_it_said() -> None:
    endpoint = Endpoint(provider="openai-compatible", model="m", base_url="https://models.example/v1")
    miss = Miss(reason=Missing.HTTP_ERROR, detail="slow down", status=429)
    said = words_of_silence("openai/m", endpoint, miss, 610.0)
    assert said.startswith(
        "openai/m was not asked further: no answer for 10 minutes. models.example said (HTTP status 429"
    )
    assert said.endswith("Resume the round later.")
