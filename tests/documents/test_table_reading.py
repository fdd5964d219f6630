"""Where a table begins that has a title above its head, or lies on another sheet."""

from pathlib import Path

import pytest
from openpyxl import Workbook

from gpf_desktop.documents.answer_files import read_answer_rows
from gpf_desktop.documents.table_reading import ANYWHERE, HEAD_ROW, TableReading
from gpf_desktop.documents.tables import header_of
from gpf_desktop.domain.errors import UserError

HEAD, ROW = ["model", "question", "response"], ["elm", "What is a ferry?", "A boat."]


def workbook(path: Path, **sheets: list[list[str]]) -> Path:
    book = Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    book.save(path)
    return path


def written(path: Path, *lines: str) -> Path:
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def models(path: Path, start: TableReading = ANYWHERE) -> list[str]:
    return [row.values["model"] for row in read_answer_rows(path, start=start)]


@pytest.mark.parametrize(
    "above",
    [
        ("Ferry study, March 2026",),
        ("Ferry study;;",),
        ("Ferry study", "", "Asked by hand; checked twice", ""),
        ('"A title that\ngoes on"',),
    ],
)
@pytest.mark.parametrize("sign", [",", ";", "\t", "|"])
def test_that_a_title_above_the_head_is_passed_over(tmp_path: Path, above: tuple[str, ...], sign: str) -> None:
    head = ("model", "question", "response", "theme", "judge")
    row = ("elm", "What is a ferry?", "A boat.", "ferries", "oak")
    table = written(tmp_path / "t.csv", *above, sign.join(head), sign.join(row))
    assert models(table) == ["elm"]
    assert header_of(table) == list(head)


def test_that_a_table_of_two_columns_and_one_without_a_title_keep_their_heads(tmp_path: Path) -> None:
    assert models(written(tmp_path / "t.csv", "Notes of May", "model,response", "elm,A boat.")) == ["elm"]
    assert models(written(tmp_path / "u.csv", "model,response,", "elm,A boat.,", "oak,,x")) == ["elm", "oak"]


def test_that_the_row_of_the_names_can_be_said(tmp_path: Path) -> None:
    table = written(tmp_path / "t.csv", "a,b,c", "1,2,3", "model;question;response", "elm;What?;A boat, red")
    assert models(table, TableReading(head=3)) == ["elm"]
    assert header_of(table, TableReading(head=3)) == HEAD


def test_that_a_sheet_can_be_said_and_a_title_stands_above_its_head(tmp_path: Path) -> None:
    book = workbook(tmp_path / "t.xlsx", Notes=[["x", "y"], ["1", "2"]], Answers=[["Ferry study"], [], HEAD, ROW])
    assert models(book, TableReading(sheet="Answers")) == ["elm"]
    assert models(workbook(tmp_path / "u.xlsx", Read=[["Read me"]], Answers=[["Title"], HEAD, ROW])) == ["elm"]
    with pytest.raises(UserError, match="no sheet “Answer”") as refused:
        models(book, TableReading(sheet="Answer"))
    assert "Notes, Answers" in refused.value.remedy


@pytest.mark.parametrize("said", ["0", "-1", "two", "1.5", "99999999999"])
def test_that_a_row_that_is_no_number_is_refused(said: str) -> None:
    with pytest.raises(UserError, match="not a number from 1"):
        TableReading.of({HEAD_ROW: said})


def test_that_notes_on_the_first_sheet_and_words_over_several_columns_are_passed_over(tmp_path: Path) -> None:
    notes = [["Model", "elm and oak"], ["By", "Ann"], ["Version", "2"]]
    over = ["Who", "", "What", ""]
    head = ["id", "model", "question", "response"]
    book = workbook(tmp_path / "t.xlsx", Notes=notes, Answers=[["Study"], over, head, ["1", *ROW]])
    assert models(book) == ["elm"]
    # A sheet of which the names tell nothing is still the first that has rows under a head.
    odd = workbook(tmp_path / "u.xlsx", Read=[["Read me"], ["by", "Ann"]], Odd=[["a", "model", "c"], ["1", "elm", "2"]])
    assert models(odd) == ["elm"]
