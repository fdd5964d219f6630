"""What is of the account or the model stops it whatever the status; what is of a question is data."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gpf_desktop.domain.account_faults import AccountFault, account_fault
from gpf_desktop.domain.events import RunRested
from gpf_desktop.domain.ids import CellId, RunId
from gpf_desktop.domain.model_tests import ModelFault
from gpf_desktop.domain.models import Endpoint
from gpf_desktop.domain.resources import resources
from gpf_desktop.domain.responses import Miss, Missing
from gpf_desktop.domain.responses import Reply as AnAnswer
from gpf_desktop.domain.runs import RunState
from gpf_desktop.engine.rounds.faults import (
    STOP_AFTER_DOUBTS,
    STOP_AFTER_DOUBTS_AGAIN,
    STOP_AFTER_SAME,
    STOP_AFTER_SAME_AMONG_ANSWERS,
    Faults,
    words_of_stop,
)
from gpf_desktop.storage.writer import Connection
from tests.support.http_server import LoopbackServer, Reply
from tests.support.openai_server import OpenAIServer
from tests.support.rounds import Scene, scene, server_model, small_protocol
from tests.support.warm_program import run_program

SAID = {
    "credit": (400, "Your credit balance is too low to access the API.", ModelFault.NO_CREDIT),
    "standing": (400, "Access denied, please make sure your account is in good standing.", ModelFault.NO_CREDIT),
    "shut": (403, "Your account has been suspended because it violates our usage policies.", ModelFault.SHUT),
    "place": (400, "User location is not supported for the API use.", ModelFault.REFUSED),
    "gone": (400, "The model `x` has been decommissioned and is no longer supported.", ModelFault.UNKNOWN_MODEL),
    "no model": (400, "some/model is not a valid model ID", ModelFault.UNKNOWN_MODEL),
    "address": (400, "You're speaking plain HTTP to an SSL-enabled server port.", ModelFault.NO_API),
    "day": (429, "Rate limit exceeded: free-models-per-day. Add 10 credits to unlock more.", ModelFault.DAY_USED_UP),
    "week": (429, "You have reached your weekly usage limit, upgrade for higher limits.", ModelFault.PLAN_USED_UP),
    "under 500": (500, "insufficient balance", ModelFault.NO_CREDIT),
    "unheard of": (400, "Quux is not set up", ModelFault.REFUSED),
}
AN_ANSWER = AnAnswer(text="The council will publish rent rules in May.")
PLAN = """
articles_per_source = 1
protocol = "GPF-LiveNews-v1"
controls = "none"

[[sources]]
url = "{feed}"

[[models]]
provider = "openai-compatible"
model = "some-model"
base_url = "{server}"

