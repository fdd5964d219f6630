"""ODS files as LibreOffice and others write them: cells, merged cells, rows that stand there again, and traps."""

import io
import zipfile
from collections import deque
from pathlib import Path

import pytest

from gpf_desktop.documents.answer_files import read_answer_rows, sheets_of
from gpf_desktop.documents.sheet_cells import BrokenWorkbookError, ErrorCell, FarCellError, LongCellError, Uncomputed
from gpf_desktop.documents.workbooks import workbook_rows
from gpf_desktop.domain.errors import SourceError, UserError

HEAD = (
    '<office:document-content xmlns:office="urn:o:office" xmlns:table="urn:o:table" xmlns:text="urn:o:text"'
    ' xmlns:style="urn:o:style" xmlns:calcext="urn:calcext:1">'
)
LAST = '<table:table-row table:number-rows-repeated="1048576"><table:table-cell table:number-columns-repeated="16384"/>'
"""What LibreOffice writes below each table, down to the end of the sheet."""
HIDDEN = (
    '<style:style style:name="ta1"><style:table-properties table:display="false"/></style:style>'
    '<style:style style:name="ta2"><style:table-properties table:display="true"/></style:style>'
)
TABLE = '<table:table table:name="{name}" table:style-name="{style}">{rows}</table:table>'


def text(said: str, more: str = "") -> str:
    return f'<table:table-cell office:value-type="string"{more}><text:p>{said}</text:p></table:table-cell>'


def row(*cells: str, more: str = "") -> str:
    return f"<table:table-row{more}>{''.join(cells)}</table:table-row>"


def document(*rows: str, content: str | None = None) -> io.BytesIO:
    made = io.BytesIO()
    table = TABLE.format(name="Sheet1", style="ta2", rows="".join(rows) + LAST + "</table:table-row>")
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("content.xml", content or f"{HEAD}{HIDDEN}{table}</office:document-content>")
    made.seek(0)
    return made


def rows_of(file: io.BytesIO, sheet: str = "") -> list[tuple[int, list[str]]]:
    with zipfile.ZipFile(file) as archive:
        return list(workbook_rows(archive, across=2, sheet=sheet))


def valued(kind: str, **values: str) -> str:
    told = " ".join(f'office:{name.replace("_", "-")}="{value}"' for name, value in values.items())
    return f'<table:table-cell office:value-type="{kind}" {told}><text:p>shown</text:p></table:table-cell>'


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        (text("a &lt;b&gt; ملف 🧭"), "a <b> ملف 🧭"),
        (text("one</text:p><text:p>two<text:line-break/>three"), "one\ntwo\nthree"),
        (text("</text:p><text:p>after an empty line"), "\nafter an empty line"),
        (text('a<text:s text:c="3"/>b<text:tab/>c<text:span>d</text:span>'), "a   b\tcd"),
        (text("=1+1  raw"), "=1+1  raw"),
        (valued("float", value="3"), "3"),
        (valued("percentage", value="0.5"), "0.5"),
        (valued("float", value="12345678901234567890"), "1.2345678901234567e+19"),
        (valued("boolean", boolean_value="true"), "True"),
        (valued("date", date_value="2026-11-19T08:30:05"), "2026-11-19 08:30:05"),
        (valued("date", date_value="2026-11-19T00:00:00"), "2026-11-19"),
        (valued("time", time_value="PT08H30M00S"), "shown"),
        (valued("string", string_value="whole"), "whole"),
        ("<table:table-cell><text:p>of no kind</text:p></table:table-cell>", "of no kind"),
        (
            "<table:table-cell><office:annotation><text:p>n</text:p></office:annotation><text:p>x</text:p></table:table-cell>",
            "x",
        ),
    ],
)
def test_that_a_cell_says_its_value_as_other_workbooks_have_it(cell: str, expected: str) -> None:
    assert rows_of(document(row(text("head"), cell))) == [(1, ["head", expected])]


