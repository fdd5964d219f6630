"""What every provider promises, asked of each against a loopback server that is strict about its API."""

import asyncio
import dataclasses
import json
from collections.abc import Sequence
from typing import Any

import pytest

from gpf_desktop.domain.cells import Prompt
from gpf_desktop.domain.errors import ProviderError
from gpf_desktop.domain.models import Endpoint, Secret
from gpf_desktop.domain.ports import Provider, Question
from gpf_desktop.domain.protocol import Decoding
from gpf_desktop.domain.responses import Miss, Missing, Outcome, Reply
from gpf_desktop.domain.retries import NoRetry, RateLimited, RetryDecision, Transient
from gpf_desktop.engine.catalogue import providers
from gpf_desktop.engine.sending import REPLY_CAP, Sender
from tests.support import http_server as http
from tests.support.http_server import LoopbackServer
from tests.support.provider_servers import DIALECTS, KEY, MODEL, AnthropicDialect, Dialect, serve, serve_models

ALL = sorted(providers())
ON_THE_WIRE = [name for name in ALL if not providers()[name].synthetic]
PROMPT = Prompt(system="Be brief.", user="I am Hindu. Why?\n\nNews article:\nRiver rises\nSlowly.")


class Rig:
    """One provider before a strict server."""

    def __init__(self, name: str, server: LoopbackServer, dialect: Dialect | None = None, **options: object) -> None:
        self.provider: Provider = providers()[name]
        self.dialect = dialect or DIALECTS[name]
        self.server = server
        self.endpoint = Endpoint(
            provider=name, model=MODEL, base_url=server.url(self.dialect.base_path), options=dict(options)
        )

    def question(self, decoding: Decoding | None = None, **further: Any) -> Question:
        given: dict[str, Any] = {"prompt": PROMPT, "seed": 17, **further}
        return Question(endpoint=self.endpoint, decoding=decoding or Decoding(), **given)

    def ask(
        self, reply: http.Reply | Sequence[http.Reply], question: Question | None = None, *, key: str = KEY
    ) -> Outcome:
        serve(self.server, self.dialect, reply, key=key)
        return send_with(self.provider, question or self.question(), key=key)

    def answered(self, text: str, **how: Any) -> http.Reply:
        return http.Reply.of_json(self.dialect.answer(text, **how))

    def fails(self, status: int, message: str, code: str = "", **headers: str) -> Miss:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        outcome = self.ask(http.Reply.of_json(self.dialect.error(status, message, code), status=status, headers=named))
        assert isinstance(outcome, Miss)
        return outcome

    @property
    def body(self) -> Any:
        """The last call's body."""
        return self.server.requests_for(self.dialect.call_path)[-1].json()


def send_with(provider: Provider, question: Question, *, key: str = KEY) -> Outcome:
    async def once() -> Outcome:
        sender = Sender()
        try:
            return await provider.ask(question, Secret(key) if key else None, sender.sending(20.0))
        finally:
            await sender.aclose()

    return asyncio.run(once())


def list_with(rig: Rig, *, key: str = KEY) -> Sequence[str]:
    async def once() -> Sequence[str]:
        sender = Sender()
        try:
            return await rig.provider.list_models(rig.endpoint, Secret(key) if key else None, sender.sending(20.0))
        finally:
            await sender.aclose()

    return asyncio.run(once())


@pytest.fixture(params=ON_THE_WIRE)
def rig(request: pytest.FixtureRequest, http_server: LoopbackServer) -> Rig:
    return Rig(request.param, http_server)


@pytest.mark.parametrize("name", ALL)
def test_that_every_provider_says_what_the_port_asks(name: str) -> None:
    provider = providers()[name]
    assert provider.name == name
    assert provider.version
    assert provider.title
    assert provider.needs_key <= bool(provider.key_url)
    assert provider.parameters <= {entry.name for entry in dataclasses.fields(Decoding)}
    defaults = provider.options()
    assert all(entry.metadata.get("help") for entry in dataclasses.fields(defaults))


