"""A report as a document for word processors."""

import io
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from gpf_desktop.domain import checkpoints
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.figures import HeatMap
from gpf_desktop.domain.findings import ColumnKind, Estimate, Finding, printed_rows, telling_columns
from gpf_desktop.domain.options import NoOptions
from gpf_desktop.domain.ports.exporter import Exporter
from gpf_desktop.domain.report_chapters import chapters_of
from gpf_desktop.domain.reports import Report, ReportBundle, ReportChapter, ReportEvidence, ReportKind, ReportPart
from gpf_desktop.domain.text import Translated, in_quotes, printable, tr, trn, unbroken
from gpf_desktop.exporters._docx_blocks import DocxBlocks
from gpf_desktop.exporters._docx_tables import fits, ruled
from gpf_desktop.exporters._figures import grid
from gpf_desktop.exporters._files import written_beside
from gpf_desktop.exporters._html_view import is_long, rows_elsewhere, too_short
from gpf_desktop.exporters._parts_view import finding_title, shortened
from gpf_desktop.exporters._pictures import Picture, pictures
from gpf_desktop.exporters._properties import document_authors
from gpf_desktop.exporters._text import NO_VALUE, bounds, interval_key, interval_letter, left_out, number, shown

_SMALL: Final = 8
_WIDE: Final = 7
_FIGURES: Final = 2
"""Of one table."""
_HALF: Final = 4.8
"""Inches of a picture that takes no more than half a page."""


class DocxExporter(Exporter):
    """Headings, tables and answers as text; heat maps as shaded tables, to be edited; other figures as pictures."""

    name = "docx"
    version = "1"
    suffix = "docx"
    marks_synthetic = True
    title = Translated("Document (Word)")

    def export(self, report: Report, target: Path, options: NoOptions) -> None:  # noqa: ARG002 - the port's signature
        with written_beside(target) as beside:
            made = io.BytesIO()
            _Pages(report).document.save(made)
            # Written here: on a full disk the library's own zip would complain once more while it goes.
            beside.write_bytes(made.getbuffer())


