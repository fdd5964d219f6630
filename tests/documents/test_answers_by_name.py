"""Answers that stand below names: a sheet or a file for each model, two rows of names, objects by model."""

import csv
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from openpyxl import Workbook

from gpf_desktop.documents.answer_files import read_answer_rows
from gpf_desktop.documents.level_names import is_model, level_of
from gpf_desktop.documents.mapped_rows import read_mapped
from gpf_desktop.documents.table_reading import ANYWHERE, TableReading
from gpf_desktop.domain.errors import UserError
from gpf_desktop.methods.relative_bias.importing import study_in, wanted

WHY, WHERE = "Why is it so?", "Where does it lie?"
HEAD = ["question", "response"]
GRID = [[WHY, "a", "b", "c", "d"], [WHERE, "e", "f", "g", "h"]]
BY_GRID = [
    *(("gpt-4o", WHY, "0", "a"), ("gpt-4o", WHY, "1", "b"), ("Claude 3", WHY, "0", "c"), ("Claude 3", WHY, "1", "d")),
    *(("gpt-4o", WHERE, "0", "e"), ("gpt-4o", WHERE, "1", "f")),
    *(("Claude 3", WHERE, "0", "g"), ("Claude 3", WHERE, "1", "h")),
]


def workbook(path: Path, sheets: dict[str, list[list[str]]], *, merged: Sequence[str] = (), hidden: str = "") -> Path:
    book = Workbook()
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
        for cells in merged:
            sheet.merge_cells(cells)
        sheet.sheet_state = "hidden" if name == hidden else "visible"
    book.remove(book.worksheets[0])
    book.save(path)
    return path


def table(path: Path, rows: list[list[str]]) -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(rows)
    return path


def told(path: Path, *names: str, start: TableReading = ANYWHERE) -> list[tuple[str, ...]]:
    return [tuple(row.values.get(name, "-") for name in names) for row in read_answer_rows(path, start=start)]


def test_that_sheets_of_the_same_columns_are_one_table(tmp_path: Path) -> None:
    about = {"About": [["Made in March"]], "Questions": [["theme", "question"], ["State", WHY]]}
    models = {"gpt-4o": [HEAD, [WHY, "a"]], "claude-3": [["response", "note", "question"], ["b", "x", WHY]]}
    old = {"old": [HEAD, [WHY, "z"]]}
    path = workbook(tmp_path / "m.xlsx", about | models | old, hidden="old")
    assert told(path, "model", "question", "response") == [("gpt-4o", WHY, "a"), ("claude-3", WHY, "b")]
    assert told(path, "model", "response", start=TableReading(sheet="old")) == [("-", "z")]
    (said,) = [each for each in study_in([path], {}).said if each.startswith("Sheets")]
    assert said == "Sheets that were read as one table: gpt-4o; claude-3."

    long = [["model", *HEAD], ["elm", WHY, "a"], ["elm", "", ""]]
    path = workbook(tmp_path / "c.xlsx", {"Chile": long, "Peru": long})
    assert told(path, "sheet", "model", "response")[::2] == [("Chile", "elm", "a"), ("Peru", "elm", "a")]
    assert {each.model for each in study_in([path], {"by": "sheet"}).answers} == {
        "elm · sheet Chile",
        "elm · sheet Peru",
    }
    assert [each.file for each in study_in([path], {}).problems] == ["c.xlsx, Chile", "c.xlsx, Peru"]

    path = workbook(tmp_path / "n.xlsx", {"Alpha": [HEAD, [WHY, "a"]], "Beta": [HEAD, [WHY, "b"]]})
    with pytest.raises(UserError, match='model = "sheet"'):
        study_in([path], {})
    map_file = tmp_path / "map.toml"
    map_file.write_text('[columns]\nmodel = "sheet"\n')
    assert {(each.model, each.text) for each in study_in([path], {"map": str(map_file)}).answers} == {
        ("Alpha", "a"),
        ("Beta", "b"),
    }


def test_that_files_named_for_models_say_whose_answers_they_hold(tmp_path: Path) -> None:
    files = [table(tmp_path / f"gpt-{n}_answers.csv", [HEAD, [WHY, text]]) for n, text in (("3.5", "a"), ("4o", "b"))]
    files += [table(tmp_path / "claude_answers.csv", [["model", *HEAD], ["Claude 3", WHY, "c"]])]
    read = read_mapped(files, TableReading.together(files), wanted(), lambda *_: None)
    assert [(each.told["model"], each.told["response"]) for each in read.rows] == [
        ("gpt-3.5", "a"),
        ("gpt-4o", "b"),
        ("Claude 3", "c"),
    ]
    upper = table(tmp_path / "t.csv", [["q", "oak", "", "elm", ""], ["", *("Runde 1", "Runde 2") * 2], [WHY, *"abcd"]])
    with pytest.raises(UserError) as refused:
        study_in([upper], {})
    assert 'model = "upper head"' in (refused.value.remedy or ""), "what may be the models, beside which round it was"
    others = [table(tmp_path / f"{name}.csv", [HEAD, [WHY, "a"]]) for name in ("first", "second")]
    with pytest.raises(UserError, match=r"response, file\..*model = \"file\""):
        read_mapped(others, TableReading.together(others), wanted(), lambda *_: None)


