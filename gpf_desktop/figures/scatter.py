"""Points with ranges and names, one for each model: such as mean against spread."""

from dataclasses import dataclass
from typing import Final

from gpf_desktop.domain.figures import Scatter
from gpf_desktop.domain.findings import Estimate, Finding, Row
from gpf_desktop.domain.text import decimal, range_ends, tr
from gpf_desktop.figures.axes import RADIUS
from gpf_desktop.figures.plots import MARK, NAME, SMALL, called, estimate_marks
from gpf_desktop.figures.shapes import Figure, Line, Shape, Spot, Words
from gpf_desktop.figures.text_widths import middle_fitted, width_of
from gpf_desktop.numerics.axis_ticks import digits_of
from gpf_desktop.numerics.label_places import Box
from gpf_desktop.numerics.scatter_layout import Room, ScatterLayout, scatter_layout

_HEIGHT: Final = 320.0
_LEFT: Final = 60.0
_TOP: Final = 34.0
_UNDER: Final = 52.0
_APART: Final = 7.0
"""Pixels from a point to its name."""
_NAMED: Final = 200.0
"""Pixels of the longest name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Point:
    row: Row
    at: int
    label: str
    x: float
    y: float
    low: float | None
    high: float | None


def scatter_figure(finding: Finding, figure: Scatter, width: float) -> Figure | None:
    """*figure* of *finding*, its points from left to right; None where no row has both values."""
    points = _points(finding, figure, min(_NAMED, 0.4 * width))
    if not points:
        return None
    # The upper value is a spread or a share: its axis begins at 0.
    layout = scatter_layout(points, from_zero=True)
    widest = max(width_of(point.label, NAME) for point in points)
    right, bottom = width - min(widest + 2 * _APART, 0.2 * width), _HEIGHT - _UNDER
    plot = Box(left=_LEFT, top=_TOP, right=right, bottom=bottom)
    shapes = _axes(layout, plot, figure)
    room = Room(names=[(width_of(point.label, NAME), 15.0) for point in points], mark=RADIUS + 1, apart=_APART)
    sides = layout.sides(plot, Box(left=_LEFT, top=0, right=width, bottom=bottom), room)
    spots: list[Spot] = []
    for point, (on_left, below) in zip(points, sides, strict=True):
        x, y = _x(layout, plot, point.x), plot.bottom - layout.up.share(point.y) * (plot.bottom - plot.top)
        ends = None
        if point.low is not None and point.high is not None:
            ends = (_x(layout, plot, point.low), _x(layout, plot, point.high))
        shapes += estimate_marks(x, y, ends, ink="accent", synthetic=point.row.synthetic)
        shapes.append(
            Words(
                x=x + (-_APART if on_left else _APART),
                y=y + (_APART + 10 if below else -_APART),
                text=point.label,
                size=NAME,
                anchor="end" if on_left else "start",
            )
        )
        says = _says(point, figure)
        place = Spot(
            x=x - MARK,
            y=y - MARK,
            width=2 * MARK,
            height=2 * MARK,
            says=says,
            row=point.at,
            bundles=point.row.bundles,
        )
        spots.append(place)
    return Figure(
        width=width,
        height=_HEIGHT,
        shapes=tuple(shapes),
        title=figure.title,
        description=finding.reading,
        reading=finding.reading,
        spots=tuple(spots),
    )


def _points(finding: Finding, figure: Scatter, room: float) -> list[_Point]:
    """The points from left to right; *room*: of the longest name."""
    short = called("model", [str(row.values[figure.label]) for row in finding.rows])
    points = []
    for at, row in enumerate(finding.rows):
        x, y = row.values[figure.x], row.values[figure.y]
        if not isinstance(x, Estimate) or not isinstance(y, Estimate) or x.value is None or y.value is None:
            continue
        label = middle_fitted(short[str(row.values[figure.label])], NAME, room)
        low, high = (None, None) if x.interval is None else (x.interval.low, x.interval.high)
        points.append(_Point(row=row, at=at, label=label, x=x.value, y=y.value, low=low, high=high))
    return sorted(points, key=lambda point: (point.x, point.y))


def _x(layout: ScatterLayout, plot: Box, value: float) -> float:
    return plot.left + layout.across.share(value) * (plot.right - plot.left)


def _axes(layout: ScatterLayout, plot: Box, figure: Scatter) -> list[Shape]:
    shapes: list[Shape] = [Line(x1=plot.left, y1=plot.bottom, x2=plot.right, y2=plot.bottom, ink="border")]
    digits = digits_of(layout.across_ticks[1] - layout.across_ticks[0])
    for tick in layout.across_ticks:
        x, text = _x(layout, plot, tick), decimal(tick, digits)
        shapes.append(Line(x1=x, y1=plot.top, x2=x, y2=plot.bottom, ink="border", opacity=0.5))
        shapes.append(Words(x=x, y=plot.bottom + 18, text=text, size=SMALL, ink="text_secondary", anchor="middle"))
    digits = digits_of(layout.up_ticks[1] - layout.up_ticks[0])
    for tick in layout.up_ticks:
        y, text = plot.bottom - layout.up.share(tick) * (plot.bottom - plot.top), decimal(tick, digits)
        shapes.append(Line(x1=plot.left, y1=y, x2=plot.right, y2=y, ink="border", opacity=0.5))
        shapes.append(Words(x=plot.left - 8, y=y + 4, text=text, size=SMALL, ink="text_secondary", anchor="end"))
    middle = (plot.left + plot.right) / 2
    shapes.append(
        Words(x=middle, y=plot.bottom + 40, text=figure.x_title, size=NAME, ink="text_secondary", anchor="middle")
    )
    shapes.append(Words(x=0, y=_TOP - 16, text=figure.y_title, size=NAME, ink="text_secondary"))
    return shapes


def _says(point: _Point, figure: Scatter) -> str:
    x, y = decimal(point.x, 3), decimal(point.y, 3)
    words = f"{point.label}: {figure.x_title} {x}, {figure.y_title} {y}"
    if point.low is not None and point.high is not None:
        low, high = range_ends(point.low, point.high, 3)
        words += tr(", range {low} to {high}", low=low, high=high)
    return words + (tr(", synthetic") if point.row.synthetic else "")
