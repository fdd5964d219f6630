"""A round goes on as its model wants to be asked, and what was learnt is recorded with the model and each answer."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gpf_desktop.domain.protocol import Decoding
from gpf_desktop.domain.runs import RunState
from tests.support.openai_server import OpenAIServer
from tests.support.rounds import Scene, scene, server_model, small_protocol

Objects = Callable[[dict[str, Any]], tuple[int, str] | None]


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Scene]:
    with scene(tmp_path) as opened:
        yield opened


def other_name(chat: dict[str, Any]) -> tuple[int, str] | None:
    told = "Unsupported parameter: 'max_tokens' is not supported here. Use 'max_completion_tokens' instead."
    return (400, told) if "max_tokens" in chat else None


def at_most_20(chat: dict[str, Any]) -> tuple[int, str] | None:
    return (400, "`max_tokens` must be less than or equal to `20`") if chat.get("max_tokens", 0) > 20 else None


def no_system(chat: dict[str, Any]) -> tuple[int, str] | None:
    refused = any(message["role"] == "system" for message in chat["messages"])
    return (500, "System role not supported") if refused else None


def no_temperature(chat: dict[str, Any]) -> tuple[int, str] | None:
    return (500, "Unsupported value: 'temperature' does not support 0.3 here.") if "temperature" in chat else None


@pytest.mark.parametrize(
    ("objects", "learnt", "as_learnt"),
    [
        (other_name, "max_tokens as max_completion_tokens", lambda chat: chat["max_completion_tokens"] == 50),
        (at_most_20, "max_tokens up to 20", lambda chat: chat["max_tokens"] == 20),
        (no_temperature, "temperature", lambda chat: chat["max_tokens"] == 50),
        (
            no_system,
            "system as user",
            lambda chat: (
                [each["role"] for each in chat["messages"]] == ["user"]
                and chat["messages"][0]["content"].startswith("You read the news.")
            ),
        ),
    ],
)
def test_that_a_round_goes_on_as_its_model_wants_to_be_asked(
    stage: Scene, objects: Objects, learnt: str, as_learnt: Callable[[dict[str, Any]], bool]
) -> None:
    protocol = replace(small_protocol(), system_prompt="You read the news.")
    decoding = Decoding(temperature=0.3, max_tokens=50)
    with OpenAIServer(objects=objects) as server:
        endpoint = replace(server_model(server.base_url, in_flight=1), decoding=decoding)
        run_id = stage.plan([endpoint], protocol=protocol)
        assert stage.open_audit.rounds.start(run_id).result(timeout=250) is RunState.FINISHED
        assert server.refused.total() == 1, "found out once for all"
        assert all(map(as_learnt, server.chats))
    (kept,) = stage.read("SELECT not_supported FROM run_model")
    assert json.loads(str(kept[0])) == [learnt]
    for (sent,) in stage.read("SELECT sent FROM response"):
        assert json.loads(str(sent))["not_supported"] == [learnt]
    assert any("recorded" in note.sentence for note in stage.open_audit.rounds.notes(run_id))


def test_that_one_long_question_cuts_no_other_answer_short(stage: Scene) -> None:
    def long_for_one(chat: dict[str, Any]) -> tuple[int, str] | None:
        told = "max_tokens is too large. The context length is 4096 tokens and your request has 3796 input tokens."
        long = "I am Socialist" in chat["messages"][-1]["content"] and chat["max_tokens"] > 300
        return (400, told) if long else None

    with OpenAIServer(objects=long_for_one) as server:
        endpoint = replace(server_model(server.base_url, in_flight=1), decoding=Decoding(max_tokens=3000))
        run_id = stage.plan([endpoint], protocol=small_protocol())
        assert stage.open_audit.rounds.start(run_id).result(timeout=250) is RunState.FINISHED
        limits = {chat["max_tokens"] for chat in server.chats if "I am Socialist" in chat["messages"][-1]["content"]}
        assert limits == {300}
        assert [chat["max_tokens"] for chat in server.chats].count(3000) == 10 - server.refused.total()
    assert stage.read("SELECT not_supported FROM run_model") == [("[]",)]
    sent = [json.loads(str(row[0]))["not_supported"] for row in stage.read("SELECT sent FROM response")]
    assert sent.count(["max_tokens up to 300 for this question"]) == server.refused.total() > 0


def test_that_a_server_that_always_wants_less_ends_in_gaps(stage: Scene) -> None:
    def less(chat: dict[str, Any]) -> tuple[int, str]:
        return 400, f"`max_tokens` must be less than or equal to `{chat['max_tokens'] - 1}`"

    with OpenAIServer(objects=less) as server:
        endpoint = replace(server_model(server.base_url, in_flight=1), decoding=Decoding(max_tokens=3000))
        run_id = stage.plan([endpoint], protocol=small_protocol())
        assert stage.open_audit.rounds.start(run_id).result(timeout=250) is not RunState.FINISHED
        assert server.http.received < 100