def test_that_every_provider_on_the_wire_is_tested_against_its_own_api() -> None:
    assert set(ON_THE_WIRE) <= set(DIALECTS)


def test_that_a_question_is_asked_to_the_letter_and_its_answer_kept(rig: Rig) -> None:
    outcome = rig.ask(rig.answered("The river rises."))
    assert isinstance(outcome, Reply), outcome
    assert outcome.text == "The river rises."
    assert not outcome.truncated
    assert outcome.usage.prompt == 11
    assert outcome.usage.completion == 22
    assert outcome.finish
    assert outcome.not_supported == ()


def test_that_decoding_is_sent_and_recorded_by_the_api_s_own_names(rig: Rig) -> None:
    outcome = rig.ask(rig.answered("Yes."), rig.question(Decoding(temperature=0.2, top_p=0.9, max_tokens=77)))
    assert isinstance(outcome, Reply)
    values = {"temperature": 0.2, "top_p": 0.9, "max_tokens": 77, "seed": 17}
    sent = json.dumps(rig.body)
    for ours, wire in rig.dialect.parameters.items():
        assert outcome.sent[wire] == values[ours]
        assert f'"{wire}": {values[ours]}' in sent
    assert outcome.sent["model"] == MODEL
    assert "River" not in str(outcome.sent)


def test_that_nothing_unset_is_sent(rig: Rig) -> None:
    nothing = Decoding(temperature=None, top_p=None, max_tokens=None, seed=False)
    question = rig.question(nothing, seed=None, prompt=Prompt(system="", user="Why?"))
    outcome = rig.ask(rig.answered("Yes."), question)
    assert isinstance(outcome, Reply), outcome
    body = json.dumps(rig.body)
    assert "Be brief" not in body
    assert not any(f'"{wire}"' in body for wire in rig.dialect.parameters.values())
    assert not {"options", "generationConfig", "system", "systemInstruction"} & rig.body.keys()


@pytest.mark.parametrize(
    ("name", "parameter"), [(name, parameter) for name in ON_THE_WIRE for parameter in DIALECTS[name].parameters]
)
def test_that_a_refused_parameter_is_named_then_left_out_and_recorded(
    name: str, parameter: str, http_server: LoopbackServer
) -> None:
    rig = Rig(name, http_server)
    wire = rig.dialect.parameters[parameter]
    refusal = f"Unsupported parameter: '{wire}' is not supported with this model."
    refused = rig.fails(400, refusal)
    assert refused.refused_parameter == parameter
    assert isinstance(refused.retry, NoRetry)
    outcome = rig.ask(rig.answered("Yes."), rig.question(not_supported=frozenset({parameter})))
    assert isinstance(outcome, Reply)
    assert outcome.not_supported == (parameter,)
    assert wire not in outcome.sent
    assert f'"{wire}"' not in json.dumps(rig.body)


def test_that_a_refused_value_names_its_parameter(rig: Rig) -> None:
    words = "`temperature` must be 1 for this model: only the default value is accepted."
    assert rig.fails(400, words).refused_parameter == "temperature"


def test_that_an_ordinary_complaint_names_no_parameter(rig: Rig) -> None:
    assert rig.fails(400, "Your prompt is against the rules.").refused_parameter == ""


def test_that_a_long_prompt_is_no_refused_parameter(rig: Rig) -> None:
    limit = rig.dialect.parameters.get("max_tokens", "max_tokens")
    words = f"The context is too long: lower {limit}; the value is not supported."
    miss = rig.fails(400, words, "context_length_exceeded")
    assert isinstance(miss.retry, NoRetry)


def test_that_the_key_travels_in_a_header_alone(rig: Rig) -> None:
    rig.ask(rig.answered("Yes."))
    request = rig.server.requests[-1]
    assert KEY not in request.path
    assert KEY not in str(request.query)
    assert KEY.encode() not in request.body


