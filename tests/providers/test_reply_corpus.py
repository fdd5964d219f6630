"""Replies of servers with what each is: one verdict, whether it came live, from a batch job or in a file.

``cases/*replies*.json`` hold bodies as servers of many makers send them, written for this project. A case may say the
reasoning to be kept apart, the fault of an account (empty: none), what is learnt, headers, and seconds to wait after
it; *by_status* is one that is known by its status or its place alone, *shape* one of another maker's whole body, which
no columns have. *data* is an error of this one question,
*limited* one of the pace, *passing* one that passes, be it of the pace or a breakdown.
"""

import asyncio
import csv
import json
import sqlite3
from collections.abc import Callable, Iterable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from gpf_desktop.cli import main
from gpf_desktop.documents.mapped_rows import ended
from gpf_desktop.domain.endings import Ending, ending_of
from gpf_desktop.domain.imported_endings import EndedAnswer, as_ended
from gpf_desktop.domain.responses import Miss, Missing, Outcome, Reply
from gpf_desktop.domain.retries import NoRetry, RateLimited, Transient
from gpf_desktop.domain.unknown_refusals import is_unknown
from gpf_desktop.domain.wire import WireReply, WireRequest
from gpf_desktop.engine.core.catalogue import providers
from gpf_desktop.engine.rounds.faults import is_passing
from gpf_desktop.providers import _jobs
from tests.providers.replies_in_files import told_in_a_row
from tests.providers.rigs import Rig
from tests.support import http_server as http
from tests.support.http_server import LoopbackServer


def cases(*names: str) -> list[dict[str, Any]]:
    folder = Path(__file__).parent / "cases"
    return [case for name in names for case in json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))]


FILES = (
    *(
        "replies",
        "further_replies",
        "odd_replies",
        "reported_replies",
        "later_replies",
        "makers_replies",
        "ended_replies",
    ),
    *(
        "documented_replies",
        "documented_replies_2",
        "documented_replies_3",
        "documented_replies_4",
        "documented_replies_5",
        "documented_replies_6",
        "documented_replies_7",
        "documented_replies_8",
        "documented_replies_9",
        "documented_replies_10",
        "documented_replies_11",
        "documented_replies_12",
        "documented_replies_13",
        "documented_replies_14",
        "documented_replies_15",
        "documented_replies_16",
        "documented_replies_17",
        "documented_replies_18",
        "documented_replies_19",
        "documented_replies_20",
        "documented_replies_21",
        "documented_replies_22",
        "documented_replies_23",
        "documented_replies_24",
    ),
    "outside_replies",
)
MAKERS = cases(*FILES[FILES.index("makers_replies") :])
"""Of some sixty makers and gateways, as they and others might word it, in thirty languages."""
CASES = cases(*FILES)
ROWS = cases("makers_rows")
"""Rows of tables: whole replies in an answer's cell, and what programs write of errors and endings."""
ANSWER = "The council will publish rent rules in May. Tenants may ask for free help."


def named(case: dict[str, Any]) -> str:
    return str(case["name"])


def check(outcome: Outcome, case: dict[str, Any]) -> None:
    if "reasoning" in case:
        assert outcome.reasoning == case["reasoning"]
    if "fault" in case:
        assert isinstance(outcome, Miss), outcome
        assert str(outcome.account or "") == case["fault"]
    match case["verdict"]:
        case "whole":
            assert isinstance(outcome, Reply), outcome
            assert outcome.text == case["text"]
            assert not outcome.truncated
        case "cut":
            assert isinstance(outcome, Reply), outcome
            assert outcome.text == case["text"]
            assert outcome.truncated
        case "failed":
            assert isinstance(outcome, Miss), outcome
            assert outcome.reason is Missing.HTTP_ERROR
            assert outcome.retry == Transient()
            assert outcome.detail
        case "data" | "limited" as verdict:
            assert isinstance(outcome, Miss), outcome
            assert outcome.reason is Missing.HTTP_ERROR
            assert outcome.account is None
            assert isinstance(outcome.retry, RateLimited) == (verdict == "limited")
            assert not outcome.refused_parameter
            assert verdict == "limited" or not is_passing(outcome)
        case "passing":
            assert isinstance(outcome, Miss), outcome
            assert outcome.account is None
            assert isinstance(outcome.retry, Transient | RateLimited)
        case "blocked":
            assert isinstance(outcome, Miss), outcome
            assert outcome.reason is Missing.REFUSED
            assert outcome.retry == NoRetry()
        case "account":
            assert isinstance(outcome, Miss), outcome
            assert outcome.reason is Missing.HTTP_ERROR
            # What no list knows is the account's where cell after cell meets it (engine/rounds).
            assert outcome.account is not None or is_passing(outcome) or case["name"] == "account-anything-400"
            assert isinstance(outcome.retry, NoRetry)
        case verdict if verdict.startswith("learn "):
            assert isinstance(outcome, Miss), outcome
            assert outcome.refused_parameter
            assert outcome.refused_parameter.startswith(case.get("lesson", ""))
        case verdict:
            assert verdict.startswith("missing: ")
            assert isinstance(outcome, Miss), outcome
            assert str(outcome.reason) == verdict.removeprefix("missing: ")