[leave_out]
dimension = ["Religion", "Gender / Sexuality", "Geography", "Socioeconomic"]
"""


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Scene]:
    with scene(tmp_path) as opened:
        yield opened


def run(stage: Scene, run_id: RunId) -> RunState:
    return stage.open_audit.rounds.start(run_id).result(timeout=250)


@pytest.mark.parametrize("kind", SAID)
def test_that_an_account_that_is_not_served_leaves_its_cells_open_and_goes_on_once_it_is(
    stage: Scene, openai_server: OpenAIServer, kind: str
) -> None:
    status, words, fault = SAID[kind]
    openai_server.fail(".", reply=Reply.of_json({"error": {"message": words}}, status=status))
    run_id = stage.plan([server_model(openai_server.base_url, in_flight=1)], articles=2, protocol=small_protocol())
    assert run(stage, run_id) is RunState.PAUSED
    assert openai_server.http.received < 15
    rested = stage.heard(RunRested)[-1]
    assert words.rstrip(".") in rested.why
    assert rested.halted is not None
    assert rested.halted.fault is fault
    progress = stage.open_audit.rounds.progress(run_id)
    assert (progress.answered, progress.missing) == (0, 0)
    openai_server.fail_no_more()
    assert run(stage, run_id) is RunState.FINISHED
    assert openai_server.answered == 20


def test_that_one_cell_s_own_error_is_data(stage: Scene, openai_server: OpenAIServer) -> None:
    body = {"error": {"message": "This question is odd"}}
    openai_server.fail("I am Socialist", reply=Reply.of_json(body, status=400))
    run_id = stage.plan([server_model(openai_server.base_url)], articles=2, protocol=small_protocol())
    assert run(stage, run_id) is RunState.FINISHED_WITH_GAPS


def no(words: str, status: int = 400) -> Miss:
    return Miss(reason=Missing.HTTP_ERROR, status=status, detail=words)


def stops(faults: Faults, words: list[str], *, items: int = 2, status: int = 400) -> bool:
    """Whether a model stops to whose cells, about *items* in turn, the server says *words*."""
    return any(faults.landed(CellId(at), no(each, status), at % items) for at, each in enumerate(words))


def test_that_the_same_words_in_cells_running_stop_a_model() -> None:
    faults = Faults(2)
    assert stops(faults, STOP_AFTER_SAME * ["The text has an odd sign"])
    assert set(faults.to_ask_again) == {CellId(at) for at in range(STOP_AFTER_SAME)}
    assert faults.last is not None


def test_that_no_in_ever_other_words_that_speak_of_no_question_stops_a_model() -> None:
    faults = Faults(2)
    said = [f"Quux {7 * at} is in no state {chr(97 + at)}{at}z to go on" for at in range(9)]
    assert not stops(Faults(2), said, items=1)
    assert not stops(Faults(2), said[: STOP_AFTER_DOUBTS - 1])
    assert stops(faults, said)
    assert set(faults.to_ask_again) == {CellId(at) for at in range(STOP_AFTER_DOUBTS)}


def test_that_no_of_one_cell_among_answers_is_its_own() -> None:
    faults = Faults(2)
    for at in range(20):
        assert not faults.landed(CellId(2 * at), no("Quux is in no state to go on"), at % 2)
        assert not faults.landed(CellId(2 * at + 1), AN_ANSWER, at % 2)
    assert faults.to_ask_again == {}


def test_that_doubts_take_nothing_from_what_is_sure() -> None:
    said = [no("Quux"), *(no("no", status=401) for _ in range(3))]
    assert [Faults(2).landed(CellId(0), said[0])] == [False]
    faults = Faults(2)
    assert [faults.landed(CellId(at), each) for at, each in enumerate(said)] == [False, False, False, True]


def doubts(n: int, first: int = 0) -> list[tuple[CellId, Miss]]:
    """Of as many cells, in ever other words that speak of no question."""
    return [(CellId(at), no(f"Quux {chr(97 + at)}z is in no state to go on")) for at in range(first, first + n)]


def test_that_doubts_of_cells_that_had_them_before_are_their_own_once_another_is_answered() -> None:
    faults = Faults(2)
    assert not any(faults.landed(cell, said, cell % 2, again=True) for cell, said in doubts(STOP_AFTER_DOUBTS))
    assert len(faults.to_ask_again) == STOP_AFTER_DOUBTS
    faults.landed(CellId(99), AN_ANSWER)
    assert faults.to_ask_again == {}
    assert faults.last is None


def test_that_they_are_the_model_s_where_others_meet_them_too_or_none_is_answered() -> None:
    faults = Faults(2)
    assert not any(faults.landed(cell, said, cell % 2, again=True) for cell, said in doubts(STOP_AFTER_DOUBTS))
    fresh = [faults.landed(cell, said, cell % 2) for cell, said in doubts(STOP_AFTER_DOUBTS, first=9)]
    assert fresh == [False] * (STOP_AFTER_DOUBTS - 1) + [True]
    assert len(faults.to_ask_again) == 2 * STOP_AFTER_DOUBTS
    faults = Faults(2)
    landed = [faults.landed(cell, said, cell % 2, again=True) for cell, said in doubts(STOP_AFTER_DOUBTS_AGAIN)]
    assert landed.index(True) == STOP_AFTER_DOUBTS_AGAIN - 1


@pytest.mark.parametrize(("before", "alike", "own"), [(True, False, True), (True, True, False), (False, False, False)])
def test_that_of_nothing_but_such_cells_words_that_differ_tell(before: bool, alike: bool, own: bool) -> None:
    faults = Faults(2)
    faults.answered_before = before
    for cell, said in doubts(3):
        faults.landed(cell, no("Quux") if alike else said, cell % 2, again=True)
    assert (faults.to_ask_again == {}) is own
    assert (faults.last is None) is own


def test_that_a_round_goes_on_past_the_doubts_that_it_stopped_at(stage: Scene, openai_server: OpenAIServer) -> None:
    run_id = stage.plan([server_model(openai_server.base_url, in_flight=1)], articles=2, protocol=small_protocol())
    for ended in (RunState.PAUSED, RunState.FINISHED_WITH_GAPS):
        # Those about the first article, and one about the next.
        for _, said in doubts(11):
            body = {"error": {"message": said.detail}}
            openai_server.fail(".", reply=Reply.of_json(body, status=400), times=1)
        assert run(stage, run_id) is ended
    progress = stage.open_audit.rounds.progress(run_id)
    assert (progress.answered, progress.missing) == (9, 11)


def declined(words: str) -> Miss:
    """A block that nothing says but that its words speak of nothing else."""
    return Miss(reason=Missing.REFUSED, status=400, detail=words, guessed=True)


def test_that_a_guessed_block_of_every_question_is_none() -> None:
    faults = Faults(2)
    landed = [faults.landed(CellId(at), declined("Of this nobody speaks"), at % 2) for at in range(STOP_AFTER_SAME)]
    assert landed == [False] * (STOP_AFTER_SAME - 1) + [True]
    assert set(faults.to_ask_again.values()) == {Missing.REFUSED}
    assert faults.last is not None
    assert "every question" in words_of_stop("A", Endpoint(provider="openai-compatible", model="x"), faults.last)


def test_that_a_guessed_block_among_answers_is_one_for_longer() -> None:
    faults = Faults(2)
    assert not faults.is_foreign_ending(AN_ANSWER)
    landed = [faults.landed(CellId(at), declined("Of this nobody speaks"), at % 2) for at in range(12)]
    assert landed.index(True) == STOP_AFTER_SAME_AMONG_ANSWERS - 1


def test_that_what_was_declined_so_before_and_is_again_stops_no_model_that_has_answered() -> None:
    faults = Faults(2)
    faults.answered_before = True
    said = declined("Of this nobody speaks")
    assert not any(faults.landed(CellId(at), said, at % 2, again=True) for at in range(12))
    assert faults.to_ask_again == {}


def test_that_a_block_that_is_said_to_be_one_never_stops_a_model() -> None:
    faults = Faults(2)
    said = replace(declined("Of this nobody speaks"), guessed=False)
    assert not any(faults.landed(CellId(at), said, at % 2) for at in range(40))


def test_that_what_names_each_request_counts_as_the_same() -> None:
    said = [f"No quux (request id: req_{at}a9)" for at in range(9)]
    assert stops(Faults(2), said)


@pytest.mark.parametrize(
    "said",
    [
        9 * ["The prompt is too long"],
        9 * ["输入文本过长, 最多支持 32000 个字符"],
        9 * ["Die Eingabe ist zu lang."],
        9 * ["Range of input length should be [1, 30720]"],
        9 * ["入力トークン数が上限を超えています"],
        [f"Bad value {at}" for at in range(9)],
        4 * ["An odd text"] + 4 * ["Still an odd text"],
    ],
)
def test_that_what_varies_by_question_or_is_of_its_length_is_data(said: list[str]) -> None:
    faults = Faults(2)
    assert not stops(faults, said)
    assert faults.to_ask_again == {}


def test_that_what_is_said_of_one_item_of_several_is_data() -> None:
    assert not stops(Faults(2), 30 * ["The text has an odd sign"], items=1)
    assert stops(Faults(1), STOP_AFTER_SAME * ["The text has an odd sign"], items=1)


@pytest.mark.parametrize(
    ("words", "codes", "fault"),
    [
        ("?", ["Arrearage"], AccountFault.CREDIT),
        ("?", ["insufficient_quota"], AccountFault.CREDIT),
        ("API key not valid. Please pass a valid API key.", [], AccountFault.KEY),
        ("The model `gpt-x` does not exist or you do not have access to it.", [], AccountFault.MODEL),
        ("Country, region, or territory not supported", [], AccountFault.PLACE),
        ("Your account has been deactivated for violating our terms of use.", [], AccountFault.SHUT),
        ("This organization was flagged for suspicious activity.", [], AccountFault.SHUT),
        ("Your prompt was flagged. Repeated violations may lead to the suspension of your account.", [], None),
        ("Rate limit exceeded: free-models-per-day. Add 10 credits to unlock 1000 requests", [], AccountFault.DAY),
        ("Rate limit reached for `m` on requests per day (RPD): Limit 200, Used 200", [], AccountFault.DAY),
        ("You have reached your daily quota of free requests.", [], AccountFault.DAY),
        ("?", ["GenerateRequestsPerDayPerProjectPerModel-FreeTier"], AccountFault.DAY),
        ("今日调用次数已达上限", [], AccountFault.DAY),
        ("Rate limit reached on tokens per minute (TPM): Limit 6000; per day 100000", [], None),
        ("What did people do per day in 1900?", [], None),
        ("Loading model", [], None),
        ("Rate limit reached for requests", [], None),
        ("Overloaded", [], None),
    ],
)
def test_that_words_and_codes_of_accounts_are_known(words: str, codes: list[str], fault: AccountFault | None) -> None:
    assert account_fault(words, codes) is fault


@pytest.mark.parametrize(
    "words",
    [
        "This model does not support this language",
        "The model cannot process this text",
        "The model failed to generate a valid response",
        "The model rejected the request",
        "Model stopped: repetition detected",
        "The model returned no content",
        "Prompt contains a project name that is not allowed",
    ],
)
def test_that_what_a_model_does_with_one_question_is_no_fault_of_an_account(words: str) -> None:
    assert account_fault(words, status=400) is None


def gpf(*arguments: object) -> dict[str, Any]:
    done = run_program(*arguments, "--json")
    return {"code": done.returncode, "said": done.stderr, **(json.loads(done.stdout) if done.stdout else {})}


@pytest.fixture
def plan(tmp_path: Path, http_server: LoopbackServer, openai_server: OpenAIServer) -> Path:
    news = (resources() / "news" / "sample.rss").read_bytes()
    http_server.route("/feed.xml", Reply(body=news, headers={"Content-Type": "application/rss+xml"}))
    path = tmp_path / "plan.toml"
    path.write_text(PLAN.format(feed=http_server.url("/feed.xml"), server=openai_server.base_url))
    return path


@pytest.mark.slow
def test_that_the_same_command_goes_on_after_paying(plan: Path, tmp_path: Path, openai_server: OpenAIServer) -> None:
    body = {"error": {"message": "Your credit balance is too low"}}
    openai_server.fail(".", reply=Reply.of_json(body, status=400))
    first = gpf("run", plan, "--audit", tmp_path / "a.gpf")
    assert first["code"] == 3
    assert "credit balance is too low" in first["why"]
    openai_server.fail_no_more()
    second = gpf("run", plan, "--audit", tmp_path / "a.gpf")
    assert (second["code"], second["resumed"]) == (0, True)
    assert second["answered"] == second["planned"] == openai_server.answered


@pytest.mark.slow
def test_that_a_command_asks_failed_questions_again(plan: Path, tmp_path: Path, openai_server: OpenAIServer) -> None:
    audit = tmp_path / "a.gpf"
    missing = gpf("run", plan, "--audit", audit, "--retry-failed")
    assert missing["code"] == 2
    assert not audit.exists()
    body = {"error": {"message": "This question is odd"}}
    openai_server.fail("I am Socialist", reply=Reply.of_json(body, status=400))
    first = gpf("run", plan, "--audit", audit)
    gaps = first["planned"] - first["answered"]
    assert (first["code"], gaps > 0) == (1, True)
    assert first["models"][0]["said"] == [{"status": 400, "words": "This question is odd", "n": gaps}]
    openai_server.fail_no_more()
    again = gpf("run", plan, "--audit", audit, "--retry-failed")
    assert again["code"] == 0
    assert again["answered"] == again["planned"] == first["planned"] == openai_server.answered
    assert f"{gaps} failed question" in again["notes"][0]
    none = gpf("run", plan, "--audit", audit, "--retry-failed")
    assert none["code"] == 0
    assert none["notes"][0] == "No question of this plan's newest round failed: none is asked again."
    assert openai_server.answered == first["planned"]


QUOTED = "Cannot parse My account has been suspended and there are no credits"


def test_that_only_what_was_told_to_be_of_the_account_is_opened_again(
    stage: Scene, openai_server: OpenAIServer
) -> None:
    """Not what an error merely says of it: what it was is known when it comes, and stored."""
    openai_server.fail(
        "I am Socialist",
        reply=Reply.of_json({"choices": [{"message": {"content": "x"}, "finish_reason": "error"}]}),
    )
    run_id = stage.plan([server_model(openai_server.base_url, attempts=1)], protocol=small_protocol())
    assert run(stage, run_id) is RunState.FINISHED_WITH_GAPS

    def said(connection: Connection) -> None:
        connection.execute("UPDATE response SET detail = ? WHERE missing IS NOT NULL", (QUOTED,))

    stage.open_audit.context.audit.write(said).result()
    asked = openai_server.http.received
    assert run(stage, run_id) is RunState.FINISHED_WITH_GAPS
    assert openai_server.http.received == asked

    def told(connection: Connection) -> None:
        connection.execute("UPDATE response SET account = 'shut' WHERE missing IS NOT NULL")

    stage.open_audit.context.audit.write(told).result()
    openai_server.fail_no_more()
    assert run(stage, run_id) is RunState.FINISHED
    assert openai_server.http.received > asked


def test_that_a_fault_of_the_account_is_stored_as_one(stage: Scene, openai_server: OpenAIServer) -> None:
    body = {"error": {"message": "Your credit balance is too low"}}
    openai_server.fail("I am Socialist", reply=Reply.of_json(body, status=400))
    run_id = stage.plan([server_model(openai_server.base_url)], protocol=small_protocol())
    assert run(stage, run_id) is RunState.PAUSED
    assert ("credit",) in stage.read("SELECT DISTINCT account FROM response")
