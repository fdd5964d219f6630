"""What a writer is asked, how its words are read, what it costs. A real loopback server and a real audit."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from gpf_desktop.domain.ids import ModelId
from gpf_desktop.domain.models import Endpoint, Price, TargetModel
from gpf_desktop.domain.writing import Form, Instruction, UnreadReply, WritingTask
from gpf_desktop.engine.writing.writing_service import WritingService
from tests.support.http_server import Mode, Reply
from tests.support.open_context import OpenBench
from tests.support.openai_server import OpenAIServer
from tests.support.patient_bot import PATIENCE

FORM = Form(fields=("name", "description"), several="themes")
TOLD = Instruction(name="themes", version=3, system="You plan studies.", user="Themes of {domain}, please.")
GOOD = json.dumps({"themes": [{"name": " Tax ", "description": "Who pays"}]})
PRICE = Price(prompt=1.0, completion=2.0, entered=date(2026, 11, 1))


@pytest.fixture
def service(tmp_path: Path) -> Iterator[WritingService]:
    with OpenBench(tmp_path) as bench:
        made = WritingService(bench.context)
        yield made
        made.close()


@pytest.fixture
def serve() -> Iterator[Callable[..., OpenAIServer]]:
    started: list[OpenAIServer] = []

    def start(*replies: str, **more: Any) -> OpenAIServer:
        left = list(replies)
        started.append(OpenAIServer(answer=lambda _: left.pop(0), **more))
        return started[-1]

    yield start
    for each in started:
        each.close()


def task(domain: str = "sugary {drinks}") -> WritingTask:
    return WritingTask(instruction=TOLD, filled={"domain": domain}, form=FORM)


def at(server: OpenAIServer) -> TargetModel:
    endpoint = Endpoint(
        provider="openai-compatible", model="some-model", base_url=server.base_url, price=PRICE, vendor=""
    )
    return TargetModel(id=ModelId(1), endpoint=endpoint, synthetic=False, label=endpoint.label)


def test_that_a_writer_is_told_the_form_and_its_records_are_kept_with_where_they_come_from(
    service: WritingService, serve: Callable[..., OpenAIServer]
) -> None:
    server = serve(f"```json\n{GOOD}\n```")
    told: list[tuple[int, int]] = []
    (written,) = service.write([task()], at(server), tell=lambda *each: told.append(each)).result()
    assert written.records == ({"name": "Tax", "description": "Who pays"},)
    system, user = (each["content"] for each in server.chats[-1]["messages"])
    assert system.startswith("You plan studies.")
    assert FORM.example() in system
    assert user == "Themes of sugary {drinks}, please."
    assert told == [(0, 1), (1, 1)]
    (kept,) = service.account()
    assert kept == written.provenance
    assert (kept.model, kept.instruction) == ("openai-compatible/some-model", "themes, version 3")
    assert (kept.system, kept.prompt) == (system, user)
    assert kept.prompt_tokens
    assert kept.completion_tokens
    assert kept.dollars == pytest.approx((kept.prompt_tokens + 2 * kept.completion_tokens) / 1e6)


def test_that_what_was_written_and_not_taken_is_given_once_more_and_not_asked_for_again(
    service: WritingService, serve: Callable[..., OpenAIServer]
) -> None:
    server = serve(GOOD, GOOD, GOOD)
    model, came = at(server), []
    (first,) = service.write([task()], model).result()
    again = service.write([task("tea"), task()], model, came=lambda *each: came.append(each)).result()
    assert again[1] == first
    assert again[0].provenance.prompt == "Themes of tea, please."
    assert [each.filled["domain"] for each, _ in came] == ["sugary {drinks}", "tea"]
    assert server.answered == len(service.account()) == 2
    service.taken(again)
    service.write([task()], model).result()
    assert server.answered == len(service.account()) == 3
    table = service.account_table()
    assert [row[table.columns.index("instruction")] for row in table.rows] == ["themes, version 3"] * 3
    assert sum(row[table.columns.index("dollars")] for row in table.rows) > 0  # type: ignore[misc]


def test_that_an_unreadable_reply_is_asked_for_once_more_with_the_reason_and_both_are_paid(
    service: WritingService, serve: Callable[..., OpenAIServer]
) -> None:
    server = serve("Here are some themes.", GOOD, "no", "no again")
    (written,) = service.write([task()], at(server)).result()
    assert written.records
    assert written.provenance.calls == 3, "the first was refused for its response_format"
    assert "it is not valid JSON" in server.chats[-1]["messages"][-1]["content"]
    (lost,) = service.write([task("tea")], at(server)).result()
    assert (lost.records, lost.trouble) == ((), "it is not valid JSON")
    assert lost.provenance.dollars


def test_that_tasks_asked_at_once_each_find_out_that_the_model_takes_no_form(
    service: WritingService, serve: Callable[..., OpenAIServer]
) -> None:
    written = service.write([task("tea"), task("milk")], at(serve(GOOD, GOOD))).result()
    assert [each.trouble for each in written] == ["", ""]


def test_that_one_task_too_long_cuts_no_other_answer_short(
    service: WritingService, serve: Callable[..., OpenAIServer]
) -> None:
    server = serve(GOOD, GOOD, GOOD)
    said = (
        "This model's maximum context length is 4096 tokens. However, you requested 7596 tokens"
        " (3596 in the messages, 4000 in the completion)."
    )
    full = Reply.of_json({"error": {"message": said, "code": "context_length_exceeded"}}, status=400)
    server.fail("drinks", reply=full, times=1)
    written = service.write([task(), task("tea"), task("milk")], at(server)).result()
    assert [each.trouble for each in written] == ["", "", ""]
    asked = [(chat["messages"][-1]["content"], chat["max_tokens"]) for chat in server.chats]
    assert any("drinks" in words and most == 500 for words, most in asked)
    assert {most for words, most in asked if "drinks" not in words} == {4000}


def test_that_a_cap_is_not_passed_and_what_a_writer_costs_is_known_beforehand(
    service: WritingService, serve: Callable[..., OpenAIServer]
) -> None:
    server = serve()
    cost = service.outlook([task(), task("tea")], at(server))
    assert cost.calls == 2
    assert cost.at_most
    assert 0 < cost.low < cost.high <= cost.at_most  # type: ignore[operator]
    (written,) = service.write([task()], at(server), spend_cap=cost.at_most / 3).result()
    assert "cap" in written.trouble
    assert written.provenance.calls == 0
    assert server.answered == 0


def test_that_stopping_asks_no_further_task_and_keeps_what_came_and_cancelling_keeps_what_it_cost(
    service: WritingService, serve: Callable[..., OpenAIServer]
) -> None:
    server = serve(*[GOOD] * 9)
    came: list[str] = []
    tasks = [task(name) for name in "abcdefghi"]
    wanted = iter([True] * 5 + [False] * 4)
    written = service.write(
        tasks, at(server), came=lambda asked, _: came.append(asked.filled["domain"]), wanted=lambda: next(wanted)
    ).result()
    asked = [each for each in written if each.records]
    assert len(asked) == len(came) == len(service.account()) == 5
    assert {each.trouble for each in written if not each.records} == {"not asked: it was stopped"}

    entered = Event()

    def answer(_: object) -> str:
        entered.set()
        return GOOD

    with OpenAIServer(answer=answer, gate=True) as held:
        service.write([task()], at(held))
        assert entered.wait(PATIENCE / 1000)
        service.close()
        assert held.gate is not None
        held.gate.open()
    kept = service.account()[-1]
    assert kept.calls == 2, "one refused for its response_format, one under way"


def test_that_a_server_s_refusal_is_said_in_its_own_words(
    service: WritingService, serve: Callable[..., OpenAIServer]
) -> None:
    server = serve(key="another")
    (written,) = service.write([task()], at(server)).result()
    assert written.records == ()
    assert "key" in written.trouble.lower()


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        ('{"themes": []}', "0 entries"),
        ('{"themes": [{"name": "Tax"}]}', "other fields"),
        ('{"themes": [{"name": "Tax", "description": "", "more": 1}]}', "other fields"),
        ('{"themes": [{"name": "Tax", "description": "  "}]}', "no text, or empty"),
        ('{"themes": [{"name": "Tax", "description": 3}]}', "no text, or empty"),
        ('[{"name": "Tax", "description": "Who pays"}]', "no list “themes”"),
        (GOOD[:-3], "not valid JSON"),
        (json.dumps({"themes": [{"name": "x" * 20_001, "description": "d"}]}), "longer than"),
    ],
)
def test_that_what_is_not_of_the_form_is_told_and_never_guessed_at(reply: str, why: str) -> None:
    found = FORM.read(reply)
    assert isinstance(found, UnreadReply)
    assert why in found.why


def test_that_a_local_server_is_asked_for_one_task_at_a_time(
    service: WritingService, serve: Callable[..., OpenAIServer]
) -> None:
    server = serve(GOOD, GOOD, GOOD, gate=True)
    writing = service.write([task("tax"), task("rent"), task("work")], at(server))
    # The first one is made again without the form, which this server refuses.
    server.http.wait_for_requests(2)
    with pytest.raises(AssertionError, match="2 requests arrived"):
        server.http.wait_for_requests(3, timeout=0.5)
    assert server.gate is not None
    server.gate.open()
    assert all(each.records for each in writing.result())


@pytest.mark.parametrize("mode", [Mode.RESET, Mode.HANG])
def test_that_calls_of_unknown_end_count_against_a_writers_cap(service: WritingService, mode: Mode) -> None:
    with OpenAIServer() as server:
        server.fail(".", reply=Reply(mode=mode))
        model = at(server)
        limits = replace(model.endpoint.limits, attempts=5, timeout=0.2, in_flight=1)
        model = replace(model, endpoint=replace(model.endpoint, limits=limits))
        at_most = service.outlook([task()], model).at_most
        assert at_most
        # Room for both calls of the task, and for one more of which nobody sees the end.
        (written,) = service.write([task()], model, spend_cap=1.6 * at_most).result()
        assert "cap" in written.trouble
        assert written.provenance.calls == server.http.received == 3, "the first was refused for its form"
