"""The key to the figure that leads a page: one line of samples of its marks, with words."""

from collections.abc import Iterator, Sequence
from functools import partial

from gpf_desktop.domain.conclusions.conclusion import ConclusionOutcome
from gpf_desktop.domain.conclusions.lead import LeadCell, PointShape
from gpf_desktop.domain.conclusions.rendering import ToldPage, range_words
from gpf_desktop.domain.text import tr
from gpf_desktop.figures.axes import Scale
from gpf_desktop.figures.lead_words import outcome_of
from gpf_desktop.figures.marks import arrow, cut, dot, grouped, mark, mark_ink, sample, triangle
from gpf_desktop.figures.shapes import Line, Rectangle, Shape


def key(told: ToldPage, scales: Sequence[Scale] = ()) -> Iterator[tuple[list[Shape], str]]:
    """The key to the marks of a lead figure on *scales*: samples around (0, 0), each with its words.

    That all answers are made up is said before the figure, by whoever shows it.
    """
    lead = told.lead
    cells = [cell for row in lead.rows for cell in row.cells if cell.value is not None]
    synthetic = any(each.conclusion.synthetic for each in told.told)
    early = any(each.conclusion.outcome is ConclusionOutcome.TOO_EARLY for each in told.told)
    only = synthetic and all(each.conclusion.synthetic for each in told.told)
    if lead.mark or lead.of_one:
        # In each colour that the figure has them in.
        inks = sorted({mark_ink(each) for each in cells if not each.voided}) or ["accent"]
        places = zip(inks, (0.0,) if len(inks) == 1 else (-4.0, 7.0), strict=True)
        drawn = partial(dot, y=0) if cells and all(map(grouped, cells)) else partial(mark, y=0, hollow=early)
        yield [shape for ink, x in places for shape in drawn(x=x, ink=ink)], lead.mark or told.told[0].name
    if (level := range_words(told.page)) and any(_has_range(cell) for cell in cells):
        yield [_line()], level
        if any(cut(*pair) for row in lead.rows for pair in zip(row.cells, scales, strict=False)):
            yield [_line(), arrow(8, 0, 1, "text_secondary")], tr("goes on beyond the picture")
    yield from _points_of(told)
    yield from _grounds(told)
    if any(panel.unit is not None for panel in lead.panels):
        yield [], tr("beyond 1, tenfold steps")
    if early:
        yield [], tr("Hollow: before the first planned look.")
    if voided := {cell.outcome is ConclusionOutcome.TOO_FEW for cell in cells if cell.voided}:
        broken = Line(x1=-8, y1=0, x2=10, y2=0, ink="warning", width=2.75, dash=(5, 3))
        yield [broken, *mark(1, 0, "warning", hollow=True)], _not_counted(voided)
    if synthetic and not only:
        yield [triangle(-6, 0)], tr("synthetic: a built-in test model")


def _not_counted(too_few: set[bool]) -> str:
    """Why marks do not count: there is too little, a check failed, or both."""
    if too_few == {True}:
        return tr("too few: not counted")
    return tr("too few, or a check failed: not counted") if True in too_few else tr("a check failed: not counted")


def _grounds(told: ToldPage) -> Iterator[tuple[list[Shape], str]]:
    """The grounds that a mark is held against: dashed line, pale bar and band."""
    lead = told.lead
    cells = [cell for row in lead.rows for cell in row.cells if cell.value is not None]
    if lead.null:
        yield [Line(x1=0, y1=-7, x2=0, y2=7, ink="text_secondary", dash=(2.5, 2.5))], lead.null
    if lead.back and any(cell.back_to is not None for cell in cells):
        yield [Line(x1=-8, y1=0, x2=8, y2=0, ink="accent", width=2, opacity=0.65)], lead.back
    if lead.band and (any(panel.band for panel in lead.panels) or any(cell.band for cell in cells)):
        yield [Rectangle(x=-8, y=-6, width=20, height=12, fill="border", opacity=0.5)], lead.band


def _line() -> Line:
    return Line(x1=-8, y1=0, x2=8, y2=0, ink="text_secondary", width=2.75, round=True)


def chip_words(told: ToldPage) -> str:
    """The meaning of a chip that says less than the others; empty: there is none."""
    shown = any(outcome_of(told, row)[0] is ConclusionOutcome.NOT_SHOWN for row in told.lead.rows)
    return tr("Not settled: a difference was neither shown nor ruled out.") if shown else ""


def _has_range(cell: LeadCell) -> bool:
    """Its range is drawn: a line of groups goes from the lowest to the highest."""
    return not grouped(cell) and cell.low is not None


def _points_of(told: ToldPage) -> Iterator[tuple[list[Shape], str]]:
    seen: dict[PointShape, list[str]] = {}
    for row in told.lead.rows:
        for cell in row.cells:
            for each in cell.points:
                if each.words not in seen.setdefault(each.shape, []):
                    seen[each.shape].append(each.words)
    for shape, words in seen.items():
        if shape is not PointShape.DOT:
            # Their names stand above their strokes.
            every = tr("a model compared") if shape is PointShape.STROKE else ", ".join(words)
            yield sample(shape, 0, 0), every
