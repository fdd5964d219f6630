"""Workbooks that two other programs wrote, held against what openpyxl reads in them, and parts that neither writes."""

import io
import zipfile
from datetime import date, datetime, time, timedelta
from pathlib import Path

import pytest
import xlsxwriter
from openpyxl import Workbook, load_workbook
from openpyxl.utils.datetime import CALENDAR_MAC_1904
from python_calamine import CalamineError

from gpf_desktop.documents.sheet_cells import BrokenWorkbookError, ErrorCell, Uncomputed
from gpf_desktop.documents.workbooks import workbook_rows
from gpf_desktop.domain.errors import SourceError

CELLS = (
    *("text", "two\nlines", " blanks ", "a_x0041_b", "ملف 🧭", "<&>\"'", "=1+1"),
    *(7, -3, 0, 0.1, 1e300, 12345678901234567890, True, False),
    *(datetime(2026, 11, 19, 8, 30, 5), date(2026, 11, 19), time(8, 30), timedelta(hours=30, seconds=5)),  # noqa: DTZ001
)
SHEET = "xl/worksheets/sheet1.xml"


def by_openpyxl(path: Path) -> list[tuple[int, list[str]]]:
    """As ours: a moment at midnight is its day, and an error is nothing."""
    rows = []
    for number, row in enumerate(load_workbook(path, data_only=True).worksheets[0].iter_rows(values_only=True), 1):
        cells = ["" if value is None or value in {"#N/A", "#DIV/0!"} else str(value) for value in row]
        cells = [cell.removesuffix(" 00:00:00") for cell in cells]
        while cells and not cells[-1]:
            cells.pop()
        rows += [(number, cells)] if cells else []
    return rows


def rows_of(file: Path | io.BytesIO) -> list[tuple[int, list[str]]]:
    with zipfile.ZipFile(file) as archive:
        return list(workbook_rows(archive))


def sheet(rows: str) -> io.BytesIO:
    """A workbook as openpyxl writes it, with *rows* of XML in its sheet."""
    whole, changed = io.BytesIO(), io.BytesIO()
    Workbook().save(whole)
    with zipfile.ZipFile(whole) as before, zipfile.ZipFile(changed, "w", zipfile.ZIP_DEFLATED) as after:
        for part in before.namelist():
            body = before.read(part)
            if part == SHEET:
                body = body.replace(b"<sheetData/>", b"<sheetData></sheetData>")
                assert b"<sheetData>" in body
                body = body.replace(b"<sheetData>", b"<sheetData>" + rows.encode())
            after.writestr(part, body)
    changed.seek(0)
    return changed


@pytest.mark.parametrize("epoch", [None, CALENDAR_MAC_1904])
def test_that_what_openpyxl_wrote_is_read_as_openpyxl_reads_it(tmp_path: Path, epoch: datetime | None) -> None:
    book = Workbook()
    if epoch:
        book.epoch = epoch
    page = book.active
    for cell in CELLS[:6] + CELLS[7:]:
        page.append([cell, None, cell])
    page["B3"] = "between"
    page["E9"].number_format = "yyyy-mm-dd"
    page.merge_cells("A20:C21")
    page["A25"], page["A25"].number_format = 46345.5, '"day" dd/mm'
    page["B25"], page["B25"].number_format = 46345.5, '0.0 "days"'
    page["C25"] = "#N/A"
    page["D25"] = "behind"
    book.create_sheet("second").append(["not read"])
    book.save(tmp_path / "a.xlsx")
    found = rows_of(tmp_path / "a.xlsx")
    assert found == [(n, [x.replace("a_x0041_b", "aAb") for x in row]) for n, row in by_openpyxl(tmp_path / "a.xlsx")]
    assert len(found) > len(CELLS) - 2


@pytest.mark.parametrize("in_cells", [True, False])
def test_that_what_xlsxwriter_wrote_is_read_as_openpyxl_reads_it(tmp_path: Path, in_cells: bool) -> None:
    with xlsxwriter.Workbook(tmp_path / "a.xlsx", {"constant_memory": in_cells, "strings_to_urls": False}) as book:
        page, day = book.add_worksheet(), book.add_format({"num_format": "d mmm yyyy hh:mm"})
        bold = book.add_format({"bold": True})
        for row, cell in enumerate(CELLS[:15]):
            page.write(row * 2, row % 3, cell)
        page.write_string(40, 0, CELLS[3])
        page.write_datetime(41, 0, CELLS[15], day)
        page.write_number(41, 1, 59.25, day)
        page.write_number(41, 2, 61, day)
        page.write_formula(42, 0, "=1+1", value=2)
        page.write_formula(42, 1, '="a"&"b"', value="ab")
        page.write_formula(42, 2, "=1/0", value="#DIV/0!")
        page.write_string(42, 3, "behind")
        page.write_rich_string(43, 0, "plain ", bold, "bold", " plain")
        page.write_blank(44, 200, None, day)
    assert [n for n, _ in rows_of(tmp_path / "a.xlsx")][-1] == 44
    # openpyxl leaves the sign of an underscore in texts that stand in their cells.
    expected = [(n, [text.replace("x005F_", "") for text in row]) for n, row in by_openpyxl(tmp_path / "a.xlsx")]
    assert rows_of(tmp_path / "a.xlsx") == expected


