"""One grammar of marks, for every picture of a conclusion.

grey band       what chance or the agreed margin explains
line            a range; an arrow where it goes on beyond the picture
filled mark     shown, or tested and not shown; hollow: before the first planned look
broken, amber   a check failed: it does not count, and is not hidden
grey shapes     controls and other models, on the same scale: square, diamond, cross, stroke
circle          a mark; triangle: one of a synthetic model, in figures that do not have ▲ before its name
accent          what differs
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from gpf_desktop.domain.conclusions.conclusion import ConclusionOutcome
from gpf_desktop.domain.conclusions.lead import LeadCell, LeadPanel, LeadPoint, PointShape
from gpf_desktop.figures.axes import NAME_ASIDE, NAME_SIZE, RADIUS, SMALL, Scale, grid, numbers
from gpf_desktop.figures.shapes import Disc, Line, Polygon, Rectangle, Shape, Words
from gpf_desktop.figures.text_widths import width_of

_RANGE: Final = 2.75
_BACK: Final = 2.0
"""Of the line from a control to the dot: thinner than a range, and as dark as a mark must be to be seen."""
_ASIDE: Final = {PointShape.SQUARE: 0, PointShape.DIAMOND: -11, PointShape.CROSS: 11}
"""Of controls, off the line of the mark; that from which a pale bar may lead to it stands on the line."""
_OF_NAME: Final = 8.0
"""Above and below the middle of a name, that no line of the scale reaches into."""
_BEHIND_SIGN: Final = 23.0
"""From the left end of a chip to its words."""
_INKS: Final = {
    ConclusionOutcome.DIFFERS: "accent",
    ConclusionOutcome.CHECK_FAILED: "warning",
    ConclusionOutcome.TOO_FEW: "text_secondary",
}
"""Of the words on a chip. None is red or green: no outcome is good or bad."""
SIGNS: Final = {
    ConclusionOutcome.DIFFERS: "≠",
    ConclusionOutcome.ALIKE: "=",
    ConclusionOutcome.NOT_SHOWN: "?",
    ConclusionOutcome.TOO_EARLY: "",
    ConclusionOutcome.CHECK_FAILED: "!",
    ConclusionOutcome.TOO_FEW: "…",
}
"""In the chip's disc; *too early* has the hands of a clock."""


def mark_ink(cell: LeadCell) -> str:
    if cell.voided:
        return "warning"
    return "accent" if cell.outcome is ConclusionOutcome.DIFFERS else "text_secondary"


def ground(panel: LeadPanel, scale: Scale, top: float, bottom: float) -> list[Shape]:
    """The shapes behind a row: hairlines, the band and the null."""
    shapes: list[Shape] = []
    if panel.band is not None:
        left, right = scale.x(panel.band[0]), scale.x(panel.band[1])
        shapes.append(Rectangle(x=left, y=top, width=right - left, height=bottom - top, fill="border", opacity=0.35))
    shapes += grid(scale, top, bottom)
    if panel.null is not None:
        x = scale.x(panel.null)
        shapes.append(Line(x1=x, y1=top, x2=x, y2=bottom, ink="text_secondary", dash=(2.5, 2.5)))
    return shapes


def row_marks(
    cell: LeadCell,
    scale: Scale,
    y: float,
    *,
    hollow: bool,
    named: bool = False,
) -> list[Shape]:
    """The marks on the line at *y*, and its number where the scale has a column; *named*: other models are."""
    if cell.value is None:
        return [Words(x=scale.left + 4, y=y + 4, text="–", size=SMALL, ink="text_secondary")]
    ink = mark_ink(cell)
    shapes: list[Shape] = []
    if cell.band is not None:
        left, right = scale.x(cell.band[0]), scale.x(cell.band[1])
        shapes.append(Rectangle(x=left, y=y - 8, width=right - left, height=16, fill="border", radius=2, opacity=0.6))
    x = scale.x(cell.value)
    if cell.back_to is not None and cell.value > cell.back_to:
        shapes.append(Line(x1=scale.x(cell.back_to), y1=y, x2=x, y2=y, ink=ink, width=_BACK, opacity=0.65))
    # A square lies on the line of the mark: above it, or the mark would hide it.
    squares = [each for each in cell.points if each.shape is PointShape.SQUARE]
    for each in cell.points:
        shapes += [] if each in squares else point(each, scale, y, ink)
    if named:
        shapes += _names(cell.points, scale, y - 13)
    shapes += names_of_ends(cell, scale, y, ink)
    shapes += _range(cell, scale, y, ink)
    if not grouped(cell):
        shapes += mark(x, y, ink, hollow=hollow or cell.voided)
    for each in squares:
        shapes += point(each, scale, y, ink)
    if scale.column and cell.text:
        shapes += numbers(cell, scale, y, ink)
    return shapes


