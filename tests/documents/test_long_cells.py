"""A cell that would fill the memory is refused by file and row, and is not read to its end."""

import json
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pyarrow
import pytest
import xlsxwriter
from pyarrow.parquet import ColumnChunkMetaData, ParquetFile, write_table

from gpf_desktop.documents import answer_files
from gpf_desktop.documents.answer_files import read_answer_rows
from gpf_desktop.documents.long_json import short_pieces
from gpf_desktop.documents.parquet_pages import NotParquetPageError, column_bounds, largest_page
from gpf_desktop.documents.tables import LONGEST_CELL, Columns, read_rows
from gpf_desktop.domain.errors import UserError

NAMES = ("model", "response")
MARK = "PUT THE LONG TEXT HERE"


def records(text: str) -> list[dict[str, str]]:
    return [dict(zip(NAMES, row, strict=True)) for row in (("a", "Fine."), ("b", text), ("c", "Good."))]


def csv_file(path: Path, text: str) -> None:
    lines = [NAMES, *(tuple(each.values()) for each in records(text))]
    path.write_text("".join(f'"{model}","{said}"\n' for model, said in lines), encoding="utf-8")


def json_lines(path: Path, text: str) -> None:
    path.write_text("\n".join(map(json.dumps, records(text))), encoding="utf-8")


def json_list(path: Path, text: str) -> None:
    path.write_text(json.dumps(records(text)), encoding="utf-8")


def parquet(path: Path, text: str) -> None:
    write_table(pyarrow.Table.from_pylist(records(text)), path)


def inspect_log(path: Path, text: str) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("header.json", json.dumps({"eval": {"model": "m"}}))
        for number, each in enumerate(records(text)):
            sample = {"id": number, "output": {"completion": each["response"]}}
            archive.writestr(f"samples/{number}_epoch_1.json", json.dumps(sample))


def workbook(path: Path, text: str, *, shared: bool, times: int = 1) -> None:
    """Its long text, *times* over, is put in by hand: programs that write workbooks cut it."""
    with xlsxwriter.Workbook(path, {} if shared else {"constant_memory": True}) as book:
        sheet = book.add_worksheet()
        for at, row in enumerate([NAMES, *(tuple(each.values()) for each in records(MARK))]):
            sheet.write_row(at, 0, row)
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, body in parts.items():
            before, mark, after = body.partition(MARK.encode())
            with archive.open(name, "w", force_zip64=True) as part:
                part.write(before)
                for _ in range(times if mark else 0):
                    part.write(text.encode())
                part.write(after)


WRITERS: list[tuple[str, Callable[[Path, str], None], str]] = [
    ("a.csv", csv_file, "Line 3"),
    ("a.jsonl", json_lines, "Line 2"),
    ("a.json", json_list, "(Entry|Line) 2"),
    ("a.parquet", parquet, "Line 2"),
    ("a.eval", inspect_log, "Line 2"),
    ("a.xlsx", lambda path, text: workbook(path, text, shared=True), "Line 3"),
    ("b.xlsx", lambda path, text: workbook(path, text, shared=False), "Line 3"),
]