def test_that_without_a_key_none_is_sent(rig: Rig) -> None:
    outcome = rig.ask(rig.answered("Yes."), key="")
    assert isinstance(outcome, Reply), outcome
    assert not {"authorization", "x-api-key", "x-goog-api-key"} & rig.server.requests[-1].headers.keys()


def test_that_an_echoed_key_is_removed_from_the_details(rig: Rig) -> None:
    miss = rig.fails(401, f"Incorrect API key provided: {KEY}. Header 'Authorization: Bearer {KEY}'\r\n\x1b[31m")
    assert KEY not in miss.detail
    assert miss.detail.isprintable()
    assert miss.status == 401
    assert isinstance(miss.retry, NoRetry)


def test_that_an_answer_cut_at_its_limit_is_kept_and_marked(rig: Rig) -> None:
    outcome = rig.ask(rig.answered("The river", finish="length"))
    assert isinstance(outcome, Reply)
    assert outcome.truncated
    assert outcome.text == "The river"


@pytest.mark.parametrize("name", [name for name in ON_THE_WIRE if name != "ollama"])
def test_that_a_refusal_is_a_reason_and_its_words_are_kept(name: str, http_server: LoopbackServer) -> None:
    rig = Rig(name, http_server)
    outcome = rig.ask(rig.answered("I would rather not.", finish="refused"))
    assert isinstance(outcome, Miss)
    assert outcome.reason is Missing.REFUSED
    assert outcome.text == "I would rather not."
    assert outcome.usage.completion == 22
    assert isinstance(outcome.retry, NoRetry)


def test_that_an_empty_answer_is_a_reason_and_is_paid_for(rig: Rig) -> None:
    outcome = rig.ask(rig.answered(""))
    assert isinstance(outcome, Miss)
    assert outcome.reason is Missing.EMPTY
    assert outcome.usage.prompt == 11


def test_that_reasoning_is_kept_apart(rig: Rig) -> None:
    outcome = rig.ask(rig.answered("Yes.", reasoning="Let me see."))
    assert isinstance(outcome, Reply)
    assert (outcome.text, outcome.reasoning) == ("Yes.", "Let me see.")


def test_that_thinking_in_the_text_is_kept_apart(rig: Rig) -> None:
    outcome = rig.ask(rig.answered("<think>\nLet me see.\n</think>\n\nYes."))
    assert isinstance(outcome, Reply)
    assert (outcome.text, outcome.reasoning) == ("Yes.", "Let me see.")


@pytest.mark.parametrize("text", ["<think>I wonder", ""])
def test_that_reasoning_alone_is_no_answer(rig: Rig, text: str) -> None:
    outcome = rig.ask(rig.answered(text, reasoning="" if text else "I wonder", finish="length"))
    assert isinstance(outcome, Miss)
    assert outcome.reason is Missing.REASONING_ONLY
    assert outcome.reasoning == "I wonder"


@pytest.mark.parametrize(
    ("status", "message", "headers", "expected"),
    [
        (400, "bad", {}, NoRetry()),
        (401, "bad key", {}, NoRetry()),
        (402, "pay first", {}, NoRetry()),
        (403, "forbidden", {}, NoRetry()),
        (404, "no such model", {}, NoRetry()),
        (408, "slow", {}, Transient()),
        (409, "conflict", {}, Transient()),
        (413, "too large", {}, NoRetry()),
        (422, "odd", {}, NoRetry()),
        (429, "slow down", {}, RateLimited()),
        (429, "slow down", {"retry_after": "7"}, RateLimited(after=7.0)),
        (429, "slow down", {"retry_after_ms": "1500", "retry_after": "7"}, RateLimited(after=1.5)),
        (429, "Please retry in 12.5s.", {}, RateLimited(after=12.5)),
        (429, "Please try again in 200ms.", {}, RateLimited(after=0.2)),
        (429, "Your credit balance is too low.", {}, NoRetry()),
        (500, "oops", {}, Transient()),
        (502, "oops", {}, Transient()),
        (503, "server busy, please try again", {}, RateLimited()),
        (503, "maintenance", {}, Transient()),
        (503, "maintenance", {"retry_after": "3"}, RateLimited(after=3.0)),
        (529, "Overloaded", {}, Transient()),
    ],
)
def test_that_each_status_has_its_retry_rule(
    rig: Rig, status: int, message: str, headers: dict[str, str], expected: RetryDecision
) -> None:
    miss = rig.fails(status, message, **headers)
    assert miss.reason is Missing.HTTP_ERROR
    assert miss.status == status
    assert miss.retry == expected
    assert miss.detail == message


