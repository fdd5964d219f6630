"""Errors, odd bodies and torn connections: every provider makes the same outcome of them."""

import json
import tracemalloc

import pytest

from gpf_desktop.domain.models import Endpoint
from gpf_desktop.domain.protocol import Decoding
from gpf_desktop.domain.questions import Question
from gpf_desktop.domain.responses import Miss, Missing, Reply
from gpf_desktop.domain.retries import NoRetry, RateLimited, RetryDecision, Transient
from gpf_desktop.domain.wire import ANSWER_CAP
from gpf_desktop.engine.core.catalogue import providers
from tests.providers.rigs import ON_THE_WIRE, PROMPT, Rig, send_with
from tests.support import http_server as http
from tests.support.http_server import LoopbackServer
from tests.support.provider_servers import MODEL


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
        (429, "Insufficient balance", {}, NoRetry()),
        (429, "Your account is suspended, please check your plan and billing details.", {}, NoRetry()),
        (429, "You exceeded your current quota, please check your plan and billing details.", {}, RateLimited()),
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


def test_that_a_web_page_is_told_by_its_words_and_without_its_markup(rig: Rig) -> None:
    page = (
        "<!doctype html><html><head><title>Hotel Wi-Fi</title><script>x=1</script></head><body><h1>Log in</h1></body>"
    )
    told = []
    for body in (page, ""):
        outcome = rig.ask(http.Reply(body=body, headers={"Content-Type": "text/html"}))
        assert isinstance(outcome, Miss)
        told.append(outcome.detail)
    sentence = "It answers with a web page in place of an answer (HTTP status 200)"
    assert told == [f"{sentence}: Hotel Wi-Fi Log in", sentence]


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


def test_that_seven_megabytes_are_cut_and_marked(rig: Rig) -> None:
    outcome = rig.ask(rig.answered("rain " * 1_400_000))
    assert isinstance(outcome, Reply)
    assert outcome.truncated
    assert len(outcome.text) == 1_000_000
    assert "cut by this program" in outcome.finish