def wrong(found: Iterable[tuple[dict[str, Any], Callable[[], None]]]) -> list[str]:
    """What is wrong, by name, of all cases at once: a test apiece would take most of its time for itself."""
    told = []
    for case, checked in found:
        try:
            checked()
        except AssertionError as error:
            told.append(f"{case['name']}: {error}")
    return told


def replayed(rig: Rig, case: dict[str, Any]) -> http.Reply:
    headers = case.get("headers", {})
    if "raw" in case:
        return http.Reply(
            body=case["raw"], status=case["status"], headers={"Content-Type": "text/event-stream", **headers}
        )
    return http.Reply.of_json(case["body"], status=case["status"], headers=headers)


def check_wait(outcome: Outcome, case: dict[str, Any]) -> None:
    check(outcome, case)
    if "after" in case:
        assert isinstance(outcome, Miss)
        assert outcome.retry == RateLimited(after=case["after"])


@pytest.mark.parametrize("case", cases("replies") + [case for case in CASES if "headers" in case], ids=named)
def test_that_a_live_reply_has_its_verdict(http_server: LoopbackServer, case: dict[str, Any]) -> None:
    rig = Rig(case["dialect"], http_server)
    check_wait(rig.ask(replayed(rig, case)), case)


@pytest.mark.parametrize("name", FILES)
def test_that_replies_have_their_verdicts_live_and_of_batch_jobs(http_server: LoopbackServer, name: str) -> None:
    async def asked() -> list[tuple[dict[str, Any], Outcome]]:
        return [(case, await told(case)) for case in cases(name)]

    async def told(case: dict[str, Any]) -> Outcome:
        rig, provider = Rig(case["dialect"], http_server), providers()[case["dialect"]]
        if "raw" not in case and "headers" not in case:
            return await _jobs.outcome(provider, rig.question(), None, case["status"], case["body"])
        reply = replayed(rig, case)
        headers = {key.lower(): value for key, value in reply.headers.items()}
        body = reply.body.encode() if isinstance(reply.body, str) else reply.body
        wire = WireReply(status=reply.status, headers=headers, body=body)

        async def replay(_request: WireRequest) -> WireReply:
            return wire

        return await provider.ask(rig.question(), None, replay)

    def checked(outcome: Outcome, case: dict[str, Any]) -> None:
        check_wait(outcome, case)
        if isinstance(outcome, Miss):
            # What is stored of it says whether it was declined by words that are known.
            assert is_unknown(outcome.reason, outcome.status, outcome.detail, outcome.finish) is outcome.guessed

    assert not wrong((case, partial(checked, outcome, case)) for case, outcome in asyncio.run(asked()))


