"""Blocks of a report's sections in a document for word processors: real headings, tables and lists."""

import io
from collections.abc import Sequence
from typing import Any, assert_never

from gpf_desktop.domain.report_blocks import (
    Bar,
    BigNumbers,
    Block,
    Brief,
    Bullets,
    DrawnFigure,
    FactList,
    Loudness,
    Paragraph,
    Quote,
    Quotes,
    SignatureLines,
    WordTable,
)
from gpf_desktop.domain.text import in_quotes, printable, tr, unbroken
from gpf_desktop.exporters._blocks_view import weights
from gpf_desktop.exporters._docx_tables import laid_out, shaded, unsplit, widths
from gpf_desktop.figures.files import painted

_KEPT = 16
"""Rows of a table that stay together."""
_SIZES = {
    Loudness.QUESTION: 13,
    Loudness.HEADLINE: 27,
    Loudness.LEAD: 11.5,
    Loudness.PLAIN: 10,
    Loudness.SMALL: 9,
    Loudness.WARNING: 10,
}
_LONG = 90
"""Characters of a headline from which on it is set smaller, as in the other formats."""
_LONG_HEADLINE = 18
_HIGH = 0.64
"""Of its width, that a figure is high at most, to stand on the first page: no typesetter is here to say."""
_SHADES = ("0A5C9E", "8DB7DB", "C9DEF0", "D3D8DE", "E9ECF0", "F2F4F6")
"""Of a bar's parts, the first the darkest."""
_GREY = "57606A"


class DocxBlocks:
    """Adds blocks to the end of *document*, *across* wide in the library's unit."""

    def __init__(self, document: Any, across: int) -> None:
        from docx.shared import Pt

        self._document, self._across, self._pt = document, across, Pt

    def brief(self, brief: Brief, level: int = 1) -> None:
        """Everything under its title; sections under headings of *level*."""
        self.facts([(each.name, each.value) for each in brief.head])
        for band in filter(None, (brief.draft, *brief.bands)):
            self.text(band, size=10, bold=True)
        for section in brief.sections:
            self._document.add_heading(printable(section.title), level)
            self.blocks(section.blocks)

    def blocks(self, some: Sequence[Block]) -> None:
        for block in some:
            self._block(block)

    def text(self, words: str, *, lead: str = "", size: float = 10, bold: bool = False, grey: bool = False) -> Any:
        from docx.shared import RGBColor

        paragraph = self._document.add_paragraph()
        if lead:
            paragraph.add_run(f"{printable(lead)} ").bold = True
        paragraph.add_run(unbroken(printable(words))).bold = bold
        for run in paragraph.runs:
            run.font.size = self._pt(size)
            if grey:
                run.font.color.rgb = RGBColor.from_string(_GREY)
        return paragraph

    def facts(self, facts: Sequence[tuple[str, str]]) -> None:
        for name, value in facts:
            paragraph = self._document.add_paragraph()
            paragraph.paragraph_format.space_after = self._pt(2)
            paragraph.add_run(f"{printable(name)}: ").bold = True
            paragraph.add_run(printable(value))

    def _block(self, block: Block) -> None:
        match block:
            case Paragraph():
                self._paragraph(block)
            case Bullets():
                self._bullets(block)
            case FactList():
                self.facts([(each.name, each.value) for each in block.facts])
            case BigNumbers():
                self._numbers(block)
            case DrawnFigure():
                self._drawing(block)
            case Bar():
                self._bar(block)
            case Quotes():
                self._quotes(block.quotes)
            case WordTable():
                self._table(block)
            case SignatureLines():
                self._signatures(block)
            case _:
                assert_never(block)

    def _paragraph(self, block: Paragraph) -> None:
        loud, small = block.voice is Loudness.HEADLINE, block.voice is Loudness.SMALL
        size = _LONG_HEADLINE if loud and len(block.text) > _LONG else _SIZES[block.voice]
        paragraph = self.text(block.text, lead=block.lead, size=size, bold=loud, grey=small)
        if loud:
            paragraph.paragraph_format.line_spacing = 1.0

    def _bullets(self, block: Bullets) -> None:
        for each in block.items:
            self._document.add_paragraph(printable(each), style="List Bullet")

    def _signatures(self, block: SignatureLines) -> None:
        for at, signer in enumerate(block.signers, start=1):
            line = self.text(f"\n\n____________________________\n{signer}")
            line.paragraph_format.keep_with_next = at < len(block.signers)

    def _numbers(self, block: BigNumbers) -> None:
        table = self._document.add_table(rows=1, cols=len(block.numbers))
        widths(table, [self._across // len(block.numbers)] * len(block.numbers))
        for cell, number in zip(table.rows[0].cells, block.numbers, strict=True):
            run = cell.paragraphs[0].add_run(number.value)
            run.bold, run.font.size = True, self._pt(17)
            cell.add_paragraph(printable(number.words)).runs[0].font.size = self._pt(9)
        unsplit(table)

    def _drawing(self, block: DrawnFigure) -> None:
        block = block.within(_HIGH)
        if block.subtitle:
            self.text(block.subtitle, size=9, grey=True).paragraph_format.keep_with_next = True
        drawn = self._document.add_picture(io.BytesIO(painted([block.svg])[0]), width=self._across)
        # The library has no call for the words that stand for a picture, so they go into its XML.
        drawn._inline.docPr.set("descr", printable(block.alt))

    def _bar(self, block: Bar) -> None:
        whole = sum(max(part.count, 1) for part in block.parts)
        table = self._document.add_table(rows=2, cols=len(block.parts))
        widths(table, [max(self._across // 8, self._across * part.count // whole) for part in block.parts])
        for at, part in enumerate(block.parts):
            above, below = table.rows[0].cells[at], table.rows[1].cells[at]
            run = above.paragraphs[0].add_run(str(part.count))
            run.bold = True
            shaded(above, _SHADES[min(at, len(_SHADES) - 1)], light=at == 0)
            below.paragraphs[0].add_run(part.words).bold = True
            if part.below:
                below.add_paragraph(part.below).runs[0].font.size = self._pt(9)

    def _quotes(self, quotes: Sequence[Quote]) -> None:
        for quote in quotes:
            self.text(quote.place, lead=f"{quote.verdict}.", size=9.5).paragraph_format.keep_with_next = True
            if quote.words:
                paragraph = self.text(in_quotes(quote.words), size=11)
                paragraph.paragraph_format.left_indent = self._pt(14)
            for said in quote.said:
                self.text(said, size=9, grey=True).paragraph_format.left_indent = self._pt(14)
            if quote.code:
                code = tr("Check code of the whole answer: {code}", code=quote.code)
                self.text(code, size=8, grey=True).paragraph_format.left_indent = self._pt(14)

    def _table(self, block: WordTable) -> None:
        """Set as the brief on paper has it; a table of a few rows stands on one page."""
        rows = (block.columns, *block.rows)
        table = self._document.add_table(rows=len(rows), cols=len(block.columns))
        for at, (row, cells) in enumerate(zip(table.rows, rows, strict=True)):
            for cell, words in zip(row.cells, cells, strict=True):
                paragraph = cell.paragraphs[0]
                paragraph.add_run(printable(words)).font.size = self._pt(9)
                paragraph.paragraph_format.keep_with_next = at < len(rows) - 1 < _KEPT
        laid_out(table, self._across, weights(block))
        self._document.add_paragraph()