@pytest.mark.slow
def test_that_a_reply_over_the_cap_keeps_the_text_that_was_paid(rig: Rig) -> None:
    outcome = rig.ask(rig.answered("rain " * (ANSWER_CAP // 5 + 1000)))
    assert isinstance(outcome, Miss)
    assert outcome.reason is Missing.TOO_LARGE
    assert "larger than 8 MB" in outcome.detail
    assert outcome.text.startswith("rain rain")
    assert isinstance(outcome.retry, NoRetry)


@pytest.mark.parametrize(
    "body", [b"{}," * 500_000, b"1," * 500_000, b'"a",' * 200_000], ids=["objects", "numbers", "words"]
)
def test_that_an_answer_of_more_parts_than_any_is_not_taken_apart(rig: Rig, body: bytes) -> None:
    outcome = rig.ask(http.Reply(body=b"[" + body + b"1]"))
    assert isinstance(outcome, Miss)
    assert outcome.reason is Missing.TOO_LARGE
    assert "too large" in outcome.detail


def test_that_a_broken_answer_of_escapes_takes_a_few_times_its_size_in_memory(http_server: LoopbackServer) -> None:
    rig = Rig("openai-compatible", http_server)
    said = '"Rain\\", it said.\n' * 40_000
    reply = http.Reply(body=json.dumps(rig.dialect.answer(said + "x" * 2 * len(said))), mode=http.Mode.TRUNCATED)
    tracemalloc.start()
    outcome = rig.ask(reply)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert isinstance(outcome, Miss)
    assert outcome.reason is Missing.UNREADABLE
    assert outcome.text.startswith(said[:500_000])
    assert peak < 12 * len(reply.body)


@pytest.mark.parametrize(
    "stated", ["-5", "NaN", "inf", "-inf", "1e300", "Fri, 31 Dec 9999 23:59:59 -2359", "9" * 6000, "soon"]
)
def test_that_a_wait_that_cannot_be_is_not_believed(rig: Rig, stated: str) -> None:
    assert rig.fails(429, "wait", retry_after=stated).retry == RateLimited()
    assert rig.fails(429, "wait", retry_after_ms=stated).retry == RateLimited()
    assert rig.fails(429, f"try again in {'9' * 6000}m{stated}s").retry == RateLimited()


@pytest.mark.parametrize("delay", ["nans", "infs", "-5s", "1e300s"])
def test_that_google_s_delay_that_cannot_be_is_not_believed(delay: str, http_server: LoopbackServer) -> None:
    rig = Rig("gemini", http_server)
    body = [{"error": {"code": 429, "message": "wait", "details": [{"retryDelay": delay}]}}]
    outcome = rig.ask(http.Reply.of_json(body, status=429))
    assert isinstance(outcome, Miss)
    assert outcome.retry == RateLimited()


def test_that_tokens_beyond_belief_and_half_characters_can_be_stored(rig: Rig) -> None:
    body = (
        json.dumps(rig.dialect.answer("Yes."))
        .replace(" 11", f" {10**30}")
        .replace("chatcmpl-1", "\\ud800" + "x" * 5000)
    )
    outcome = rig.ask(http.Reply(body=body))
    assert isinstance(outcome, Reply), outcome
    assert outcome.usage.prompt is None
    assert len(outcome.request_id.encode("utf-8")) < 1000


@pytest.mark.parametrize(
    ("status", "code", "message"),
    [
        (400, "content_filter", "The response was filtered."),
        (400, "invalid_prompt", "Invalid prompt: it was not accepted."),
        (400, "content_policy_violation", "Your request was rejected."),
        (400, "PROHIBITED_CONTENT", "The prompt could not be used."),
        (400, "", "Output blocked by content filtering policy"),
        (400, "", "The request was blocked: PROHIBITED_CONTENT."),
        (403, "", "Your input was flagged for hate."),
        (422, "", "This violates our usage policies."),
    ],
)
def test_that_a_block_told_as_an_error_is_a_refusal(rig: Rig, status: int, code: str, message: str) -> None:
    if code and rig.provider.name == "ollama":
        pytest.skip("its errors have no codes")
    miss = rig.fails(status, message, code)
    assert (miss.reason, miss.status, miss.detail) == (Missing.REFUSED, status, message)
    assert isinstance(miss.retry, NoRetry)
    assert not miss.refused_parameter


@pytest.mark.parametrize(
    ("status", "message"),
    [
        (400, "Unsupported parameter: temperature"),
        (400, "The content is too long for this model's context."),
        (401, "This account was closed, it violated our usage policies."),
        (429, "Too much; see our usage policies."),
        (500, "The content filter is out of order: content filtering policy missing"),
    ],
)
def test_that_other_errors_stay_errors(rig: Rig, status: int, message: str) -> None:
    assert rig.fails(status, message).reason is Missing.HTTP_ERROR


def test_that_azure_s_block_is_known_by_its_inner_code(http_server: LoopbackServer) -> None:
    rig = Rig("openai-compatible", http_server)
    error = {"code": "bad", "message": "No.", "innererror": {"code": "ResponsibleAIPolicyViolation"}}
    outcome = rig.ask(http.Reply.of_json({"error": error}, status=400))
    assert isinstance(outcome, Miss)
    assert (outcome.reason, outcome.detail) == (Missing.REFUSED, "No.")


def test_that_a_broken_connection_keeps_the_text_that_came(rig: Rig) -> None:
    body = json.dumps(rig.dialect.answer("It is raining. " * 4000))
    outcome = rig.ask(http.Reply(body=body, mode=http.Mode.TRUNCATED))
    assert isinstance(outcome, Miss)
    assert outcome.reason is Missing.UNREADABLE
    assert outcome.text.startswith("It is raining. It is raining.")
    assert isinstance(outcome.retry, Transient)
