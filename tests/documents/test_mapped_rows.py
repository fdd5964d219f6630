"""Rows that say nothing in what is asked for are named, and left out."""

import json
from pathlib import Path

import pytest
from openpyxl import Workbook

from gpf_desktop.documents.mapped_rows import (
    MappedRow,
    MappedRows,
    Repeats,
    imported_answer,
    read_mapped,
    wanted_endings,
    wanted_model,
    wanted_response,
)
from gpf_desktop.domain.coordinates import Coordinates, PlannedAnswer
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.imports import MAPPED
from gpf_desktop.domain.responses import Missing

WANTED = (wanted_model(), wanted_response(), *wanted_endings())


def read(table: Path) -> MappedRows:
    return read_mapped([table], {}, WANTED, lambda _doing, _done, _of: None)


def test_that_a_head_that_stands_there_again_is_no_row(tmp_path: Path) -> None:
    table = tmp_path / "joined.csv"
    table.write_text("Model,Answer,Note\na/x,Yes.,\nModel,Answer,Note\nb/y,No.,\n", encoding="utf-8")
    found = read(table)
    assert [row.told["response"] for row in found.rows] == ["Yes.", "No."]
    assert [(each.line, each.why) for each in found.problems] == [(3, "it is the head of the table once more")]


def book_of(path: Path, *rows: list[object]) -> Path:
    book = Workbook()
    for row in rows:
        book.worksheets[0].append(row)
    book.save(path)
    return path


def test_that_an_answer_that_is_a_formula_without_a_value_is_missing_and_told(tmp_path: Path) -> None:
    rows = (["model", "answer", "words"], ["a/x", "Yes.", "=LEN(B2)"], ["b/y", '=CONCATENATE("N", "o.")', 2])
    found = read(book_of(tmp_path / "made.xlsx", *rows))
    # A column that says nothing that is asked for spoils no row.
    asked = PlannedAnswer(coordinates=Coordinates())
    answered, missing = (imported_answer(row.told, "", 0, asked) for row in found.rows)
    assert (answered.text, answered.missing) == ("Yes.", "")
    assert (missing.text, missing.missing) == ("", Missing.UNREADABLE)
    assert "“answer” has no stored value" in missing.detail
    assert not found.problems
    assert (
        "1 answer is a formula without a stored value, or an error, and stands as missing (made.xlsx, line 3)"
        in (found.columns[-1])
    )


def test_that_a_model_that_is_a_formula_without_a_value_leaves_its_row_out(tmp_path: Path) -> None:
    found = read(book_of(tmp_path / "made.xlsx", ["model", "answer"], ["a/x", "Yes."], ['="b/y"', "No."]))
    assert [row.told["response"] for row in found.rows] == ["Yes."]
    (problem,) = found.problems
    assert problem.line == 3
    assert "“model” has no stored value" in problem.why


def test_that_a_table_without_a_usable_row_says_what_is_wrong_with_its_first(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="No row of the table can be used; line 2: the formula in “model”"):
        read(book_of(tmp_path / "made.xlsx", ["model", "answer"], ['="a/x"', "Yes."]))


def test_that_a_workbook_of_formulas_alone_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"No answer in made\.xlsx has a stored value") as told:
        read(book_of(tmp_path / "made.xlsx", ["model", "answer"], ["a/x", '="Yes."']))
    assert "spreadsheet program" in told.value.remedy


def test_that_a_column_that_stands_there_twice_is_told(tmp_path: Path) -> None:
    table = tmp_path / "twice.csv"
    table.write_text("model,answer,answer\na/x,,Yes.\n", encoding="utf-8")
    assert "The column “answer” stands there more than once; the first is read." in read(table).columns


@pytest.mark.parametrize("sign", [",", ";", "\t", "|"])
def test_that_whichever_sign_stands_between_columns_they_are_told_apart(tmp_path: Path, sign: str) -> None:
    table = tmp_path / "odd.csv"
    table.write_text(f"model{sign}answer\na/x{sign}Yes.\n", encoding="utf-8")
    (row,) = read(table).rows
    assert row.told == {"model": "a/x", "response": "Yes."}


@pytest.mark.parametrize("finish", ["content_filter", "refusal", "SAFETY"])
def test_that_an_answer_that_was_held_back_is_a_refusal_whoever_wrote_it_down(finish: str) -> None:
    made = imported_answer({"response": "", "finish": finish}, "a/x", 0, PlannedAnswer(coordinates=Coordinates()))
    assert made.missing == Missing.REFUSED


@pytest.mark.parametrize(("name", "body"), [("empty.csv", ""), ("cut.jsonl", '{"model": "a/x",\n')])
def test_that_of_several_tables_the_one_is_named_that_cannot_be_read(tmp_path: Path, name: str, body: str) -> None:
    (tmp_path / name).write_text(body, encoding="utf-8")
    with pytest.raises(UserError, match=name) as told:
        read(tmp_path / name)
    assert told.value.remedy


def test_that_what_is_said_of_columns_counts_for_the_tables_that_have_them(tmp_path: Path) -> None:
    first, second = tmp_path / "a.csv", tmp_path / "b.csv"
    first.write_text("bot,said\nelm,One.\n")
    second.write_text("model,response\noak,Two.\n")
    given = {MAPPED: json.dumps({"model": "bot", "response": "said"})}
    read = read_mapped([first, second], given, WANTED, lambda _doing, _done, _of: None)
    assert [(row.told["model"], row.told["response"]) for row in read.rows] == [("elm", "One."), ("oak", "Two.")]
    with pytest.raises(UserError, match="no column “bot”"):
        read_mapped([second], given, WANTED, lambda _doing, _done, _of: None)


def test_that_a_row_keeps_the_number_that_it_says_whatever_rows_stand_before_it() -> None:
    repeats = Repeats()
    said = ("1", "0", "", "0", "7", "")
    taken = [repeats.take(MappedRow("a.csv", line, {"repeat": text}, {}), "asked") for line, text in enumerate(said)]
    assert taken == [1, 0, 2, 3, 7, 8]
