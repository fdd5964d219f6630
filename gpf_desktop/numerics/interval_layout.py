"""The places of the marks of an interval plot, as shares of the plot: one answer for the window and for files."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

_MARGIN: Final = 0.05
"""Of the reach of the marks, on both sides."""


class IntervalMark(Protocol):
    """A row of the plot. *value* None: its line stays empty; bounds None: no interval."""

    @property
    def group(self) -> str: ...
    @property
    def label(self) -> str: ...
    @property
    def value(self) -> float | None: ...
    @property
    def low(self) -> float | None: ...
    @property
    def high(self) -> float | None: ...


@dataclass(frozen=True, slots=True)
class Axis:
    """The range of values that an axis shows, from end to end."""

    low: float
    high: float

    def share(self, value: float) -> float:
        """0 at the low end, 1 at the high one."""
        return (value - self.low) / (self.high - self.low)


@dataclass(frozen=True, slots=True)
class IntervalLayout:
    """The whole plot."""

    lines: tuple[tuple[str, int | None], ...]
    """From top to bottom: a row's label and its number, or above the first row of each group its name and None."""
    across: Axis
    """Of the values, from left to right."""
    down: Axis
    """Of the lines' numbers, from top to bottom."""


def interval_layout(
    marks: Sequence[IntervalMark],
    *,
    zero: bool,
    band: tuple[float, float] | None = None,
    beside: Sequence[float] = (),
) -> IntervalLayout:
    """The layout of *marks*, with *band* and the numbers *beside* them in sight; and 0 with *zero*, or where no mark
    has a value."""
    known = [mark for mark in marks if mark.value is not None]
    ends = [end for mark in known for end in (mark.value, mark.low, mark.high) if end is not None]
    ends += [*(band or ()), *beside, *([0.0] if zero or not known else [])]
    # Marks that all stand at one value would leave the axis without a length to take shares of.
    margin = _MARGIN * (max(ends) - min(ends) or 0.1)
    lines = tuple(_lines(marks))
    return IntervalLayout(lines, Axis(min(ends) - margin, max(ends) + margin), Axis(-0.75, len(lines) - 0.25))


def _lines(marks: Sequence[IntervalMark]) -> Iterator[tuple[str, int | None]]:
    several = len({mark.group for mark in marks}) > 1
    before = None
    for at, mark in enumerate(marks):
        if several and mark.group != before:
            yield mark.group, None
            before = mark.group
        yield mark.label, at
