"""Files of programs that keep attempts, events, spans or conversations, each in the shape that its writer has."""

import csv
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from gpf_desktop.documents.answer_files import read_answer_rows
from gpf_desktop.documents.table_reading import BESIDE
from gpf_desktop.domain.errors import UserError
from gpf_desktop.methods.relative_bias.importing import study_in

CAT, DOG = "May a cat ride the ferry?", "May a dog ride the ferry?"
SAYS = 'Yes, "on deck".\n\nНі, not below. 猫も。'
BRIEF = {"role": "system", "content": "Be brief."}
NAMES = ("model", "system", "prompt", "repeat", "response", "missing", "refused", "error")


def told(path: Path) -> list[dict[str, str]]:
    """What each row says that is not empty."""
    rows = [row.values for row in read_answer_rows(path) if not row.left_out]
    return [{name: row[name] for name in NAMES if row.get(name)} for row in rows]


def lines(path: Path, *records: Mapping[str, Any]) -> Path:
    path.write_text("".join(json.dumps(each) + "\n" for each in records), "utf-8")
    return path


def of_garak(question: str, outputs: list[str | None], status: int = 2) -> dict[str, Any]:
    turns = [{"role": role, "content": {"text": text}} for role, text in (("system", "Be brief."), ("user", question))]
    said = [None if each is None else {"text": each, "lang": "en"} for each in outputs]
    beside = {"probe_classname": "test.Blank", "prompt": {"turns": turns}, "outputs": said}
    return {"entry_type": "attempt", "uuid": "u", "seq": 0, "status": status, **beside}


def test_that_a_report_of_garak_gives_each_output_of_what_was_evaluated_once(tmp_path: Path) -> None:
    report = lines(
        tmp_path / "garak.report.jsonl",
        {"entry_type": "start_run setup", "plugins.target_name": "oak"},
        {"entry_type": "init", "garak_version": "0.17"},
        of_garak(CAT, [SAYS], status=1),
        of_garak(CAT, [SAYS, None]),
        {"entry_type": "eval", "probe": "test.Blank", "passed": 1},
    )
    asked = {"model": "oak", "system": "Be brief.", "prompt": CAT}
    assert told(report) == [{**asked, "response": SAYS}, {**asked, "repeat": "1", "missing": "outcome unknown"}]
    hit = {"generator": "openai oak", "probe": "test.Blank", "score": 1.0}
    hit |= {"prompt": of_garak(DOG, [])["prompt"], "output": {"text": "No."}}
    assert told(lines(tmp_path / "hitlog.jsonl", hit)) == [
        {"model": "openai oak", "system": "Be brief.", "prompt": DOG, "response": "No."}
    ]


def test_that_a_log_of_openai_s_evals_gives_what_was_sampled(tmp_path: Path) -> None:
    def event(number: int, kind: str, **data: Any) -> dict[str, Any]:
        return {"run_id": "r", "event_id": number, "sample_id": f"t.{number}", "type": kind, "data": data}

    log = lines(
        tmp_path / "log.jsonl",
        {"spec": {"completion_fns": ["oak"], "eval_name": "t"}},
        event(0, "sampling", prompt=[BRIEF, {"role": "user", "content": CAT}], sampled=[SAYS, "Second."]),
        event(0, "match", correct=True),
        event(1, "sampling", prompt=DOG, sampled="No."),
        {"final_report": {"accuracy": 1.0}},
    )
    first = {"model": "oak", "system": "Be brief.", "prompt": CAT}
    assert told(log) == [
        {**first, "response": SAYS},
        {**first, "repeat": "1", "response": "Second."},
        {"model": "oak", "prompt": DOG, "response": "No."},
    ]