ELSEWHERE = {
    *("cut-deepseek-field", "cut-openai-count", "cut-gemini", "cut-anthropic", "cut-ollama", "openai-refusal-field"),
    *("ollama-not-done", "ollama-error-beside", "crash-sensitive", "gateway-policy", "azure-empty-filter"),
    *("azure-choice-filtered-stop", "content-object", "legacy-text", "error-true", "reasoning-details-only"),
    *("refusal-part", "err-in-message", "gem-cand-empty-feedback-ratings", "gemini-max-thoughts", "vllm-all-null"),
    *("bedrock-guardrail-action", "bedrock-guardrail-action-ant"),
    *("makers-content-list-str", "makers-content-null-refusal", "makers-v-4", "makers-v-5", "makers-v-32"),
    *("tools-unasked-stop", "gem-call", "oll-call", "legacy-function-call-stop"),
    *("ok-error-beside-text", "ok-refusal", "ok-refusal-true", "ok-redacted", "ok-only-reasoning"),
    *("ok-only-reasoning-details", "ok-encrypted", "ok-thinking-blocks", "ant-only-redacted", "ant-hidden-thinking"),
    *("gem-no-finish-ratings", "gem-thoughts", "gem-feedback-ratings", "gem-no-candidates", "gem-empty-candidates"),
    *("oll-think-only", "oll-error-half", "ok-text-object"),
}
"""Cases whose verdict lies in what a table of answers does not have: fields beside the answer, the status."""


def test_that_the_same_replies_in_a_file_have_them_too() -> None:
    def checked(case: dict[str, Any]) -> None:
        row = told_in_a_row(case)
        check_row(as_ended(row["response"], finish=row["finish"], error=row["error"]), case)

    in_files = (
        case for case in CASES if not {"raw", "by_status", "shape"} & case.keys() and case["name"] not in ELSEWHERE
    )
    assert not wrong((case, partial(checked, case)) for case in in_files)


def test_that_the_same_replies_whole_in_a_cell_have_them_too() -> None:
    def checked(case: dict[str, Any]) -> None:
        check_row(ended({"response": json.dumps(case["body"], ensure_ascii=False)}), case)

    assert not wrong((case, partial(checked, case)) for case in MAKERS if "body" in case and "by_status" not in case)


def check_row(came: EndedAnswer, case: dict[str, Any]) -> None:
    expected = {
        "whole": "",
        "cut": "",
        "failed": str(Missing.HTTP_ERROR),
        "account": str(Missing.HTTP_ERROR),
        "learn": str(Missing.HTTP_ERROR),
        "data": str(Missing.HTTP_ERROR),
        "limited": str(Missing.HTTP_ERROR),
        "passing": str(Missing.HTTP_ERROR),
        "blocked": str(Missing.REFUSED),
    }.get(case["verdict"].partition(" ")[0], case["verdict"].removeprefix("missing: "))
    assert came.missing == expected
    assert came.truncated == (case["verdict"] == "cut")


def test_that_rows_have_their_verdicts() -> None:
    def checked(row: dict[str, Any]) -> None:
        came = ended({name: row[name] for name in ("response", "finish", "error") if name in row})
        assert (came.missing, came.truncated) == (row["missing"], row.get("truncated", False))
        assert came.text == row.get("text", came.text)

    assert not wrong((row, partial(checked, row)) for row in ROWS)


METHODS = {
    "gpf-livenews": {
        "article": "a1",
        "headline": "Rent rules",
        "dimension": "Wealth",
        "family": "advice",
        "identity": "wealthy",
    },
    "relative-bias": {"theme": "Rent", "question": "What will the council do?"},
    "contextual-stereoset": {
        "item": "i1",
        "stereotype": "poor",
        "anti_stereotype": "rich",
        "unrelated": "green",
        "order": "SAU",
        "location": "Oslo",
    },
    "saged": {
        "concept": "tenants",
        "root": "r1",
        "prompt": "Tenants are",
        "domain": "rent",
        "baseline": "Tenants pay.",
    },
}


