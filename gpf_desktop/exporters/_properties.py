"""The facts in the properties and on every page of a report, whatever the format."""

from collections.abc import Sequence

from gpf_desktop.domain.reports import Report
from gpf_desktop.domain.text import printable, tr


def synthetic_words(report: Report) -> str:
    """“Synthetic answers”, for the foot of each page; empty: none are."""
    if not report.synthetic:
        return ""
    return tr("All answers synthetic") if report.all_synthetic else tr("Contains synthetic answers (▲)")


def document_authors(report: Report) -> Sequence[str]:
    """The authors for document properties: people, else the organisation, else nobody."""
    return [printable(each) for each in report.authors or filter(None, (report.organisation,))]
