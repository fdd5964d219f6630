"""Tables of a document as a book sets them: ruled, columns as wide as what they hold, rows whole, heads repeated."""

from collections.abc import Sequence
from typing import Any, Final

from gpf_desktop.exporters._narrow_tables import BREAK

_PADDING: Final = 3
"""Characters that the margins of a cell take."""


def ruled(table: Any, across: int, room: Sequence[int]) -> None:
    """Lay out a filled *table*, *across* wide in the library's unit; *room*: what each column needs beside others."""
    table.style = "Light Shading"
    # The first column is not bold: names of models stand there, row after row.
    table._tblPr.find(_name("tblLook")).set(_name("firstColumn"), "0")
    table.autofit = False
    widths = [round(across * each / sum(room)) for each in room]
    for column, width in zip(table.columns, widths, strict=True):
        column.width = width
    for row in table.rows:
        _flag(row, "cantSplit")
        for cell, width in zip(row.cells, widths, strict=True):
            cell.width = width
    _flag(table.rows[0], "tblHeader")


def least(column: Sequence[str], numeric: bool) -> int:
    """Characters that a *column*, its title first, needs for no interval and no word to be broken."""
    title, *cells = column
    lines = {line for words in cells for line in words.split("\n")}
    pieces = lines if numeric else {piece for line in lines for piece in BREAK.split(line)}
    return _PADDING + max(0, *map(len, pieces), *map(len, title.split()))


def _flag(row: Any, name: str) -> None:
    from docx.oxml import OxmlElement

    element = OxmlElement(f"w:{name}")
    element.set(_name("val"), "true")
    row._tr.get_or_add_trPr().append(element)


def _name(local: str) -> str:
    from docx.oxml.ns import qn

    return str(qn(f"w:{local}"))
