"""A report as one page that asks for nothing: no script, no request, no font, no picture from elsewhere."""

import base64
import hashlib
import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Final

from gpf_desktop.domain.options import NoOptions
from gpf_desktop.domain.ports.exporter import Exporter
from gpf_desktop.domain.report_blocks import DrawnFigure
from gpf_desktop.domain.report_chapters import chapters_of
from gpf_desktop.domain.reports import Report, ReportKind
from gpf_desktop.domain.text import Translated
from gpf_desktop.exporters._answers_view import answers_view
from gpf_desktop.exporters._blocks_view import brief_view, drawing_name
from gpf_desktop.exporters._brief_view import brief_words
from gpf_desktop.exporters._files import written_beside
from gpf_desktop.exporters._finding_view import View
from gpf_desktop.exporters._html_view import page_view
from gpf_desktop.exporters._properties import document_authors, synthetic_words
from gpf_desktop.exporters._templates import templates
from gpf_desktop.figures.palette import palette


class HtmlExporter(Exporter):
    """Print-friendly, follows the reader's light or dark setting, readable without this program."""

    name = "html"
    version = "1"
    suffix = "html"
    marks_synthetic = True
    title = Translated("Web page (HTML)")

    def export(self, report: Report, target: Path, options: NoOptions) -> None:  # noqa: ARG002 - the port's signature
        with written_beside(target) as beside:
            beside.write_text(page(report), encoding="utf-8", newline="\n")


def page(report: Report) -> str:
    """The whole page. Everything from outside is escaped, and the page's own policy lets nothing run or load."""
    css = _style_sheet()
    # The page's policy names its one style sheet by this hash, so that no other style is applied, whatever gets in.
    digest = base64.b64encode(hashlib.sha256(css.encode()).digest()).decode()
    style = {"css": css, "css_hash": f"sha256-{digest}", "report": report}
    if report.kind is ReportKind.BRIEF and report.brief is not None:
        view: View = {"brief": brief_view(report.brief), "words": brief_words(report.brief)}
        view |= {
            "synthetic": synthetic_words(report),
            "authors": document_authors(report),
        }
        return str(templates().get_template("brief.html.j2").render(style | view))
    if report.kind is ReportKind.ANSWERS:
        return str(templates().get_template("answers.html.j2").render(style | answers_view(report)))
    return str(templates().get_template("report.html.j2").render(style | page_view(report)))


def simple_page(report: Report) -> str:
    """The report's page for a reader that knows no style sheets, and asks for pictures by name: the
    window's preview."""
    view = {"narrow": narrow, "shown_logo": _logo_name(report), **page_view(report)}
    return _TAG_OR_LONG.sub(_broken, str(templates().get_template("preview.html.j2").render(view)))


_SIGN: Final = r"(?:&#?\w+;|[^\s<&])"
_LONGEST: Final = 40
_PIECE: Final = 12
_TAG_OR_LONG: Final = re.compile(rf"<[^>]*>|{_SIGN}{{{_LONGEST},}}")


def _broken(found: re.Match[str]) -> str:
    """A tag as it is; a word that would widen the whole page with places at which it may be broken."""
    if found[0].startswith("<"):
        return found[0]
    signs = re.findall(_SIGN, found[0])
    return "\u200b".join("".join(signs[at : at + _PIECE]) for at in range(0, len(signs), _PIECE))


def pictures(report: Report) -> dict[str, bytes]:
    """The pictures that `simple_page` shows, by the names by which it asks for them: the logo, and drawings as SVG."""
    blocks = (block for chapter in chapters_of(report) for section in chapter.sections for block in section.blocks)
    drawn = {drawing_name(block): block.svg.encode() for block in blocks if isinstance(block, DrawnFigure)}
    return drawn if report.logo is None else {_logo_name(report): report.logo.data, **drawn}


def _logo_name(report: Report) -> str:
    return "" if report.logo is None else f"report:logo/{hashlib.sha256(report.logo.data).hexdigest()}"


@cache
def _style_sheet() -> str:
    return str(templates().get_template("report.css.j2").render(light=palette("light"), dark=palette("dark")))


EXPORTER = HtmlExporter()


_ROOM: Final = 500
"""Pixels at 100 % of the narrowest preview, that of a window 1280 pixels wide, less a tenth: widths are estimated."""
_DIGIT, _LETTER, _SMALL = 7.5, 6.4, 5.4
"""Pixels of a character, in figures, words and small type."""
_PADDING: Final = 8
_BREAK: Final = re.compile(r" |(?<=[/-])")


def narrow(view: View) -> list[View]:
    """*view* in parts that need no scrolling sideways, each beginning with the columns that name its rows."""
    columns = view["columns"]
    named = next((at for at, column in enumerate(columns) if column["numeric"]), len(columns)) or 1
    widths = [_width(view, at) for at in range(len(columns))]
    parts = filled(widths, named, _ROOM)
    # Parts of like width, not full ones with a rest of one column.
    for room in range(_ROOM, 0, -_ROOM // 20):
        if len(others := filled(widths, named, room)) > len(parts):
            break
        parts = others
    return [
        {
            "columns": [columns[at] for at in part],
            "rows": [{**row, "cells": [row["cells"][at] for at in part]} for row in view["rows"]],
        }
        for part in parts
    ]


def filled(widths: Sequence[float], named: int, room: float) -> list[list[int]]:
    """Columns of *widths* in parts of at most *room*, where that can be; each begins with the first *named* ones."""
    names = list(range(named))
    parts, free = [[*names]], room - sum(widths[:named])
    for at in range(named, len(widths)):
        if widths[at] > free and len(parts[-1]) > named:
            parts.append([*names])
            free = room - sum(widths[:named])
        parts[-1].append(at)
        free -= widths[at]
    return parts


def _width(view: View, at: int) -> float:
    """The least width of a column: that of the widest thing in it that cannot be broken."""
    column = view["columns"][at]
    lines = [_SMALL * len(word) for word in column["title"].split()]
    for row in view["rows"]:
        lines += _lines(row["cells"][at])
    return max(lines, default=0) + _PADDING


def _lines(cell: View) -> Iterator[float]:
    if cell["numeric"]:
        yield _DIGIT * len(cell["text"])
    else:
        yield from (_LETTER * len(word) for word in _BREAK.split(cell["text"]))
    yield _SMALL * len(f"{cell['interval']} {cell['kind']}")
    yield _SMALL * len(cell["count"])
    yield from (_SMALL * len(word) for word in cell["why"].split())
