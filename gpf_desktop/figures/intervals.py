"""Dots with their ranges below each other on one scale: means by level, differences to the controls."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from gpf_desktop.domain.figures import Intervals
from gpf_desktop.domain.findings import Estimate, Finding
from gpf_desktop.domain.grid_picture import rows_of
from gpf_desktop.domain.profile_marks import EstimateMark
from gpf_desktop.domain.text import decimal, grouped, range_words, tr
from gpf_desktop.figures.plots import (
    AXIS,
    NAME,
    NO_VALUE,
    SMALL,
    bottom_axis,
    called,
    estimate_marks,
    estimate_words,
    null_line,
)
from gpf_desktop.figures.shapes import Figure, Line, Rectangle, Shape, Spot, Words
from gpf_desktop.figures.text_widths import fitted, middle_fitted, width_of
from gpf_desktop.numerics.interval_layout import IntervalLayout, interval_layout

PITCH: Final = 25.0
"""Pixels from line to line."""
CLOSE: Final = 19.0
"""The same on paper, where nothing is pointed at."""
_CLOSEST: Final = 16.0
"""Of a plot that would else leave the page."""
_TOGETHER: Final = 9
"""Lines that no end of a page parts, at least."""
_NUMBERS: Final = 560.0
"""Narrower than this, a plot has no column of numbers: a mark's tool tip has them."""
_TICK: Final = 7.0
"""Pixels from a line's middle to both ends of the mark of what chance gives."""
_NAMES: Final = (90.0, 0.3)
"""Pixels that the names of lines have at least, and the share of the width at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Mark(EstimateMark):
    group: str
    label: str
    at: int
    """Its row's place in the finding."""
    chance: float | None
    """What chance alone would give."""