def test_that_details_of_lighteval_are_texts_and_no_lists(tmp_path: Path) -> None:
    from pyarrow import Table
    from pyarrow.parquet import write_table

    def row(question: str, *texts: str) -> dict[str, Any]:
        reply = {"text": list(texts), "reasonings": ["Hm."] * len(texts), "logprobs": [0.5]}
        return {"doc": {"query": question, "task_name": "t"}, "metric": {"em": 1.0}, "model_response": reply}

    folder = tmp_path / "details" / "maker" / "oak" / "2026-03-01"
    folder.mkdir(parents=True)
    write_table(Table.from_pylist([row(CAT, SAYS, "Second."), row(DOG)]), folder / "details_t.parquet")
    rows = [row.values for row in read_answer_rows(folder / "details_t.parquet")]
    assert [(row["model"], row["question"], row["response"], row.get("missing", "")) for row in rows] == [
        ("maker/oak", CAT, f"<think>Hm.</think>{SAYS}", ""),
        ("maker/oak", CAT, "<think>Hm.</think>Second.", ""),
        ("maker/oak", DOG, "", "unreadable"),
    ]


CONVERSATIONS: dict[str, Mapping[str, Any]] = {
    "Oumi": {
        "messages": [BRIEF, {"role": "user", "content": CAT}, {"role": "assistant", "content": SAYS}],
        "metadata": {"model": "oak"},
    },
    "ShareGPT": {
        "model": "oak",
        "conversations": [
            {"from": "system", "value": "Be brief."},
            {"from": "human", "value": CAT},
            {"from": "gpt", "value": SAYS},
        ],
    },
    "Ragas": {
        "model": "oak",
        "user_input": [
            {"type": "system", "content": "Be brief."},
            {"type": "human", "content": CAT},
            {"type": "ai", "content": [{"type": "text", "text": SAYS}]},
        ],
    },
}


@pytest.mark.parametrize("program", CONVERSATIONS)
def test_that_an_answer_in_a_list_of_messages_stands_by_its_question(program: str, tmp_path: Path) -> None:
    path = lines(tmp_path / "t.jsonl", CONVERSATIONS[program])
    assert told(path) == [{"model": "oak", "system": "Be brief.", "prompt": CAT, "response": SAYS}]


def test_that_turns_of_deepeval_are_answers_of_their_own(tmp_path: Path) -> None:
    said = (("user", CAT), ("assistant", SAYS), ("user", DOG), ("assistant", "No."))
    case = {"name": "c", "turns": [{"role": role, "content": text} for role, text in said]}
    run = {"testCases": [], "conversationalTestCases": [case], "hyperparameters": {"model": "oak"}}
    path = tmp_path / "run.json"
    path.write_text(json.dumps(run))
    assert told(path) == [
        {"model": "oak", "prompt": CAT, "response": SAYS},
        {"model": "oak", "prompt": DOG, "response": "No."},
    ]


def test_that_pieces_of_pyrit_s_memory_are_joined_by_their_conversation(tmp_path: Path) -> None:
    def piece(role: str, text: str, talk: str, at: int, fault: str = "none") -> dict[str, Any]:
        values = {"original_value": text, "converted_value": text, "response_error": fault}
        target = {"prompt_target_identifier": {"model_name": "oak"}}
        return {"role": role, "conversation_id": talk, "sequence": at, **values, **target}

    pieces = [
        piece("assistant", SAYS, "a", 1),
        piece("user", CAT, "a", 0),
        piece("user", DOG, "b", 0),
        piece("assistant", '{"status_code": 200}', "b", 1, "blocked"),
    ]
    path = tmp_path / "memory.json"
    path.write_text(json.dumps(pieces))
    assert told(path) == [
        {"model": "oak", "prompt": CAT, "response": SAYS},
        {"model": "oak", "prompt": DOG, "refused": "yes", "error": "blocked"},
    ]


def test_that_calls_alone_are_read_of_phoenix_s_spans_and_mlflow_s_traces(tmp_path: Path) -> None:
    reply = json.dumps({"choices": [{"message": {"role": "assistant", "content": SAYS}, "finish_reason": "stop"}]})

    def span(kind: str) -> dict[str, str]:
        its = {"attributes.openinference.span.kind": kind, "attributes.llm.model_name": "oak"}
        return {**its, "attributes.input.value": CAT, "attributes.output.value": reply}

    spans = lines(tmp_path / "spans.jsonl", span("CHAIN"), span("LLM"))
    assert [row.left_out for row in read_answer_rows(spans)] == ["it is a step of the kind CHAIN", ""]
    assert told(spans) == [{"model": "oak", "prompt": CAT, "response": reply}]

    given = json.dumps({"model": "oak", "messages": [{"role": "user", "content": CAT}]})

    def trace(got: str, state: str) -> dict[str, Any]:
        inner = {"name": "chat", "parent_id": "p", "attributes": {"mlflow.spanInputs": "{}"}}
        outer = {"name": "ask", "attributes": {"mlflow.spanInputs": given, "mlflow.spanOutputs": got}}
        return {"info": {"state": state}, "data": {"spans": [inner, outer]}}

    traces = lines(tmp_path / "traces.jsonl", trace(json.dumps(SAYS), "OK"), trace("null", "ERROR"))
    assert told(traces) == [
        {"model": "oak", "prompt": given, "response": SAYS},
        {"model": "oak", "prompt": given, "response": "null", "error": "ERROR"},
    ]


