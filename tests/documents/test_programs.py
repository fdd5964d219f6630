"""Files in the shapes in which other programs write their answers."""

import csv
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from openpyxl import Workbook

from gpf_desktop.documents.answer_files import read_answer_rows
from gpf_desktop.documents.mapped_rows import read_mapped, wanted_endings, wanted_response
from gpf_desktop.documents.programs.chat_messages import unwrapped
from gpf_desktop.domain.errors import UserError
from gpf_desktop.methods.contextual_stereoset.importing import study_in as stereoset_study
from gpf_desktop.methods.relative_bias.importing import study_in

QUESTION, ANSWER = "May a cat ride the ferry?", 'Yes.\nAsk for "deck two".'


def written(path: Path, *records: Mapping[str, Any]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def told(path: Path, *names: str) -> list[tuple[str, ...]]:
    return [tuple(row.values.get(name, "") for name in names) for row in read_answer_rows(path)]


def sample(number: int, resps: Any, name: str = "none", **other: Any) -> dict[str, Any]:
    return {
        "doc_id": number,
        "doc": {"question": f"{QUESTION} {number}", "category": "Ferries"},
        "arguments": {"gen_args_0": {"arg_0": f"Q: {QUESTION}\nA:", "arg_1": {"until": []}}},
        "resps": resps,
        "filtered_resps": [other.pop("filtered", "")],
        "filter": name,
        **other,
    }


def test_that_filters_of_one_answer_stand_beside_it(tmp_path: Path) -> None:
    path = written(
        tmp_path / "maker__oak" / "samples_ferries.jsonl",
        sample(0, [[ANSWER, "No."]], "strict-match", filtered="[invalid]"),
        sample(0, [[ANSWER, "No."]], "flexible-extract", filtered="two"),
        sample(1, [[[-3.5, False]]]),
    )
    assert told(path, "model", "response", "repeat", "filter.strict-match", "filter.flexible-extract", "missing") == [
        ("maker/oak", ANSWER, "", "[invalid]", "two", ""),
        ("maker/oak", "No.", "1", "[invalid]", "two", ""),
        ("maker/oak", "", "", "", "", "unreadable"),
    ]
    (path.parent / "results_2026.json").write_text('{"model_name": "oak-7b"}', encoding="utf-8")
    assert {model for (model,) in told(path, "model")} == {"oak-7b"}
    assert [item.stratum for item in study_in([path], {}).items] == ["Ferries"] * 2


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


@pytest.mark.parametrize("newer", [True, False])
def test_that_promptfoo_s_table_has_a_row_for_each_answer(newer: bool, tmp_path: Path) -> None:
    answer = "- A cat.\n- A cart."
    if newer:
        of_each = ("Status", "Score", "Named Scores", "Grader Reason", "Comment")
        head = ("question", "[openai:oak] {{question}}", *of_each, "[openai:elm] {{question}}", *of_each)
        row: Sequence[str] = (
            QUESTION,
            f"'{answer}",
            "PASS",
            "1.00",
            "",
            "",
            "",
            "429 Slow down",
            "ERROR",
            "0.00",
            "",
            "",
            "",
        )
    else:
        head = ("question", "[openai:oak] {{question}}", "[openai:elm] {{question}}")
        row = (
            QUESTION,
            f"[FAIL] (0.00, polite: 0.00)\n\n{answer}\n\nFail Reason: Not polite",
            "[ERROR] (0.00)\n\n429 Slow down",
        )
    path = tmp_path / "results.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([head, row])
    assert told(path, "question", "model", "prompt_label", "response", "error") == [
        (QUESTION, "openai:oak", "{{question}}", answer, ""),
        (QUESTION, "openai:elm", "{{question}}", "", "429 Slow down"),
    ]


def test_that_a_prompt_of_promptfoo_that_is_a_variable_alone_is_what_was_asked(tmp_path: Path) -> None:
    table = tmp_path / "results.csv"
    table.write_text('city,"[elm] {{ city }}","[oak] Say {{city}} twice"\nBergen,[PASS] A port.,[PASS] Bergen Bergen\n')
    first, second = read_answer_rows(table)
    assert (first.values["prompt"], "prompt" in second.values) == ("Bergen", False)


def test_that_promptfoo_s_first_tables_score_no_word_of_its_own(tmp_path: Path) -> None:
    said = (
        "[FAIL] Not polite\n---\nA cat.",
        "[PASS] A cat.\n---\nA cart.",
        "[ERROR] 429 Slow down",
        "[FAIL] Not polite",
    )
    head = ["question", *(f"[openai:{tree}] {{{{question}}}}" for tree in ("oak", "elm", "ash", "fir"))]
    path = tmp_path / "results.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([head, [QUESTION, *said]])
    assert told(path, "response", "error") == [
        ("A cat.", ""),
        ("A cat.\n---\nA cart.", ""),
        ("", "429 Slow down"),
        ("Not polite", ""),
    ]


def test_that_promptfoo_s_lines_are_read_like_its_json(tmp_path: Path) -> None:
    result = {
        "promptIdx": 0,
        "testIdx": 0,
        "provider": {"id": "openai:oak", "label": ""},
        "prompt": {"raw": QUESTION, "label": "asked"},
        "vars": {"question": QUESTION},
        "response": {"output": ANSWER, "finishReason": "stop"},
        "success": True,
    }
    whole = tmp_path / "results.json"
    whole.write_text(json.dumps({"results": {"results": [result]}}), encoding="utf-8")
    lines = written(tmp_path / "results.jsonl", result)
    assert list(read_answer_rows(lines)) == list(read_answer_rows(whole))
    assert told(lines, "model", "response") == [("openai:oak", ANSWER)]


THOUGHT = "The reader may be a cat."


@pytest.mark.parametrize(
    ("output", "response", "missing"),
    [
        (f"Thinking: {THOUGHT}\n\nB", f"<think>{THOUGHT}</think>B", ""),
        (f"Thinking: {THOUGHT}\n\nPerhaps.\n\nB", "", "unreadable"),
        (
            f"Thinking: {THOUGHT}\n\nPerhaps.\nSignature: Ev3=\n\nFirst.\n\nLast.",
            f"<think>Thinking: {THOUGHT}\n\nPerhaps.\nSignature: Ev3=</think>First.\n\nLast.",
            "",
        ),
        ("Thinking: that is what cats do.", "Thinking: that is what cats do.", ""),
        ({"answer": "A cat.", "sure": "yes", "n": 0.9}, "A cat.", ""),
        ({"choice": {"letter": "B"}}, "B", ""),
        (["A cat."], "A cat.", ""),
        ({"first": "A cat.", "last": "A cart."}, "", "unreadable"),
        ([{"answer": "A cat."}, {"answer": "A cart."}], "", "unreadable"),
    ],
)
def test_that_what_promptfoo_puts_before_or_around_an_answer_is_none_of_it(
    output: object, response: str, missing: str, tmp_path: Path
) -> None:
    result = {"promptIdx": 0, "testIdx": 0, "provider": "oak", "vars": {"question": QUESTION}}
    lines, table = written(tmp_path / "a.jsonl", {**result, "response": {"output": output}}), tmp_path / "a.csv"
    cell = output if isinstance(output, str) else json.dumps(output)
    with table.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("question", "[oak] {{question}}", "Status"), (QUESTION, cell, "PASS")])
    for path in (lines, table):
        found = read_mapped([path], {}, (wanted_response(), *wanted_endings()), lambda *_: None)
        (row,) = found.rows
        assert (row.told.get("response", ""), row.told.get("missing", "")) == (response, missing)
        wrapped = bool(missing) and not isinstance(output, str)
        assert any(f"counts as missing ({path.name}, line" in each for each in found.columns) == wrapped


