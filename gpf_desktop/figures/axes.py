"""Scales of a figure: how far they reach, where they stand, and the words at their ends."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from gpf_desktop.domain.conclusions.conclusion import ConclusionOutcome
from gpf_desktop.domain.conclusions.lead import Lead, LeadCell, LeadPanel, PointShape
from gpf_desktop.domain.text import decimal
from gpf_desktop.figures.shapes import Line, Shape, Words
from gpf_desktop.figures.text_widths import width_of, wrapped
from gpf_desktop.numerics.axis_ticks import digits_of, inner_ticks, step_of

_DECADES: Final = 9
_TICK_ROOM: Final = 26.0
"""Pixels from number to number of tenfold steps, at least."""
_BEYOND: Final = 1.3
"""Times the furthest mark, that such a scale reaches."""
_ROOM: Final = 0.06
"""Of the reach, free on both sides."""
_HOPELESS: Final = 2.5
"""Reaches of the marks beyond them, from which on a range is cut, with an arrow: it would leave all marks in one
place."""
_CLIPPED: Final = 1.0
"""Of the same, that are left of a range that is cut."""
_TICKS: Final = 6
_FAR_APART: Final = 40.0
"""Pixels between the words of both ends of a scale that ends there: no arrow tells them apart."""
_FREE: Final = 24.0
"""Pixels that stay free before the words of the next scale."""
_APART: Final = 10.0
"""Pixels between words in a line, at least."""
SMALL: Final = 12
TITLE: Final = 13
NUMBER: Final = 13
REACH: Final = 11
"""Of a range, smaller than its number."""
RADIUS: Final = 5.5
"""Of a mark."""
_COLUMN_GAP: Final = 18.0
"""Pixels between a scale and the column of its numbers."""
NAME_SIZE: Final = 11
NAME_ASIDE: Final = 8.0
"""Pixels between the end of a line of groups and the name beside it."""
_BESIDE: Final = 7.0
"""Pixels between a number and its range."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """An axis between two places."""

    low: float
    high: float
    left: float
    right: float
    column: float = 0.0
    """Pixels behind it where numbers stand, one under the other."""
    number: float = 0.0
    """Where these numbers end."""
    below: bool = False
    """Ranges stand under their numbers; else beside them."""
    ranged: bool = True
    """Ranges have room at all; where not, tables and what a row unfolds to tell them."""
    unit: float | None = None
    """`LeadPanel.unit`."""

    def x(self, value: float) -> float:
        """The place of *value*; beyond an end, that end."""
        at, low, high = (squeezed(each, self.unit) for each in (value, self.low, self.high))
        share = (at - low) / (high - low)
        return self.left + max(0.0, min(1.0, share)) * (self.right - self.left)

    def beyond(self, value: float) -> bool:
        return not self.low <= value <= self.high

    @property
    def ticks(self) -> list[float]:
        if self.unit is not None:
            return self._tenfold(self.unit)
        found = inner_ticks(self.low, self.high, self._most)
        least = self._least
        return [least, *found] if least is not None else found

    def _tenfold(self, unit: float) -> list[float]:
        """0, both ends of what is even, and the tenfold of these, wherever that has room: one scale for page and
        brief."""
        powers = [unit * 10**n for n in range(_DECADES)]
        kept: list[float] = []
        for each in (0.0, *powers):
            for tick in dict.fromkeys((each, -each)):
                there = self.low <= tick <= self.high
                if there and all(abs(self.x(tick) - self.x(other)) >= _TICK_ROOM for other in kept):
                    kept.append(tick)
        return sorted(kept)

    @property
    def _least(self) -> float | None:
        """A number near the low end of a scale that goes below 0, where its ticks have none there and it has room."""
        found = inner_ticks(self.low, self.high, self._most)
        if self.low >= 0 or not found or found[0] < 0:
            return None
        tenth = step_of(self.high - self.low, self._most) / 10
        least = -int(-self.low / tenth) * tenth
        apart = self.x(found[0]) - self.x(least)
        wide = width_of(self._text(least), SMALL) / 2 + width_of(self._text(found[0]), SMALL) / 2
        return least if least and apart >= wide + 4 else None

    @property
    def _most(self) -> int:
        """Numbers that have room, and as many more as it takes for two of them to stand there: one is no scale."""
        most = max(2, min(_TICKS, int((self.right - self.left) / 46)))
        return next((n for n in range(most, _TICKS) if len(inner_ticks(self.low, self.high, n)) > 1), _TICKS)

    def tick_text(self, value: float) -> str:
        return self._text(value)

    def _text(self, value: float) -> str:
        if self.unit is not None:
            return decimal(value, 0 if value == round(value) else 1)
        step = step_of(self.high - self.low, self._most)
        # A nought, and the whole numbers at the ends of 0 to 1, need no digits.
        whole = abs(value) < step / 100 or (self.high - self.low <= 1.5 and abs(abs(value) - 1) < step / 100)
        off = abs(value / step - round(value / step)) > 0.01
        return decimal(value, 0 if whole else digits_of(step / 10 if off else step))


def squeezed(value: float, unit: float | None) -> float:
    """*value* on a scale of even steps up to *unit* off 0, and of tenfold ones beyond it; None: even throughout."""
    if unit is None or abs(value) <= unit:
        return value if unit is None else value / unit
    return math.copysign(1 + math.log10(abs(value) / unit), value)


def reach(lead: Lead, at: int) -> tuple[float, float]:
    """The ends of the axis of panel number *at*."""
    panel = lead.panels[at]
    if panel.low is not None and panel.high is not None:
        return panel.low, panel.high
    if panel.unit is not None:
        marks = [*_core(lead, at), *(end for row in lead.rows for end in (row.cells[at].low, row.cells[at].high))]
        there = [each for each in marks if each is not None]
        return _BEYOND * min(there), _BEYOND * max(there)
    core = list(_core(lead, at))
    low, high = min(core, default=0.0), max(core, default=1.0)
    span = high - low or abs(high) or 1.0
    ends = [end for row in lead.rows for end in (row.cells[at].low, row.cells[at].high) if end is not None]
    least, most = min(ends, default=low), max(ends, default=high)
    low, high = (
        min(low, least if low - least <= _HOPELESS * span else low - _CLIPPED * span),
        max(high, most if most - high <= _HOPELESS * span else high + _CLIPPED * span),
    )
    room = _ROOM * (high - low or 1.0)
    return (
        panel.low if panel.low is not None else low - room,
        panel.high if panel.high is not None else high + room,
    )


def _core(lead: Lead, at: int) -> Iterator[float]:
    """The values that must be in sight."""
    panel = lead.panels[at]
    yield from panel.band or ()
    if panel.null is not None:
        yield panel.null
    for row in lead.rows:
        cell = row.cells[at]
        yield from cell.band or ()
        yield from (each.value for each in cell.points)
        if cell.value is not None:
            yield cell.value


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberColumn:
    """Numbers of a scale with their ranges, as wide as the widest of them."""

    number: float
    reach: float
    below: bool

    @property
    def width(self) -> float:
        if not self.number:
            return 0.0
        beside = self.number + (_BESIDE + self.reach if self.reach else 0.0)
        return _COLUMN_GAP + (max(self.number, self.reach) if self.below else beside)


def number_columns(lead: Lead, *, below: bool) -> list[NumberColumn]:
    """One for each panel; *below*: ranges stand under their numbers."""
    made = []
    for at in range(len(lead.panels)):
        cells = [row.cells[at] for row in lead.rows if row.cells[at].value is not None]
        number = max((width_of(each.text, NUMBER, bold=True) for each in cells), default=0.0)
        reach = max((width_of(each.reach, REACH) for each in cells), default=0.0)
        made.append(NumberColumn(number=number, reach=reach, below=below))
    return made


def scales(lead: Lead, places: Sequence[tuple[float, float]], taken: Sequence[NumberColumn]) -> list[Scale]:
    """One for each panel, between the ends of its place, without what its column has *taken*; none: no number."""
    made = []
    for at, (left, right) in enumerate(places):
        low, high = reach(lead, at)
        scale = Scale(low=low, high=high, left=left, right=right, unit=lead.panels[at].unit)
        if taken and (wide := taken[at].width):
            number = right if taken[at].below else right - wide + _COLUMN_GAP + taken[at].number
            below, ranged = taken[at].below, taken[at].reach > 0
            scale = replace(scale, right=right - wide, column=wide, number=number, below=below, ranged=ranged)
        made.append(_with_names(lead, at, scale))
    return made


def _with_names(lead: Lead, at: int, scale: Scale) -> Scale:
    """*scale* with room for the names beside the ends of its lines of groups."""
    before = after = 0.0
    for row in lead.rows:
        cell = row.cells[at]
        dots = sorted((p for p in cell.points if p.shape is PointShape.DOT), key=lambda each: each.value)
        if not dots:
            continue
        first, last = (width_of(each.words, NAME_SIZE) + NAME_ASIDE for each in (dots[0], dots[-1]))
        before = max(before, first - (scale.x(dots[0].value) - scale.left))
        after = max(after, last - (scale.right - scale.x(dots[-1].value)))
    room = scale.right - scale.left
    left = max(room - before - after, 0.3 * room)
    per_pixel = (scale.high - scale.low) / left
    return replace(scale, low=scale.low - before * per_pixel, high=scale.high + after * per_pixel)


def numbers(cell: LeadCell, scale: Scale, y: float, ink: str) -> Iterator[Words]:
    """The cell's number in its column, so that digits stand under each other; a range is smaller, and paler than what
    it is of."""
    reach = cell.reach if scale.ranged else ""
    over = 3.0 if scale.below and reach else 0.0
    strong = cell.outcome is ConclusionOutcome.DIFFERS and not cell.voided
    yield Words(
        x=scale.number,
        y=y + 4.5 - over,
        text=cell.text,
        size=NUMBER,
        ink=ink if strong else "text",
        anchor="end",
        bold=strong,
    )
    if reach and scale.below:
        yield Words(x=scale.number, y=y + 15.0, text=reach, size=REACH, ink="text_secondary", anchor="end")
    elif reach:
        yield Words(x=scale.number + _BESIDE, y=y + 4.5, text=reach, size=REACH, ink="text_secondary")


def head_height(lead: Lead, placed: Sequence[Scale]) -> float:
    """The height of `head`, that of the highest panel."""
    lines = max(len(_title(panel, scale)) for panel, scale in zip(lead.panels, placed, strict=True))
    return 37.0 + 16.0 * lines


def _title(panel: LeadPanel, scale: Scale) -> list[str]:
    room = scale.right + scale.column - scale.left + 16
    return wrapped(panel.title, TITLE, room, bold=True, most=3) if panel.title else []


def head(panel: LeadPanel, scale: Scale, bottom: float) -> list[Shape]:
    """Title, the words at both ends and the numbers of an axis whose rows begin at *bottom*."""
    shapes: list[Shape] = []
    ticks = scale.ticks
    texts = [scale.tick_text(each) for each in ticks]
    for tick, text in zip(ticks, texts, strict=True):
        shapes.append(
            Words(x=scale.x(tick), y=bottom - 7, text=text, size=SMALL, ink="text_secondary", anchor="middle")
        )
    shapes += _words_of_scale(panel, scale, bottom - 22)
    for at, line in enumerate(reversed(_title(panel, scale))):
        shapes.append(Words(x=scale.left, y=bottom - 39 - 16 * at, text=line, size=TITLE, bold=True))
    return [each for each in shapes if not isinstance(each, Words) or each.text]


def _words_of_scale(panel: LeadPanel, scale: Scale, y: float) -> Iterator[Words]:
    """The words at the ends of the scale; words without room are left out, the left end first.

    An arrow stands at an end that is open: an axis may end where nothing lies beyond.
    """
    left = panel.ends[0] and (f"← {panel.ends[0]}" if panel.low is None else panel.ends[0])
    right = panel.ends[1] and (f"{panel.ends[1]} →" if panel.high is None else panel.ends[1])
    left_end, right_end = scale.left + width_of(left, SMALL), scale.right - width_of(right, SMALL)
    if left and right and right_end < left_end + _APART <= scale.right + scale.column - width_of(right, SMALL):
        # Into the room of the numbers, and not into the scale before.
        right_end = left_end + _APART
    if left and right and panel.high is not None:
        # Under the number that they belong to, for the words of both ends read as one where they stand close.
        free = scale.right + scale.column - _FREE - right_end - width_of(right, SMALL)
        right_end += min(width_of(right, SMALL) / 2, max(0.0, free))
    if left and left_end + (_APART if panel.high is None or not right else _FAR_APART) <= right_end:
        yield _end(scale.left, y, left, "start")
    elif left and right and panel.high is not None:
        # Alone it would read as the low end's too: the number that it belongs to tells it.
        right = f"{scale.tick_text(panel.high)}: {right}"
        right_end = min(scale.right - width_of(right, SMALL) / 2, scale.right + scale.column - width_of(right, SMALL))
    if right and right_end >= scale.left:
        yield _end(right_end + width_of(right, SMALL), y, right, "end")
    elif right and width_of(right, SMALL) <= scale.right + scale.column - scale.left:
        yield _end(scale.left, y, right, "start")


def _end(x: float, y: float, text: str, anchor: str) -> Words:
    return Words(x=x, y=y, text=text, size=SMALL, ink="text_secondary", anchor="end" if anchor == "end" else "start")


def grid(scale: Scale, top: float, bottom: float) -> list[Shape]:
    """Hairlines where numbers stand."""
    return [
        Line(x1=scale.x(tick), y1=top, x2=scale.x(tick), y2=bottom, ink="border", opacity=0.5) for tick in scale.ticks
    ]
