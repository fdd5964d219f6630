"""Outputs of batch jobs, as providers write them."""

import csv
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from gpf_desktop.domain.errors import UserError
from gpf_desktop.methods.relative_bias.importing import study_in
from tests.documents.test_programs import ANSWER, QUESTION, sample, told, written


def test_that_a_batch_job_s_output_is_read_with_its_endings(tmp_path: Path) -> None:
    def line(custom_id: str, body: Mapping[str, Any] | None, status: int = 200, error: Any = None) -> dict[str, Any]:
        reply = None if body is None else {"status_code": status, "request_id": "r", "body": body}
        return {"id": "batch_req", "custom_id": custom_id, "response": reply, "error": error}

    def chat(content: Any, finish: str = "stop", refusal: str | None = None) -> dict[str, Any]:
        message = {"role": "assistant", "content": content, "refusal": refusal}
        return {"model": "oak", "choices": [{"index": 0, "message": message, "finish_reason": finish}]}

    responses = {
        "model": "oak",
        "output": [{"type": "reasoning"}, {"type": "message", "content": [{"type": "output_text", "text": ANSWER}]}],
    }
    path = written(
        tmp_path / "out.jsonl",
        line("q1", chat(ANSWER)),
        line("q2", chat("Half an", "length")),
        line("q3", chat(None, refusal="I can't say.")),
        line("q4", {"error": {"message": "Slow down"}}, 429),
        line("q5", None, error={"code": "batch_expired", "message": "It ran out."}),
        line("q6", responses),
    )
    assert told(path, "prompt", "model", "response", "finish", "refused", "error") == [
        ("q1", "oak", ANSWER, "stop", "", ""),
        ("q2", "oak", "Half an", "length", "", ""),
        ("q3", "oak", "I can't say.", "stop", "yes", ""),
        ("q6", "oak", ANSWER, "", "", ""),
        ("q4", "oak", "", "", "", "429 Slow down"),
        ("q5", "oak", "", "", "", "It ran out."),
    ]


def request(custom_id: str, model: str = "", why: str = "") -> dict[str, Any]:
    message = {"role": "assistant", "content": ANSWER}
    body = {"error": {"message": why}} if why else {"model": model, "choices": [{"index": 0, "message": message}]}
    return {"id": "r", "custom_id": custom_id, "response": {"status_code": 429 if why else 200, "body": body}}


def test_that_a_batch_job_of_which_nothing_was_answered_is_named_with_the_provider_s_words(tmp_path: Path) -> None:
    path = written(tmp_path / "job.jsonl", request("q1", why="Your quota is used up."), request("q2", why="Too many."))
    with pytest.raises(UserError) as error:
        told(path, "model")
    assert error.value.what == ("job.jsonl: None of its 2 requests was answered. Line 1: 429 Your quota is used up.")
    said = {"type": "error", "error": {"type": "invalid_request_error", "message": "Say max_tokens."}}
    with pytest.raises(UserError, match=r"^b.jsonl: Its one request was not answered. Line 1: Say max_tokens."):
        told(written(tmp_path / "b.jsonl", {"custom_id": "q", "result": {"type": "errored", "error": said}}), "model")


def several(*texts: str) -> dict[str, Any]:
    """A reply to one request for several answers, not in the order of their numbers."""
    choices = [{"index": n, "message": {"content": text}, "finish_reason": "stop"} for n, text in enumerate(texts)]
    return {"model": "oak", "choices": choices[::-1]}


def test_that_each_of_several_answers_to_one_request_is_kept(tmp_path: Path) -> None:
    both = several(ANSWER, "No.")
    job = {"id": "r", "custom_id": QUESTION, "response": {"status_code": 200, "body": both}}
    drafts = [{"content": {"parts": [{"text": text}]}, "finishReason": "STOP"} for text in (ANSWER, "No.")]
    of_google = {"key": QUESTION, "response": {"modelVersion": "oak", "candidates": drafts}}
    # Of calls that a program kept itself the reply alone may say who answered, in whichever dialect.
    of_anthropic = {"type": "message", "role": "assistant", "model": "elm", "stop_reason": "end_turn"}
    for reply in (
        {**of_anthropic, "content": [{"type": "text", "text": ANSWER}]},
        {"model": "elm", "message": {"role": "assistant", "content": ANSWER}, "done": True, "done_reason": "stop"},
    ):
        found = study_in([written(tmp_path / "one.jsonl", {"question": QUESTION, "response": reply})], {})
        assert [(each.model, each.text) for each in found.answers] == [("elm", ANSWER)]
    calls = {"messages": [{"role": "user", "content": QUESTION}], "response": both}
    files = [
        written(tmp_path / "a.jsonl", job),
        written(tmp_path / "b.jsonl", of_google),
        written(tmp_path / "c.jsonl", calls, {**calls, "response": {"error": {"message": "Slow down"}}}),
        tmp_path / "d.csv",
    ]
    with files[-1].open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("question", "response"), (QUESTION, json.dumps(both))])
    for path in files:
        found = study_in([path], {})
        assert [(each.model, each.answer.repeat, each.text) for each in found.answers] == [
            ("oak", 0, ANSWER),
            ("oak", 1, "No."),
        ], path.name
        assert [found.items[each.item].title for each in found.answers] == [QUESTION, QUESTION]


