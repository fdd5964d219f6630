"""What a refusal teaches is done from then on: less of a parameter, another name, the system text moved."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from gpf_desktop.domain.adjustments import limited, most_of, name_of, renamed, tidied
from gpf_desktop.domain.cells import Prompt
from gpf_desktop.domain.models import Endpoint
from gpf_desktop.domain.protocol import Decoding
from gpf_desktop.domain.questions import Question
from gpf_desktop.domain.responses import Miss, Outcome, Reply
from gpf_desktop.domain.wire import WireReply, WireRequest
from gpf_desktop.engine.core import catalogue

GOOD = {
    "openai-compatible": b'{"choices": [{"message": {"content": "Yes."}, "finish_reason": "stop"}]}',
    "openai": b'{"choices": [{"message": {"content": "Yes."}, "finish_reason": "stop"}]}',
    "anthropic": b'{"content": [{"type": "text", "text": "Yes."}], "stop_reason": "end_turn"}',
    "gemini": b'{"candidates": [{"content": {"parts": [{"text": "Yes."}]}, "finishReason": "STOP"}]}',
    "ollama": b'{"message": {"content": "Yes."}, "done": true, "done_reason": "stop"}',
}

VLLM = (
    "'max_tokens' or 'max_completion_tokens' is too large: 3000. This model's maximum context length is 4096 tokens and"
    " your request has 1301 input tokens (3000 > 4096 - 1301)."
)
TOO_LONG = (
    "This model's maximum context length is 4096 tokens. However, you requested 4301 tokens (1301 in the messages, 3000"
    " in the completion). Please reduce the length of the messages or completion."
)


def question(provider: str, *adjusted: str, most: int | None = 3000, system: str = "Be brief.") -> Question:
    return Question(
        prompt=Prompt(system=system, user="Why?"),
        endpoint=Endpoint(provider=provider, model="m", base_url="http://127.0.0.1:9"),
        decoding=Decoding(temperature=0.2, top_p=None, max_tokens=most),
        seed=7,
        not_supported=frozenset(adjusted),
    )


def asked(of: Question, status: int, body: bytes) -> tuple[Outcome, dict[str, Any]]:
    """What a provider makes of a reply, and the body that it had sent."""
    sent: list[WireRequest] = []

    async def send(request: WireRequest) -> WireReply | Miss:
        sent.append(request)
        return WireReply(status=status, headers={"content-type": "application/json"}, body=body)

    outcome = asyncio.run(catalogue.provider(of.endpoint.provider).ask(of, None, send))
    assert sent[0].json is not None
    return outcome, dict(sent[0].json)


def error(message: str, **further: str) -> bytes:
    told = ", ".join(f'"{name}": "{value}"' for name, value in further.items())
    text = message.replace("\\", "\\\\").replace('"', '\\"')
    return f'{{"error": {{"message": "{text}"{", " if told else ""}{told}}}}}'.encode()


@pytest.mark.parametrize(
    ("message", "learns"),
    [
        (
            "Unsupported parameter: 'max_tokens' is not supported here. Use 'max_completion_tokens' instead.",
            "max_tokens as max_completion_tokens",
        ),
        ("`max_tokens` is deprecated, use max_output_tokens", "max_tokens as max_output_tokens"),
        ("Unknown field max_tokens. Did you mean `max_new_tokens`?", "max_tokens as max_new_tokens"),
        ("Unrecognized request argument: max_tokens", "max_tokens"),
        ("`max_tokens` must be less than or equal to `2048`", "max_tokens up to 2048"),
        ("max_tokens must be ≤ 2048", "max_tokens up to 2048"),
        ("max_tokens should be <= 2,048", "max_tokens up to 2048"),
        ("max_tokens must be less than 2049", "max_tokens up to 2048"),
        ("Invalid max_tokens value, the valid range of max_tokens is [1, 2048]", "max_tokens up to 2048"),
        ("max_tokens must be between 1 and 2048, got 3000", "max_tokens up to 2048"),
        ("max_tokens is too large: 3000. This model supports at most 2048 completion tokens", "max_tokens up to 2048"),
        ("max_tokens: 3000 > 2048, which is the maximum allowed number of output tokens", "max_tokens up to 2048"),
        (VLLM, "max_tokens up to 2795"),
        ("max_tokens is too large (3000 > 4096 − 1301)", "max_tokens up to 2795"),
        (TOO_LONG, "max_tokens up to 2795"),
        (VLLM.replace("1301", "3796"), "max_tokens up to 300 for this question"),
        # No limit that fits: the question itself is too long.
        (
            "This model's maximum context length is 4096 tokens. However, your messages resulted in 5301 tokens.",
            "",
        ),
        ("Only the default (1) value of temperature is supported.", "temperature"),
        ("temperature: must be less than or equal to 1", "temperature"),
        ("System role not supported", "system as user"),
        ("This model does not support system messages", "system as user"),
        ("Conversation roles must alternate user/assistant/user/assistant/...", "system as user"),
        ("Something else went wrong", ""),
    ],
)
@pytest.mark.parametrize("status", [400, 422, 500])
def test_that_an_error_teaches_what_it_says(message: str, learns: str, status: int) -> None:
    outcome, _ = asked(question("openai-compatible"), status, error(message))
    assert isinstance(outcome, Miss)
    assert outcome.refused_parameter == learns


@pytest.mark.parametrize("provider", sorted(GOOD))
def test_that_a_smaller_limit_is_sent_from_then_on_and_told(provider: str) -> None:
    outcome, body = asked(question(provider, "max_tokens up to 2048"), 200, GOOD[provider])
    assert isinstance(outcome, Reply)
    places = (body, body.get("options", {}), body.get("generationConfig", {}))
    assert 2048 in [value for place in places for value in place.values()]
    assert outcome.not_supported == ("max_tokens up to 2048",)


def test_that_a_smaller_limit_than_is_asked_for_changes_nothing() -> None:
    _, body = asked(question("openai-compatible", "max_tokens up to 2048", most=100), 200, GOOD["openai-compatible"])
    assert body["max_tokens"] == 100


def test_that_a_renamed_limit_keeps_its_value() -> None:
    adjusted = ("max_tokens as max_completion_tokens", "max_tokens up to 2048")
    outcome, body = asked(question("openai-compatible", *adjusted), 200, GOOD["openai-compatible"])
    assert isinstance(outcome, Reply)
    assert body["max_completion_tokens"] == 2048
    assert "max_tokens" not in body
    assert outcome.sent["max_completion_tokens"] == 2048
    assert set(outcome.not_supported) == set(adjusted)


@pytest.mark.parametrize("provider", sorted(GOOD))
def test_that_a_system_text_that_is_refused_stands_at_the_head_of_the_users(provider: str) -> None:
    outcome, body = asked(question(provider, "system as user"), 200, GOOD[provider])
    assert isinstance(outcome, Reply)
    assert outcome.not_supported == ("system as user",)
    texts = str(body)
    assert "Be brief.\\n\\nWhy?" in texts
    assert "system" not in texts.lower().replace("system as user", "")


@pytest.mark.parametrize("provider", sorted(GOOD))
def test_that_without_a_system_text_none_is_moved(provider: str) -> None:
    outcome, _ = asked(question(provider, "system as user", system=""), 200, GOOD[provider])
    assert outcome.not_supported == ()


def test_that_gemini_says_that_a_model_takes_no_system_text() -> None:
    body = b'{"error": {"code": 400, "message": "Developer instruction is not enabled for models/gemma"}}'
    outcome, _ = asked(question("gemini"), 400, body)
    assert isinstance(outcome, Miss)
    assert outcome.refused_parameter == "system as user"


def test_that_an_api_that_takes_no_call_without_a_limit_is_never_asked_without() -> None:
    outcome, _ = asked(question("anthropic"), 400, error("max_tokens: unexpected value"))
    assert isinstance(outcome, Miss)
    assert outcome.refused_parameter == ""
    _, body = asked(replace(question("anthropic"), not_supported=frozenset({"max_tokens"})), 200, GOOD["anthropic"])
    assert body["max_tokens"] == 3000


@pytest.fixture
def entries() -> set[str]:
    return {"seed", limited("max_tokens", 4096), limited("max_tokens", 2048), renamed("max_tokens", "limit")}


def test_that_entries_are_read_back(entries: set[str]) -> None:
    assert most_of("max_tokens", entries) == 2048
    assert name_of("max_tokens", "max_tokens", entries) == "limit"
    assert most_of("seed", entries) is None
    assert name_of("seed", "seed", entries) == "seed"
    assert tidied(entries) == ["max_tokens as limit", "max_tokens up to 2048", "seed"]