def test_that_records_of_trulens_are_texts_of_an_app(tmp_path: Path) -> None:
    path = tmp_path / "records.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(("app_name", "app_version", "app_id", "record_id", "input", "output"))
        rows.writerow(("oak", "2", "a", "r1", json.dumps(CAT), json.dumps(SAYS)))
        rows.writerow(("oak", "2", "a", "r2", DOG, '"No," it said.'))
    found = [(row.values["model"], row.values["input"], row.values["output"]) for row in read_answer_rows(path)]
    assert found == [("oak 2", CAT, SAYS), ("oak 2", DOG, '"No," it said.')]


def test_that_samples_of_every_eval_ever_are_texts(tmp_path: Path) -> None:
    sample = {"evaluation_name": "t", "sample_id": "1", "model_id": "oak", "input": {"raw": CAT}}
    sample |= {"output": {"raw": [SAYS], "reasoning_trace": ["Hm."]}}
    (row,) = read_answer_rows(lines(tmp_path / "t.jsonl", sample))
    said = (row.values["model"], row.values["question"], row.values["response"])
    assert said == ("oak", CAT, f"<think>Hm.</think>{SAYS}")


def test_that_answers_of_helm_s_page_are_refused_with_the_file_that_has_their_questions(tmp_path: Path) -> None:
    path = tmp_path / "display_predictions.json"
    path.write_text(json.dumps([{"instance_id": "id1", "predicted_text": "Yes."}]))
    with pytest.raises(UserError, match="without their questions") as refused:
        list(read_answer_rows(path))
    assert "scenario_state.json" in (refused.value.remedy or "")


CHOICE = [{"index": 0, "message": {"role": "assistant", "content": SAYS}, "finish_reason": "stop"}]
USER = {"role": "user", "content": CAT}
OF_PHOENIX = ("attributes.openinference.span.kind", "attributes.llm.model_name", "attributes.llm.input_messages")
SAID = "attributes.llm.output_messages"


def constructed(kind: str, text: str) -> dict[str, Any]:
    return {"lc": 1, "type": "constructor", "id": ["langchain", kind], "kwargs": {"content": text, "type": kind}}


@pytest.mark.parametrize(
    "cells",
    [
        {"inputs.model": "oak", "inputs.messages": [BRIEF, USER], "output.choices": CHOICE, "exception": ""},
        {
            "inputs.model": "oak",
            "inputs.messages[0].role": "system",
            "inputs.messages[0].content": "Be brief.",
            "inputs.messages[1].role": "user",
            "inputs.messages[1].content": CAT,
            "output.choices[0].finish_reason": "stop",
            "output.choices[0].message.content": SAYS,
        },
        {"id": "r", "inputs": {"messages": [USER]}, "outputs": {"model": "oak", "choices": CHOICE}},
        {"model": "oak", "inputs": {"question": CAT}, "outputs": {"answer": SAYS}},
        {"model": "oak", "input_messages": [USER], "output_message": {"role": "assistant", "content": SAYS}},
        {"model": "oak", "messages": [[constructed("human", CAT)]], "output": [constructed("ai", SAYS)]},
        {"model": "oak", "messages": [{"type": "human", "data": {"content": CAT}}], "output": SAYS},
        *(
            dict(zip((*OF_PHOENIX, SAID), ("LLM", "oak", [wrap("user", CAT)], [wrap("assistant", SAYS)]), strict=True))
            for wrap in (
                lambda role, text: {"message.role": role, "message.content": text},
                lambda role, text: {"message": {"role": role, "content": text}},
                lambda role, text: {
                    "message.role": role,
                    "message.contents": [{"message_content.type": "text", "message_content.text": text}],
                },
            )
        ),
    ],
)
def test_that_calls_are_unwrapped_whatever_program_observed_them(tmp_path: Path, cells: dict[str, Any]) -> None:
    path = tmp_path / "calls.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(cells)
        # As pandas prints them: Python's own spelling, and JSON where a program writes the file itself.
        spelled = str if SAID in cells else json.dumps
        rows.writerow(cell if isinstance(cell, str) else spelled(cell) for cell in cells.values())
    study = study_in([path], {})
    assert [(each.model, each.text) for each in study.answers] == [("oak", SAYS)]
    assert [item.title for item in study.items] == [CAT]