def test_that_a_model_named_beside_a_table_that_tells_no_others_apart_is_whose_answers_it_holds(tmp_path: Path) -> None:
    samples = written(tmp_path / "samples_ferries.jsonl", sample(0, [[ANSWER]]))
    plain = written(tmp_path / "plain.jsonl", {"question": QUESTION, "answer": ANSWER})
    for path in (samples, plain):
        assert [each.model for each in study_in([path], {"model": "oak"}).answers] == ["oak"]
    rows = ({"model": name, "question": QUESTION, "answer": ANSWER} for name in ("elm", "ash"))
    two = written(tmp_path / "two.jsonl", *rows)
    assert [each.model for each in study_in([two], {"model": "oak"}).answers] == ["elm", "ash"]


def test_that_a_failed_request_of_a_batch_job_is_a_missing_answer_of_its_model(tmp_path: Path) -> None:
    failed, one, other = request("q1", why="Too many."), request("q2", "a"), request("q2", "b")
    assert told(written(tmp_path / "a.jsonl", failed, one), "custom_id", "model") == [("q2", "a"), ("q1", "a")]
    # Two jobs in one file: whose request it was is not known.
    path = written(tmp_path / "b.jsonl", failed, one, other)
    found = study_in([path], {})
    assert [(each.why, each.line) for each in found.problems] == [("model not said: 429 Too many.", 1)]
    again = study_in([path, written(tmp_path / "c.jsonl", one)], {})
    assert [(each.model, each.answer.repeat) for each in again.answers] == [("a", 0), ("a", 1), ("b", 0)]


def test_that_batch_jobs_of_anthropic_and_google_are_read_with_their_endings(tmp_path: Path) -> None:
    said = {"type": "message", "role": "assistant", "model": "elm", "stop_reason": "end_turn"}
    of_anthropic = written(
        tmp_path / "results.jsonl",
        {
            "custom_id": "q1",
            "result": {"type": "succeeded", "message": {**said, "content": [{"type": "text", "text": ANSWER}]}},
        },
        {
            "custom_id": "q2",
            "result": {"type": "succeeded", "message": {**said, "content": [], "stop_reason": "refusal"}},
        },
        {"custom_id": "q3", "result": {"type": "errored", "error": {"type": "error", "error": {"type": "api_error"}}}},
        {"custom_id": "q4", "result": {"type": "expired"}},
    )
    assert told(of_anthropic, "prompt", "model", "response", "finish", "error") == [
        ("q1", "elm", ANSWER, "end_turn", ""),
        ("q2", "elm", "", "refusal", ""),
        ("q3", "elm", "", "", '{"type": "api_error"}'),
        ("q4", "elm", "", "", "expired"),
    ]
    of_google = written(
        tmp_path / "google.jsonl",
        {
            "key": "q1",
            "response": {
                "candidates": [{"content": {"parts": [{"text": ANSWER}]}, "finishReason": "STOP"}],
                "modelVersion": "ash",
            },
        },
        {"key": "q2", "response": {"promptFeedback": {"blockReason": "OTHER"}}},
        {"key": "q3", "error": {"code": 400, "message": "No."}},
    )
    assert told(of_google, "prompt", "model", "response", "finish", "refused", "error") == [
        ("q1", "ash", ANSWER, "STOP", "", ""),
        ("q2", "ash", "", "OTHER", "yes", ""),
        ("q3", "ash", "", "", "", "No."),
    ]


def test_that_a_batch_job_of_amazon_s_has_what_was_asked_beside_each_answer(tmp_path: Path) -> None:
    def asked(name: str) -> dict[str, Any]:
        message = {"role": "user", "content": [{"type": "text", "text": f"{QUESTION} {name}"}]}
        return {"recordId": name, "modelInput": {"max_tokens": 9, "messages": [message]}}

    said = {"model": "elm", "role": "assistant", "content": [{"type": "text", "text": ANSWER}]}
    other = {"output": {"message": {"content": [{"text": "No."}], "role": "assistant"}}, "stopReason": "end_turn"}
    path = written(
        tmp_path / "input.jsonl.out",
        {**asked("1"), "modelOutput": {**said, "type": "message", "stop_reason": "end_turn"}},
        {**asked("2"), "error": {"errorCode": 400, "errorMessage": "Bad request."}},
        {**asked("3"), "modelOutput": {**other, "model": "elm"}},
    )
    assert told(path, "prompt", "model", "response", "error", "max_tokens") == [
        (f"{QUESTION} 1", "elm", ANSWER, "", "9"),
        (f"{QUESTION} 3", "elm", "No.", "", "9"),
        (f"{QUESTION} 2", "elm", "", "Bad request.", "9"),
    ]
    # Models that do not name themselves have answered all the same.
    assert told(written(path, {**asked("3"), "modelOutput": other}), "model", "response") == [("", "No.")]
