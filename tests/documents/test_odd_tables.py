"""Tables of odd make: what is meant is read, and what cannot be is told as what it is."""

import bz2
import gzip
import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gpf_desktop.documents.answer_files import read_answer_rows
from gpf_desktop.documents.sheet_cells import ErrorCell, Uncomputed
from gpf_desktop.domain.errors import UserError

TABLE = "model,theme,response\nplain,Rent,Yes.\nkind,Rent,No.\n"


def read(path: Path) -> list[dict[str, str]]:
    return [dict(row.values) for row in read_answer_rows(path)]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_that_a_table_is_read_with_and_without_a_byte_order_mark(tmp_path: Path, encoding: str) -> None:
    (tmp_path / "a.csv").write_bytes(TABLE.encode(encoding))
    assert [row["response"] for row in read(tmp_path / "a.csv")] == ["Yes.", "No."]


def test_that_nul_behind_a_name_does_not_hide_the_column(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(TABLE.replace("model,", "model\0,"))
    assert [row["model"] for row in read(tmp_path / "a.csv")] == ["plain", "kind"]


@pytest.mark.parametrize("rows", ["   \n  \n", "\n\n", " , , \n , , \n"])
def test_that_a_table_of_blanks_is_empty(tmp_path: Path, rows: str) -> None:
    (tmp_path / "a.csv").write_text(rows)
    with pytest.raises(UserError, match="empty"):
        read(tmp_path / "a.csv")


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"PK\x03\x04" + bytes(99), "a workbook or another archive"),
        (gzip.compress(TABLE.encode(), mtime=0), "packed by gzip"),
        (b"\xd0\xcf\x11\xe0" + bytes(99), "with a password"),
        (b"%PDF-1.7\n", "a PDF"),
        (b"SQLite format 3\0" + bytes(99), "an audit"),
        (b"<!DOCTYPE html><html><table><tr><td>model</table>", "a web page"),
        (b"+/v8-" + TABLE.encode(), "text in UTF-7"),
        (TABLE.replace("\n", "\x85").encode("cp037"), "EBCDIC"),
        (bz2.compress(TABLE.encode()), "a packed file"),
        (hashlib.shake_256(b"noise").digest(2000), "what no program for tables writes"),
    ],
    ids=["zip", "gzip", "encrypted", "pdf", "sqlite", "html", "utf-7", "ebcdic", "bz2", "noise"],
)
@pytest.mark.parametrize("name", ["a.csv", "a.jsonl", "a"])
def test_that_a_file_of_another_kind_is_told_as_what_it_is(
    tmp_path: Path, name: str, content: bytes, kind: str
) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(UserError, match=f"{name} holds no table of text: it is .*{kind}"):
        read(tmp_path / name)


def workbook(path: Path, change: Callable[[Any], object]) -> Path:
    import openpyxl

    book = openpyxl.Workbook()
    for row in ("model,theme,response", "plain,Rent,Yes.", "kind,Rent,No.", "odd,Work,Perhaps."):
        book.active.append(row.split(","))
    change(book.active)
    book.save(path)
    return path


def test_that_merged_cells_say_their_text_in_each_row(tmp_path: Path) -> None:
    found = read(workbook(tmp_path / "a.xlsx", lambda sheet: sheet.merge_cells("B2:B3")))
    assert [row["theme"] for row in found] == ["Rent", "Rent", "Work"]


def test_that_a_title_merged_over_the_table_is_no_head(tmp_path: Path) -> None:
    def titled(sheet: Any) -> None:
        sheet.insert_rows(1)
        sheet["A1"] = "Answers of May"
        sheet.merge_cells("A1:C1")

    assert [row["model"] for row in read(workbook(tmp_path / "a.xlsx", titled))] == ["plain", "kind", "odd"]


def test_that_an_error_in_a_cell_is_no_empty_text(tmp_path: Path) -> None:
    def failing(sheet: Any) -> None:
        sheet["C2"], sheet["C3"], sheet["C4"] = "#REF!", "=1/0", None
        sheet["C2"].data_type = "e"

    texts = [row["response"] for row in read(workbook(tmp_path / "a.xlsx", failing))]
    assert [type(text) for text in texts] == [ErrorCell, Uncomputed, str]


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("a.jsonl", '{"model": "m", "response": "One."}\n{"model": "m", "response": "One.", "response": "Two."}\n'),
        ("a.jsonl", '{"model": "m", "response": "One.", "Response ": "Two."}\n'),
        ("a.json", '[{"model": "m", "response": "One.", "response": "Two."}]'),
        ("a.json", '[{"model": "m", "output": {"text": "One.", "text": "Two."}}]'),
        ("a.json", '{"results": {"results": [{"response": {"output": "One.", "output": "Two."}}]}}'),
        ("a.json", '{"eval": {"model": "m"}, "samples": [{"id": 1}], "samples": [{"id": 2}]}'),
        ("a.json", '[{"model": "m", "output": {"text": "One."}, "output.text": "Two."}]'),
    ],
)
def test_that_two_values_under_one_name_are_not_read_as_the_last_of_them(
    tmp_path: Path, name: str, written: str
) -> None:
    (tmp_path / name).write_text(written, encoding="utf-8")
    with pytest.raises(UserError, match=r"stands there twice, as .* and as "):
        read(tmp_path / name)
    # Where both say the same nothing is lost.
    (tmp_path / name).write_text(written.replace("Two.", "One.").replace('"id": 2', '"id": 1'), encoding="utf-8")
    assert read(tmp_path / name)


def test_that_an_error_beside_the_table_is_none_of_its_cells(tmp_path: Path) -> None:
    def failing(sheet: Any) -> None:
        sheet["E3"], sheet["E4"] = "#REF!", "=1/0"
        sheet["E3"].data_type = "e"

    assert len(read(workbook(tmp_path / "a.xlsx", failing))) == 3


def test_that_a_cell_far_from_the_table_is_told_with_its_place(tmp_path: Path) -> None:
    path = workbook(tmp_path / "a.xlsx", lambda sheet: sheet.__setitem__("XFD1048576", "x"))
    with pytest.raises(UserError, match="reach to row 1,048,576, column 16,384"):
        read(path)


def test_that_texts_that_parquet_has_as_bytes_are_texts(tmp_path: Path) -> None:
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    columns = {"model": ["plain"], "response": arrow.array(["Größer.".encode()], arrow.binary())}
    parquet.write_table(arrow.table(columns), tmp_path / "a.parquet")
    assert read(tmp_path / "a.parquet") == [{"model": "plain", "response": "Größer."}]


def test_that_a_broken_parquet_file_is_not_told_as_a_matter_of_permissions(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    (tmp_path / "a.parquet").write_bytes(b"PAR1" + bytes(50) + b"PAR1")
    with pytest.raises(UserError, match="cannot be read as Parquet"):
        read(tmp_path / "a.parquet")


def test_that_signs_in_long_answers_do_not_part_columns(tmp_path: Path) -> None:
    answer = 'Little changes.\n\n- "Hours" move; prayers stay.\n- Ask the council; it knows.\n- Or wait; it is short.'
    cell = answer.replace('"', '""')
    rows = "".join(f'm{n},"What of ""deck"" {n}, in short?","{cell}",PASS\n' for n in range(4))
    (tmp_path / "a.csv").write_text("model,question,response,Status\n" + rows)
    assert [row["response"] for row in read(tmp_path / "a.csv")] == [answer] * 4