@pytest.mark.parametrize(
    ("begin", "merged"),
    [
        ([["", "gpt-4o", "", "Claude 3", ""], ["question", "gen 1", "gen 2", "gen 1", "gen 2"]], ["B1:C1", "D1:E1"]),
        ([["question", "gpt-4o", "", "Claude 3", ""], ["", "1", "2", "1", "2"]], ["A1:A2", "B1:C1", "D1:E1"]),
        ([["In March"], ["", "gpt-4o", "", "Claude 3", ""], ["question", "run_1", "run_2", "run_1", "run_2"]], []),
        (
            [["", "gpt-4o", "gpt-4o", "Claude 3", "Claude 3"], ["", "1", "2", "1", "2"], ["question", "", "", "", ""]],
            [],
        ),
    ],
)
def test_that_two_rows_of_names_are_read(begin: list[list[str]], merged: list[str], tmp_path: Path) -> None:
    wanted = ("model", "question", "repeat", "response")
    assert told(table(tmp_path / "t.csv", begin + GRID), *wanted) == BY_GRID
    assert told(workbook(tmp_path / "t.xlsx", {"One": begin + GRID}, merged=merged), *wanted) == BY_GRID


@pytest.mark.parametrize(
    ("rows", "names", "expected"),
    [
        (
            [
                ["", "gpt-4o", "", "elm", "", ""],
                ["question", "response", "score", "response", "score", "note"],
                [WHY, "a", "1", "b", "2", "n"],
            ],
            ("model", "response", "score", "note"),
            [("gpt-4o", "a", "1", "n"), ("elm", "b", "2", "n")],
        ),
        (
            [["question", "Spanish", "", "Welsh", ""], ["", "oak", "elm", "oak", "elm"], [WHY, "a", "b", "c", "d"]],
            ("upper head 1", "upper head 2", "response"),
            [("Spanish", "oak", "a"), ("Spanish", "elm", "b"), ("Welsh", "oak", "c"), ("Welsh", "elm", "d")],
        ),
        # Reviewers over their scores, beside the answers.
        (
            [
                ["", "", "Ann", "", "Ben", ""],
                ["model", "response", "mark", "why", "mark", "why"],
                ["elm", "a", "1", "x", "2", "y"],
            ],
            ("model", "response", "mark #2"),
            [("elm", "a", "2")],
        ),
        # Answers may be as alike as names.
        (
            [["question", "gpt-4o", "gpt-4o", "DeepSeek-V3", "DeepSeek-V3"], [WHY, "Yes", "No", "Yes", "No"]],
            ("model", "response"),
            [("gpt-4o", "Yes"), ("gpt-4o", "No"), ("DeepSeek-V3", "Yes"), ("DeepSeek-V3", "No")],
        ),
        ([["question", "Nova", "Solar"], [WHY, "x", "y"]], ("model", "nova"), [("-", "x")]),
        (
            [["question", "gpt-4o", "gpt-4o score", "elm"], [WHY, "a", "1", "b"]],
            ("model", "gpt-4o"),
            [("-", "a")],
        ),
        ([["model", "response", "gpt-4", "gpt-5"], ["elm", "a", "1", "2"]], ("model", "gpt-4"), [("elm", "1")]),
    ],
)
def test_that_columns_with_an_answer_each_are_told_from_others(
    rows: list[list[str]], names: tuple[str, ...], expected: list[tuple[str, ...]], tmp_path: Path
) -> None:
    assert told(table(tmp_path / "t.csv", rows), *names) == expected


def test_that_columns_said_to_hold_answers_stay_as_they_stand(tmp_path: Path) -> None:
    path = table(tmp_path / "t.csv", [["question", "gpt-4o", "elm"], [WHY, "a", "b"]])
    lines = tmp_path / "t.jsonl"
    lines.write_text(json.dumps({"question": WHY, "gpt-4o": "a", "gpt-5": "b"}))
    for each in (path, lines):
        assert told(each, "gpt-4o", start=TableReading.of({"answers": "gpt-4o,elm"})) == [("a",)]
    assert told(lines, "model", "response") == [("gpt-4o", "a"), ("gpt-5", "b")]


def test_that_what_is_said_of_an_answer_is_no_ending(tmp_path: Path) -> None:
    rows = [["model", *HEAD, "reason"], ["elm", WHY, "a", "It is balanced."], ["elm", WHERE, "", "It fell asleep."]]
    judged = study_in([table(tmp_path / "t.csv", rows)], {})
    assert [(each.text, each.missing) for each in judged.answers] == [("a", ""), ("", "outcome unknown")]
    lines = tmp_path / "t.jsonl"
    told = {"promptIdx": 0, "testIdx": 0, "provider": {"id": "elm"}, "vars": {"question": WHY}}
    lines.write_text(json.dumps({**told, "response": {"output": "a"}, "namedScores": {"reason": 1, "model": 0}}))
    scored = read_mapped([lines], {}, wanted(), lambda *_: None).rows[0].told
    assert {name: scored.get(name) for name in ("model", "response", "missing")} == {
        "model": "elm",
        "response": "a",
        "missing": None,
    }


