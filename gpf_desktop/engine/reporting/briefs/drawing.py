"""The figure that leads a brief."""

from dataclasses import replace
from typing import Final

from gpf_desktop.domain.conclusions.conclusion import ConclusionOutcome
from gpf_desktop.domain.conclusions.rendering import ToldPage
from gpf_desktop.domain.report_blocks import DrawnFigure
from gpf_desktop.domain.text import trn
from gpf_desktop.figures.lead import PAPER, lead_figure
from gpf_desktop.figures.lead_words import finding
from gpf_desktop.figures.svg import svg

_TALL: Final = 400.0
"""Pixels at `PAPER`; a figure that would be higher is drawn smaller, to stand on the first page."""
_SMALLER: Final = 880.0


def lead_drawing(told: ToldPage) -> DrawnFigure | None:
    """The lead figure of *told*, its finding as title; None where there is nothing to draw."""
    if not told.told:
        return None
    short, left_out = _shortened(told)
    figure = lead_figure(short, PAPER, with_title=False, weighed=False)
    if figure.height > _TALL:
        figure = lead_figure(short, _SMALLER, with_title=False, weighed=False)
    title, subtitle = finding(told)
    if left_out:
        more = trn("{n} further row, which does not differ: annex.", "{n} further rows, none differs: annex.", left_out)
        subtitle = " ".join(filter(None, (subtitle, more)))
    return DrawnFigure(
        title=title,
        subtitle=subtitle,
        svg=svg(figure, alone=False),
        width=figure.width,
        height=figure.height,
        alt=figure.description,
    )


def _shortened(told: ToldPage) -> tuple[ToldPage, int]:
    """*told* with the rows that differ or failed a check, and the first of every other model; how many are left out."""
    if len(told.told) == 1:
        return told, 0
    headed: set[int] = set()
    kept = []
    for row in told.lead.rows:
        told_apart = any(cell.voided or cell.outcome is ConclusionOutcome.DIFFERS for cell in row.cells)
        if told_apart or row.conclusion not in headed:
            kept.append(row)
        headed.add(row.conclusion)
    lead = replace(told.lead, rows=tuple(kept))
    return replace(told, lead=lead), len(told.lead.rows) - len(kept)
