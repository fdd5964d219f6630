"""The parts that plots of a finding's numbers share: an axis below, the marks of estimates, and their words."""

from collections.abc import Sequence
from typing import Final

from gpf_desktop.domain.findings import Estimate
from gpf_desktop.domain.models import short_names
from gpf_desktop.domain.text import decimal, grouped, range_ends, tr
from gpf_desktop.figures.marks import mark
from gpf_desktop.figures.shapes import Line, Shape, Words
from gpf_desktop.numerics.axis_ticks import digits_of, inner_ticks, step_of
from gpf_desktop.numerics.interval_layout import Axis

NAME: Final = 12.5
SMALL: Final = 12.0
NO_VALUE: Final = "–"
AXIS: Final = 44.0
"""Pixels below a plot: the numbers of its axis, and what they are."""
MARK: Final = 7.0
"""Half the side of the place that a mark answers to."""
MODELS: Final = frozenset({"model", "target", "baseline", "judge", "first", "second"})
"""Columns whose words are models' names, perhaps with a provider before them."""


def called(key: str, names: Sequence[str]) -> dict[str, str]:
    """The words beside an axis for *names* of a finding's column called *key*: for models, as little as tells them
    apart."""
    return short_names(names) if key in MODELS else {name: name for name in names}


def bottom_axis(
    axis: Axis, left: float, right: float, top: float, bottom: float, title: str, most: int = 7
) -> list[Shape]:
    """Hairlines with their numbers, at most about *most* and all with the same decimals, and *title* under them."""
    most = max(2, min(most, int((right - left) / 48)))
    digits = digits_of(step_of(axis.high - axis.low, most))
    shapes: list[Shape] = [Line(x1=left, y1=bottom, x2=right, y2=bottom, ink="border")]
    for tick in inner_ticks(axis.low, axis.high, most):
        x = left + axis.share(tick) * (right - left)
        shapes.append(Line(x1=x, y1=top, x2=x, y2=bottom, ink="border", opacity=0.5))
        words = decimal(tick, digits)
        shapes.append(Words(x=x, y=bottom + 17, text=words, size=SMALL, ink="text_secondary", anchor="middle"))
    if title:
        x = (left + right) / 2
        shapes.append(Words(x=x, y=bottom + 36, text=title, size=NAME, ink="text_secondary", anchor="middle"))
    return shapes


def null_line(x: float, top: float, bottom: float) -> Line:
    return Line(x1=x, y1=top, x2=x, y2=bottom, ink="text_secondary", dash=(2.5, 2.5))


def estimate_marks(
    x: float, y: float, ends: tuple[float, float] | None, *, ink: str, synthetic: bool, hollow: bool = False
) -> list[Shape]:
    """A mark at *x* on the line at *y*, its range from one of *ends* to the other."""
    bar: list[Shape] = [] if ends is None else [Line(x1=ends[0], y1=y, x2=ends[1], y2=y, ink=ink, width=2.0)]
    return [*bar, *mark(x, y, ink, hollow=hollow, synthetic=synthetic)]


def estimate_words(named: str, measure: str, estimate: Estimate, *, synthetic: bool) -> str:
    """The mark in words: whose it is, of what, with its range and count."""
    if estimate.value is None:
        return tr("{label}: {measure} unavailable, {why}", label=named, measure=measure, why=estimate.why)
    words = f"{named}: {measure} {decimal(estimate.value, 3)}"
    if estimate.interval is not None:
        low, high = range_ends(estimate.interval.low, estimate.interval.high, 3)
        words += tr(", range {low} to {high}", low=low, high=high)
    words += tr(", n {n}", n=grouped(estimate.n))
    return words + (tr(", synthetic") if synthetic else "")
