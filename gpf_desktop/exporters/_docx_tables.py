"""Tables of a document as a book sets them: ruled, columns as wide as what they hold, rows whole, heads repeated."""

from collections.abc import Sequence
from typing import Any, Final

_PADDING: Final = 3
"""Characters that the margins of a cell take."""
_LONGEST: Final = 36
"""Characters of a word that are kept together."""
_CHARACTER: Final = 48_000
"""Width of one at 7 points, in the library's unit, about."""
_RULES: Final = (("top", 8, "000000"), ("bottom", 8, "000000"), ("insideH", 4, "BFBFBF"))
"""Place, eighths of a point, colour."""


def fits(columns: Sequence[Sequence[str]], numeric: Sequence[bool], across: int) -> bool:
    """Whether *columns*, each with its title first, stand beside each other *across* wide in the library's unit."""
    return sum(_room(columns, numeric)) <= across / _CHARACTER


def ruled(table: Any, across: int, columns: Sequence[Sequence[str]], numeric: Sequence[bool]) -> None:
    """Lay out a filled *table*, *across* wide in the library's unit, by what its *columns* hold."""
    laid_out(table, across, _room(columns, numeric))


def laid_out(table: Any, across: int, room: Sequence[float]) -> None:
    """Rule a filled *table*, *across* wide, whose columns are as wide to each other as *room* says."""
    _draw_rules(table)
    table.autofit = False
    widths = [round(across * each / sum(room)) for each in room]
    for column, width in zip(table.columns, widths, strict=True):
        column.width = width
    for row in table.rows:
        _flag(row, "cantSplit")
        for cell, width in zip(row.cells, widths, strict=True):
            cell.width = width
    head = table.rows[0]
    _flag(head, "tblHeader")
    for cell in head.cells:
        for run in cell.paragraphs[0].runs:
            run.bold = True


def _room(columns: Sequence[Sequence[str]], numeric: Sequence[bool]) -> list[int]:
    """Characters that each column needs for no word and no interval in it to be broken."""
    room = []
    for (title, *cells), whole in zip(columns, numeric, strict=True):
        lines = {line for words in cells for line in words.split("\n")}
        # Word processors break a model's name anywhere, and not behind its vendor alone.
        pieces = lines if whole else {piece for line in lines for piece in line.split()}
        room.append(_PADDING + min(_LONGEST, max(map(len, [*pieces, *title.split()]), default=0)))
    return room


def _draw_rules(table: Any) -> None:
    from docx.oxml import parse_xml
    from docx.oxml.ns import nsdecls

    drawn = "".join(f'<w:{at} w:val="single" w:sz="{size}" w:color="{ink}"/>' for at, size, ink in _RULES)
    borders = parse_xml(f"<w:tblBorders {nsdecls('w')}>{drawn}</w:tblBorders>")
    # The schema has an order, in which borders come before the look of the style.
    table._tblPr.find(_name("tblLook")).addprevious(borders)


def _flag(row: Any, name: str) -> None:
    from docx.oxml import OxmlElement

    element = OxmlElement(f"w:{name}")
    element.set(_name("val"), "true")
    row._tr.get_or_add_trPr().append(element)


def _name(local: str) -> str:
    from docx.oxml.ns import qn

    return str(qn(f"w:{local}"))


def widths(table: Any, across: Sequence[int]) -> None:
    """Make the columns of *table* as wide as *across* says, in the library's unit."""
    table.autofit = False
    for row in table.rows:
        for cell, width in zip(row.cells, across, strict=True):
            cell.width = width


def unsplit(table: Any) -> None:
    """No row of *table* is parted by the end of a page."""
    for row in table.rows:
        _flag(row, "cantSplit")


def shaded(cell: Any, fill: str, *, light: bool) -> None:
    """A ground of *fill*, six hexadecimal digits, under the words of *cell*; *light*: they are white."""
    from docx.oxml import parse_xml
    from docx.oxml.ns import nsdecls
    from docx.shared import RGBColor

    shade = parse_xml(f'<w:shd {nsdecls("w")} w:val="clear" w:color="auto" w:fill="{fill}"/>')
    cell._tc.get_or_add_tcPr().append(shade)
    if light:
        for paragraph in cell.paragraphs:
            for run in paragraph.runs:
                run.font.color.rgb = RGBColor(255, 255, 255)
