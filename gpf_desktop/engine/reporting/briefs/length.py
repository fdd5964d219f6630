"""A brief is two to four pages, and refuses to be longer."""

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.report_blocks import Section, lines_of_block
from gpf_desktop.domain.reports import Report
from gpf_desktop.domain.text import tr
from gpf_desktop.exporters._brief_view import MOST_PAGES, pages_of

_WRITTEN = ("question", "answer", "recommendations", "reply", "who", "evidence", "signatures")
"""Sections in which there is something that an auditor wrote, and can shorten."""


def check_length(report: Report) -> None:
    """Raises `UserError` where the brief of *report* takes more than `MOST_PAGES`, with what in it is longest."""
    if report.brief is None:
        return
    pages = pages_of(report)
    if pages <= MOST_PAGES:
        return
    longest = max((each for each in report.brief.sections if each.name in _WRITTEN), key=_words)
    raise UserError(
        tr("The brief would be {n} pages long; {most} are the most.", n=pages, most=MOST_PAGES),
        tr(
            "Shorten “{section}”, which has {words:,} words, or write the annex, which holds all of it.",
            section=longest.title,
            words=_words(longest),
        ),
    )


def _words(section: Section) -> int:
    return sum(len(line.split()) for block in section.blocks for line in lines_of_block(block))