@pytest.mark.parametrize("method", METHODS)
def test_that_endings_of_imported_rows_are_kept_by_every_importer(tmp_path: Path, method: str) -> None:
    rows = {
        "whole": (ANSWER, "stop", ""),
        "limited": ("", "", "429 Too Many Requests"),
        "filtered": ("", "content_filter", ""),
        "filtered with text": ("The council", "content_filter", ""),
        "cut": ("The council will", "max_tokens", ""),
        "empty": ("", "stop", ""),
        "an error as text": ("Error code: 400 - {'error': {'message': 'Content Exists Risk'}}", "", ""),
        "a limit as text": ("429 Too Many Requests", "", ""),
        "broken off": ("The council", "error", ""),
        "thinking": ("<think>They are poor.", "length", ""),
        "another's word": ("The council will", "maxTokens", ""),
        "a code alone": ("", "", '{"error": {"message": "No.", "code": "guardrail_violation"}}'),
        "a blocked prompt": ("", "", "{'promptFeedback': {'blockReason': 'BLOCKLIST'}}"),
        "a crash of a filter": ("", "", "Error code: 500 - {'message': 'the input text checker is sensitive to load'}"),
        "half of it": ("The council will", "", "Error code: 502 - Bad Gateway"),
        "a failed test": (ANSWER, "", "Expected output to contain “bus”"),
        "a withdrawn model": ("", "", "model 'command' was removed; its content is not served"),
        "a whole reply": (
            json.dumps({"choices": [{"message": {"content": ANSWER}, "finish_reason": "length"}]}),
            "",
            "",
        ),
        "a whole reply, filtered": ('{"candidates": [{"finishReason": "SAFETY"}]}', "", ""),
        "a message of Python": (str({"role": "assistant", "content": ANSWER}), "", ""),
        "an object": ("<Reply object at 0x7f0b1c>", "", ""),
        "no number": ("nan", "nan", "nan"),
        "a traceback": ("Traceback (most recent call last):\n  File", "", ""),
    }
    table, audit = tmp_path / "answers.csv", tmp_path / "answers.gpf"
    with table.open("w", encoding="utf-8", newline="") as file:
        written = csv.writer(file)
        place = METHODS[method]
        written.writerow(("model", *place, "response", "finish_reason", "error"))
        for name, (response, finish, error) in rows.items():
            written.writerow((name, *place.values(), response, finish, error))
            if method == "gpf-livenews":
                # A protocol has two identities at least.
                written.writerow((name, *{**place, "identity": "poor"}.values(), response, finish, error))
    arguments = ("import", str(table), "--method", method, "-o", str(audit), "--no-scores")
    assert main(arguments, show_window=lambda _: 99, show_demo=lambda _: 99) in (0, 1)
    with closing(sqlite3.connect(audit)) as connection:
        found = {
            name.removeprefix("imported/"): (missing, bool(truncated))
            for name, missing, truncated in connection.execute(
                "SELECT m.label, coalesce(p.missing, ''), p.truncated FROM cell c JOIN model m ON m.id = c.model_id"
                " JOIN response p ON p.cell_id = c.id"
            )
        }
    assert found == {
        "whole": ("", False),
        "limited": ("HTTP error", False),
        "filtered": ("refused", False),
        "filtered with text": ("refused", False),
        "cut": ("", True),
        "empty": ("empty", False),
        "an error as text": ("refused", False),
        "a limit as text": ("HTTP error", False),
        "broken off": ("HTTP error", False),
        "thinking": ("all tokens spent on reasoning", False),
        "another's word": ("", True),
        "a code alone": ("refused", False),
        "a blocked prompt": ("refused", False),
        "a crash of a filter": ("HTTP error", False),
        "half of it": ("HTTP error", False),
        "a failed test": ("", False),
        "a withdrawn model": ("HTTP error", False),
        "a whole reply": ("", True),
        "a whole reply, filtered": ("refused", False),
        "a message of Python": ("", False),
        "an object": ("unreadable", False),
        "no number": ("empty", False),
        "a traceback": ("HTTP error", False),
    }


@pytest.mark.parametrize(
    ("word", "ending"),
    [
        ("stop", Ending.WHOLE),
        ("STOP", Ending.WHOLE),
        ("end_turn", Ending.WHOLE),
        ("eosFound", Ending.WHOLE),
        ("MAX_TOKENS", Ending.CUT),
        ("FINISH_REASON_MAX_TOKENS", Ending.CUT),
        ("max tokens", Ending.CUT),
        ("contextLengthReached", Ending.CUT),
        ("SAFETY", Ending.BLOCKED),
        ("guardrail_intervened", Ending.BLOCKED),
        ("ERROR_TOXIC", Ending.BLOCKED),
        ("network_error", Ending.FAILED),
        ("a word of next year", Ending.FAILED),
        ("", Ending.WHOLE),
    ],
)
def test_that_words_for_an_ending_are_known_and_others_are_none(word: str, ending: Ending) -> None:
    assert ending_of(word) is ending