@pytest.mark.parametrize(("name", "write", "says"), WRITERS)
@pytest.mark.parametrize("text", ["word ", 'said "no" \\ ', "слово "])
def test_that_a_cell_of_nine_megabytes_is_refused_by_file_and_row(
    name: str, write: Callable[[Path, str], None], says: str, text: str, tmp_path: Path
) -> None:
    text = text.replace('"', "'") if "xlsx" in name or "csv" in name else text
    long = text * (9 * 2**20 // len(text.encode()))
    write(tmp_path / name, long)
    with pytest.raises(UserError, match=rf"{name}: {says}: .*(MB long|longer than 8 MB)"):
        list(read_answer_rows(tmp_path / name))


@pytest.mark.parametrize(("name", "write", "_says"), WRITERS)
def test_that_a_cell_of_seven_megabytes_is_read(
    name: str, write: Callable[[Path, str], None], _says: str, tmp_path: Path
) -> None:
    long = "a word" * (7 * 2**20 // 6)
    write(tmp_path / name, long)
    assert [len(row.values["response"]) for row in read_answer_rows(tmp_path / name)][1] == len(long)


def test_that_the_same_holds_of_tables_whose_columns_are_known(tmp_path: Path) -> None:
    for name, write in (("a.csv", csv_file), ("a.jsonl", json_lines)):
        write(tmp_path / name, "word " * (9 * 2**20 // 5))
        with pytest.raises(UserError, match=r"MB long|longer than 8 MB"):
            list(read_rows(tmp_path / name, Columns(NAMES)))


def test_that_a_page_of_a_parquet_file_is_measured_before_it_is_unpacked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parquet(tmp_path / "a.parquet", "word " * 2**20)
    monkeypatch.setattr(answer_files, "_LARGEST_PAGE", 2**20)
    with pytest.raises(UserError, match=r"a\.parquet: Rows 1 to 3: “response” holds a text of up to 5 MB"):
        list(read_answer_rows(tmp_path / "a.parquet"))


@pytest.mark.parametrize(
    "how",
    [
        {},
        {"use_dictionary": False},
        {"data_page_version": "2.0"},
        {"compression": "zstd", "write_page_checksum": True},
        {"compression": "none", "write_page_index": True},
        {"compression": "none", "use_dictionary": False, "write_statistics": True},
    ],
)
def test_that_the_pages_of_a_column_fill_it(how: dict[str, object], tmp_path: Path) -> None:
    """Of a column of one page its size is the column's, less the page's header."""
    table = pyarrow.table(
        {"text": ["x" * (n % 700) for n in range(2000)], "n": range(2000), "l": [[1, 2], None] * 1000}
    )
    write_table(table, tmp_path / "t.parquet", data_page_size=2**30, dictionary_pagesize_limit=2**30, **how)
    group = ParquetFile(tmp_path / "t.parquet").metadata.row_group(0)
    with (tmp_path / "t.parquet").open("rb") as file:
        for at in range(group.num_columns):
            column: ColumnChunkMetaData = group.column(at)
            found = largest_page(file, *column_bounds(column))
            assert 0 < found < column.total_uncompressed_size
            assert found * 3 > column.total_uncompressed_size
        with pytest.raises(NotParquetPageError):
            largest_page(file, 1, 4000)


def test_that_a_json_text_is_given_up_within_its_long_string_and_says_in_which_entry() -> None:
    read = []

    def pieces():
        text = json.dumps({"eval": {"x": ["[", "{"]}, "samples": [{"a": ["\\", '"[{']}, {"b": 1}, {"c": ""}]})[:-4]
        for piece in (text, *["x" * 1000] * 50):
            read.append(piece)
            yield piece

    with pytest.raises(UserError, match="Entry 3: a text is longer"):
        list(short_pieces(pieces(), 5000))
    assert len(read) < 10


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a program's own largest memory so")
def test_that_a_workbook_of_one_huge_text_is_refused_within_little_memory(tmp_path: Path) -> None:
    workbook(tmp_path / "a.xlsx", "word " * (2**20 // 5), shared=True, times=400)
    program = (
        "import re, sys; from pathlib import Path\n"
        "from gpf_desktop.documents.answer_files import read_answer_rows\n"
        "try: list(read_answer_rows(Path(sys.argv[1])))\n"
        "except Exception as error: print(error)\n"
        "print(re.search(r'VmHWM:\\s+([0-9]+)', Path('/proc/self/status').read_text())[1])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "a.xlsx")], capture_output=True, text=True, check=True
    )
    said, most = done.stdout.splitlines()
    assert "a.xlsx: Line 3: a cell is longer than 8 MB" in said
    assert int(most) // 2**10 < 300


def test_that_the_longest_cell_fits_into_a_row_of_an_audit() -> None:
    from gpf_desktop.storage.connections import LARGEST_VALUE

    assert LONGEST_CELL * 2 <= LARGEST_VALUE