def asked(number: int) -> dict[str, str]:
    """What one question of a grid says of itself; the first of each item has no context."""
    year = ("", "1990", "2030")[number % 3]
    options = {"stereotype": "He was late.", "anti_stereotype": "He was early.", "unrelated": "The wax was soft."}
    return {"item": f"i{number // 3}", **options, "order": "UAS", "year": year}


def of_promptfoo(number: int) -> dict[str, Any]:
    http = {"status": 200, "headers": {"date": f"Mon, {number:02} Jan", "server": "oak"}}
    return {
        "promptIdx": 0,
        "testIdx": number,
        "provider": "oak",
        "prompt": {"raw": QUESTION, "label": "{{prompt}}"},
        "vars": asked(number),
        "namedScores": {"polite": number % 2},
        "metadata": {"http": http},
        "response": {"output": "A"},
    }


def of_inspect(number: int) -> dict[str, Any]:
    return {
        "id": number,
        "input": QUESTION,
        "metadata": asked(number),
        "output": {"model": "oak", "choices": [{"message": {"content": "A"}, "stop_reason": "stop"}]},
        "scores": {"includes": {"value": "I" if number % 2 else "C", "explanation": f"It says {number % 2}"}},
    }


def test_that_a_part_of_inspect_s_marked_as_a_refusal_is_one(tmp_path: Path) -> None:
    marked = of_inspect(1)
    marked["output"]["choices"][0]["message"]["content"] = [{"type": "text", "text": "I can't.", "refusal": True}]
    (tmp_path / "a.json").write_text(json.dumps({"eval": {"model": "oak"}, "samples": [of_inspect(0), marked]}))
    assert [each.missing for each in study_in([tmp_path / "a.json"], {}).answers] == ["", "refused"]


