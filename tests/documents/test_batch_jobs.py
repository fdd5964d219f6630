"""Answers of batch jobs joined with their requests, which stand in a file of their own."""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from gpf_desktop.documents.answer_files import read_answer_rows
from gpf_desktop.documents.programs import batch_requests
from gpf_desktop.documents.table_reading import TableReading
from gpf_desktop.domain.errors import UserError
from gpf_desktop.engine.commands.import_command import make_audit, preview
from gpf_desktop.methods.relative_bias.importing import study_in

ASKED, ANSWER = "May a cat ride the ferry?", "Yes, on deck two."
SYSTEM = {"role": "system", "content": "Be brief."}
COLUMNS = ("prompt", "system", "model", "response", "missing")


def written(path: Path, *records: Mapping[str, Any]) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def asked(name: str, question: str = ASKED, model: str = "oak", **more: Any) -> dict[str, Any]:
    body = {"model": model, "messages": [SYSTEM, {"role": "user", "content": question}], **more}
    return {"custom_id": name, "method": "POST", "url": "/v1/chat/completions", "body": body}


def replied(name: str, answer: str = ANSWER, model: str = "oak-2026-04-01") -> dict[str, Any]:
    choice = {"index": 0, "message": {"role": "assistant", "content": answer}, "finish_reason": "stop"}
    body = {"model": model, "choices": [choice]}
    return {"id": "r", "custom_id": name, "response": {"status_code": 200, "body": body}, "error": None}


def failed(name: str) -> dict[str, Any]:
    return {"id": "r", "custom_id": name, "response": None, "error": {"code": "expired", "message": "It ran out."}}


def told(*files: Path, names: tuple[str, ...] = COLUMNS) -> list[tuple[str, ...]]:
    start = TableReading(beside=files)
    rows = [row for file in files for row in read_answer_rows(file, start=start)]
    return [tuple(row.values.get(name, "") for name in names) for row in rows]


def given(*files: Path) -> dict[str, str]:
    return TableReading.together(files)


def test_that_replies_are_joined_with_what_was_asked_and_keep_who_answered(tmp_path: Path) -> None:
    requests = written(tmp_path / "input.jsonl", asked("q1", temperature=0.7), asked("q2", "And a dog?"))
    replies = written(tmp_path / "output.jsonl", replied("q2", "No."), replied("q1"))
    assert told(requests, replies) == [
        ("And a dog?", "Be brief.", "oak", "No.", ""),
        (ASKED, "Be brief.", "oak", ANSWER, ""),
    ]
    assert told(replies, requests, names=("custom_id", "temperature", "served_model")) == [
        ("q2", "", "oak-2026-04-01"),
        ("q1", "0.7", "oak-2026-04-01"),
    ]


def test_that_a_file_of_failed_requests_belongs_to_the_models_that_were_asked(tmp_path: Path) -> None:
    requests = written(tmp_path / "input.jsonl", asked("q1"), asked("q2"), asked("q3", model="elm"))
    replies = written(tmp_path / "output.jsonl", replied("q1"))
    errors = written(tmp_path / "errors.jsonl", failed("q2"), failed("q3"))
    study = study_in([requests, replies, errors], given(requests, replies, errors))
    assert sorted((each.model, each.missing, each.detail) for each in study.answers) == [
        ("elm", "HTTP error", "It ran out."),
        ("oak", "", ""),
        ("oak", "HTTP error", "It ran out."),
    ]
    assert not study.problems
    assert not [said for said in study.said if "passed over" in said]


def test_that_a_request_without_a_reply_is_a_missing_answer_of_its_model(tmp_path: Path) -> None:
    requests = written(tmp_path / "input.jsonl", asked("q1"), asked("q2", "And a dog?"))
    replies = written(tmp_path / "output.jsonl", replied("q1"))
    assert told(requests, replies)[0] == ("And a dog?", "Be brief.", "oak", "", "outcome unknown")
    study = study_in([requests, replies], given(requests, replies))
    assert sorted((each.missing, each.detail) for each in study.answers) == [
        ("", ""),
        ("outcome unknown", "No reply to it stands in the files."),
    ]


def test_that_a_reply_without_a_request_is_left_out_by_file_row_and_reason(tmp_path: Path) -> None:
    requests = written(tmp_path / "input.jsonl", asked("q1"), asked("q2", "A"), asked("q2", "B"))
    replies = written(tmp_path / "output.jsonl", replied("q1"), replied("q2"), replied("q9"))
    study = study_in([requests, replies], given(requests, replies))
    assert [(each.file, each.line, each.why) for each in study.problems] == [
        (
            "output.jsonl",
            2,
            "several requests are called “q2”, and differ (input.jsonl, line 2; input.jsonl, line 3)",
        ),
        ("output.jsonl", 3, "no request in input.jsonl is called “q9”"),
    ]
    assert [each.text for each in study.answers] == [ANSWER]
    assert not [said for said in study.said if "holds no questions" in said]


def test_that_jobs_for_several_models_may_share_their_names(tmp_path: Path) -> None:
    files = (
        written(tmp_path / "in_oak.jsonl", asked("q1", "Of oak?")),
        written(tmp_path / "in_elm.jsonl", asked("q1", "Of elm?", model="maker/elm"), asked("q2", model="maker/elm")),
        written(tmp_path / "out_oak.jsonl", replied("q1"), replied("q2")),
        written(tmp_path / "out_elm.jsonl", replied("q1", model="elm")),
    )
    study = study_in(files, given(*files))
    assert sorted((each.model, study.items[each.item].title, each.missing) for each in study.answers) == [
        ("maker/elm", ASKED, "outcome unknown"),
        ("maker/elm", "Of elm?", ""),
        ("oak", "Of oak?", ""),
    ]
    # The request that is called so was another model's.
    (problem,) = study.problems
    assert problem.why == "no request in in_oak.jsonl, in_elm.jsonl is called “q2” and was sent to oak-2026-04-01"