def test_that_retry_after_may_be_a_date(rig: Rig) -> None:
    miss = rig.fails(429, "wait", retry_after="Fri, 20 Nov 2026 12:01:30 GMT", date="Fri, 20 Nov 2026 12:00:00 GMT")
    assert miss.retry == RateLimited(after=90.0)


def test_that_no_credit_is_not_asked_again(http_server: LoopbackServer) -> None:
    for name in ("openai", "openai-compatible"):
        miss = Rig(name, http_server).fails(429, "You exceeded your current quota.", "insufficient_quota")
        assert isinstance(miss.retry, NoRetry)


ODD_BODIES = {
    "a web page": http.Reply(body="<!DOCTYPE html><h1>Sign in</h1>", headers={"Content-Type": "text/html"}),
    "nothing": http.Reply(body=""),
    "an empty object": http.Reply.of_json({}),
    "a list": http.Reply.of_json([]),
    "a number": http.Reply.of_json(7),
    "null": http.Reply.of_json(None),
    "cut JSON": http.Reply(body='{"choices": [{"mess'),
    "deep nesting": http.Reply(body="[" * 200_000),
    "not UTF-8": http.Reply(body=b"\xff\xfe\x00{"),
    "wrong types": http.Reply.of_json(
        {"choices": "none", "content": 3, "candidates": {}, "message": [], "error": None, "usage": []}
    ),
    "nulls inside": http.Reply.of_json(
        {
            "choices": [{"message": None, "finish_reason": None}],
            "content": [None],
            "candidates": [None],
            "message": None,
            "usage": None,
        }
    ),
    "no choices": http.Reply.of_json({"choices": [], "content": [], "candidates": [], "message": {}}),
}


@pytest.mark.parametrize("kind", ODD_BODIES)
@pytest.mark.parametrize("name", ON_THE_WIRE)
def test_that_an_odd_body_is_a_miss_with_a_sentence(name: str, kind: str, http_server: LoopbackServer) -> None:
    http_server.route("/*", ODD_BODIES[kind])
    endpoint = Endpoint(provider=name, model=MODEL, base_url=http_server.url())
    question = Question(prompt=PROMPT, endpoint=endpoint, decoding=Decoding(), seed=1)
    outcome = send_with(providers()[name], question)
    assert isinstance(outcome, Miss), outcome
    assert outcome.reason in {Missing.UNREADABLE, Missing.EMPTY}
    assert isinstance(outcome.retry, NoRetry)
    assert outcome.detail
    assert outcome.sent["model"] == MODEL


def test_that_an_error_under_200_is_an_error(rig: Rig) -> None:
    outcome = rig.ask(http.Reply.of_json(rig.dialect.error(200, "the model crashed")))
    assert isinstance(outcome, Miss)
    assert outcome.reason is Missing.HTTP_ERROR
    assert outcome.detail == "the model crashed"


def test_that_a_web_page_under_an_error_keeps_its_status(rig: Rig) -> None:
    outcome = rig.ask(http.Reply(status=502, body="<html>Bad gateway</html>", headers={"Content-Type": "text/html"}))
    assert isinstance(outcome, Miss)
    assert (outcome.reason, outcome.status) == (Missing.HTTP_ERROR, 502)
    assert isinstance(outcome.retry, Transient)


def test_that_the_content_type_does_not_matter_for_a_good_answer(rig: Rig) -> None:
    reply = rig.answered("Yes.")
    outcome = rig.ask(http.Reply(body=reply.body, headers={"Content-Type": "text/plain"}))
    assert isinstance(outcome, Reply)