def of_deepeval(number: int) -> dict[str, Any]:
    run = {"name": f"case {number}", "success": bool(number % 2), "runDuration": number / 8, "order": number}
    return {**run, "input": QUESTION, "expectedOutput": "A", "actualOutput": "A", "metadata": asked(number)}


@pytest.mark.parametrize(
    "document",
    [
        {"results": [of_promptfoo(number) for number in range(6)]},
        {"eval": {"model": "oak"}, "samples": [of_inspect(number) for number in range(6)]},
        {"testCases": [of_deepeval(number) for number in range(6)], "hyperparameters": {"model": "oak"}},
    ],
    ids=["promptfoo", "Inspect", "DeepEval"],
)
def test_that_what_a_program_measured_is_no_context_of_a_question(document: Any, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps(document), encoding="utf-8")
    study = stereoset_study([tmp_path / "a.json"], {}, lambda *_: None)
    assert [factor.name for factor in study.protocol.factors] == ["year"]
    assert [each.answer.arm for each in study.answers].count("plain") == 2
    assert not study.problems


def test_that_logs_of_llm_are_read_with_the_reply_that_they_keep(tmp_path: Path) -> None:
    common = {"conversation_id": "c", "model": "oak", "prompt": QUESTION, "system": None, "duration_ms": 8}
    message = {"role": "assistant", "content": "Half an", "reasoning_content": THOUGHT}
    whole = {"model": "oak-7b", "choices": [{"index": 0, "message": message, "finish_reason": "length"}]}
    logs = [
        {**common, "response": "Half an", "reasoning": THOUGHT, "response_json": whole},
        {**common, "response": ANSWER, "response_json": {"content": ANSWER, "finish_reason": "stop"}},
    ]
    (tmp_path / "logs.json").write_text(json.dumps(logs), encoding="utf-8")
    study = study_in([tmp_path / "logs.json"], {})
    assert [(each.text, each.reasoning, each.truncated) for each in study.answers] == [
        ("Half an", THOUGHT, True),
        (ANSWER, "", False),
    ]
    assert study.answers[0].served.model == "oak-7b"


def test_that_helm_s_scenario_state_is_read(tmp_path: Path) -> None:
    def state(result: Mapping[str, Any]) -> dict[str, Any]:
        return {
            "instance": {"id": "id7", "input": {"text": QUESTION}, "extra_data": {"theme": "Ferries"}},
            "request": {"model": "maker/oak", "prompt": f"Q: {QUESTION}"},
            "result": result,
        }

    path = tmp_path / "scenario_state.json"
    states = [
        state(
            {"success": True, "completions": [{"text": ANSWER, "finish_reason": {"reason": "length"}}, {"text": "No."}]}
        ),
        state({"success": False, "error": "429 Slow down", "completions": []}),
    ]
    path.write_text(json.dumps({"adapter_spec": {"model": "maker/oak"}, "request_states": states}), encoding="utf-8")
    assert told(path, "extra_data.theme") == [("Ferries",)] * 3
    assert told(path, "model", "question", "response", "finish", "repeat", "error") == [
        ("maker/oak", QUESTION, ANSWER, "length", "", ""),
        ("maker/oak", QUESTION, "No.", "", "1", ""),
        ("maker/oak", QUESTION, "", "", "", "429 Slow down"),
    ]