def test_that_a_server_may_call_the_model_otherwise_than_who_asked(tmp_path: Path) -> None:
    requests = written(tmp_path / "input.jsonl", asked("q1", model="my-deployment"))
    replies = written(tmp_path / "output.jsonl", replied("q1"))
    assert told(requests, replies) == [(ASKED, "Be brief.", "my-deployment", ANSWER, "")]


def test_that_anthropic_s_and_google_s_requests_are_joined_too(tmp_path: Path) -> None:
    parts = [{"type": "text", "text": ASKED}]
    message = {"type": "message", "role": "assistant", "model": "elm", "content": [{"type": "text", "text": ANSWER}]}
    params = {"model": "elm", "system": [{"type": "text", "text": "Be brief."}], "max_tokens": 9}
    body = {"requests": [{"custom_id": "q1", "params": {**params, "messages": [{"role": "user", "content": parts}]}}]}
    requests = tmp_path / "batch.json"
    requests.write_text(json.dumps(body), encoding="utf-8")
    results = written(
        tmp_path / "results.jsonl", {"custom_id": "q1", "result": {"type": "succeeded", "message": message}}
    )
    assert told(results, requests) == [(ASKED, "Be brief.", "elm", ANSWER, "")]
    sent = {
        "system_instruction": {"parts": [{"text": "Be brief."}]},
        "contents": [
            {"role": "user", "parts": [{"text": "Good day."}]},
            {"role": "model", "parts": [{"text": "Good day."}]},
            {"role": "user", "parts": [{"text": ASKED}]},
        ],
    }
    reply = {"candidates": [{"content": {"parts": [{"text": ANSWER}]}, "finishReason": "STOP"}], "modelVersion": "fir"}
    of_google = written(tmp_path / "g_in.jsonl", {"key": "a", "request": sent})
    answers = written(tmp_path / "g_out.jsonl", {"key": "a", "response": reply})
    assert told(of_google, answers, names=(*COLUMNS, "turn")) == [(ASKED, "Be brief.", "fir", ANSWER, "", "2")]
    # Vertex AI's lines hold both.
    both = written(tmp_path / "vertex.jsonl", {"status": "", "request": sent, "response": reply})
    assert told(both) == [(ASKED, "Be brief.", "fir", ANSWER, "")]


def test_that_requests_of_openai_s_responses_are_read(tmp_path: Path) -> None:
    one = {"custom_id": "a", "body": {"model": "oak", "instructions": "Be brief.", "input": ASKED}}
    turns = [{"role": "developer", "content": "Be brief."}, {"role": "user", "content": [{"type": "input_text"}]}]
    turns[1]["content"][0]["text"] = ASKED  # type: ignore[index]
    other = {"custom_id": "b", "body": {"model": "oak", "input": turns}}
    requests = written(tmp_path / "in.jsonl", one, other)
    replies = written(tmp_path / "out.jsonl", replied("a"), replied("b"))
    assert told(requests, replies) == [(ASKED, "Be brief.", "oak", ANSWER, "")] * 2


def test_that_requests_alone_and_replies_alone_are_told_what_they_lack(tmp_path: Path) -> None:
    requests = written(tmp_path / "input.jsonl", asked("q1"))
    with pytest.raises(UserError, match=r"^input.jsonl holds the requests of a batch job, and no answers."):
        preview([requests])
    replies = written(tmp_path / "output.jsonl", replied("q1"))
    wanted = "output.jsonl holds no questions: the requests' names stand for them. Import the requests too."
    assert preview([replies]).lacks == (wanted,)
    assert wanted in study_in([replies], {}).said
    assert preview([requests, replies]).lacks == ()
    assert preview([requests, replies]).rows[0][:2] == ("q1", ASKED)
    # Some name requests by what they ask.
    assert preview([written(tmp_path / "own.jsonl", replied(ASKED))]).lacks == ()


def test_that_what_is_broken_in_the_requests_is_said_of_their_file(tmp_path: Path) -> None:
    requests = written(tmp_path / "input.jsonl", asked("q1"))
    requests.write_text(requests.read_text(encoding="utf-8") + '{"custom_id": \n', encoding="utf-8")
    replies = written(tmp_path / "output.jsonl", replied("q1"))
    with pytest.raises(UserError, match=r"^input.jsonl: Line 2 is not a JSON object"):
        told(replies, requests)


@pytest.mark.parametrize("outputs", [1, 4])
def test_that_the_requests_are_read_once_however_many_files_of_answers_there_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, outputs: int
) -> None:
    requests = written(tmp_path / "input.jsonl", *(asked(f"q{place}", f"Is it {place}?") for place in range(outputs)))
    replies = [written(tmp_path / f"output{place}.jsonl", replied(f"q{place}")) for place in range(outputs)]
    read: Counter[str] = Counter()
    records = batch_requests.job_records

    def counted(file: Path, go_on: Callable[[], None]) -> Iterator[tuple[int, Mapping[str, Any]]]:
        read[file.name] += 1
        return records(file, go_on)

    monkeypatch.setattr(batch_requests, "job_records", counted)
    made = make_audit([requests, *replies], "relative-bias", {}, tmp_path / "made.gpf", lambda _doing, _done, _of: None)
    assert len(made.study.answers) == outputs
    # Its first record for each of the two questions put to it (requests? replies?), and all of it for the first.
    assert read["input.jsonl"] == 3
