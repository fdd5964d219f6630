"""The figure that leads a brief."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from gpf_desktop.domain.conclusions.conclusion import ConclusionOutcome
from gpf_desktop.domain.conclusions.lead import LeadRow
from gpf_desktop.domain.conclusions.rendering import ToldPage
from gpf_desktop.domain.report_blocks import DrawnFigure
from gpf_desktop.domain.text import trn
from gpf_desktop.figures.lead import PAPER, lead_figure
from gpf_desktop.figures.lead_words import finding
from gpf_desktop.figures.svg import svg

_TALL: Final = 460.0
"""Pixels at `PAPER`; a figure that would be higher is drawn smaller, to stand on the first page."""
_SMALLER: Final = 880.0


def lead_drawing(told: ToldPage) -> DrawnFigure | None:
    """The lead figure of *told*, its finding as title; None where there is nothing to draw."""
    if not told.told:
        return None
    draw = partial(lead_figure, with_title=False, weighed=False)
    short, figure = told, draw(told, PAPER)
    if figure.height > _TALL:
        draw = partial(draw, dense=True)
        figure = draw(told, PAPER)
    for keeps in (_differs_or_first, _first):
        if figure.height > _TALL:
            short = _shortened(told, keeps)
            figure = draw(short, PAPER)
    if figure.height > _TALL:
        figure = draw(short, _SMALLER)
    # What else the finding says stands in the answer above.
    title, _ = finding(told)
    subtitle = _left_out([row for row in told.lead.rows if row not in short.lead.rows])
    return DrawnFigure(
        title=title,
        subtitle=subtitle,
        svg=svg(figure, alone=False),
        width=figure.width,
        height=figure.height,
        alt=figure.description,
    )


def _shortened(told: ToldPage, keeps: Callable[[LeadRow, bool], bool]) -> ToldPage:
    """*told* with the rows that *keeps* says; all, where there is one conclusion."""
    if len(told.told) == 1:
        return told
    headed: set[int] = set()
    kept = []
    for row in told.lead.rows:
        if keeps(row, row.conclusion not in headed):
            kept.append(row)
        headed.add(row.conclusion)
    return replace(told, lead=replace(told.lead, rows=tuple(kept)))


def _differs(row: LeadRow) -> bool:
    return any(cell.outcome is ConclusionOutcome.DIFFERS and not cell.voided for cell in row.cells)


def _differs_or_first(row: LeadRow, first: bool) -> bool:
    return first or _differs(row) or any(cell.voided for cell in row.cells)


def _first(_row: LeadRow, first: bool) -> bool:
    return first


def _left_out(rows: Sequence[LeadRow]) -> str:
    if not rows:
        return ""
    n, differ = len(rows), sum(map(_differs, rows))
    if differ:
        return trn(
            "{n} further row, which differs too: annex.", "{n} further rows, {differ} differ: annex.", n, differ=differ
        )
    return trn("{n} further row, not shown to differ: annex.", "{n} further rows, none shown to differ: annex.", n)