def cut(cell: LeadCell, scale: Scale) -> bool:
    """Its range goes on beyond the picture."""
    return not grouped(cell) and any(end is not None and scale.beyond(end) for end in (cell.low, cell.high))


def arrow(x: float, y: float, way: int, ink: str) -> Shape:
    """At the end of a range that goes on; *way*: 1 to the right."""
    return Polygon(points=((x + 3 * way, y), (x - 6 * way, y - 5), (x - 6 * way, y + 5)), fill=ink)


def grouped(cell: LeadCell) -> bool:
    """Its dots are groups and its value the gap between them: there is no mark at the value."""
    return bool(cell.points) and all(each.shape is PointShape.DOT for each in cell.points)


def _range(cell: LeadCell, scale: Scale, y: float, ink: str) -> list[Shape]:
    dash = (6.0, 4.0) if cell.voided else None
    if grouped(cell):
        ends = sorted(scale.x(each.value) for each in cell.points)
        return [Line(x1=ends[0], y1=y, x2=ends[-1], y2=y, ink=ink, width=2.0, dash=dash)]
    if cell.low is None or cell.high is None:
        return []
    left, right = scale.x(cell.low), scale.x(cell.high)
    shapes: list[Shape] = [Line(x1=left, y1=y, x2=right, y2=y, ink=ink, width=_RANGE, dash=dash, round=dash is None)]
    for end, x, way in ((cell.low, left, -1), (cell.high, right, 1)):
        if scale.beyond(end):
            shapes.append(arrow(x, y, way, ink))
    return shapes


def mark(x: float, y: float, ink: str, *, hollow: bool, synthetic: bool = False) -> list[Shape]:
    """The mark itself."""
    fill, edge, width = ("surface", ink, 2.0) if hollow else (ink, "surface", 1.5)
    if synthetic:
        points = ((x - RADIUS - 1, y + RADIUS - 0.5), (x + RADIUS + 1, y + RADIUS - 0.5), (x, y - RADIUS - 1))
        return [Polygon(points=points, fill=fill, edge=edge, edge_width=width)]
    return [Disc(x=x, y=y, radius=RADIUS if hollow else RADIUS + 0.5, fill=fill, edge=edge, edge_width=width)]


def point(each: LeadPoint, scale: Scale, y: float, ink: str) -> list[Shape]:
    """A control, another model or a group; controls stand a little above and below, since they lie close together."""
    x = scale.x(each.value)
    grey = "text_secondary"
    match each.shape:
        case PointShape.STROKE:
            return [Line(x1=x, y1=y - 9, x2=x, y2=y + 9, ink=grey, width=2.0)]
        case PointShape.DOT:
            return dot(x, y, ink)
        case _:
            return _control(each.shape, x, y + _ASIDE[each.shape])


def dot(x: float, y: float, ink: str) -> list[Shape]:
    """One group on its line."""
    return [Disc(x=x, y=y, radius=4.5, fill=ink, edge="surface", edge_width=1.5)]


def _control(shape: PointShape, x: float, y: float) -> list[Shape]:
    """No circle: that is the mark, whose filling says something else."""
    grey = "text_secondary"
    if shape is PointShape.SQUARE:
        return [Rectangle(x=x - 4, y=y - 4, width=8, height=8, fill="surface", edge=grey, edge_width=1.25)]
    if shape is PointShape.DIAMOND:
        points = ((x - 5, y), (x, y - 5), (x + 5, y), (x, y + 5))
        return [Polygon(points=points, fill="surface", edge=grey, edge_width=1.25)]
    return [Line(x1=x - 4, y1=y - 4 * way, x2=x + 4, y2=y + 4 * way, ink=grey, width=2.0) for way in (1, -1)]


def sample(shape: PointShape, x: float, y: float) -> list[Shape]:
    """A control or another model, in the line under a figure."""
    if shape is PointShape.STROKE:
        return [Line(x1=x, y1=y - 7, x2=x, y2=y + 7, ink="text_secondary", width=2.0)]
    return _control(shape, x, y)


def _names(points: tuple[LeadPoint, ...], scale: Scale, y: float) -> list[Shape]:
    """Names of other models above their strokes, those that would cover each other as one."""
    strokes = sorted((each for each in points if each.shape is PointShape.STROKE), key=lambda each: each.value)
    groups: list[list[LeadPoint]] = []
    end = float("-inf")
    for each in strokes:
        x, half = scale.x(each.value), width_of(each.words, 11) / 2
        if groups and x - half < end + 6:
            groups[-1].append(each)
        else:
            groups.append([each])
        words = ", ".join(one.words for one in groups[-1])
        middle = sum(scale.x(one.value) for one in groups[-1]) / len(groups[-1])
        end = middle + width_of(words, 11) / 2
    made: list[Shape] = []
    for group in groups:
        words = ", ".join(each.words for each in group)
        middle = sum(scale.x(each.value) for each in group) / len(group)
        half = width_of(words, 11) / 2
        middle = max(scale.left + half, min(scale.right - half, middle))
        made.append(Words(x=middle, y=y, text=words, size=11, ink="text_secondary", anchor="middle"))
    return made


