"""The figure that leads a page of conclusions, before anything has a place: rows, scales and what stands on them.

A method says what its rows are (`Voice.lead`); `gpf_desktop.figures` gives them places, and window, web page and
documents draw those.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from gpf_desktop.domain.conclusions.conclusion import Conclusion, ConclusionOutcome, MeasureReading
from gpf_desktop.domain.conclusions.digits import FEW, measure_number, range_alone, with_range


class PointShape(StrEnum):
    """The shape of a further point on the line of a mark."""

    SQUARE = "square"
    DIAMOND = "diamond"
    CROSS = "cross"
    STROKE = "stroke"
    """Another model."""
    DOT = "dot"
    """A group, named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeadPoint:
    """A control, another model or a group on the scale of a mark."""

    value: float
    words: str
    shape: PointShape


@dataclass(frozen=True, slots=True, kw_only=True)
class LeadCell:
    """One mark with all that it is compared with."""

    value: float | None
    """None: not measured, *why* says so."""
    low: float | None = None
    high: float | None = None
    outcome: ConclusionOutcome = ConclusionOutcome.NOT_SHOWN
    """Of its measure, as far as gates let it."""
    voided: bool = False
    band: tuple[float, float] | None = None
    """The band of chance of this row alone; that of all rows is the panel's."""
    points: tuple[LeadPoint, ...] = ()
    back_to: float | None = None
    """A pale bar joins it to the mark: what is beyond it is what the conclusion is about."""
    p: float | None = None
    """Of its measure, all comparisons of the page counted."""
    text: str = ""
    """The number as it stands at the mark."""
    ranged: str = ""
    """The same with its range, where it stands in a column."""
    reach: str = ""
    """Its range alone, under the number at the mark."""
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeadRow:
    """One line of the figure: a model, or a measure of one."""

    conclusion: int
    """Which of the page's."""
    label: str = ""
    """Empty: the name of its model."""
    measures: tuple[str, ...] = ()
    """Whose caveats stand in it; empty: all of the conclusion's."""
    cells: tuple[LeadCell, ...]
    """One for each panel."""
    exact: str = ""
    """Its numbers in the expert's terms, for who asks why."""
    further: tuple[str, ...] = ()
    """Under `Lead.further`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeadPanel:
    """A scale with a title and words at both of its ends."""

    title: str
    column: str = ""
    """The head of its numbers in tables, where these are not what its axis has; empty: its title."""
    ends: tuple[str, str] = ("", "")
    """Where it leads: left, and right; empty: there is nothing to say."""
    low: float | None = None
    """Ends of the axis; None: as far as its marks reach."""
    high: float | None = None
    band: tuple[float, float] | None = None
    """The null of all rows: what chance, the others' own spread or the margin explains."""
    null: float | None = None
    """Where nothing would be; None: the scale has no such place."""
    unit: float | None = None
    """From so far off 0 on, each step outwards is ten times the one before, where else all that lies within would be
    one mark; None: even steps."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lead:
    """The whole of it. Rows of one conclusion follow each other."""

    panels: tuple[LeadPanel, ...]
    rows: tuple[LeadRow, ...]
    undrawn: tuple[LeadRow, ...] = ()
    """Comparisons of the page that tables alone have."""
    band_title: str = ""
    """The head of the column of the band in tables; empty: it is what nothing but chance would give."""
    note: str = ""
    """Of what its numbers mean, under its table in a brief; empty: the method's brief says it."""
    further: tuple[str, ...] = ()
    """Titles of numbers that have no scale here, and stand in tables alone."""
    by_measure: bool = False
    """Rows are measures, each with its own outcome; those of a model stand under its name where there are several."""
    of_one: bool = False
    """Every mark is of the model under study, whose name tells what it is."""
    mark: str = ""
    """The name of a mark, for the line under the figure."""
    band: str = ""
    """The name of the grey band."""
    back: str = ""
    """The name of the pale bar behind a mark (`LeadCell.back_to`)."""
    null: str = ""
    """Where nothing would be, at the dashed line of its panels; empty: their words say it."""

    @property
    def of_groups(self) -> bool:
        """Its marks are groups, and its values gaps between them, which are held against what chance gives."""
        shapes = [point.shape for row in self.rows for cell in row.cells for point in cell.points]
        return PointShape.DOT in shapes

    def in_one_order(self) -> Lead:
        """With the rows of every model in the order of the first one's, so that lines with one label are found at one
        place."""
        places: dict[str, int] = {}
        for row in self.rows:
            places.setdefault(row.label, len(places))
        return replace(self, rows=tuple(sorted(self.rows, key=lambda row: (row.conclusion, places[row.label]))))


LeadOf = Callable[[Sequence[Conclusion]], Lead]


def measures_lead(
    conclusions: Sequence[Conclusion],
    *,
    panel: LeadPanel | None = None,
    factor: float = 1.0,
    least: int = FEW,
    label: Callable[[MeasureReading], str] = lambda measure: measure.words[:1].upper() + measure.words[1:],
    point: PointShape = PointShape.STROKE,
    band: str = "",
    of_one: bool = False,
) -> Lead:
    """A row for each measure, on one scale; values are multiplied by *factor* and have *least* decimals or more.

    The null that all rows share is the panel's band, or its line where it is a point; others stand in their rows. A
    method without a figure of its own has this one.
    """
    measures = [one for each in conclusions for one in each.measures]
    nulls = {one.null for one in measures if one.null is not None}
    shared = next(iter(nulls)) if len(nulls) == 1 else None
    first = measures[0] if measures else None
    made = panel or LeadPanel(
        title=first.words if first and len({one.words for one in measures}) == 1 else "",
        ends=first.ends if first else ("", ""),
        band=None if shared is None or shared[0] == shared[1] else (factor * shared[0], factor * shared[1]),
        null=factor * sum(shared) / 2 if shared is not None else None,
    )
    return Lead(
        panels=(made,),
        rows=tuple(
            LeadRow(
                conclusion=at,
                label=label(one),
                measures=(one.name,),
                cells=(measure_cell(one, factor, least, point, own_band=shared is None),),
            )
            for at, each in enumerate(conclusions)
            for one in each.measures
        ),
        by_measure=True,
        of_one=of_one,
        band=band,
    )


def measure_cell(
    one: MeasureReading,
    factor: float,
    least: int = FEW,
    point: PointShape = PointShape.STROKE,
    *,
    own_band: bool = False,
) -> LeadCell:
    """The mark of *one*, with its others on the same line; *own_band*: with its null, which is not every row's."""

    def scaled(value: float | None) -> float | None:
        return None if value is None else factor * value

    null = one.null if own_band else None
    return LeadCell(
        value=scaled(one.value),
        low=scaled(one.low),
        high=scaled(one.high),
        outcome=one.outcome,
        voided=bool(one.voided_by),
        band=None if null is None or null[0] == null[1] else (factor * null[0], factor * null[1]),
        points=tuple(LeadPoint(value=factor * each.value, words=each.words, shape=point) for each in one.others),
        p=one.p,
        text="" if one.value is None else measure_number(one, factor=factor, least=least)(one.value),
        ranged=with_range(one, factor=factor, least=least),
        reach=range_alone(one, factor=factor, least=least),
        why=one.why,
    )