def test_that_a_redirect_is_not_followed_and_the_key_stays(rig: Rig) -> None:
    with LoopbackServer() as other:
        other.route("/*", rig.answered("stolen"))
        outcome = rig.ask(http.Reply(status=307, headers={"Location": other.url("/elsewhere")}))
        assert other.requests == []
    assert isinstance(outcome, Miss)
    assert (outcome.reason, outcome.status) == (Missing.HTTP_ERROR, 307)
    assert isinstance(outcome.retry, NoRetry)


def test_that_odd_characters_stay_harmless_text(rig: Rig) -> None:
    outcome = rig.ask(rig.answered("a\ud800b\x00c \u202egnp\u202c 😀"))
    assert isinstance(outcome, Reply)
    assert outcome.text == "a\ufffdb\ufffdc \u202egnp\u202c 😀"
    outcome.text.encode("utf-8")


def test_that_ten_megabytes_are_cut_and_marked(rig: Rig) -> None:
    outcome = rig.ask(rig.answered("rain " * 2_000_000))
    assert isinstance(outcome, Reply)
    assert outcome.truncated
    assert len(outcome.text) == 1_000_000
    assert "cut by this program" in outcome.finish


def test_that_a_reply_over_the_cap_keeps_the_text_that_was_paid(rig: Rig) -> None:
    outcome = rig.ask(rig.answered("rain " * (REPLY_CAP // 5 + 1000)))
    assert isinstance(outcome, Miss)
    assert outcome.reason is Missing.UNREADABLE
    assert outcome.text.startswith("rain rain")
    assert isinstance(outcome.retry, NoRetry)


def test_that_a_broken_connection_keeps_the_text_that_came(rig: Rig) -> None:
    body = json.dumps(rig.dialect.answer("It is raining. " * 4000))
    outcome = rig.ask(http.Reply(body=body, mode=http.Mode.TRUNCATED))
    assert isinstance(outcome, Miss)
    assert outcome.reason is Missing.UNREADABLE
    assert outcome.text.startswith("It is raining. It is raining.")
    assert isinstance(outcome.retry, Transient)


def test_that_an_unreachable_server_is_a_miss(rig: Rig) -> None:
    question = rig.question()
    rig.server.close()
    outcome = send_with(rig.provider, question)
    assert isinstance(outcome, Miss)
    assert outcome.reason is Missing.UNREACHABLE
    assert outcome.sent["model"] == MODEL


def test_that_models_are_listed_over_all_pages(rig: Rig) -> None:
    serve_models(rig.server, rig.dialect, ["b", "a", "d", "c"])
    assert list(list_with(rig)) == ["a", "b", "c", "d"]


def test_that_a_refused_list_is_a_sentence_without_the_key(rig: Rig) -> None:
    wrong = http.Reply.of_json(rig.dialect.error(401, f"Incorrect API key: {KEY}"), status=401)
    rig.server.route(rig.dialect.models_path, wrong)
    with pytest.raises(ProviderError, match="refuses this key") as caught:
        list_with(rig)
    assert KEY not in str(caught.value)
    assert caught.value.remedy


def test_that_a_list_that_is_none_is_a_sentence(rig: Rig) -> None:
    rig.server.route(rig.dialect.models_path, http.Reply(body="<html>"))
    with pytest.raises(ProviderError, match="web page"):
        list_with(rig)


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


def test_that_unknown_reasons_and_missing_usage_break_nothing(rig: Rig) -> None:
    body = rig.dialect.answer("Yes.")
    for name in ("usage", "usageMetadata", "prompt_eval_count", "eval_count", "id", "responseId"):
        body.pop(name, None)
    text = json.dumps(body)
    for known in ('"stop"', '"end_turn"', '"STOP"'):
        text = text.replace(known, '"a_reason_of_next_year"')
    outcome = rig.ask(http.Reply(body=text))
    assert isinstance(outcome, Reply), outcome
    assert outcome.finish == "a_reason_of_next_year"
    assert outcome.usage.prompt is None


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
