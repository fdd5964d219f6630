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