def interval_figures(
    finding: Finding, figure: Intervals, width: float, *, pitch: float = PITCH, tallest: float = math.inf
) -> list[Figure]:
    """*figure* of *finding*, in parts of like length, none higher than *tallest*. Empty where there is no row."""
    marks = _marks(finding, figure)
    if not marks:
        return []
    by_chance = [each.chance for each in marks if each.chance is not None]
    layout = interval_layout(marks, zero=figure.zero, band=figure.band, beside=by_chance)
    lines, around = layout.lines, AXIS + 8
    parts = math.ceil(len(lines) / max(1, (tallest - around) // _CLOSEST)) if tallest < math.inf else 1
    most = math.ceil(len(lines) / parts)
    # No group's name stands at the foot of a part.
    starts = [at - (at > 0 and lines[at - 1][1] is None) for at in range(0, len(lines), most)]
    return [
        _Plot(finding, figure, marks, layout, width).drawn(start, end, min(pitch, (tallest - around) / (end - start)))
        for start, end in pairwise([*starts, len(lines)])
    ]


def has_values(finding: Finding, figure: Intervals) -> bool:
    """Any of its rows has one: else a page has nothing to show, and a window says why."""
    return any(mark.value is not None for mark in _marks(finding, figure))


def _marks(finding: Finding, figure: Intervals) -> list[_Mark]:
    rows = rows_of(finding, figure)
    short = {key: called(key, [str(row.values[key]) for row in rows]) for key in figure.label}
    places = {id(row): at for at, row in enumerate(finding.rows)}
    made = []
    for row in rows:
        *group, label = (short[key][str(row.values[key])] for key in figure.label)
        if isinstance(value := row.values[figure.value], Estimate):
            chance = row.values.get(figure.chance)
            made.append(
                _Mark(
                    row=row,
                    estimate=value,
                    group=" · ".join(group),
                    label=label,
                    at=places[id(row)],
                    chance=chance if isinstance(chance, float) and value.value is not None else None,
                )
            )
    return made


class _Plot:
    def __init__(
        self, finding: Finding, figure: Intervals, marks: Sequence[_Mark], layout: IntervalLayout, width: float
    ) -> None:
        self._finding, self._figure, self._marks, self._layout = finding, figure, marks, layout
        self._width = width
        self._numbered = width >= _NUMBERS
        longest = max(width_of(words, NAME) for words, _ in layout.lines)
        self._left = min(max(_NAMES[0], longest + 16), _NAMES[1] * width)
        said = [self._numbers(mark) for mark in marks]
        self._values = max(width_of(value, NAME) for value, _ in said)
        wide = self._values + 8 + max(width_of(note, SMALL) for _, note in said)
        self._right = width - (min(wide + 24, 0.34 * width) if self._numbered else 12)

    def drawn(self, start: int, end: int, pitch: float) -> Figure:
        """Its lines from *start* to *end*, *pitch* apart."""
        figure, layout = self._figure, self._layout
        top, bottom = 4.0, 8.0 + pitch * (end - start)
        shapes: list[Shape] = []
        if figure.band is not None:
            low, high = self._x(figure.band[0]), self._x(figure.band[1])
            shapes.append(Rectangle(x=low, y=top, width=high - low, height=bottom - top, fill="border", opacity=0.35))
        shapes += bottom_axis(layout.across, self._left, self._right, top, bottom, self._axis_title())
        if figure.zero:
            shapes.append(null_line(self._x(0.0), top, bottom))
        spots: list[Spot] = []
        cuts: list[int] = []
        for place, (words, number) in enumerate(layout.lines[start:end]):
            y = 6 + pitch * (place + 0.5)
            if number is None:
                text = middle_fitted(words, NAME, self._width, bold=True)
                shapes.append(Words(x=0, y=y + 4.5, text=text, size=NAME, bold=True))
                if place - (cuts[-1] if cuts else 0) >= _TOGETHER and end - start - place >= _TOGETHER:
                    cuts.append(place)
                continue
            mark = self._marks[number]
            text = middle_fitted(words, NAME, self._left - 14)
            shapes.append(Words(x=self._left - 10, y=y + 4.5, text=text, size=NAME, anchor="end"))
            shapes += self._line(mark, y)
            spots.append(self._spot(mark, y, pitch))
        return Figure(
            width=self._width,
            height=bottom + AXIS,
            shapes=tuple(shapes),
            title=figure.title,
            description=self._finding.reading,
            reading=self._finding.reading,
            spots=tuple(spots),
            cuts=tuple(6 + pitch * place for place in cuts),
        )

    def _axis_title(self) -> str:
        title = self._figure.x_title
        marked = any(mark.chance is not None for mark in self._marks)
        return tr("{measure}; upright lines: by chance alone", measure=title) if marked else title

    def _x(self, value: float) -> float:
        return self._left + self._layout.across.share(value) * (self._right - self._left)

    def _line(self, mark: _Mark, y: float) -> list[Shape]:
        shapes: list[Shape] = []
        if mark.chance is not None:
            x = self._x(mark.chance)
            shapes.append(Line(x1=x, y1=y - _TICK, x2=x, y2=y + _TICK, ink="text_secondary", width=2.0))
        if mark.value is not None:
            ends = None if mark.low is None or mark.high is None else (self._x(mark.low), self._x(mark.high))
            accent = (
                self._figure.accent is None or mark.row.values.get(self._figure.accent[0]) == self._figure.accent[1]
            )
            ink = "accent" if accent else "text_secondary"
            shapes += estimate_marks(self._x(mark.value), y, ends, ink=ink, synthetic=mark.row.synthetic)
        value, note = self._numbers(mark)
        if self._numbered:
            at = self._right + 16 + self._values
            shapes.append(Words(x=at, y=y + 4.5, text=value, size=NAME, anchor="end"))
            at += 8
            note = fitted(note, SMALL, self._width - at)
            shapes.append(Words(x=at, y=y + 4.5, text=note, size=SMALL, ink="text_secondary"))
        elif mark.value is None:
            shapes.append(Words(x=self._left + 6, y=y + 4.5, text=f"{value} {note}", size=SMALL, ink="text_secondary"))
        return shapes

    def _numbers(self, mark: _Mark) -> tuple[str, str]:
        estimate = mark.estimate
        if estimate.value is None:
            return NO_VALUE, estimate.why
        if estimate.interval is None:
            return decimal(estimate.value, 3), tr("n {n}", n=grouped(estimate.n))
        return decimal(estimate.value, 3), range_words(estimate.interval.low, estimate.interval.high, 3)

    def _spot(self, mark: _Mark, y: float, pitch: float) -> Spot:
        named = ", ".join(filter(None, (mark.group, mark.label)))
        says = estimate_words(named, self._figure.x_title, mark.estimate, synthetic=mark.row.synthetic)
        if mark.chance is not None:
            says = tr("{estimate}; by chance alone {chance}", estimate=says, chance=decimal(mark.chance, 3))
        return Spot(
            x=self._left,
            y=y - pitch / 2,
            width=self._right - self._left,
            height=pitch,
            says=says,
            row=mark.at,
            bundles=mark.row.bundles,
        )
