"""A brief as templates want it, and how many pages it takes."""

import json
from typing import Final

from gpf_desktop.domain.report_blocks import Brief
from gpf_desktop.domain.reports import Report
from gpf_desktop.domain.resources import resources
from gpf_desktop.domain.text import tr
from gpf_desktop.exporters._blocks_view import brief_view
from gpf_desktop.exporters._finding_view import View
from gpf_desktop.exporters._pdf_view import plain
from gpf_desktop.exporters._properties import document_authors, synthetic_words
from gpf_desktop.figures.palette import palette

MOST_PAGES: Final = 4


def brief_words(brief: Brief) -> dict[str, str]:
    """The words that a template says by itself."""
    return {
        "brief": tr("Brief"),
        "page": tr("page"),
        "of": tr("of"),
        "draft": tr("Draft"),
        "code": tr("Check code of the whole answer:"),
        "short": brief.footnote,
    }


def brief_paper(report: Report) -> View:
    """The values that ``brief.typ`` sets. The report has a brief."""
    assert report.brief is not None, "asked for where there is one"
    return {
        "brief": plain(brief_view(report.brief)),
        "words": brief_words(report.brief),
        "synthetic": synthetic_words(report),
        "authors": document_authors(report),
        "colors": palette("light"),
    }


def pages_of(report: Report) -> int:
    """The number of pages of A4 that the brief of *report* takes."""
    from typst import Compiler

    folder = resources() / "reports"
    compiler = Compiler(
        folder / "brief.typ",
        root=folder,
        font_paths=[resources() / "fonts"],
        sys_inputs={"report": json.dumps(brief_paper(report))},
    )
    return int(json.loads(compiler.query("<pages>", field="value", one=True)))