def test_that_what_has_no_value_is_told_from_what_is_empty() -> None:
    without = '<table:table-cell table:formula="of:=A1"/>'
    error = (
        '<table:table-cell office:string-value="" calcext:value-type="error"><text:p>#REF!</text:p></table:table-cell>'
    )
    [(_, cells)] = rows_of(document(row("<table:table-cell/>", without, error)))
    assert cells == ["", "", ""]
    assert [type(cell) for cell in cells] == [str, Uncomputed, ErrorCell]


def test_that_rows_and_cells_stand_where_the_sheet_has_them() -> None:
    merged = ' table:number-rows-spanned="3" table:number-columns-spanned="1"'
    found = rows_of(
        document(
            row(text("title")),
            row("<table:table-cell/>", more=' table:number-rows-repeated="3"'),
            row(text("of three", merged), text("a", ' table:number-columns-repeated="2"')),
            row("<table:covered-table-cell/>", text("b"), more=' table:number-rows-repeated="2"'),
            row('<table:table-cell table:number-columns-repeated="3"/>', text("c")),
        )
    )
    assert found == [
        (1, ["title"]),
        (5, ["of three", "a", "a"]),
        (6, ["of three", "b"]),
        (7, ["of three", "b"]),
        (8, ["", "", "", "c"]),
    ]


def test_that_a_row_that_stands_for_millions_can_be_left() -> None:
    asked = []

    def go_on() -> None:
        asked.append(None)
        if len(asked) > 50:
            raise InterruptedError

    with zipfile.ZipFile(document(row(text("a"), more=' table:number-rows-repeated="4000000"'))) as archive:
        rows = workbook_rows(archive, across=2, go_on=go_on)
        with pytest.raises(InterruptedError):
            deque(rows, maxlen=0)


def test_that_the_sheet_with_answers_is_read_and_hidden_ones_last(tmp_path: Path) -> None:
    def answers(word: str) -> str:
        return row(text("model"), text("response")) + row(text("m"), text(word))

    tables = [
        ("No", "ta1", answers("hidden")),
        ("Notes", "ta2", row(text("x"), text("y")) * 2),
        ("A", "ta2", answers("w")),
    ]
    content = HEAD + HIDDEN + "".join(TABLE.format(name=name, style=style, rows=rows) for name, style, rows in tables)
    file = document(content=content + "</office:document-content>")
    path = tmp_path / "a.ods"
    path.write_bytes(file.getvalue())
    assert sheets_of(path) == ["Notes", "A", "No"]
    assert [dict(each.values) for each in read_answer_rows(path)] == [{"model": "m", "response": "w"}]
    assert rows_of(file, "No")[1] == (2, ["m", "hidden"])
    with pytest.raises(UserError, match="no sheet"):
        rows_of(file, "Other")


FAR = text("x", ' table:number-columns-repeated="16384"')


@pytest.mark.parametrize(
    ("file", "error"),
    [
        (document(row(FAR, more=' table:number-rows-repeated="1000000"')), FarCellError),
        (document(row(FAR + FAR)), FarCellError),
        (document(row(text("x", ' table:number-columns-repeated="99999999999"'))), BrokenWorkbookError),
        (document(row(text('<text:s text:c="9000000"/>'))), LongCellError),
        (document(row(text("x" * 9_000_000))), LongCellError),
        (document(row(text("x", f' table:style-name="{"x" * 17_000_000}"'))), LongCellError),
        (document(content=f'<!DOCTYPE a [<!ENTITY b "c">]>{HEAD}</office:document-content>'), SourceError),
    ],
)
def test_that_traps_are_refused(file: io.BytesIO, error: type[Exception]) -> None:
    with pytest.raises(error):
        rows_of(file)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (f"{HEAD}<table:table", "cannot be read as ODS"),
        (f"{HEAD}</office:document-content>", "cannot be read as ODS"),
        (document(row(FAR, more=' table:number-rows-repeated="1000000"')), "reach to row 1,000,000"),
    ],
)
def test_that_what_cannot_be_read_is_said_in_a_sentence(tmp_path: Path, content: str | io.BytesIO, said: str) -> None:
    path = tmp_path / "a.ods"
    path.write_bytes((document(content=content) if isinstance(content, str) else content).getvalue())
    with pytest.raises(UserError, match=said):
        list(read_answer_rows(path))
