"""The parts of a report that people wrote, as templates want them: words and numbers, no markup."""

import base64
from dataclasses import replace
from typing import Any

from gpf_desktop.domain.findings import Finding, printed_rows
from gpf_desktop.domain.reports import AuditorFinding, ReportEvidence, ReportLogo, ReportPart
from gpf_desktop.domain.text import printable, tr
from gpf_desktop.exporters._finding_view import View, bundle_view, figure_views, grid_views, table_view

MOST_ROWS = 40
"""Of a table among the findings; the rest stands in the table itself."""


def part_view(part: ReportPart, width: int) -> View:
    """A section; figures are *width* pixels across."""
    return {
        "id": f"part-{part.name.replace('_', '-')}",
        "title": part.title,
        "paragraphs": [printable(each) for each in part.paragraphs],
        "findings": [
            _finding(each, f"part-finding-{number}", number, width)
            for number, each in enumerate(part.findings, start=1)
        ],
        "signers": [printable(each) for each in part.signers],
    }


def logo_uri(logo: ReportLogo) -> str:
    """The picture itself, as an address that needs no request."""
    return f"data:image/{logo.kind};base64,{base64.b64encode(logo.data).decode()}"


def logo_svg(logo: ReportLogo) -> str:
    """The picture as a drawing, which holds it whole."""
    size = f'width="{logo.width}" height="{logo.height}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} viewBox="0 0 {logo.width} {logo.height}">'
        f'<image {size} href="{logo_uri(logo)}"/></svg>'
    )


def shortened(finding: Finding) -> tuple[Finding, str]:
    """*finding* with as many rows as evidence prints, and what is said of the others."""
    printed = printed_rows(finding)
    if len(printed) < len(finding.rows):
        some = tuple(replace(row, detail=False) for row in (printed or finding.rows)[:MOST_ROWS])
        return replace(finding, rows=some), tr("{n} of {all} rows.", n=len(some), all=len(finding.rows))
    if len(printed) <= MOST_ROWS:
        return finding, ""
    kept = replace(finding, rows=finding.rows[:MOST_ROWS])
    return kept, tr("The first {n} of {all} rows.", n=MOST_ROWS, all=len(finding.rows))


def _finding(found: AuditorFinding, name: str, number: int, width: int) -> View:
    return {
        "id": name,
        "title": finding_title(found, number),
        "severity": found.severity,
        "paragraphs": [printable(each) for each in found.paragraphs],
        "evidence": [_evidence(each, width) for each in found.evidence],
    }


def finding_title(found: AuditorFinding, number: int) -> str:
    """3. Answers to Hindus refuse more often"""
    return f"{number}. {printable(found.title)}" if found.title else tr("Finding {n}", n=number)


def _evidence(item: ReportEvidence, width: int) -> View:
    view: dict[str, Any] = {
        "title": printable(item.title),
        "source": printable(item.source),
        "problem": printable(item.problem),
        "synthetic": item.synthetic,
        **dict.fromkeys(("table", "bundle", "passage")),
        "figures": [],
        "grids": [],
        "more": "",
    }
    if item.finding is not None:
        kept, view["more"] = shortened(item.finding)
        view["figures"] = [
            each for figure in item.finding.figures for each in figure_views(item.finding, figure, width)
        ]
        view["grids"] = grid_views(item.finding)
        view["table"] = None if item.figure_only and view["figures"] else table_view(kept)
        view["more"] = "" if view["table"] is None else view["more"]
    if item.bundle is not None:
        view["bundle"] = bundle_view(item.bundle)
    if item.passage is not None:
        view["passage"] = {"level": printable(item.passage.level), "words": printable(item.passage.words)}
    return view
