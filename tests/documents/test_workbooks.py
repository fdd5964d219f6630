"""Workbooks that two other programs wrote, held against what openpyxl reads in them, and parts that neither writes."""

import io
import zipfile
from datetime import date, datetime, time, timedelta
from pathlib import Path

import pytest
import xlsxwriter
from openpyxl import Workbook, load_workbook
from openpyxl.utils.datetime import CALENDAR_MAC_1904

from gpf_desktop.documents import workbooks
from gpf_desktop.documents.workbooks import BrokenWorkbookError
from gpf_desktop.domain.errors import SourceError

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
CELLS = (
    *("text", "two\nlines", " blanks ", "a_x0041_b", "ملف 🧭", "<&>\"'", "=1+1"),
    *(7, -3, 0, 0.1, 1e300, 12345678901234567890, True, False),
    *(datetime(2026, 11, 19, 8, 30, 5), date(2026, 11, 19), time(8, 30), timedelta(hours=30, seconds=5)),  # noqa: DTZ001
)


def by_openpyxl(path: Path) -> list[tuple[int, list[str]]]:
    rows = []
    for number, row in enumerate(load_workbook(path, data_only=True).worksheets[0].iter_rows(values_only=True), 1):
        cells = ["" if value is None else str(value) for value in row]
        while cells and not cells[-1]:
            cells.pop()
        rows += [(number, cells)] if cells else []
    return rows


def workbook_rows(file: Path | io.BytesIO) -> list[tuple[int, list[str]]]:
    with zipfile.ZipFile(file) as archive:
        return list(workbooks.workbook_rows(archive))


def sheet(cells: str, *, strings: str = "", styles: str = "", prefix: str = "") -> io.BytesIO:
    """A workbook whose one sheet holds *cells*, as XML."""
    related = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    parts = {"sharedStrings": strings, "styles": styles}
    links = "".join(f'<Relationship Id="{n}" Type="{related}/{n}" Target="{n}.xml"/>' for n, x in parts.items() if x)
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("xl/workbook.xml", f'<workbook xmlns:r="{related}"><sheet name="a" r:id="s"/></workbook>')
        archive.writestr(
            "xl/_rels/workbook.xml.rels",
            f'<a><Relationship Id="s" Type="{related}/worksheet" Target="/xl/one.xml"/>{links}</a>',
        )
        for name, body in parts.items():
            archive.writestr(f"xl/{name}.xml", f"<a>{body}</a>")
        space = f'xmlns:{prefix[:-1]}="{MAIN}"' if prefix else ""
        archive.writestr("xl/one.xml", f"<{prefix}worksheet {space}>{cells}</{prefix}worksheet>")
    file.seek(0)
    return file


def rows_of(cells: str, **parts: str) -> list[tuple[int, list[str]]]:
    return workbook_rows(sheet(cells, **parts))


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
    book.create_sheet("second").append(["not read"])
    book.save(tmp_path / "a.xlsx")
    found = workbook_rows(tmp_path / "a.xlsx")
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
        page.write_rich_string(43, 0, "plain ", bold, "bold", " plain")
        page.write_blank(44, 200, None, day)
    assert [n for n, _ in workbook_rows(tmp_path / "a.xlsx")][-1] == 44
    # openpyxl leaves the sign of an underscore in texts that stand in their cells.
    expected = [(n, [text.replace("x005F_", "") for text in row]) for n, row in by_openpyxl(tmp_path / "a.xlsx")]
    assert workbook_rows(tmp_path / "a.xlsx") == expected


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
        assert next(workbooks.workbook_rows(archive, across=across))[1][0] == begin


def test_that_a_cell_in_the_far_corner_takes_no_room(tmp_path: Path) -> None:
    with xlsxwriter.Workbook(tmp_path / "a.xlsx") as book:
        page = book.add_worksheet()
        page.write(0, 0, "model")
        page.write(1_048_575, 16_383, "corner")
    head, (number, cells) = workbook_rows(tmp_path / "a.xlsx")
    assert head == (1, ["model"])
    assert (number, len(cells), cells[-1]) == (1_048_576, 16_384, "corner")


@pytest.mark.parametrize(
    ("cells", "parts", "expected"),
    [
        # .NET's writers give all elements a prefix.
        ('<x:row r="2"><x:c r="B2"><x:v>5</x:v></x:c></x:row>', {"prefix": "x:"}, [(2, ["", "5"])]),
        (
            "<row><c><v>1</v></c><c/><c><v>3</v></c></row><row/><row><c><v>4</v></c></row>",
            {},
            [(1, ["1", "", "3"]), (3, ["4"])],
        ),
        (
            '<row><c t="s"><v>0</v></c></row>',
            {"strings": "<si><r><t>tō</t></r><rPh><t>to</t></rPh><r><t>kyō</t></r></si>"},
            [(1, ["tōkyō"])],
        ),
        ('<row><c t="str"><f>A2</f><v>x_x000D_y</v></c><c><f>NOW()</f></c></row>', {}, [(1, ["x\ry"])]),
        ('<row><c r="B1"><v>2</v></c><c r="A1"><v>1</v></c></row>', {}, [(1, ["1", "2"])]),
        (
            '<row><c s="1"><v>1e9</v></c></row>',
            {"styles": "<cellXfs><xf/><xf numFmtId='14'/></cellXfs>"},
            [(1, ["1000000000.0"])],
        ),
    ],
)
def test_that_parts_as_other_programs_write_them_are_read(
    cells: str, parts: dict[str, str], expected: list[tuple[int, list[str]]]
) -> None:
    assert rows_of(cells, **parts) == expected


@pytest.mark.parametrize(
    ("cells", "error", "words"),
    [
        ("<a>" * 300 + "</a>" * 300, SourceError, "levels deep"),
        ('<row><c r="XFE1"><v>1</v></c></row>', BrokenWorkbookError, "no column XFE"),
        ('<row><c r="ZZZZZZZZZ1"><v>1</v></c></row>', BrokenWorkbookError, "no column"),
        ('<row><c t="s"><v>3</v></c></row>', IndexError, "list index"),
    ],
)
def test_that_a_sheet_that_is_none_is_refused(cells: str, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        rows_of(cells)


def test_that_entities_are_refused_where_they_are_declared() -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("xl/workbook.xml", '<!DOCTYPE a [<!ENTITY b "c">]><workbook>&b;</workbook>')
    with pytest.raises(SourceError, match="entities"):
        workbook_rows(file)
