"""A report as a workbook: a sheet per table with full precision, and every quoted answer whole."""

import io
import math
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import zip_longest
from pathlib import Path
from typing import Any, Final

from gpf_desktop.domain.findings import SMALLEST_P, Column, ColumnKind, Estimate, Finding
from gpf_desktop.domain.options import NoOptions
from gpf_desktop.domain.ports.exporter import Exporter
from gpf_desktop.domain.relations import Relation
from gpf_desktop.domain.report_blocks import Brief, lines_of_block
from gpf_desktop.domain.reports import Report, ReportKind
from gpf_desktop.domain.text import Translated, in_quotes, printable, tr
from gpf_desktop.exporters._data_sheets import LONGEST_CELL, DataSheets, parts_of
from gpf_desktop.exporters._files import written_beside
from gpf_desktop.exporters._parts_view import finding_title
from gpf_desktop.exporters._pictures import pictures
from gpf_desktop.exporters._properties import document_authors
from gpf_desktop.exporters._synthetic_rows import SyntheticRows
from gpf_desktop.figures.files import DENSITY

_SHEET_NAME: Final = 31
_ROWS_PER_INCH: Final = 72 / 15
_SCREEN: Final = 96
"""Pixels per inch that are taken for a picture that does not say."""
_LONGEST_ALT: Final = 255
"""Characters of the words for a picture; a library warns beyond them, and some readers stop there."""
_SCORE: Final = "0.000"
_PARTS: Final = ("low", "high", "n", "articles", "interval")


class XlsxExporter(Exporter):
    """Cells are text or numbers, never formulas or links, whatever they begin with."""

    name = "xlsx"
    version = "1"
    suffix = "xlsx"
    marks_synthetic = True
    title = Translated("Workbook (Excel)")

    def export(self, report: Report, target: Path, options: NoOptions) -> None:  # noqa: ARG002 - the port's signature
        import xlsxwriter

        settings = dict.fromkeys(("strings_to_formulas", "strings_to_urls", "strings_to_numbers"), False)
        # A folder for temporary files that is full would be told as the library's own error.
        settings["in_memory"] = True
        with written_beside(target) as beside, ExitStack() as stack:
            data, made = DataSheets(stack, target.parent), io.BytesIO()
            with xlsxwriter.Workbook(made, settings) as workbook:
                workbook.set_properties(
                    {
                        "title": printable(report.title),
                        "comments": f"{report.program}. {report.statement}",
                        "author": printable("; ".join(document_authors(report))),
                    }
                )
                _Book(workbook, data).write(report)
            # Opened here, so that the disk's own errors are seen as such and not as the library's.
            with beside.open("wb") as file:
                data.put_into(made, file)


