import json
from pathlib import Path

import pytest

from gpf_desktop.documents.answer_files import read_answer_rows
from gpf_desktop.documents.tables import Columns, TableRow, read_rows
from gpf_desktop.domain.errors import UserError

COLUMNS = Columns(("model", "response"), ("repeat",))


def rows(path: Path, content: str | bytes, *, encoding: str = "utf-8") -> list[TableRow]:
    path.write_bytes(content if isinstance(content, bytes) else content.encode(encoding))
    return list(read_rows(path, COLUMNS))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("sign", [",", ";", "\t"])
def test_that_rows_are_read_in_any_encoding_and_with_any_separator(tmp_path: Path, encoding: str, sign: str) -> None:
    text = f'Model {sign}response\r\na{sign}"één\r\ntwo"\r\n\r\nb{sign}x\r\n'
    found = rows(tmp_path / "a.csv", text, encoding=encoding)
    assert found == [
        TableRow(2, {"model": "a", "response": "één\r\ntwo"}),
        TableRow(5, {"model": "b", "response": "x"}),
    ]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.csv", "LLM;answer;sample\na;x;2\n"),
        ("a.csv", "LLM,output,answer,sample\na,y,x,2\n"),
        ("a.csv", "Modell;Antwort;sample\na;x;2\n"),
        ("a.csv", "modelo,llm,respuesta,sample\nb,a,x,2\n"),
        ("a.jsonl", '{"llm": "a", "answer": "x", "sample": 2}'),
    ],
)
def test_that_what_is_needed_is_read_by_the_names_that_imports_know_too(
    tmp_path: Path, name: str, content: str
) -> None:
    known = Columns(COLUMNS.required, COLUMNS.optional, known_as={"model": ("llm",), "response": ("answer", "output")})
    (tmp_path / name).write_text(content, encoding="utf-8")
    (row,) = read_rows(tmp_path / name, known)
    assert (row.values["model"], row.values["response"], row.values["sample"]) == ("a", "x", "2")
    with pytest.raises(UserError, match="no column “theme”"):
        list(read_rows(tmp_path / name, Columns(("model", "theme"), known_as={"model": ("llm",)})))


def test_that_json_lines_give_their_keys_as_text_but_for_structures_that_nobody_asked_for(tmp_path: Path) -> None:
    lines = [{"model": "a", "response": None, "repeat": 1, "more": [1], "Note": 2}, {"Model": "b", "response": "x"}]
    found = rows(tmp_path / "a.jsonl", "\n".join(map(json.dumps, lines)))
    assert [row.values for row in found] == [
        {"model": "a", "response": "", "repeat": "1", "note": "2"},
        {"model": "b", "response": "x"},
    ]


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.csv", "", "The table is empty. Needed are model, response; repeat may be left out."),
        ("a.jsonl", "\n", "The table is empty"),
        ("a.csv", "\nmodel,repeat\n", "Line 2: there is no column “response”"),
        ("a.csv", "model,response,Model\n", "Line 1: the column “model” stands there twice"),
        ("a.csv", 'model,response\na,b\n"c,d\n', "Line 3 is not valid CSV"),
        ("a.csv", "model,response\na,b,c\n", "Line 2 has 3 fields where the header has 2"),
        ("a.jsonl", "[1]\n", "Line 1 is JSON, but not an object"),
        ("a.jsonl", "{\n", "Line 1 is not a JSON object"),
        ("a.jsonl", '{"model": true, "response": ""}', "Line 1: “model” is neither text nor a number"),
        ("a.parquet", "", "a kind of table that is not read (.parquet)"),
    ],
)
def test_that_what_cannot_be_read_is_named_by_its_line(tmp_path: Path, name: str, content: str, said: str) -> None:
    with pytest.raises(UserError) as error:
        rows(tmp_path / name, content)
    assert said in str(error.value)


def test_that_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"gone\.csv cannot be read"):
        list(read_rows(tmp_path / "gone.csv", COLUMNS))


def test_that_an_empty_table_of_answers_says_what_it_needs_whatever_its_columns_would_be(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("")
    with pytest.raises(UserError, match=r"The table is empty\. Give a table with a head and a row for each answer\."):
        list(read_answer_rows(tmp_path / "a.csv"))