@pytest.mark.parametrize(("across", "begin"), [(1, "About these answers"), (2, "model")])
def test_that_the_first_sheet_is_read_that_is_shown_and_is_a_table(tmp_path: Path, across: int, begin: str) -> None:
    book = Workbook()
    table, notes = (("model", "answer"), ("a", "b")), (("About these answers",), ("They are ours.",))
    for title, rows in {"hidden": (("not", "this"), *table), "empty": (), "notes": notes, "data": table}.items():
        page = book.create_sheet(title)
        for row in rows:
            page.append(row)
    book.remove(book.worksheets[0])
    book["hidden"].sheet_state = "hidden"
    book.save(tmp_path / "a.xlsx")
    with zipfile.ZipFile(tmp_path / "a.xlsx") as archive:
        assert next(workbook_rows(archive, across=across))[1][0] == begin


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (
            "<row><c><v>1</v></c><c/><c><v>3</v></c></row><row/><row><c><v>4</v></c></row>",
            [(1, ["1", "", "3"]), (3, ["4"])],
        ),
        ('<row r="2"><c r="B2" t="str"><f>A2</f><v>x_x000D_y</v></c><c><f>NOW()</f></c></row>', [(2, ["", "x\ry"])]),
        ('<row r="1"><c r="B1"><v>2</v></c><c r="A1"><v>1</v></c></row>', [(1, ["1", "2"])]),
        (
            f'<row r="1"><c r="A1" t="inlineStr"><is><t>{"long" * 200_000}</t></is></c></row>',
            [(1, ["long" * 200_000])],
        ),
    ],
)
def test_that_parts_as_other_programs_write_them_are_read(rows: str, expected: list[tuple[int, list[str]]]) -> None:
    assert rows_of(sheet(rows)) == expected


MANY = "<c/>" * 16_383 + "<c><v>1</v></c>"


@pytest.mark.parametrize(
    "rows",
    [
        '<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>1</v></c></row>',
        '<row r="1"><c s="0" a=">" r = \'xfd1048576\'><v>1</v></c></row>',
        f'<row r="1">{MANY}</row><row r="1048576"><c><v>1</v></c></row>',
        f"<row>{MANY}</row>" + "<row/>" * 3_000,
        '<row r="1"><c r="XFE1"><v>1</v></c></row>',
    ],
)
def test_that_cells_too_far_apart_are_refused_before_they_take_any_room(rows: str) -> None:
    with pytest.raises(BrokenWorkbookError, match=r"cells reach to row|no column XFE"):
        rows_of(sheet(rows))


def test_that_a_part_that_unpacks_to_more_than_it_says_is_refused() -> None:
    file = sheet('<row r="1"><c r="A1"><v>1</v></c></row>' + " " * 100_000)
    with zipfile.ZipFile(file) as archive:
        told = archive.getinfo(SHEET).file_size
    body = file.getvalue()
    assert body.count(told.to_bytes(4, "little")) == 2
    lying = io.BytesIO(body.replace(told.to_bytes(4, "little"), (1_000).to_bytes(4, "little")))
    with pytest.raises(zipfile.BadZipFile):
        rows_of(lying)


@pytest.mark.parametrize(
    ("part", "error"),
    [("<workbook/>", CalamineError), ('<!DOCTYPE a [<!ENTITY b "c">]><workbook>&b;</workbook>', SourceError)],
)
def test_that_what_is_no_workbook_is_refused(part: str, error: type[Exception]) -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("xl/workbook.xml", part)
    with pytest.raises(error):
        rows_of(file)


@pytest.mark.parametrize("filler", ["", "x" * 2**18])
def test_that_formulas_without_a_stored_value_are_told_from_empty_cells(filler: str) -> None:
    # The filler makes cells end in another piece of the part than they begin in.
    first = '<c r="A{row}" t="inlineStr"><is><t>{text}</t></is></c>'
    fill = "".join(
        f'<row r="{row}">{first.format(row=row, text=filler[row:])}<c r="B{row}"><f>A1</f><v></v></c></row>'
        for row in range(2, 12)
    )
    body = (
        '<row r="1"><c r="A1"><f>1+1</f><v>2</v></c><c r="B1" t="str"><f>""</f><v></v></c><c r="C1"/>'
        '<c r="D1"><f t="shared" si="0"/></c><c r="E1" s="1"><f>A1&amp;B1</f><v/></c><c r="F1"><v>7</v></c></row>'
        + fill
    )
    rows = rows_of(sheet(body))
    assert rows[0] == (1, ["2", "", "", "", "", "7"])
    assert [isinstance(cell, Uncomputed) for cell in rows[0][1]] == [False, False, False, True, True, False]
    assert [isinstance(cells[1], Uncomputed) for _, cells in rows[1:]] == [True] * 10


def test_that_an_error_of_one_sheet_is_none_of_another(tmp_path: Path) -> None:
    book = Workbook()
    first, second = book.active, book.create_sheet("Second & last")
    for page, middle in ((first, ""), (second, "#N/A")):
        page.append(["a", "b", "c"])
        page.append(["x", middle, "z"])
    book.save(tmp_path / "two.xlsx")
    with zipfile.ZipFile(tmp_path / "two.xlsx") as archive:
        (_, (_, cells)) = workbook_rows(archive)
        assert [type(cell) for cell in cells] == [str, str, str]
        (_, (_, cells)) = workbook_rows(archive, sheet="Second & last")
        assert [type(cell) for cell in cells] == [str, ErrorCell, str]