def test_that_chainforge_s_workbook_is_read(tmp_path: Path) -> None:
    book = Workbook()
    for row in (
        ("Method", "Prompt", "Response", "Batch Id", "Var: place", "Eval result"),
        ("oak", QUESTION, ANSWER, "b1", "deck", "1"),
    ):
        book.active.append(row)
    book.save(tmp_path / "responses.xlsx")
    assert told(tmp_path / "responses.xlsx", "model", "prompt", "response", "vars.place") == [
        ("oak", QUESTION, ANSWER, "deck")
    ]


@pytest.mark.parametrize(
    ("name", "whole"),
    [
        ("table.json", {"columns": ["model", "inputs", "outputs"], "data": [["oak", QUESTION, ANSWER]], "nrows": 1}),
        (
            "run.json",
            {
                "testCases": [{"input": QUESTION, "actualOutput": ANSWER, "metricsData": [{"name": "Bias"}]}],
                "hyperparameters": {"model": "oak"},
            },
        ),
        (
            ".latest_test_run.json",
            {
                "testRunData": {
                    "testCases": [{"input": QUESTION, "actualOutput": ANSWER, "metricsData": []}],
                    "hyperparameters": {"model": "oak"},
                },
                "testFile": None,
            },
        ),
        (
            "flow.cforge",
            {
                "flow": {"nodes": []},
                "cache": {
                    "prompt-1.json": {
                        "cache_files": {"prompt-1_0.json": {"name": "Oak"}},
                        "responses_last_run": [
                            # Whole numbers stand for texts; a variable may be called as what was asked.
                            {"llm": {"model": "oak"}, "prompt": 1, "responses": [0], "vars": {"prompt": 2}, "uid": "u"}
                        ],
                    },
                    "prompt-1_0.json": {QUESTION: [{"llm": "Oak", "prompt": 1, "responses": [0]}]},
                    "judge-2.json": [{"llm": "Oak", "prompt": 1, "responses": [0], "eval_res": {"items": [True]}}],
                    "__s": [ANSWER, QUESTION, "{place}?"],
                },
            },
        ),
        (
            "flow.json",
            [
                {
                    "vars": {"q": QUESTION},
                    "llm": {"name": "Oak", "model": "oak"},
                    "prompt": QUESTION,
                    "responses": [ANSWER],
                }
            ],
        ),
    ],
    ids=["MLflow and W&B", "DeepEval", "DeepEval's newest", "ChainForge's flow", "ChainForge"],
)
def test_that_one_json_text_of_another_program_becomes_answers(tmp_path: Path, name: str, whole: Any) -> None:
    (tmp_path / name).write_text(json.dumps(whole), encoding="utf-8")
    study = study_in([tmp_path / name], {})
    assert [(item.title, each.model, each.text) for item, each in zip(study.items, study.answers, strict=True)] == [
        (QUESTION, "oak", ANSWER)
    ]


def test_that_messages_are_unwrapped_and_other_json_is_an_answer(tmp_path: Path) -> None:
    asked = [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": [{"type": "text", "text": QUESTION}]},
    ]
    answer = {"role": "assistant", "content": ANSWER}
    path = tmp_path / "observations.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("model", "input", "output"), ("oak", json.dumps(asked), json.dumps(answer))])
    study = study_in([path], {})
    assert [(item.title, each.text) for item, each in zip(study.items, study.answers, strict=True)] == [
        (QUESTION, ANSWER)
    ]
    assert unwrapped(json.dumps({"choices": [{"message": answer}]}), "assistant") == ANSWER
    assert unwrapped(json.dumps({"messages": [*asked, answer]}), "system") == "Be brief."
    for other in (
        '{"answer": "B"}',
        '[{"role": "cook"}]',
        '{"role": "captain"',
        '["role"]',
        "[1, 2]",
        "",
    ):
        assert unwrapped(other, "assistant") == other