class _Book:
    """Writes sheets; remembers the few formats that they share."""

    def __init__(self, workbook: Any, data: DataSheets) -> None:
        self._workbook = workbook
        self._data = data
        self._mark = ""
        self._synthetic = SyntheticRows()
        self._head = workbook.add_format({"bold": True, "bottom": 1, "text_wrap": True, "valign": "vcenter"})
        self._title = workbook.add_format({"bold": True, "font_size": 14})
        self._strong = workbook.add_format({"bold": True, "valign": "top"})
        self._wrap = workbook.add_format({"text_wrap": True, "valign": "top"})
        self._score = workbook.add_format({"num_format": _SCORE})
        self._share = workbook.add_format({"num_format": "0.0%"})
        # The cell holds the p itself; 0.000 would read as none at all.
        self._p = workbook.add_format({"num_format": f'[<{SMALLEST_P}]"< {SMALLEST_P}";{_SCORE}'})

    def write(self, report: Report) -> None:
        if report.synthetic:
            self._mark = tr("All answers synthetic") if report.all_synthetic else tr("Contains synthetic answers (▲)")
        if report.brief is not None:
            self._found(report.brief, synthetic=report.synthetic)
        if report.kind is ReportKind.BRIEF:
            return
        self._first_sheet(report)
        self._parts(report)
        for finding in report.findings:
            self._finding(finding, report)
        self._figures(report)
        if report.bundles:
            self._bundles(report)
            self._answers(report)
        if any(bundle.reviews for bundle in report.bundles):
            self._readings(report)
        if report.data is not None:
            report.data(self._relation)

    def _relation(self, relation: Relation) -> None:
        told = self._synthetic.told(relation)
        names = [field.name for field in told.fields]

        def begin(number: int) -> int:
            title = tr("all {name}", name=relation.name)
            sheet = self._sheet(f"{title} {number}" if number > 1 else title, synthetic=bool(self._mark))
            self._header(sheet, [*names, tr("part")])
            return len(self._workbook.worksheets())

        self._data.write(told, begin)

    def _sheet(self, name: str, *, synthetic: bool) -> Any:
        sheet = self._workbook.add_worksheet(name[:_SHEET_NAME])
        if synthetic:
            sheet.set_tab_color("#6B3FA0")
        sheet.hide_gridlines(2)
        if self._mark:
            # On every page that is printed of any sheet.
            sheet.set_header(f"&R&9{self._mark}")
        return sheet

    def _found(self, brief: Brief, *, synthetic: bool) -> None:
        """The brief, in words: its sections at the left, a line for each thing that they say."""
        sheet = self._sheet(tr("What was found"), synthetic=synthetic)
        sheet.set_column(0, 0, 34)
        sheet.set_column(1, 1, 110)
        sheet.write_string(0, 0, printable(brief.title)[:LONGEST_CELL], self._title)
        said = [("", each) for each in filter(None, (brief.draft, *brief.bands))]
        said += [(each.name, each.value) for each in brief.head]
        for section in brief.sections:
            lines = [line for block in section.blocks for line in lines_of_block(block)]
            said += [(section.title if at == 0 else "", line) for at, line in enumerate(lines)]
        said.append((tr("On every page"), brief.footnote))
        for row, (name, words) in enumerate(said, start=2):
            sheet.write_string(row, 0, printable(name), self._strong)
            sheet.write_string(row, 1, printable(words)[:LONGEST_CELL], self._wrap)

    def _first_sheet(self, report: Report) -> None:
        sheet = self._sheet(tr("Read first"), synthetic=report.synthetic)
        sheet.set_column(0, 0, 32)
        sheet.set_column(1, 1, 110)
        sheet.write_string(0, 0, printable(report.title)[:LONGEST_CELL], self._title)
        lines: list[tuple[str, str]] = [
            (tr("Organisation"), report.organisation),
            (tr("Authors"), ", ".join(report.authors)),
            (tr("Window"), report.window),
            (tr("Made"), f"{report.made:%Y-%m-%d %H:%M} UTC, {report.program}"),
        ]
        if report.imported:
            lines.append((tr("Imported"), report.imported))
        if report.synthetic:
            every = tr("every answer in this report is synthetic: made up by built-in test models")
            some = tr("rows marked synthetic are built-in test models: their answers are made up")
            lines.append((tr("Synthetic"), every if report.all_synthetic else some))
        lines += [(tr("What was found"), line) for line in report.found]
        lines += [(tr("How to read"), paragraph) for paragraph in report.reading]
        lines += [(tr("Limits"), limit) for limit in report.limits]
        lines += [(tr("Scores"), line) for line in report.scope]
        lines += [(tr("Quoted sets"), report.chosen)] if report.chosen else []
        lines += [(fact.name, fact.value) for fact in (*report.facts, *report.review_counts)]
        lines += report.signs
        row = 2
        for name, value in lines:
            if not value:
                continue
            for number, part in enumerate(parts_of(printable(value))):
                sheet.write_string(row, 0, printable(name)[:LONGEST_CELL] if number == 0 else "", self._strong)
                sheet.write_string(row, 1, part, self._wrap)
                row += 1

    def _parts(self, report: Report) -> None:
        """Write the sheet of what people wrote: a line for each paragraph and for each piece of evidence."""
        if not report.parts:
            return
        sheet = self._sheet(tr("Findings and text"), synthetic=report.synthetic)
        self._header(sheet, [tr("Section"), tr("Finding"), tr("Severity"), tr("Kind"), tr("Words"), tr("Source")])
        sheet.set_column(4, 4, 90)
        row = 0
        for line in _written_lines(report):
            for part in parts_of(line[4]):
                row += 1
                self._line(sheet, row, [*line[:4], part, line[5]])

    def _finding(self, finding: Finding, report: Report) -> None:
        planted = any(row.synthetic for row in finding.rows)
        sheet = self._sheet(finding.name, synthetic=planted)
        sheet.write_string(0, 0, finding.title, self._title)
        origin = (report.imported,) if report.imported else ()
        above = (*origin, finding.reading, *finding.highlights, *finding.notes, report.settings)
        for number, line in enumerate(above, start=1):
            sheet.write_string(number, 0, printable(line)[:LONGEST_CELL])
        head = len(above) + 2
        column = 0
        for each in finding.columns:
            sheet.set_column(column, column, 28 if each.kind is ColumnKind.TEXT else 11)
            for title in (each.title, *(f"{each.title} {part}" for part in _parts(finding, each))):
                sheet.write_string(head, column, title, self._head)
                column += 1
        sheet.write_string(head, column, tr("synthetic"), self._head)
        for number, row in enumerate(finding.rows, start=head + 1):
            place = 0
            for each in finding.columns:
                place = self._value(sheet, number, place, row.values[each.key], each)
            sheet.write_string(number, place, tr("synthetic") if row.synthetic else "")
        sheet.freeze_panes(head + 1, 1)
        if finding.rows:
            sheet.autofilter(head, 0, head + len(finding.rows), column)

    def _value(self, sheet: Any, row: int, place: int, value: object, column: Column) -> int:
        """Writes one value from column *place* on; returns the next free column."""
        style = {ColumnKind.SHARE: self._share, ColumnKind.P: self._p}.get(column.kind, self._score)
        match value:
            case Estimate():
                if value.value is not None:
                    sheet.write_number(row, place, value.value, style)
                if value.interval is not None:
                    sheet.write_number(row, place + 1, value.interval.low, style)
                    sheet.write_number(row, place + 2, value.interval.high, style)
                sheet.write_number(row, place + 3, value.n)
                sheet.write_number(row, place + 4, value.articles)
                how = value.why if value.interval is None else value.interval.method
                sheet.write_string(row, place + 5, printable(how))
                return place + 1 + len(_PARTS)
            case str():
                sheet.write_string(row, place, printable(value)[:LONGEST_CELL])
            case int():
                sheet.write_number(row, place, value)
            case float():
                sheet.write_number(row, place, value, style)
            case _:
                pass
        return place + 1

    def _figures(self, report: Report) -> None:
        """Every figure below the other, each under its number, its title and the sheet that holds its numbers."""
        evidence = [item.finding for part in report.parts for found in part.findings for item in found.evidence]
        shown = [*filter(None, evidence), *report.findings]
        drawn = [(finding, picture) for finding in shown for picture in pictures(finding, finding.figures)]
        if not drawn:
            return
        sheet = self._sheet(tr("Figures"), synthetic=report.synthetic)
        row = 0
        for number, (finding, picture) in enumerate(drawn, start=1):
            planted = f" ({tr('synthetic')})" if all(each.synthetic for each in finding.rows) else ""
            title = tr("Figure {n}. {title}", n=number, title=printable(picture.title))
            sheet.write_string(row, 0, f"{title}{planted}"[:LONGEST_CELL], self._strong)
            told = tr("{reading} Numbers: sheet “{sheet}”.", reading=printable(picture.reading), sheet=finding.name)
            sheet.write_string(row + 1, 0, told[:LONGEST_CELL])
            options = {
                "image_data": io.BytesIO(picture.png),
                "description": printable(picture.alt)[:_LONGEST_ALT],
                **dict.fromkeys(("x_scale", "y_scale"), _SCREEN / DENSITY),
            }
            sheet.insert_image(row + 2, 0, f"figure-{number}.png", options)
            row += 4 + math.ceil(picture.height * _ROWS_PER_INCH)

    def _bundles(self, report: Report) -> None:
        sheet = self._sheet(tr("Bundles"), synthetic=any(bundle.synthetic for bundle in report.bundles))
        scores = [score.title for score in report.bundles[0].scores]
        factors = list(dict.fromkeys(factor for bundle in report.bundles for factor, _ in bundle.place))
        fields = [
            *(tr("Bundle"), tr("Model"), tr("Synthetic"), tr("Condition"), *factors),
            *(tr("Question"), tr("Headline"), tr("Description"), tr("Source"), tr("Address")),
            *(tr("Valid"), tr("Planned"), tr("Provisional"), *scores),
        ]
        self._header(sheet, fields)
        for number, bundle in enumerate(report.bundles, start=1):
            values: list[str | float | None] = [
                *(bundle.number, bundle.model, tr("synthetic") if bundle.synthetic else "", bundle.arm),
                *(dict(bundle.place).get(factor, "") for factor in factors),
                *(bundle.question, bundle.headline, bundle.description),
                *(bundle.source, bundle.url, bundle.valid, bundle.planned),
                tr("until all answers are in") if bundle.provisional else "",
                *(score.value for score in bundle.scores),
            ]
            self._line(sheet, number, values)

    def _readings(self, report: Report) -> None:
        sheet = self._sheet(tr("Readings"), synthetic=False)
        marked = (tr("Marked in"), tr("Marked words"), tr("Comment"))
        self._header(sheet, [tr("Bundle"), tr("Reviewer"), tr("At (UTC)"), tr("What"), tr("Note"), *marked])
        row = 0
        for number, reading in ((bundle.number, reading) for bundle in report.bundles for reading in bundle.reviews):
            who: list[str | float | None] = [number, reading.reviewer, f"{reading.at:%Y-%m-%d %H:%M:%S}", reading.what]
            passages = [[each.level, each.words, each.comment] for each in reading.passages]
            for note, passage in zip_longest(parts_of(printable(reading.note)), passages):
                row += 1
                self._line(sheet, row, [*who, note or "", *(passage or ())])

    def _answers(self, report: Report) -> None:
        sheet = self._sheet(tr("Answers"), synthetic=any(bundle.synthetic for bundle in report.bundles))
        self._header(
            sheet,
            [
                tr("Bundle"),
                tr("Level"),
                tr("Part"),
                tr("Answer"),
                tr("Missing"),
                tr("Flags"),
                tr("Synthetic"),
                tr("Held against"),
            ],
        )
        sheet.set_column(3, 3, 110)
        row = 1
        for bundle in report.bundles:
            for answer in bundle.answers:
                parts = parts_of(printable(answer.text))
                for number, part in enumerate(parts, start=1):
                    of = tr("{part} of {parts}", part=number, parts=len(parts))
                    planted = tr("synthetic") if bundle.synthetic else ""
                    values = (
                        bundle.number,
                        answer.level,
                        of,
                        part,
                        answer.missing,
                        ", ".join(answer.marks),
                        planted,
                        printable(answer.source_words),
                    )
                    self._line(sheet, row, values)
                    row += 1

    def _header(self, sheet: Any, fields: list[str]) -> None:
        sheet.set_column(0, len(fields) - 1, 16)
        for column, field in enumerate(fields):
            sheet.write_string(0, column, field, self._head)
        sheet.freeze_panes(1, 0)

    def _line(self, sheet: Any, row: int, values: list[str | float | None] | tuple[str | float | None, ...]) -> None:
        for column, value in enumerate(values):
            if isinstance(value, str):
                sheet.write_string(row, column, printable(value)[:LONGEST_CELL], self._wrap)
            elif value is not None:
                sheet.write_number(row, column, value, None if float(value).is_integer() else self._score)


def _written_lines(report: Report) -> Iterator[tuple[str, str, str, str, str, str]]:
    """(section, finding, severity, kind, words, source)"""
    for part in report.parts:
        for paragraph in part.paragraphs:
            yield part.title, "", "", tr("text"), printable(paragraph), ""
        for number, found in enumerate(part.findings, start=1):
            title = finding_title(found, number)
            for paragraph in found.paragraphs or ("",):
                yield part.title, title, found.severity, tr("text"), printable(paragraph), ""
            for item in found.evidence:
                mark = tr("synthetic") + ": " if item.synthetic else ""
                words = (
                    f"{item.passage.level}, {in_quotes(item.passage.words)}" if item.passage is not None else item.title
                )
                told = f"{mark}{words}\n{item.problem}" if item.problem else mark + words
                yield part.title, title, found.severity, tr("evidence"), printable(told), item.source
        for signer in part.signers:
            yield part.title, "", "", tr("signs"), printable(signer), ""


def _parts(finding: Finding, column: Column) -> tuple[str, ...]:
    estimates = any(isinstance(row.values[column.key], Estimate) for row in finding.rows)
    return _PARTS if estimates else ()


EXPORTER = XlsxExporter()
