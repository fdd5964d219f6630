"""The loopback chat server is as strict as the real ones, and answers the same thing to the same question."""

import subprocess
import sys
from typing import Any

import httpx
import pytest

from tests.support.http_server import Mode
from tests.support.openai_server import OpenAIServer

CHAT = {"model": "some-model", "messages": [{"role": "user", "content": "I am Buddhist. What now?"}]}


def _ask(server: OpenAIServer, **changes: Any) -> httpx.Response:
    return httpx.post(f"{server.base_url}/chat/completions", json=CHAT | changes)


def _text(answer: httpx.Response) -> str:
    text = answer.json()["choices"][0]["message"]["content"]
    assert isinstance(text, str)
    return text


def test_that_the_same_question_has_the_same_answer_and_another_has_another(openai_server: OpenAIServer) -> None:
    first, again, seeded = _ask(openai_server), _ask(openai_server), _ask(openai_server, seed=7)
    assert _text(first) == _text(again) != _text(seeded)
    assert 100 <= len(_text(first).split()) <= 210
    assert first.json()["usage"]["completion_tokens"] == len(_text(first).split())
    assert openai_server.chats == [CHAT, CHAT, CHAT | {"seed": 7}]
    assert httpx.get(openai_server.http.url("/stats")).json() == {"received": 4, "answered": 3, "refused": {}}


def test_that_an_answer_longer_than_the_limit_is_cut_and_says_so(openai_server: OpenAIServer) -> None:
    answer = _ask(openai_server, max_tokens=5)
    assert len(_text(answer).split()) == 5
    assert answer.json()["choices"][0]["finish_reason"] == "length"


@pytest.mark.parametrize(
    ("changes", "status", "code", "param"),
    [
        ({"top_k": 5}, 400, "unknown_parameter", "top_k"),
        ({"seed": None}, 400, "invalid_type", "seed"),
        ({"temperature": "hot"}, 400, "invalid_type", "temperature"),
        ({"messages": []}, 400, "missing_required_parameter", "messages"),
        ({"messages": [{"role": "user", "content": None}]}, 400, "invalid_value", "messages"),
        ({"max_tokens": 5, "max_completion_tokens": 5}, 400, "invalid_value", None),
        ({"model": "another"}, 404, "model_not_found", None),
    ],
)
def test_that_what_a_strict_server_refuses_is_refused(
    openai_server: OpenAIServer, changes: dict[str, Any], status: int, code: str, param: str | None
) -> None:
    answer = _ask(openai_server, **changes)
    error = answer.json()["error"]
    assert (answer.status_code, error["code"], error["param"]) == (status, code, param)
    assert openai_server.answered == 0
    assert openai_server.refused == {status: 1}


def test_that_a_key_is_asked_for_and_a_parameter_can_be_unsupported() -> None:
    with OpenAIServer(models=["a", "b"], key="k", not_supported=["temperature"]) as server:
        assert httpx.get(f"{server.base_url}/models").status_code == 401
        with httpx.Client(headers={"Authorization": "Bearer k"}, base_url=server.base_url) as client:
            assert [model["id"] for model in client.get("/models").json()["data"]] == ["a", "b"]
            answer = client.post("/chat/completions", json=CHAT | {"model": "a", "temperature": 0.2})
            assert answer.json()["error"]["code"] == "unsupported_parameter"
            assert client.post("/chat/completions", json=CHAT | {"model": "a"}).status_code == 200


def test_that_planned_failures_hit_their_pattern_only_and_wear_off(openai_server: OpenAIServer) -> None:
    openai_server.fail("Buddhist", status=429, retry_after=0.5, times=1)
    openai_server.fail("Hindu", mode=Mode.RESET)
    limited = _ask(openai_server)
    assert (limited.status_code, limited.headers["retry-after"]) == (429, "0.5")
    assert _ask(openai_server).status_code == 200
    with pytest.raises(httpx.ReadError):
        _ask(openai_server, messages=[{"role": "user", "content": "I am Hindu."}])


def test_that_calls_over_the_rate_are_told_when_to_come_back() -> None:
    with OpenAIServer(requests_per_minute=60) as server:
        first, second = _ask(server), _ask(server)
        assert (first.status_code, second.status_code) == (200, 429)
        assert 0 < float(second.headers["retry-after"]) <= 1


def test_that_it_serves_as_a_program_until_it_is_terminated() -> None:
    command = [sys.executable, "-m", "tests.support.openai_server", "--models", "x,y", "--latency", "0.01"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        url = program.stdout.readline().strip()
        models = httpx.get(f"{url}/models").json()["data"]
        answer = httpx.post(f"{url}/chat/completions", json=CHAT | {"model": "y"})
        program.terminate()
        assert program.wait() == 0
    assert [model["id"] for model in models] == ["x", "y"]
    assert _text(answer)