def test_that_an_answer_of_json_of_its_own_is_left_as_it_is(tmp_path: Path) -> None:
    own = ['{"data": {"content": "x"}}', '{"message": {"text": "x"}}', '[{"type": "ai", "data": {}}]']
    path = tmp_path / "own.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("model", "question", "response"), *(("oak", CAT, each) for each in own)])
    assert [each.text for each in study_in([path], {}).answers] == own


def test_that_tables_of_braintrust_are_read_like_its_json(tmp_path: Path) -> None:
    """In its CSV what is nested stands as JSON, and so does a text."""
    spans = [
        {"input": {"question": each}, "output": SAYS, "metadata": {"model": "oak"}, "scores": {"F": 0.6}}
        | {"span_attributes": {"name": "eval"}, "error": None}
        for each in (CAT, DOG)
    ]
    table = tmp_path / "experiment.csv"
    with table.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(spans[0])
        writer.writerows([json.dumps(each) if each else "" for each in span.values()] for span in spans)
    study = study_in([table], {}, lambda *_: None)
    assert [(each.model, study.items[each.item].title, each.text) for each in study.answers] == [
        ("oak", CAT, SAYS), ("oak", DOG, SAYS),
    ]  # fmt: skip


def test_that_counts_of_tokens_are_no_questions_and_a_path_is_no_model(tmp_path: Path) -> None:
    """A trace that Langfuse saves holds ``usageDetails.input``; Azure's results hold ``inputs.response``."""
    calls = [
        {"type": "GENERATION", "model": "oak", "input": {"messages": [{"role": "user", "content": each}]}}
        | {"output": {"role": "assistant", "content": SAYS}, "usageDetails": {"input": 5, "output": 9}}
        for each in (CAT, DOG)
    ]
    trace = tmp_path / "trace.json"
    trace.write_text(json.dumps({"trace": {"id": "t", "name": "ferry"}, "observations": calls, "scores": []}), "utf-8")
    judged = [{"inputs.query": each, "inputs.response": SAYS, "inputs.model": "oak"} for each in (CAT, DOG)]
    for path in (trace, lines(tmp_path / "results.jsonl", *judged)):
        study = study_in([path], {}, lambda *_: None)
        assert [(each.model, study.items[each.item].title, each.text) for each in study.answers] == [
            ("oak", CAT, SAYS), ("oak", DOG, SAYS),
        ]  # fmt: skip


def test_that_a_duel_is_two_answers_and_each_of_its_turns_one(tmp_path: Path) -> None:
    path = tmp_path / "train.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(("id", "model_a", "model_b", "prompt", "response_a", "response_b", "winner_tie"))
        rows.writerow((1, "oak", "elm", json.dumps([CAT, DOG]), json.dumps([SAYS, "No."]), json.dumps(["A.", None]), 1))
        rows.writerow((2, "oak", "elm", DOG, "[Yes]", "B.", 0))
    assert [{name: row.get(name, "") for name in ("model", "prompt", "response")} for row in told(path)] == [
        {"model": "oak", "prompt": CAT, "response": SAYS},
        {"model": "oak", "prompt": DOG, "response": "No."},
        {"model": "elm", "prompt": CAT, "response": "A."},
        {"model": "elm", "prompt": DOG, "response": ""},
        {"model": "oak", "prompt": DOG, "response": "[Yes]"},
        {"model": "elm", "prompt": DOG, "response": "B."},
    ]
    chats = {
        f"conversation_{side}": [{"role": "user", "content": CAT}, {"role": "assistant", "content": f"{side}."}]
        for side in "ab"
    }
    assert told(lines(tmp_path / "duels.jsonl", {"model_a": "oak", "model_b": "elm", **chats, "winner": "tie"})) == [
        {"model": "oak", "prompt": CAT, "response": "a."},
        {"model": "elm", "prompt": CAT, "response": "b."},
    ]
    judged = [{"model_a": "oak", "model_b": "elm", "judge": "user_1", **chats, "winner": "model_a"}]
    study = study_in([lines(tmp_path / "judged.jsonl", *judged)], {})
    assert len(study.answers) == 2, "who chose between two answers gave none of them a mark"