def names_of_ends(cell: LeadCell, scale: Scale, y: float, ink: str) -> list[Words]:
    """The lowest and the highest of its groups, each beside its end of the line at *y*; none where all lie together.
    The table names the others."""
    ordered = sorted(cell.points, key=lambda each: each.value) if grouped(cell) else []
    if not ordered or ordered[0].value == ordered[-1].value:
        return []
    low, high = ordered[0], ordered[-1]
    return [
        Words(x=scale.x(low.value) - NAME_ASIDE, y=y + 4, text=low.words, size=NAME_SIZE, ink=ink, anchor="end"),
        Words(x=scale.x(high.value) + NAME_ASIDE, y=y + 4, text=high.words, size=NAME_SIZE, ink=ink),
    ]


def beside_names(lines: Iterable[Shape], names: Sequence[Words], y: float) -> Iterator[Shape]:
    """*lines* of the scale, without what would go through *names* on the line at *y*."""
    taken = []
    for each in names:
        left = each.x - width_of(each.text, NAME_SIZE) if each.anchor == "end" else each.x
        taken.append((left - 2, left + width_of(each.text, NAME_SIZE) + 2))
    for line in lines:
        if isinstance(line, Line) and line.x1 == line.x2 and any(left < line.x1 < right for left, right in taken):
            yield replace(line, y2=y - _OF_NAME)
            yield replace(line, y1=y + _OF_NAME)
        else:
            yield line


def chip_width(words: str) -> float:
    return _BEHIND_SIGN + width_of(words, 13, bold=True) + 11


def chip(outcome: ConclusionOutcome, words: str, x: float, y: float, *, hollow: bool = False) -> list[Shape]:
    """*words* with the outcome's sign, its left end at *x* and its middle at *y*; *hollow*: so far. No frame and no
    ground, which would promise that it can be pressed."""
    return [
        *sign(outcome, x + 8, y, hollow=hollow),
        Words(x=x + _BEHIND_SIGN, y=y + 4.5, text=words, size=13, ink=_INKS.get(outcome, "text"), bold=True),
    ]


def sign(outcome: ConclusionOutcome, x: float, y: float, *, hollow: bool = False) -> list[Shape]:
    """The sign of an outcome alone, around its middle."""
    ink = "accent" if outcome in (ConclusionOutcome.DIFFERS, ConclusionOutcome.ALIKE) else "text_secondary"
    if outcome is ConclusionOutcome.CHECK_FAILED:
        ink = "warning"
    if outcome is ConclusionOutcome.TOO_EARLY:
        return [
            Disc(x=x, y=y, radius=7, edge=ink, edge_width=1.5),
            Line(x1=x, y1=y, x2=x, y2=y - 4.5, ink=ink, width=1.5, round=True),
            Line(x1=x, y1=y, x2=x + 3, y2=y + 1.5, ink=ink, width=1.5, round=True),
        ]
    if outcome is ConclusionOutcome.TOO_FEW:
        return [
            Disc(x=x, y=y, radius=7.5, fill="sunken", edge=ink, edge_width=1.0),
            Words(x=x, y=y + 2.5, text="…", size=11, anchor="middle", bold=True),
        ]
    disc = Disc(x=x, y=y, radius=7.5, fill="surface", edge=ink, edge_width=1.5)
    return [
        disc if hollow else Disc(x=x, y=y, radius=8, fill=ink),
        Words(x=x, y=y + 4, text=SIGNS[outcome], size=11, ink=ink if hollow else "surface", anchor="middle", bold=True),
    ]


def tag(words: str, x: float, y: float) -> tuple[list[Shape], float]:
    """An amber tag whose left end is at *x* and middle at *y*; and how wide it is."""
    wide = width_of(words, 12, bold=True) + 12
    return [
        Rectangle(x=x, y=y - 9, width=wide, height=18, fill="only_here", radius=4),
        Words(x=x + 6, y=y + 4, text=words, size=12, bold=True),
    ], wide


def triangle(x: float, y: float) -> Shape:
    """The triangle before the name of a model whose answers are made up."""
    return Polygon(points=((x, y + 5), (x + 12, y + 5), (x + 6, y - 6)), fill="synthetic")
