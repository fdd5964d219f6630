"""What only one API does."""

import dataclasses
import json
from typing import Any

import pytest

from gpf_desktop.domain.responses import Miss, Missing, Reply
from gpf_desktop.domain.retries import RateLimited, Transient
from tests.providers.rigs import Rig
from tests.support import http_server as http
from tests.support.http_server import LoopbackServer
from tests.support.provider_servers import AnthropicDialect


def test_that_anthropic_s_later_version_takes_a_bearer_and_no_sampling(http_server: LoopbackServer) -> None:
    later = Rig("anthropic", http_server, AnthropicDialect(version="2026-10-21"), api_version="2026-10-21")
    outcome = later.ask(later.answered("Yes."))
    assert isinstance(outcome, Reply), outcome
    assert outcome.not_supported == ("temperature", "top_p")
    assert not {"temperature", "top_p"} & outcome.sent.keys()


def test_that_of_two_that_exclude_each_other_the_second_goes(http_server: LoopbackServer) -> None:
    words = "`temperature` and `top_p` cannot both be specified for this model. Please use only one."
    assert Rig("anthropic", http_server).fails(400, words).refused_parameter == "top_p"


@pytest.mark.parametrize(
    ("name", "options", "where", "value"),
    [
        ("openai", {"reasoning_effort": "low"}, ("reasoning_effort",), "low"),
        ("openai-compatible", {"reasoning_effort": "low"}, ("reasoning_effort",), "low"),
        ("anthropic", {"effort": "low"}, ("output_config", "effort"), "low"),
        ("gemini", {"thinking_level": "low"}, ("generationConfig", "thinkingConfig", "thinkingLevel"), "low"),
        ("ollama", {"think": "off"}, ("think",), False),
        ("ollama", {"think": "high"}, ("think",), "high"),
        ("ollama", {"context": 8192}, ("options", "num_ctx"), 8192),
    ],
)
def test_that_thinking_effort_is_an_option(
    name: str, options: dict[str, object], where: tuple[str, ...], value: object, http_server: LoopbackServer
) -> None:
    rig = Rig(name, http_server, **options)
    outcome = rig.ask(rig.answered("Yes."))
    assert isinstance(outcome, Reply), outcome
    inner: Any = rig.body
    for step in where:
        inner = inner[step]
    assert inner == value


@pytest.mark.parametrize("name", ["openai", "openai-compatible", "anthropic", "gemini"])
def test_that_reasoning_tokens_are_counted_in_the_completion(name: str, http_server: LoopbackServer) -> None:
    rig = Rig(name, http_server)
    outcome = rig.ask(rig.answered("Yes.", thoughts=9))
    assert isinstance(outcome, Reply)
    assert (outcome.usage.completion, outcome.usage.reasoning) == (22, 9)


@pytest.mark.parametrize(
    ("name", "at", "told", "prompt"),
    [
        ("openai", "usage", {"prompt_tokens_details": {"cached_tokens": 8}}, 11),
        ("openai-compatible", "usage", {"prompt_cache_hit_tokens": 8, "prompt_cache_miss_tokens": 3}, 11),
        ("anthropic", "usage", {"cache_read_input_tokens": 8, "cache_creation_input_tokens": 2}, 21),
        ("gemini", "usageMetadata", {"cachedContentTokenCount": 8}, 11),
    ],
)
def test_that_tokens_from_the_cache_are_counted_as_a_part_of_the_prompt(
    name: str, at: str, told: dict[str, Any], prompt: int, http_server: LoopbackServer
) -> None:
    rig = Rig(name, http_server)
    body = rig.dialect.answer("Yes.")
    body[at] |= told
    outcome = rig.ask(http.Reply.of_json(body))
    assert (outcome.usage.prompt, outcome.usage.cached) == (prompt, 8)


