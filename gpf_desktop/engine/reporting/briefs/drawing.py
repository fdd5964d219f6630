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
from gpf_desktop.figures.shapes import Figure
from gpf_desktop.figures.svg import svg

_SMALLER: Final = 880.0
"""Pixels across a figure that is drawn smaller, as the last way to have room."""


def lead_drawing(told: ToldPage) -> DrawnFigure | None:
    """The lead figure of *told* and lower ones; None where there is nothing to draw. The finding stands above it."""
    if not told.told:
        return None
    draw = partial(lead_figure, with_title=False, weighed=False)
    low = partial(draw, dense=True)
    few, fewest = _shortened(told, _differs_or_first), _shortened(told, _first)
    ways = ((told, draw(told, PAPER)), *((each, low(each, PAPER)) for each in (told, few, fewest)))
    ways = (*ways, (fewest, low(fewest, _SMALLER)))
    drawn = [_drawn(told, each, figure) for each, figure in ways]
    lower = tuple(each for each, before in zip(drawn[1:], drawn, strict=False) if each.svg != before.svg)
    return replace(drawn[0], lower=lower)


def _drawn(told: ToldPage, short: ToldPage, figure: Figure) -> DrawnFigure:
    return DrawnFigure(
        subtitle=_left_out([row for row in told.lead.rows if row not in short.lead.rows]),
        svg=svg(figure, alone=False),
        width=figure.width,
        height=figure.height,
        alt=f"{figure.title}. {figure.description}",
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
