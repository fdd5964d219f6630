"""The places of the marks and names of a scatter: one answer for the window and for files."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from gpf_desktop.numerics.axis_ticks import ticks
from gpf_desktop.numerics.interval_layout import Axis
from gpf_desktop.numerics.label_places import Box, Named, label_places


class Point(Protocol):
    """A mark. Bounds are those of its interval along x; None: no interval."""

    @property
    def x(self) -> float: ...
    @property
    def y(self) -> float: ...
    @property
    def low(self) -> float | None: ...
    @property
    def high(self) -> float | None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """The room that names and marks take, in the units of the plot's frame."""

    names: Sequence[tuple[float, float]]
    """Width and height of each point's name."""
    mark: float
    """Half the width of a mark."""
    apart: float
    """From a mark to its name."""


@dataclass(frozen=True, slots=True)
class ScatterLayout:
    """The whole plot; axes end at round numbers."""

    points: Sequence[Point]
    across_ticks: tuple[float, ...]
    up_ticks: tuple[float, ...]

    @property
    def across(self) -> Axis:
        return Axis(self.across_ticks[0], self.across_ticks[-1])

    @property
    def up(self) -> Axis:
        return Axis(self.up_ticks[0], self.up_ticks[-1])

    def sides(self, plot: Box, within: Box, room: Room) -> list[tuple[bool, bool]]:
        """Whether each name stands left of its mark, and whether below; marks are in *plot*, names *within*."""
        places = [(self._x(point.x, plot), self._y(point.y, plot)) for point in self.points]
        marks = [
            Box(left=x - room.mark, top=y - room.mark, right=x + room.mark, bottom=y + room.mark) for x, y in places
        ]
        marks += [
            Box(left=self._x(point.low, plot), top=y - 1, right=self._x(point.high, plot), bottom=y + 1)
            for point, (_, y) in zip(self.points, places, strict=True)
            if point.low is not None and point.high is not None
        ]
        named = [
            Named(x=x, y=y, width=width, height=height)
            for (x, y), (width, height) in zip(places, room.names, strict=True)
        ]
        return label_places(named, marks, within, apart=room.apart)

    def _x(self, value: float, plot: Box) -> float:
        return round(plot.left + self.across.share(value) * (plot.right - plot.left), 1)

    def _y(self, value: float, plot: Box) -> float:
        return round(plot.bottom - self.up.share(value) * (plot.bottom - plot.top), 1)


def scatter_layout(points: Sequence[Point], *, from_zero: bool) -> ScatterLayout:
    """The layout of one point or more; *from_zero*: y is a spread or a share, whose axis begins at 0."""
    ends = [end for point in points for end in (point.x, point.low, point.high) if end is not None]
    heights = [point.y for point in points]
    bottom = 0.0 if from_zero else min(heights)
    return ScatterLayout(points, tuple(ticks(min(ends), max(ends))), tuple(ticks(bottom, max(heights))))
