"""Distributions below each other on one scale: a dot for each value, or from a hundred on an outline."""

from collections.abc import Callable
from typing import Final

from gpf_desktop.domain.figures import Violins
from gpf_desktop.domain.findings import Finding
from gpf_desktop.domain.violins import Violin, violins_of
from gpf_desktop.figures.marks import mark
from gpf_desktop.figures.plots import AXIS, NAME, SMALL, bottom_axis
from gpf_desktop.figures.shapes import Disc, Figure, Line, Polygon, Shape, Spot, Words
from gpf_desktop.figures.text_widths import middle_fitted, width_of
from gpf_desktop.numerics.interval_layout import interval_layout
from gpf_desktop.numerics.violin_shape import violin_shape

PITCH: Final = 40.0
CLOSE: Final = 26.0
"""Pixels from line to line on paper: three figures of eight groups stand on a page."""
_NAMES: Final = (90.0, 0.3)
"""Pixels that the names of lines have at least, and the share of the width at most."""
_FOOT: Final = 0.42
"""Of a row's height, below its middle: the line on which dots stand."""
_DOT: Final = 2.4
_TICKS: Final = 10
"""Levels are ten at most: each has its number."""
_FILL: Final = 0.25
"""How much of its colour the inside of an outline has."""


Along = Callable[[float], float]
"""Where a value stands."""


def violin_figure(finding: Finding, figure: Violins, width: float, *, pitch: float = PITCH) -> Figure | None:
    """*figure* of *finding*; None where there is no value."""
    violins = violins_of(finding, figure)
    if not any(violin.points for violin in violins):
        return None
    layout = interval_layout(violins, zero=False)
    longest = max(width_of(words, NAME) for words, _ in layout.lines)
    left = min(max(_NAMES[0], longest + 16), _NAMES[1] * width)
    right = width - max(width_of(violin.note, SMALL) for violin in violins) - 26
    bottom = 8 + pitch * len(layout.lines)

    def x(value: float) -> float:
        return left + layout.across.share(value) * (right - left)

    shapes: list[Shape] = bottom_axis(layout.across, left, right, 4, bottom, figure.x_title, most=_TICKS)
    spots: list[Spot] = []
    for place, (words, number) in enumerate(layout.lines):
        y = 6 + pitch * (place + 0.5)
        if number is None:
            text = middle_fitted(words, NAME, width, bold=True)
            shapes.append(Words(x=0, y=y + 4.5, text=text, size=NAME, bold=True))
            continue
        violin = violins[number]
        text = middle_fitted(words, NAME, left - 14)
        shapes.append(Words(x=left - 10, y=y + 4.5, text=text, size=NAME, anchor="end"))
        ink = "accent" if figure.accent is None or violin.accented else "text_secondary"
        if violin.has_shape:
            shapes += _outline(violin, x, y, pitch, ink)
        else:
            shapes += _dots(violin, x, y, pitch, ink, (left, right))
        shapes.append(Words(x=right + 14, y=y + 4.5, text=violin.note, size=SMALL, ink="text_secondary"))
        spots.append(
            Spot(
                x=left,
                y=y - pitch / 2,
                width=right - left,
                height=pitch,
                says=violin.words,
                row=violin.row,
                bundles=violin.bundles,
            )
        )
    return Figure(
        width=width,
        height=bottom + AXIS,
        shapes=tuple(shapes),
        title=figure.title,
        description=finding.reading,
        reading=finding.reading,
        spots=tuple(spots),
    )


def _outline(violin: Violin, x: Along, y: float, pitch: float, ink: str) -> list[Shape]:
    """The density, with a point for each value that occurs; the median's is the mark."""
    where, half = violin_shape(violin.points, violin.low, violin.high)
    ends = list(zip(where.tolist(), half.tolist(), strict=True))
    upper = [(x(at), y - h * pitch) for at, h in ends]
    lower = [(x(at), y + h * pitch) for at, h in reversed(ends)]
    shapes: list[Shape] = [Polygon(points=(*upper, *lower), fill=ink, opacity=_FILL)]
    shapes += [Disc(x=x(value), y=y, radius=_DOT, fill=ink) for value, _ in violin.points if value != violin.value]
    if violin.value is not None:
        shapes += mark(x(violin.value), y, ink, hollow=False, synthetic=violin.synthetic)
    return shapes


def _dots(violin: Violin, x: Along, y: float, pitch: float, ink: str, ends: tuple[float, float]) -> list[Shape]:
    """A dot for each value, stacked on its like on a line; the median is a tick under it."""
    foot = y + _FOOT * pitch
    shapes: list[Shape] = [Line(x1=ends[0], y1=foot, x2=ends[1], y2=foot, ink="border")]
    shapes += [Disc(x=x(value), y=y + down * pitch, radius=_DOT, fill=ink) for value, down in violin.dots]
    if violin.value is not None:
        middle = x(violin.value)
        shapes.append(Line(x1=middle, y1=foot - 2, x2=middle, y2=foot + 4, ink="text", width=2.0))
    return shapes