class _Pages:
    """Builds the document from top to bottom."""

    def __init__(self, report: Report) -> None:
        import docx
        from docx.shared import Mm, Pt

        # Opened here, so that it is named where it is missing: the library says only that there is no package.
        with Path(docx.__file__).with_name("templates").joinpath("default.docx").open("rb") as template:
            self.document: Any = docx.Document(template)
        self._pt = Pt
        self._report = report
        section: Any = self.document.sections[0]
        section.left_margin = section.right_margin = Mm(18)
        section.top_margin = section.bottom_margin = Mm(18)
        self._across = section.page_width - section.left_margin - section.right_margin
        self.document.styles["Normal"].font.name = "Calibri"
        self.document.styles["Normal"].font.size = Pt(10)
        # The library refuses a property of more than 255 characters.
        self.document.core_properties.title = printable(report.title)[:250]
        # Who wrote it, not what wrote it; the program stands beside.
        self.document.core_properties.author = printable("; ".join(document_authors(report)))[:250]
        self.document.core_properties.last_modified_by = ""
        self.document.core_properties.comments = f"{report.program}. {report.statement}"[:250]
        said = [printable(report.imported)] if report.imported else []
        if report.synthetic:
            said.insert(
                0, tr("All answers synthetic") if report.all_synthetic else tr("Contains synthetic answers (▲)")
            )
        section.header.paragraphs[0].text = " · ".join(said)
        self._numbers: Counter[str] = Counter()
        self._blocks = DocxBlocks(self.document, self._across)
        if report.kind is ReportKind.BRIEF and report.brief is not None:
            self.document.add_heading(printable(report.brief.title), 0)
            self._blocks.brief(report.brief)
            self._text(report.brief.footnote, small=True)
        else:
            self._build()

    def _build(self) -> None:
        report = self._report
        self._cover()
        self._text(report.window)
        self._text(tr("Made {moment} UTC by {program}", moment=f"{report.made:%Y-%m-%d %H:%M}", program=report.program))
        self._contents()
        for chapter in chapters_of(report):
            checkpoints.passed()
            self._chapter(chapter)

    def _chapter(self, chapter: ReportChapter) -> None:
        report = self._report
        self._heading(chapter.title)
        for section in chapter.sections:
            if section.title:
                self.document.add_heading(printable(section.title), 2)
            self._blocks.blocks(section.blocks)
        for part in report.parts:
            if part.name in chapter.parts:
                self._part(part, chapter.title)
        if chapter.notation and report.findings:
            self._text(interval_key(report.findings), small=True)
        for finding in report.findings:
            if finding.name in chapter.findings:
                checkpoints.passed()
                self._finding(finding)
        if chapter.bundles and report.bundles:
            self._text(report.chosen)
            for bundle in report.bundles:
                self._bundle(bundle)

    def _cover(self) -> None:
        from docx.shared import Mm

        report = self._report
        if report.logo is not None:
            try:
                self.document.add_picture(io.BytesIO(report.logo.data), height=Mm(16))
            except Exception as error:  # The library raises what it likes for a picture that only begins as one.
                raise UserError(
                    tr("The logo cannot be read as a picture."), tr("Choose another."), details=repr(error)
                ) from error
        if report.organisation:
            self._text(report.organisation)
        self.document.add_heading(printable(report.title), 0)
        if report.authors:
            self._text(tr("By {names}", names=", ".join(report.authors)))

    def _part(self, part: ReportPart, above: str) -> None:
        if part.title != above:
            self.document.add_heading(printable(part.title), 2)
        for paragraph in part.paragraphs:
            self._text(paragraph)
        for place, found in enumerate(part.findings, start=1):
            self.document.add_heading(finding_title(found, place), 2)
            if found.severity:
                self._text(found.severity, small=True)
            for paragraph in found.paragraphs:
                self._text(paragraph)
            for item in found.evidence:
                self._evidence(item)
        for signer in part.signers:
            self._text(f"\n\n____________________________\n{signer}")
            self._text(tr("Signature and date"), small=True)

    def _evidence(self, item: ReportEvidence) -> None:
        mark = "▲ " if item.synthetic else ""
        if item.finding is not None:
            kept, more = shortened(item.finding)
            if not (self._figures(item.finding) and item.figure_only):
                self._rows(kept, mark + item.title)
                self._text(more, small=True)
        elif item.bundle is not None:
            self._bundle(item.bundle, level=3)
        elif item.passage is not None:
            self._text(f"{mark}{item.passage.level}, {in_quotes(item.passage.words)}")
            self._text(item.title, small=True)
        else:
            self._text(item.title)
        if item.problem:
            self._text(item.problem)
        self._text(item.source, small=True)

    def _contents(self) -> None:
        """A field that a word processor fills with pages; until then it shows the titles."""
        report = self._report
        titles = [chapter.title for chapter in chapters_of(report)]
        paragraph = self.document.add_paragraph()
        self._field(paragraph, 'TOC \\o "1-2" \\h \\z \\u', "\n".join(map(printable, titles)))

    def _figures(self, finding: Finding) -> bool:
        """Draws those that fit half a page; whether there was anything to draw."""
        told = [figure for figure in finding.figures if not too_short(figure)]
        grids = [figure for figure in told if isinstance(figure, HeatMap)][:_FIGURES]
        for figure in grids:
            self._heat_map(finding, figure)
        made = pictures(finding, [figure for figure in told if not isinstance(figure, HeatMap)])
        some = [each for each in made if each.height <= _HALF][: _FIGURES - len(grids)]
        for picture in some:
            self._picture(picture)
            if picture.reading != finding.reading:
                self._text(picture.reading, small=True)
        if left := len(made) - len(some):
            more = trn("{n} further figure", "{n} further figures", left)
            self._text(tr("{more}: sheet “Figures” of the report as a workbook (.xlsx).", more=more), small=True)
        return bool(grids or made)

    def _picture(self, picture: Picture) -> None:
        drawn = self.document.add_picture(io.BytesIO(picture.png), width=round(self._across * picture.share))
        # The library has no call for the words that stand for a picture, so they go into its XML.
        drawn._inline.docPr.set("descr", printable(picture.alt))
        self.document.paragraphs[-1].paragraph_format.keep_with_next = True
        self._caption(picture.title, "Figure", tr("Figure"), above=False)

    def _caption(self, words: str, kind: str = "Table", called: str = "", *, above: bool = True) -> None:
        """Numbered by the word processor, for its lists of tables and of figures."""
        self._numbers[kind] += 1
        paragraph = self.document.add_paragraph(style="Caption")
        paragraph.paragraph_format.keep_with_next = above
        paragraph.add_run((called or tr("Table")) + " ")
        self._field(paragraph, f"SEQ {kind} \\* ARABIC", str(self._numbers[kind]))
        paragraph.add_run(f". {printable(words)}")

    def _field(self, paragraph: Any, instruction: str, shown_now: str) -> None:
        from docx.oxml import OxmlElement
        from docx.oxml.ns import qn

        def mark(kind: str) -> None:
            element = OxmlElement("w:fldChar")
            element.set(qn("w:fldCharType"), kind)
            paragraph.add_run()._r.append(element)

        # The library knows no fields. One is a begin, its instruction, a mark, what is shown until it is brought up to
        # date, and an end.
        mark("begin")
        code = OxmlElement("w:instrText")
        code.set(qn("xml:space"), "preserve")
        code.text = f" {instruction} "
        paragraph.add_run()._r.append(code)
        mark("separate")
        paragraph.add_run(shown_now)
        mark("end")

    def _finding(self, finding: Finding) -> None:
        mark = " ▲" if all(row.synthetic for row in finding.rows) else ""
        self.document.add_heading(printable(finding.title + mark), 2)
        self._text(unbroken(finding.reading))
        for line in finding.highlights:
            self._bullet(unbroken(line))
        self._figures(finding)
        if is_long(finding):
            self._text(rows_elsewhere(finding), small=True)
        elif printed_rows(finding):
            self._rows(finding, finding.title)
        for note in (*finding.notes, *left_out(finding)):
            self._text(unbroken(note), small=True)

    def _rows(self, finding: Finding, title: str) -> None:
        columns, _silent = telling_columns(finding)
        rows = []
        for row in printed_rows(finding):
            cells = []
            for place, column in enumerate(columns):
                value = row.values[column.key]
                words = unbroken(shown(value, column.kind))
                if isinstance(value, Estimate):
                    if value.interval is not None:
                        words += f"\n{bounds(value.interval, column.kind)} {interval_letter(value.interval)}"
                    words += f"\nn {value.n:,}" if value.value is not None else f"\n{value.why}"
                cells.append(("▲ " if place == 0 and row.synthetic else "") + words)
            rows.append(cells)
        numeric = [column.kind is not ColumnKind.TEXT for column in columns]
        self._caption(title)
        self._table([column.title for column in columns], rows, numeric)

    def _heat_map(self, finding: Finding, figure: HeatMap) -> None:
        from docx.oxml import parse_xml
        from docx.oxml.ns import nsdecls
        from docx.shared import RGBColor

        made = grid(finding, figure)
        self._caption(figure.title)
        table = self.document.add_table(rows=len(made.down) + 1, cols=len(made.across) + 1)
        # Row by row: the library's `table.cell` puts the list of all cells together anew for each one that is asked
        # for.
        for row, cells in zip(table.rows, ((), *made.cells), strict=True):
            for cell, value in zip(row.cells[1:], cells, strict=False):
                self._fill(cell, f"{value.text} ({value.count})" if value.text else NO_VALUE, right=False)
                # After the words, because setting a cell's text replaces its runs, and the colour of ink with them.
                if value.fill:
                    shade = parse_xml(f'<w:shd {nsdecls("w")} w:val="clear" w:color="auto" w:fill="{value.fill[1:]}"/>')
                    cell._tc.get_or_add_tcPr().append(shade)
                    for run in cell.paragraphs[0].runs:
                        run.font.color.rgb = RGBColor.from_string(value.ink[1:])
        for cell, label in zip(table.rows[0].cells[1:], made.across, strict=True):
            self._fill(cell, label, right=False)
        for row, label in zip(list(table.rows)[1:], made.down, strict=True):
            self._fill(row.cells[0], label, right=False)
        self._text(tr("Scale from {low} to {high}. {key}", low=made.low, high=made.high, key=made.key), small=True)

    def _bundle(self, bundle: ReportBundle, level: int = 2) -> None:
        mark = (" ▲ " + tr("synthetic") if bundle.synthetic else "") + (
            f" ({tr('until all answers are in')})" if bundle.provisional else ""
        )
        self.document.add_heading(printable(bundle.heading + mark), level)
        counted = tr(
            "set {number}, {valid} of {planned} answers",
            number=bundle.number,
            valid=bundle.valid,
            planned=bundle.planned,
        )
        self._text(f"{bundle.model} · {counted}", small=True)
        if bundle.question:
            self._text(in_quotes(bundle.question))
        self._text(" — ".join(part for part in (bundle.headline, bundle.description) if part))
        self._text(" · ".join(part for part in (bundle.source, bundle.url) if part), small=True)
        self._facts(
            [
                (score.title, f"{NO_VALUE} ({score.why})" if score.value is None else _shown(score.value))
                for score in bundle.scores
            ]
        )
        for reading in bundle.reviews:
            note = f": {reading.note}" if reading.note else ""
            self._bullet(f"{reading.reviewer}, {reading.at:%Y-%m-%d}: {reading.what}{note}")
            for passage in reading.passages:
                comment = f": {passage.comment}" if passage.comment else ""
                self._bullet(f"{passage.level}, {in_quotes(passage.words)}{comment}", level=2)
        for answer in bundle.printed:
            self.document.add_heading(printable(answer.level), level + 1)
            self._text(", ".join(answer.marks), small=True)
            self._text(answer.source_words, small=True)
            if answer.missing:
                self._text(tr("No valid answer: {reason}.", reason=answer.missing))
            if answer.text:
                self._text(answer.page_text)

    def _bullet(self, text: str, level: int = 1) -> None:
        self.document.add_paragraph(printable(text), style="List Bullet" if level == 1 else f"List Bullet {level}")

    def _heading(self, text: str) -> None:
        self.document.add_heading(printable(text), 1)

    def _text(self, text: str, *, small: bool = False) -> None:
        if not text:
            return
        paragraph = self.document.add_paragraph(printable(text))
        if small:
            # Off the rule of a table above it.
            paragraph.paragraph_format.space_before = self._pt(4)
            for run in paragraph.runs:
                run.font.size = self._pt(_SMALL)

    def _facts(self, facts: Sequence[tuple[str, str]]) -> None:
        for name, value in facts:
            paragraph = self.document.add_paragraph()
            paragraph.paragraph_format.space_after = self._pt(2)
            paragraph.add_run(f"{printable(name)}: ").bold = True
            paragraph.add_run(printable(value))

    def _table(self, titles: list[str], rows: list[list[str]], numeric: list[bool]) -> None:
        columns = list(zip(titles, *rows, strict=True))
        if fits(columns, numeric, self._across):
            self._columns(columns, numeric, self._across)
            return
        # A wide table has a page on its side; nothing of it goes on below itself.
        caption = self.document.paragraphs[-1]
        section = self._section(flipped=True)
        # Behind the paragraph that the library breaks the page with.
        self.document.paragraphs[-1]._p.addnext(caption._p)
        self._columns(columns, numeric, section.page_width - section.left_margin - section.right_margin)
        self._section(flipped=False)

    def _section(self, *, flipped: bool) -> Any:
        from docx.enum.section import WD_ORIENT, WD_SECTION

        section = self.document.add_section(WD_SECTION.NEW_PAGE)
        short, long = sorted((section.page_width, section.page_height))
        section.orientation = WD_ORIENT.LANDSCAPE if flipped else WD_ORIENT.PORTRAIT
        section.page_width, section.page_height = (long, short) if flipped else (short, long)
        return section

    def _columns(self, columns: list[tuple[str, ...]], numeric: list[bool], across: int) -> None:
        table = self.document.add_table(rows=len(columns[0]), cols=len(columns))
        # Row by row, as above: with `table.cell` the time would grow with the square of the cells.
        for row, cells in zip(table.rows, zip(*columns, strict=True), strict=True):
            for cell, words, right in zip(row.cells, cells, numeric, strict=True):
                self._fill(cell, words, right=right)
        ruled(table, across, columns, numeric)

    def _fill(self, cell: Any, words: str, *, right: bool) -> None:
        from docx.enum.text import WD_ALIGN_PARAGRAPH

        cell.text = printable(words)
        paragraph = cell.paragraphs[0]
        paragraph.paragraph_format.space_after = self._pt(0)
        if right:
            paragraph.alignment = WD_ALIGN_PARAGRAPH.RIGHT
        for run in paragraph.runs:
            run.font.size = self._pt(_WIDE)


def _shown(value: float | str) -> str:
    return value if isinstance(value, str) else number(value)


EXPORTER = DocxExporter()