BY_MODEL = {"gpt-4o": {WHY: "a", WHERE: "b"}, "qwen2": {WHY: "c", WHERE: "d"}}
OF_BOTH = [("gpt-4o", WHY, "a"), ("gpt-4o", WHERE, "b"), ("qwen2", WHY, "c"), ("qwen2", WHERE, "d")]


@pytest.mark.parametrize(
    "found",
    [
        BY_MODEL,
        {WHY: {"gpt-4o": "a", "qwen2": "c"}, WHERE: {"gpt-4o": "b", "qwen2": "d"}},
        {"date": "2025-03-01", "results": BY_MODEL},
        {model: {question: [text] for question, text in its.items()} for model, its in BY_MODEL.items()},
        {model: {question: {"response": text} for question, text in its.items()} for model, its in BY_MODEL.items()},
        {model: [{"question": q, "response": text} for q, text in its.items()] for model, its in BY_MODEL.items()},
        {
            m: {"seed": 1, "answers": [{"question": q, "response": t} for q, t in i.items()]}
            for m, i in BY_MODEL.items()
        },
        [{"model": model, "responses": its} for model, its in BY_MODEL.items()],
        [{"question": q, "answers": {model: its[q] for model, its in BY_MODEL.items()}} for q in (WHY, WHERE)],
        [{"question": q, **{model: its[q] for model, its in BY_MODEL.items()}} for q in (WHY, WHERE)],
        {"questions": [WHY, WHERE], **{model: list(its.values()) for model, its in BY_MODEL.items()}},
    ],
)
def test_that_objects_by_model_and_question_are_read(found: Any, tmp_path: Path) -> None:
    (tmp_path / "t.json").write_text(json.dumps(found))
    assert sorted(told(tmp_path / "t.json", "model", "question", "response")) == sorted(OF_BOTH)


@pytest.mark.parametrize(
    ("found", "names", "expected"),
    [
        ({"gpt-4o": {WHY: ["a", "b"]}}, ("model", "repeat", "response"), [("gpt-4o", "0", "a"), ("gpt-4o", "1", "b")]),
        ({"gpt-4o": {"State": {WHY: "a"}}}, ("model", "name", "question"), [("gpt-4o", "State", WHY)]),
        ({"gpt-4o": {"q1": None}}, ("model", "name", "response"), [("gpt-4o", "q1", "")]),
        ({"gpt-4o": ["a", "b"]}, ("model", "number", "response"), [("gpt-4o", "0", "a"), ("gpt-4o", "1", "b")]),
        ({"oak": {"x": "a"}}, ("name 1", "name 2", "response"), [("oak", "x", "a")]),
        ({"gpt-4o": [{"question": WHY, "answer": "a"}]}, ("model", "answer"), [("gpt-4o", "a")]),
        ({WHY: [{"model": "elm", "answer": "a"}]}, ("question", "model", "answer"), [(WHY, "elm", "a")]),
    ],
)
def test_that_keys_that_say_nothing_stand_in_columns_to_be_chosen(
    found: Any, names: tuple[str, ...], expected: list[tuple[str, ...]], tmp_path: Path
) -> None:
    (tmp_path / "t.json").write_text(json.dumps(found))
    assert told(tmp_path / "t.json", *names) == expected


@pytest.mark.parametrize(
    "found",
    [
        {"name": "tool", "version": "1.0", "dependencies": {"a": "1", "b": "2"}},
        {"gpt-4o": {WHY: "a"}, "note": "of March"},
        {"gpt-4o": {"accuracy": 0.4, "f1": 0.2}},
        {"0": "a"},
        {"oak": [1, 2]},
    ],
)
def test_that_json_of_other_shapes_is_refused(found: Any, tmp_path: Path) -> None:
    (tmp_path / "t.json").write_text(json.dumps(found))
    with pytest.raises(UserError, match="of a shape that is not known here"):
        told(tmp_path / "t.json", "model")


def test_that_names_of_models_are_told_from_other_names() -> None:
    models = (
        "gpt-4o ChatGPT Llama_3.1_8B meta-llama/Llama-3-8B o3-mini command-r+ phi-4 Nova-2 model_1 claude qwen2.5:7b"
    )
    others = "gpt-4o_score Nova Commander Claudette llama_response output gpt-4o-tokens France model modeling o3zone"
    assert [name for name in models.split() if not is_model(name)] == []
    assert [name for name in others.split() if is_model(name)] == []
    assert level_of(["gen 1", "Run_2", "3"]) == "repeat"
    assert level_of([WHY, "Who votes there", WHERE]) == "question"
    assert level_of(["State", "Press"]) == level_of([]) == ""
