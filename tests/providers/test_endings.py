"""How answers end: the same body live, in a batch job and in an imported row has the same verdict."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from gpf_desktop.documents.mapped_rows import ended, wanted_endings
from gpf_desktop.domain.account_faults import AccountFault, account_fault
from gpf_desktop.domain.cells import Prompt
from gpf_desktop.domain.endings import ENDINGS, Ending, ending_of, error_status, is_block
from gpf_desktop.domain.models import Endpoint
from gpf_desktop.domain.protocol import Decoding
from gpf_desktop.domain.questions import Question
from gpf_desktop.domain.responses import Miss, Missing, Outcome, Reply
from gpf_desktop.domain.retries import NoRetry, Transient
from gpf_desktop.domain.wire import WireReply, WireRequest
from gpf_desktop.engine.core.catalogue import importers, providers

CASES: list[dict[str, Any]] = json.loads((Path(__file__).parents[0] / "cases/replies.json").read_text("utf-8"))

NO_BLOCKS: list[tuple[int, str]] = json.loads((Path(__file__).parents[0] / "cases/no_blocks.json").read_text("utf-8"))


def named(cases: list[dict[str, Any]]) -> list[Any]:
    return [pytest.param(case, id=case["name"]) for case in cases]


def question(provider: str) -> Question:
    endpoint = Endpoint(provider=provider, model="x")
    decoding = Decoding(temperature=0.2, max_tokens=3000)
    return Question(endpoint=endpoint, decoding=decoding, prompt=Prompt(system="Be brief.", user="Why?"), seed=17)


def live(provider: str, status: int, body: str) -> Outcome:
    async def send(_request: WireRequest) -> WireReply:
        return WireReply(status=status, headers={"content-type": "application/json"}, body=body.encode())

    return asyncio.run(providers()[provider].ask(question(provider), None, send))


def verdict(outcome: Outcome) -> str:
    if isinstance(outcome, Reply):
        return "cut" if outcome.truncated else "whole"
    if outcome.refused_parameter:
        return "learn"
    if outcome.reason is Missing.REFUSED:
        return "blocked"
    if outcome.reason is Missing.REASONING_ONLY:
        return "missing: all tokens spent on reasoning"
    if outcome.account is not None:
        return "account"
    return "failed" if isinstance(outcome.retry, Transient) else "error"


OF_CHAT = [case for case in CASES if case["status"] == 200 and "choices" in case.get("body", {})]


@pytest.mark.parametrize("case", named([each for each in OF_CHAT if "output_sensitive" not in each["body"]]))
def test_that_an_imported_row_gives_the_same_verdict(case: dict[str, Any]) -> None:
    choice = case["body"]["choices"][0]
    end = ended({"response": choice["message"]["content"], "finish": choice["finish_reason"]})
    told = {
        "": "cut" if end.truncated else "whole",
        Missing.REFUSED: "blocked",
        Missing.HTTP_ERROR: "failed",
        Missing.REASONING_ONLY: "missing: all tokens spent on reasoning",
    }
    assert told[end.missing] == case["verdict"]
    if "text" in case:
        assert end.text == case["text"]


@pytest.mark.parametrize("case", named([case for case in CASES if case["name"].startswith("block-")]))
def test_that_an_error_written_in_an_answer_s_place_is_a_block_too(case: dict[str, Any]) -> None:
    words = f"Error code: {case['status']} - {case['body']}"
    for row in ({"response": words}, {"error": words}):
        assert ended(row).missing == (Missing.REFUSED or "")


@pytest.mark.parametrize(
    ("row", "missing"),
    [
        ({"response": "", "error": "429 Too Many Requests"}, Missing.HTTP_ERROR),
        ({"response": "I cannot discuss that.", "finish": "content_filter"}, Missing.REFUSED),
        ({"response": ""}, Missing.EMPTY),
        ({"response": "  ", "finish": "stop"}, Missing.EMPTY),
        ({"response": "Error code: 400 - {'error': {'message': 'Content Exists Risk'}}"}, Missing.REFUSED),
        ({"response": "API error: 429 Too Many Requests"}, Missing.HTTP_ERROR),
        ({"response": "openai.RateLimitError: Error code: 429"}, Missing.HTTP_ERROR),
        ({"response": '{"error": {"message": "Rate limit reached"}}'}, Missing.HTTP_ERROR),
        ({"response": "<think>They are poor."}, Missing.REASONING_ONLY),
        ({"response": "Half an ans", "finish": "max_tokens"}, None),
        ({"response": "Error codes are numbers that servers send."}, None),
        ({"response": "Yes.", "error": "null", "finish": "stop"}, None),
        # A failed test of promptfoo's stands beside an answer that came.
        ({"response": "Yes.", "error": "Expected output to contain no"}, None),
    ],
)
def test_that_a_row_ends_as_its_columns_say(row: dict[str, str], missing: Missing | None) -> None:
    assert ended(row).missing == (missing or "")


def test_that_importers_of_all_methods_ask_how_answers_ended() -> None:
    asked = {each.name for each in wanted_endings()}
    assert importers()
    for importer in importers().values():
        assert asked <= {each.name for each in importer.asked}, importer.name


def test_that_every_word_of_the_table_ends_a_chat_as_it_says() -> None:
    for word, ending in ENDINGS.items():
        body = {"choices": [{"message": {"content": "Half an answer"}, "finish_reason": word}]}
        assert verdict(live("openai-compatible", 200, json.dumps(body))) == str(ending), word


def test_that_no_word_is_whole_and_an_unknown_one_is_not() -> None:
    assert ending_of("") is Ending.WHOLE
    assert ending_of("FINISH_REASON_STOP") is Ending.WHOLE
    assert ending_of("quux") is Ending.FAILED


@pytest.mark.parametrize(
    "body",
    [
        {"error": {"code": "1301", "message": "系统检测到输入或生成内容可能包含不安全或敏感内容"}},
        {
            "error": {
                "message": "The request was rejected because it was considered high risk",
                "type": "content_filter",
            }
        },
        {"base_resp": {"status_code": 1026, "status_msg": "input new_sensitive"}},
        {"error": {"code": "SensitiveContentDetected", "message": "No."}},
        {"error": {"message": "Input moderation", "code": 400, "metadata": {"reasons": ["violence"]}}},
        {"code": "DataInspectionFailed", "message": "Output data may contain inappropriate content."},
        [{"error": {"message": "Content Exists Risk"}}],
        {"error": {"message": "Provider returned error", "code": 400, "metadata": {"raw": "Content Exists Risk"}}},
    ],
)
def test_that_blocks_are_declined_answers(body: object) -> None:
    outcome = live("openai-compatible", 400, json.dumps(body))
    assert verdict(outcome) == "blocked", outcome
    assert isinstance(outcome, Miss)
    assert isinstance(outcome.retry, NoRetry)


def test_that_limits_and_accounts_are_no_blocks() -> None:
    for status in (401, 402, 404, 429, 500, 503):
        assert not is_block(status, "Content Exists Risk")
    assert not is_block(400, "temperature is not supported")
    assert not is_block(400, "Names of models are case-sensitive.")
    assert not is_block(403, "Your account has been suspended because it violates our usage policies.")
    assert not is_block(400, "This organization was flagged for suspicious activity.")
    assert is_block(400, "Your prompt was flagged as potentially violating our usage policy.")
    assert is_block(400, "Output data may contain sensitive information")


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("The error code 400 means a bad request.", None),
        ("Error: 500 people lost their homes, officials say.", None),
        ("HTTP 404 means that a page is missing.", None),
        ("Error 404 is a film.", None),
        ("Error 429: slow down", 429),
        ("HTTP 503", 503),
        ("Error: 502 Bad Gateway", 502),
        ("429 Client Error: Too Many Requests for url", 429),
        ("Error code: 400 - {'error': {}}", 400),
        ("Error: Error code: 400 - {'error': {}}", 400),
        ("Error: Connection error.", 0),
        ("Error: connection errors. Nothing else was said.", None),
    ],
)
def test_that_an_answer_that_begins_with_a_number_of_errors_is_no_error(text: str, status: int | None) -> None:
    assert error_status(text) == status


def test_that_what_speaks_of_topics_rules_or_content_and_declines_nothing_is_no_block() -> None:
    """Who shut the door is an administrator, a firewall or a network; or something is not there, or not set up."""
    for status, words in NO_BLOCKS:
        outcome = live("openai-compatible", status, json.dumps({"error": {"message": words}}))
        assert isinstance(outcome, Miss), words
        assert outcome.reason is Missing.HTTP_ERROR, words


@pytest.mark.parametrize(
    "words",
    [
        "Your organization's data controls block this model.",
        "Data access has been blocked by your organization's admin.",
        "This model has been blocked by your administrator.",
        "Your IP address has been blocked.",
        "Access denied by your organization's policy.",
    ],
)
def test_that_a_shut_door_is_of_the_account_and_stops_the_model(words: str) -> None:
    assert account_fault(words) is AccountFault.SHUT


@pytest.mark.parametrize("state", ["suspended", "disabled", "archived", "deactivated", "locked", "deleted", "frozen"])
@pytest.mark.parametrize(
    "words",
    [
        "Workspace {}",
        "workspace {}.",
        "The workspace has been {}: write to support.",
        "Team {}",
        "Tenant is {}",
        "Subscription {}",
        "Your plan was {} on 3 May",
        "{} workspace",
    ],
)
def test_that_what_somebody_has_at_a_provider_and_is_shut_stops_the_model(words: str, state: str) -> None:
    assert account_fault(words.format(state)) in {AccountFault.SHUT, AccountFault.CREDIT}


@pytest.mark.parametrize(
    "words",
    [
        "Workspace limit reached, try again",
        "The planned text was blocked",
        "Customer stories were flagged by the content filter",
        "The answer about access to housing was restricted by the safety system",
        "The user message is too short",
        "Service disruption: try again",
    ],
)
def test_that_words_like_those_of_accounts_alone_stop_no_model(words: str) -> None:
    assert account_fault(words) is None


@pytest.mark.parametrize(
    "words",
    [
        'The text "My account has been suspended and the balance is too low" cannot be read.',
        "Bad input near “the bank said that my account was blocked last week”.",
        "No answer: `the country is not supported by its allies` is empty after cleaning.",
    ],
)
def test_that_words_that_an_error_quotes_are_no_fault_of_the_account(words: str) -> None:
    assert account_fault(words) is None


@pytest.mark.parametrize(
    ("error", "reason", "retry", "account"),
    [
        ({"message": "Provider disconnected", "code": 502}, Missing.HTTP_ERROR, Transient(), None),
        ({"message": "Insufficient credits", "code": 402}, Missing.HTTP_ERROR, NoRetry(), AccountFault.CREDIT),
        ({"message": "x", "metadata": {"reasons": ["violence"]}, "code": 403}, Missing.REFUSED, NoRetry(), None),
        ({"message": "Content Exists Risk"}, Missing.REFUSED, NoRetry(), None),
    ],
)
def test_that_an_error_beside_half_an_answer_is_judged_by_the_same_tables(
    error: dict[str, Any], reason: Missing, retry: object, account: AccountFault | None
) -> None:
    choice = {"message": {"content": "The council"}, "finish_reason": "error", "error": error}
    outcome = live("openai-compatible", 200, json.dumps({"choices": [choice]}))
    assert isinstance(outcome, Miss)
    assert (outcome.reason, outcome.retry, outcome.account) == (reason, retry, account)
    assert outcome.text == "The council"


STREAMS = {
    "openai-compatible": 'data: {"choices": [{"delta": {"content": "The "}}]}\n\n'
    'data: {"choices": [{"delta": {"content": "end."}, "finish_reason": "stop"}]}\n\n',
    "ollama": '{"message": {"content": "The "}, "done": false}\n'
    '{"message": {"content": "end."}, "done": true, "done_reason": "stop"}\n',
    "gemini": 'data: {"candidates": [{"content": {"parts": [{"text": "The "}]}}]}\n\n'
    'data: {"candidates": [{"content": {"parts": [{"text": "end."}]}, "finishReason": "STOP"}]}\n\n',
    "anthropic": 'event: message_start\ndata: {"type": "message_start", "message": {"id": "m", "content": []}}\n\n'
    'data: {"type": "content_block_delta", "delta": {"type": "text_delta", "text": "The "}}\n\n'
    'data: {"type": "content_block_delta", "delta": {"type": "text_delta", "text": "end."}}\n\n'
    'data: {"type": "message_delta", "delta": {"stop_reason": "end_turn"}}\n\ndata: {"type": "message_stop"}\n\n',
}


@pytest.mark.parametrize("name", STREAMS)
def test_that_a_stream_nobody_asked_for_is_read_where_it_is_whole(name: str) -> None:
    outcome = live(name, 200, STREAMS[name])
    assert isinstance(outcome, Reply), outcome
    assert (outcome.text, outcome.truncated) == ("The end.", False)
    last = [line for line in STREAMS[name].splitlines() if line.strip()][-1]
    stop = -2 if name == "anthropic" else -1
    lines = [line for line in STREAMS[name].splitlines() if line.strip()][:stop]
    assert last
    assert isinstance(live(name, 200, "\n\n".join(lines)), Miss)


def test_that_raw_line_breaks_within_texts_are_read() -> None:
    body = '{"choices": [{"message": {"content": "One\nTwo\t3"}, "finish_reason": "stop"}]}'
    outcome = live("openai-compatible", 200, body)
    assert isinstance(outcome, Reply)
    assert outcome.text == "One\nTwo\t3"
