"""Rows that say nothing in what is asked for are named, and left out."""

from pathlib import Path

import pytest
from openpyxl import Workbook

from gpf_desktop.documents.mapped_rows import MappedRows, read_mapped, wanted_model, wanted_response
from gpf_desktop.domain.errors import UserError

WANTED = (wanted_model(), wanted_response())


def read(table: Path) -> MappedRows:
    return read_mapped([table], {}, WANTED, lambda _doing, _done, _of: None)


def test_that_a_head_that_stands_there_again_is_no_row(tmp_path: Path) -> None:
    table = tmp_path / "joined.csv"
    table.write_text("Model,Answer,Note\na/x,Yes.,\nModel,Answer,Note\nb/y,No.,\n", encoding="utf-8")
    found = read(table)
    assert [row.told["response"] for row in found.rows] == ["Yes.", "No."]
    assert [(each.line, each.why) for each in found.problems] == [(3, "it is the head of the table once more")]


def test_that_a_formula_without_a_value_is_no_missing_answer(tmp_path: Path) -> None:
    book = Workbook()
    page = book.worksheets[0]
    for row in (["model", "answer", "words"], ["a/x", "Yes.", "=LEN(B2)"], ["b/y", '=CONCATENATE("N", "o.")', 2]):
        page.append(row)
    book.save(tmp_path / "made.xlsx")
    found = read(tmp_path / "made.xlsx")
    # A column that says nothing that is asked for spoils no row.
    assert [row.told["response"] for row in found.rows] == ["Yes."]
    (problem,) = found.problems
    assert problem.line == 3
    assert "“answer” has no stored value" in problem.why


def test_that_a_column_that_stands_there_twice_is_told(tmp_path: Path) -> None:
    table = tmp_path / "twice.csv"
    table.write_text("model,answer,answer\na/x,,Yes.\n", encoding="utf-8")
    assert "The column “answer” stands there more than once; the first is read." in read(table).columns


@pytest.mark.parametrize(("name", "body"), [("empty.csv", ""), ("cut.jsonl", '{"model": "a/x",\n')])
def test_that_of_several_tables_the_one_is_named_that_cannot_be_read(tmp_path: Path, name: str, body: str) -> None:
    (tmp_path / name).write_text(body, encoding="utf-8")
    with pytest.raises(UserError, match=name) as told:
        read(tmp_path / name)
    assert told.value.remedy