def test_that_files_of_one_name_in_folders_each_are_of_the_models_that_the_folders_are_called_after(
    tmp_path: Path,
) -> None:
    sample = {
        "doc_id": 0,
        "doc": {"question": CAT},
        "arguments": [[CAT, {}]],
        "filtered_resps": ["x"],
        "filter": "none",
    }
    for model, says in (("gpt-4o", "Yes."), ("claude-3-haiku", "No.")):
        for name in ("harness", "own"):
            (tmp_path / name / model).mkdir(parents=True)
        lines(tmp_path / "harness" / model / "samples_a_2026.jsonl", {**sample, "resps": [[says]]})
        lines(tmp_path / "own" / model / "answers.jsonl", {"question": CAT, "response": says})
    for name in ("harness", "own"):
        tables = sorted((tmp_path / name).rglob("*.jsonl"))
        study = study_in(tables, {BESIDE: json.dumps([str(each) for each in tables])})
        assert {(each.model, each.text) for each in study.answers} == {("gpt-4o", "Yes."), ("claude-3-haiku", "No.")}


REPLY = {"object": "chat.completion", "model": "oak", "choices": [{"message": {"role": "assistant", "content": SAYS}}]}
CALLS: tuple[Mapping[str, Any], ...] = (
    # Langfuse, LangSmith, Giskard, Helicone, and a list of experiments without Braintrust's spans.
    {"id": 1, "providedModelName": "oak", "input": [{"role": "user", "content": CAT}], "output": SAYS},
    {"inputs.question": CAT, "outputs.answer": SAYS, "extra.metadata.ls_model_name": "oak"},
    {"question": CAT, "reference_answer": "Z", "conversation_history": [], "assistant": SAYS, "model": "oak"},
    {"request_body": {"model": "oak", "messages": [BRIEF, {"role": "user", "content": CAT}]}, "response_body": REPLY},
    {"request": {"model": "oak", "messages": [{"role": "user", "content": CAT}]}, "response": REPLY, "status": 200},
    {"id": 1, "input": CAT, "output": SAYS, "expected": "Z", "metadata": {"model": "oak"}},
)


@pytest.mark.parametrize("cells", CALLS, ids=lambda cells: ",".join(cells)[:30])
def test_that_who_answered_is_found_in_whatever_a_program_calls_it(tmp_path: Path, cells: Mapping[str, Any]) -> None:
    path = tmp_path / "calls.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(cells)
        rows.writerow(each if isinstance(each, str) else json.dumps(each) for each in cells.values())
    study = study_in([path], {})
    assert [(each.model, study.items[each.item].title, each.text) for each in study.answers] == [("oak", CAT, SAYS)]


def test_that_answers_in_json_stay_whole_beside_metadata(tmp_path: Path) -> None:
    path = tmp_path / "own.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("input", "output", "metadata"), (CAT, '{"a": 1}', '{"model": "oak"}')])
    assert [(each.model, each.text) for each in study_in([path], {}).answers] == [("oak", '{"a": 1}')]


def test_that_answers_of_mt_bench_are_told_apart_by_number_and_turn(tmp_path: Path) -> None:
    answered = {
        "question_id": 81,
        "answer_id": "x",
        "model_id": "oak",
        "choices": [{"index": 0, "turns": ["A.", "B."]}],
    }
    study = study_in([lines(tmp_path / "oak.jsonl", answered)], {})
    assert [(each.model, study.items[each.item].title, each.text) for each in study.answers] == [
        ("oak", "81", "A."), ("oak", "81, 2", "B."),
    ]  # fmt: skip
