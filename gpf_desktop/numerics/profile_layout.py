"""The places of the marks of small multiples: one answer for the window and for files.

Across, a panel is 1 wide; down, a line is 1 high. Whoever draws multiplies by pixels.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from gpf_desktop.numerics.interval_layout import Axis

GAP: Final = 0.08
"""Between two panels beside each other."""
HEAD: Final = 1.0
"""Above a panel's lines: its name."""
FOOT: Final = 1.1
"""Below them: the numbers of the scale, and the distance to the next panels."""
_MARGIN: Final = 0.05
_APART: Final = 0.3
"""Between two marks of one line."""
TICKS: Final = 5
"""Round values on a panel's scale at most."""
_ROOM: Final = 0.06
"""Of a panel's width, from its edge to the middle of a number."""


class PanelMark(Protocol):
    """One estimate. *value* None: there is none; bounds None: no interval."""

    @property
    def panel(self) -> str: ...
    @property
    def line(self) -> str: ...
    @property
    def place(self) -> int:
        """The number of the mark on its line, 0 or 1."""
        ...

    @property
    def value(self) -> float | None: ...
    @property
    def low(self) -> float | None: ...
    @property
    def high(self) -> float | None: ...


@dataclass(frozen=True, slots=True)
class ProfileLayout:
    """The whole picture."""

    across: Axis
    """Of the values, the same in every panel."""
    panels: tuple[str, ...]
    lines: tuple[str, ...]
    columns: int
    paired: frozenset[tuple[str, str]]
    """(panel, line) where two marks stand."""

    def with_room(self, ticks: Sequence[float]) -> list[float]:
        """The *ticks* whose numbers have room under a panel."""
        return [tick for tick in ticks if _ROOM <= self.across.share(tick) <= 1 - _ROOM]

    @property
    def width(self) -> float:
        return self.columns + GAP * (self.columns - 1)

    @property
    def height(self) -> float:
        return -(-len(self.panels) // self.columns) * self._tall

    @property
    def _tall(self) -> float:
        return HEAD + len(self.lines) + FOOT

    def left(self, panel: int) -> float:
        return (panel % self.columns) * (1 + GAP)

    def top(self, panel: int) -> float:
        """The top of the panel's first line; its name stands above."""
        return (panel // self.columns) * self._tall + HEAD

    def bottom(self, panel: int) -> float:
        return self.top(panel) + len(self.lines)

    def x(self, panel: int, value: float) -> float:
        return self.left(panel) + self.across.share(value)

    def y(self, panel: int, line: int) -> float:
        """The middle of a line."""
        return self.top(panel) + line + 0.5

    def of(self, mark: PanelMark) -> tuple[int, float]:
        """Panel and height of *mark*: above or below its line's other one, or in the middle."""
        panel = self.panels.index(mark.panel)
        aside = _APART * (mark.place - 0.5) if (mark.panel, mark.line) in self.paired else 0.0
        return panel, self.y(panel, self.lines.index(mark.line)) + aside


def profile_layout(marks: Sequence[PanelMark], columns: int) -> ProfileLayout:
    """The layout of *marks*, at most *columns* panels beside each other, with 0 in sight."""
    ends = [0.0, *(end for mark in marks for end in (mark.value, mark.low, mark.high) if end is not None)]
    margin = _MARGIN * (max(ends) - min(ends) or 0.1)
    panels = tuple(dict.fromkeys(mark.panel for mark in marks))
    return ProfileLayout(
        across=Axis(min(ends) - margin, max(ends) + margin),
        panels=panels,
        lines=tuple(dict.fromkeys(mark.line for mark in marks)),
        columns=_balanced(len(panels), columns),
        paired=frozenset(at for at, n in Counter((mark.panel, mark.line) for mark in marks).items() if n > 1),
    )


def _balanced(panels: int, most: int) -> int:
    """The number of panels in a row with which the last row is as full as can be: four are two and two, not three and
    one."""
    rows = max(1, -(-panels // most))
    return max(1, -(-panels // rows))