def test_that_a_blocked_prompt_without_candidates_is_a_refusal(http_server: LoopbackServer) -> None:
    rig = Rig("gemini", http_server)
    blocked = {"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}, "usageMetadata": {"promptTokenCount": 11}}
    outcome = rig.ask(http.Reply.of_json(blocked))
    assert isinstance(outcome, Miss)
    assert outcome.reason is Missing.REFUSED
    assert "PROHIBITED_CONTENT" in outcome.detail


def test_that_gemini_s_retry_delay_is_honoured(http_server: LoopbackServer) -> None:
    rig = Rig("gemini", http_server)
    body = rig.dialect.error(429, "Quota exceeded.")
    body[0]["error"]["details"] = [{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "31s"}]
    outcome = rig.ask(http.Reply.of_json(body, status=429))
    assert isinstance(outcome, Miss)
    assert outcome.retry == RateLimited(after=31.0)


@pytest.mark.parametrize("name", ["openai", "openai-compatible"])
def test_that_a_content_filter_is_a_refusal_that_keeps_the_partial_text(name: str, http_server: LoopbackServer) -> None:
    rig = Rig(name, http_server)
    body = rig.dialect.answer("The river")
    body["choices"][0]["finish_reason"] = "content_filter"
    outcome = rig.ask(http.Reply.of_json(body))
    assert isinstance(outcome, Miss)
    assert (outcome.reason, outcome.text) == (Missing.REFUSED, "The river")


def test_that_missing_usage_breaks_nothing(rig: Rig) -> None:
    body = rig.dialect.answer("Yes.")
    for name in ("usage", "usageMetadata", "prompt_eval_count", "eval_count", "id", "responseId"):
        body.pop(name, None)
    outcome = rig.ask(http.Reply.of_json(body))
    assert isinstance(outcome, Reply), outcome
    assert outcome.usage.prompt is None


def test_that_an_answer_that_ended_for_an_unknown_reason_is_asked_again(rig: Rig) -> None:
    text = json.dumps(rig.dialect.answer("The council will"))
    for known in ('"stop"', '"end_turn"', '"STOP"'):
        text = text.replace(known, '"a_reason_of_next_year"')
    outcome = rig.ask(http.Reply(body=text))
    assert isinstance(outcome, Miss), outcome
    assert (outcome.retry, outcome.finish) == (Transient(), "a_reason_of_next_year")
    assert "a_reason_of_next_year" in outcome.detail
    assert outcome.text == "The council will", "what was paid for is kept"
    assert outcome.usage.completion


@pytest.mark.parametrize("address", ["", "/", "/chat/completions"])
def test_that_a_pasted_address_is_understood(address: str, http_server: LoopbackServer) -> None:
    rig = Rig("openai-compatible", http_server)
    rig.endpoint = dataclasses.replace(rig.endpoint, base_url=rig.endpoint.base_url + address)
    assert isinstance(rig.ask(rig.answered("Yes.")), Reply)


def test_that_parts_of_a_content_list_are_joined(http_server: LoopbackServer) -> None:
    rig = Rig("openai-compatible", http_server)
    body = rig.dialect.answer("")
    body["choices"][0]["message"]["content"] = [
        {"type": "thinking", "thinking": [{"type": "text", "text": "Hm."}]},
        {"type": "text", "text": "The river "},
        {"type": "text", "text": "rises."},
    ]
    outcome = rig.ask(http.Reply.of_json(body))
    assert isinstance(outcome, Reply)
    assert (outcome.text, outcome.reasoning) == ("The river rises.", "Hm.")


def test_that_a_stream_without_an_end_broke_off_and_is_asked_again(http_server: LoopbackServer) -> None:
    piece = 'data: {"choices": [{"delta": {"content": "The council will"}}]}\n\n'
    outcome = Rig("openai-compatible", http_server).ask(http.Reply(body=piece))
    assert isinstance(outcome, Miss)
    assert (outcome.reason, outcome.retry) == (Missing.UNREADABLE, Transient())
    assert "lost in the middle" in outcome.detail


def test_that_lines_without_an_end_broke_off_too(http_server: LoopbackServer) -> None:
    piece = '{"model": "x", "message": {"role": "assistant", "content": "The council"}, "done": false}\n'
    outcome = Rig("ollama", http_server).ask(http.Reply(body=2 * piece))
    assert isinstance(outcome, Miss)
    assert (outcome.reason, outcome.retry) == (Missing.UNREADABLE, Transient())
    assert "lost in the middle" in outcome.detail
