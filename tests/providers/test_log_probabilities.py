"""Log-probabilities of letters in the two shapes that servers have, and what they leave as it was."""

from typing import Any

import pytest

from gpf_desktop.domain.responses import LetterToken, Miss, Reply, Usage
from tests.providers.rigs import Rig
from tests.support import http_server as http
from tests.support.http_server import LoopbackServer

ENTRIES = [
    {"token": "**", "logprob": -0.1, "bytes": [42, 42], "top_logprobs": [{"token": "**", "logprob": -0.1}]},
    {
        "token": "B",
        "logprob": -0.25,
        "bytes": [66],
        "top_logprobs": [
            {"token": "B", "logprob": -0.25, "bytes": [66]},
            {"token": " A", "logprob": -1.5, "bytes": [32, 65]},
            {"token": "The", "logprob": -7.0, "bytes": [84, 104, 101]},
            {"token": "C", "logprob": "none"},
        ],
    },
    {"token": "**", "logprob": 0.0},
    "no entry",
]


@pytest.fixture(params=["openai", "openai-compatible", "ollama"])
def rig(request: pytest.FixtureRequest, http_server: LoopbackServer) -> Rig:
    return Rig(request.param, http_server)


def with_entries(rig: Rig, entries: object) -> dict[str, Any]:
    body = dict(rig.dialect.answer("**B**"))
    if rig.provider.name == "ollama":
        return {**body, "logprobs": entries}
    return {**body, "choices": [{**body["choices"][0], "logprobs": {"content": entries}}]}


def test_that_letters_come_with_what_could_have_stood_there_and_tokens_are_counted_as_before(rig: Rig) -> None:
    outcome = rig.ask(http.Reply.of_json(with_entries(rig, ENTRIES)), rig.question(top_logprobs=5))
    assert (rig.body["logprobs"], rig.body["top_logprobs"]) == (True, 5)
    assert isinstance(outcome, Reply)
    assert outcome.letters == (LetterToken(at=1, token="B", top={"B": -0.25, " A": -1.5}),)
    assert outcome.sent["top_logprobs"] == 5
    plain = rig.ask(http.Reply.of_json(rig.dialect.answer("**B**")))
    assert not {"logprobs", "top_logprobs"} & set(rig.body)
    assert isinstance(plain, Reply)
    assert plain.letters is None
    assert outcome.usage == plain.usage == Usage(prompt=11, completion=22, reasoning=plain.usage.reasoning)


@pytest.mark.parametrize("named", ["logprobs", "top_logprobs"])
def test_that_a_server_that_refuses_one_of_the_parameters_is_sent_neither(rig: Rig, named: str) -> None:
    refuses = http.Reply.of_json(rig.dialect.error(400, f"'{named}' is not supported with this model."), status=400)
    outcome = rig.ask(refuses, rig.question(top_logprobs=5))
    assert isinstance(outcome, Miss)
    assert outcome.refused_parameter == named
    again = rig.question(top_logprobs=5, not_supported=frozenset({named}))
    answered = rig.ask(http.Reply.of_json(rig.dialect.answer("B")), again)
    assert isinstance(answered, Reply)
    assert set(answered.not_supported) == {"logprobs", "top_logprobs"}


def test_that_a_long_answer_with_every_token_s_probabilities_is_read(rig: Rig) -> None:
    entries = [{**ENTRIES[1], "top_logprobs": ENTRIES[1]["top_logprobs"] * 5} for _ in range(1000)]  # type: ignore[dict-item,index]
    outcome = rig.ask(http.Reply.of_json(with_entries(rig, entries)), rig.question(top_logprobs=20))
    assert isinstance(outcome, Reply)
    assert outcome.letters == ()
