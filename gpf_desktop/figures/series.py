"""Values in the order of time, with the limits of a control chart where they have any: one line in front of the others,
or a small picture for each line."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from gpf_desktop.domain.figures import SeriesChart, Track
from gpf_desktop.domain.findings import Finding, Row
from gpf_desktop.domain.series import LEAST_REACH, SeriesBook, SeriesLine, SeriesPoint
from gpf_desktop.domain.text import decimal, range_ends, tr
from gpf_desktop.figures.marks import triangle
from gpf_desktop.figures.plots import MARK, NAME, SMALL
from gpf_desktop.figures.shapes import Disc, Figure, Line, Polygon, Rectangle, Shape, Spot, Trace, Words, moved
from gpf_desktop.figures.text_widths import fitted, middle_fitted, width_of, wrapped
from gpf_desktop.numerics.axis_ticks import digits_of, inner_ticks, step_of

_GAP: Final = 22.0
"""Pixels between two small pictures."""
_AXIS: Final = 50.0
"""Left of a picture: the numbers of its scale."""
_HEAD: Final = 24.0
_SMALL_PLOT: Final = 130.0
_PLOT: Final = 250.0
_FOOT: Final = 22.0
_LINE: Final = 15.0
_ACROSS: Final = 3
"""Small pictures beside each other."""
_TINY: Final = 11.0
_TICKS: Final = 4
_ROOM: Final = 1.12
"""Of the reach, that a scale has."""
_STEPS: Final = (1, 2, 5, 10, 20, 50, 100, 200, 500)
_BETWEEN: Final = 16.0
"""Pixels between two names of places."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesPicture:
    """One line in front of others."""

    title: str
    """Whose series, and of what."""
    y_title: str
    places: tuple[str, ...]
    """Names of all places, oldest first."""
    line: SeriesLine
    others: tuple[SeriesLine, ...] = ()
    """Drawn thin, behind."""
    sets: str = ""
    """Words on the places that set the limits."""
    outside: str = ""
    """Words beside marks outside the limits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Frame:
    """One picture's place and scale."""

    left: float
    right: float
    top: float
    bottom: float
    low: float
    high: float
    places: int

    def x(self, place: float) -> float:
        return self.left + (place + 0.5) / self.places * (self.right - self.left)

    def y(self, value: float) -> float:
        return self.bottom - (value - self.low) / (self.high - self.low) * (self.bottom - self.top)


def series_figure(finding: Finding, picture: SeriesPicture, width: float) -> Figure:
    """*picture* of *finding* over the whole *width*, with its title, what it says and what its marks mean."""
    line, shapes = picture.line, list[Shape]()
    shapes.append(Words(x=0, y=16, text=middle_fitted(picture.title, 13, width, bold=True), size=13, bold=True))
    names = sorted((other.points[-1].value, other.name) for other in picture.others if other.points)
    room = min(0.4 * width, max((width_of(name, SMALL) + 14 for _, name in names), default=0.0))
    low, high = _reach(line, *picture.others)
    margin = (high - low) * (_ROOM - 1) / 2
    frame = _Frame(
        left=_AXIS,
        right=width - room - 8,
        top=34,
        bottom=34 + _PLOT,
        low=low - margin,
        high=high + margin,
        places=max(2, len(picture.places)),
    )
    ticks, title = _place_ticks(picture.places, frame.right - frame.left)
    shapes += _panel(frame, line, picture.others, ticks, sets=picture.sets, outside=picture.outside)
    shapes += _names(frame, names, len(picture.places) - 1)
    y = frame.bottom + 38
    middle = (frame.left + frame.right) / 2
    shapes.append(Words(x=middle, y=y, text=title, size=SMALL, ink="text_secondary", anchor="middle"))
    y += 10
    for text, ink in ((line.says, "text"), (_key_words(picture), "text_secondary")):
        for words in wrapped(text, NAME, width) if text else ():
            y += 18
            shapes.append(Words(x=0, y=y, text=words, size=NAME, ink=ink))
    return Figure(
        width=width,
        height=y + 10,
        shapes=tuple(shapes),
        title=picture.title,
        description=f"{picture.title}. {line.says}",
        spots=tuple(_spots(frame, line, picture, _rows(finding))),
    )


def series_figures(
    finding: Finding, figure: SeriesChart, width: float, *, tallest: float = math.inf
) -> Iterator[Figure]:
    """A figure for each split and track that has any value, with a small picture for each line; in parts that are none
    higher than *tallest* where that can be."""
    book, rows = SeriesBook(finding, figure), _rows(finding)
    for split in book.splits:
        for track in figure.tracks:
            drawn = [line for line in book.lines(track, split) if line.points]
            if drawn:
                yield from _Small(finding, figure, track, split, drawn, width, rows).figures(tallest)


class _Small:
    """Small pictures of one width, each with what its line says."""

    def __init__(
        self,
        finding: Finding,
        figure: SeriesChart,
        track: Track,
        split: str,
        lines: Sequence[SeriesLine],
        width: float,
        rows: Mapping[int, int],
    ) -> None:
        self._finding, self._figure, self._lines, self._rows = finding, figure, lines, rows
        self._measure = tr("{score}, {way}", score=split, way=track.title) if split else track.title
        self._width = width
        self._columns = min(_ACROSS, len(lines))
        self._each = (width - _GAP * (self._columns - 1)) / self._columns
        reaches = [_reach(line) for line in lines]
        if figure.together:
            reaches = [_reach(*lines)] * len(lines)
        self._reaches = reaches
        # One for all pictures, so that a step is as high in each of them, with some room above and below.
        self._span = _ROOM * max(high - low for low, high in reaches)

    def figures(self, tallest: float) -> Iterator[Figure]:
        rows = [self._row(start) for start in range(0, len(self._lines), self._columns)]
        place = 0.0
        parts: list[list[tuple[float, list[Shape], list[Spot]]]] = [[]]
        for row in rows:
            if parts[-1] and place + row[0] > tallest:
                parts.append([])
                place = 0.0
            parts[-1].append(row)
            place += row[0]
        for part in parts:
            yield self._figure_of(part)

    def _figure_of(self, rows: Sequence[tuple[float, list[Shape], list[Spot]]]) -> Figure:
        shapes: list[Shape] = []
        spots: list[Spot] = []
        y = 0.0
        for height, drawn, places in rows:
            shapes += moved(drawn, 0, y)
            spots += [each.moved(0, y) for each in places]
            y += height
        title = f"{self._figure.title}: {self._measure}"
        reading = f"{self._finding.reading} {_key(self._figure, self._lines)}"
        return Figure(
            width=self._width,
            height=y,
            shapes=tuple(shapes),
            title=title,
            description=self._finding.reading,
            reading=reading,
            spots=tuple(spots),
        )

    def _row(self, start: int) -> tuple[float, list[Shape], list[Spot]]:
        """The pictures from number *start* on that stand beside each other, and how high they are."""
        shapes: list[Shape] = []
        spots: list[Spot] = []
        most = 0
        for at in range(start, min(start + self._columns, len(self._lines))):
            line, left = self._lines[at], (at - start) * (self._each + _GAP)
            middle = sum(self._reaches[at]) / 2
            frame = _Frame(
                left=left + _AXIS,
                right=left + self._each,
                top=_HEAD,
                bottom=_HEAD + _SMALL_PLOT,
                low=middle - self._span / 2,
                high=middle + self._span / 2,
                places=len(self._figure.places),
            )
            x = left
            if line.synthetic:
                shapes.append(triangle(x, _HEAD - 13))
                x += 16
            name = middle_fitted(line.name, NAME, left + self._each - x, bold=True)
            shapes.append(Words(x=x, y=_HEAD - 8, text=name, size=NAME, bold=True))
            ends = sorted({0, len(self._figure.places) - 1})
            ticks = [(place, str(place + 1)) for place in ends]
            shapes += _panel(frame, line, (), ticks, sets=self._figure.sets, outside=self._figure.outside)
            said = wrapped(line.says, 11.5, self._each - 4)
            for row, words in enumerate(said):
                y = frame.bottom + _FOOT + _LINE * (row + 1)
                shapes.append(Words(x=left, y=y, text=words, size=11.5, ink="text_secondary"))
            picture = SeriesPicture(
                title=line.name,
                y_title=self._measure,
                places=self._figure.places,
                line=line,
                sets=self._figure.sets,
                outside=self._figure.outside,
            )
            spots += _spots(frame, line, picture, self._rows)
            most = max(most, len(said))
        return _HEAD + _SMALL_PLOT + _FOOT + _LINE * most + 16, shapes, spots


def _rows(finding: Finding) -> dict[int, int]:
    """The place of each row, by its id."""
    return {id(row): at for at, row in enumerate(finding.rows)}


def _reach(*lines: SeriesLine) -> tuple[float, float]:
    """The lowest and the highest of what is drawn of the first line, and of the values of the others."""
    first, *others = lines
    found = [*first.heights, *(point.value for other in others for point in other.points)] or [0.0, 1.0]
    low, high = min(found), max(found)
    short = max(0.0, LEAST_REACH - (high - low)) / 2
    return low - short, high + short


def _panel(
    frame: _Frame,
    line: SeriesLine,
    others: Sequence[SeriesLine],
    ticks: Sequence[tuple[int, str]],
    *,
    sets: str,
    outside: str,
) -> list[Shape]:
    """Scale, limits, the others, the line itself; nothing is drawn over a gap."""
    shapes: list[Shape] = []
    height = frame.bottom - frame.top
    if line.last_setting is not None:
        wide = frame.x(line.last_setting + 0.5) - frame.left
        shapes.append(Rectangle(x=frame.left, y=frame.top, width=wide, height=height, fill="sunken"))
        text = fitted(sets, _TINY, frame.right - frame.left - 8)
        shapes.append(Words(x=frame.left + 4, y=frame.top + 12, text=text, size=_TINY, ink="text_secondary"))
    digits = digits_of(step_of(frame.high - frame.low, _TICKS))
    for tick in inner_ticks(frame.low, frame.high, _TICKS):
        y = frame.y(tick)
        shapes.append(Line(x1=frame.left, y1=y, x2=frame.right, y2=y, ink="border", opacity=0.5))
        text = decimal(tick, digits)
        shapes.append(Words(x=frame.left - 6, y=y + 4, text=text, size=_TINY, ink="text_secondary", anchor="end"))
    for place, text in ticks:
        x, y = frame.x(place), frame.bottom + 15
        shapes.append(Words(x=x, y=y, text=text, size=_TINY, ink="text_secondary", anchor="middle"))
    shapes.append(Line(x1=frame.left, y1=frame.bottom, x2=frame.right, y2=frame.bottom, ink="border"))
    shapes += _limits(frame, line)
    for other in others:
        shapes += _traces(frame, other, "text_secondary", 0.75, smoothed=False)
    return [*shapes, *_values(frame, line, outside)]


def _limits(frame: _Frame, line: SeriesLine) -> Iterator[Shape]:
    for point in line.judged:
        assert point.low is not None
        assert point.high is not None
        left, right = frame.x(point.place - 0.5), frame.x(point.place + 0.5)
        low, high = frame.y(point.low), frame.y(point.high)
        yield Rectangle(x=left, y=high, width=right - left, height=low - high, fill="accent", opacity=0.12)
        for y in (low, high):
            yield Line(x1=left, y1=y, x2=right, y2=y, ink="text_secondary", dash=(4.0, 3.0))
    if line.centre is not None:
        y = frame.y(line.centre)
        yield Line(x1=frame.left, y1=y, x2=frame.right, y2=y, ink="text_secondary", dash=(1.0, 3.0))


def _traces(frame: _Frame, line: SeriesLine, ink: str, width: float, *, smoothed: bool) -> Iterator[Shape]:
    for curve in line.curves(smoothed=smoothed):
        yield Trace(points=tuple((frame.x(x), frame.y(y)) for x, y in curve), ink=ink, width=width)


def _values(frame: _Frame, line: SeriesLine, outside: str) -> Iterator[Shape]:
    for point in line.points:
        if (bar := point.mean.interval) is not None:
            x = frame.x(point.place)
            yield Line(x1=x, y1=frame.y(bar.low), x2=x, y2=frame.y(bar.high), ink="text_secondary")
    yield from _traces(frame, line, "accent", 2.25 if line.is_smoothed else 1.5, smoothed=line.is_smoothed)
    for point in line.points:
        x, y = frame.x(point.place), frame.y(point.value)
        if line.synthetic:
            yield Polygon(points=((x - 4, y + 3), (x + 4, y + 3), (x, y - 4)), fill="accent")
        else:
            yield Disc(x=x, y=y, radius=3, fill="accent")
    for point in line.signals:
        assert point.smoothed is not None
        x, y = frame.x(point.place), frame.y(point.smoothed)
        diamond = ((x, y - 5), (x + 5, y), (x, y + 5), (x - 5, y))
        yield Polygon(points=diamond, fill="surface", edge="danger", edge_width=2)
    for first, *_ in line.signal_runs():
        assert first.smoothed is not None
        # Before the run's first mark, away from the centre: nothing else is drawn there.
        y = frame.y(first.smoothed) + (-8 if first.smoothed > (line.centre or 0.0) else 16)
        yield Words(x=frame.x(first.place) - 6, y=y, text=outside, size=_TINY, ink="danger", anchor="end")


def _names(frame: _Frame, names: Sequence[tuple[float, str]], last: int) -> Iterator[Shape]:
    """The names beside the ends of the lines behind, none over another."""
    below = math.inf
    for value, name in names:
        below = min(below - 15, frame.y(value) + 4)
        yield Words(x=frame.x(last) + 10, y=below, text=name, size=SMALL, ink="text_secondary")


def _spots(frame: _Frame, line: SeriesLine, picture: SeriesPicture, rows: Mapping[int, int]) -> Iterator[Spot]:
    for point in line.points:
        yield Spot(
            x=frame.x(point.place) - MARK,
            y=frame.y(point.value) - MARK,
            width=2 * MARK,
            height=2 * MARK,
            says=_words(point, picture),
            row=_place(point.row, rows),
            bundles=point.row.bundles,
        )


def _place(row: Row, rows: Mapping[int, int]) -> int:
    return rows.get(id(row), -1)


def _words(point: SeriesPoint, picture: SeriesPicture) -> str:
    """The point in words."""
    words = f"{picture.places[point.place]}: {picture.y_title} {decimal(point.value, 3)}"
    if point.mean.interval is not None:
        low, high = range_ends(point.mean.interval.low, point.mean.interval.high, 3)
        words += tr(", range {low} to {high}", low=low, high=high)
    words += tr(", n {n}", n=point.mean.n)
    if point.smoothed is not None:
        words += tr(", smoothed {value}", value=decimal(point.smoothed, 3))
    if point.low is not None and point.high is not None:
        words += tr(", limits {low} to {high}", low=decimal(point.low, 3), high=decimal(point.high, 3))
    if point.sets:
        words += f", {picture.sets}"
    return words + (f", {picture.outside}" if point.outside else "")


def _place_ticks(places: Sequence[str], room: float) -> tuple[list[tuple[int, str]], str]:
    """Names of the places where there is room, else their numbers from 1: the first and every round one; and what they
    are."""
    if max(width_of(place, _TINY) for place in places) + _BETWEEN < room / len(places):
        return list(enumerate(places)), tr("batches of news, oldest first")
    fitting = max(1, int(room / 44))
    step = next((step for step in _STEPS if len(places) / step <= fitting), len(places))
    shown = range(0, len(places), step) if step <= 2 else (0, *range(step - 1, len(places), step))
    title = tr(
        "batches of news 1 to {n}, oldest first: {first} … {last}", n=len(places), first=places[0], last=places[-1]
    )
    return [(at, str(at + 1)) for at in shown], title


def _key_words(picture: SeriesPicture) -> str:
    """The meaning of the marks of *picture*, in words."""
    line = picture.line
    if not line.points:
        return ""
    bounded = any(point.mean.interval is not None for point in line.points)
    marks = (
        tr("Triangles: synthetic means of a batch of news") if line.synthetic else tr("Dots: means of a batch of news")
    )
    parts = [
        tr("{marks} with their ranges.", marks=marks)
        if bounded
        else tr("{marks}; too few articles in each for ranges.", marks=marks)
    ]
    if line.is_smoothed:
        parts.append(tr("Thick line: smoothed."))
    if line.centre is not None:
        parts.append(tr("Dashed: its limits; dotted: the centre."))
    if line.signals:
        parts.append(tr("Diamonds: outside."))
    if picture.others:
        parts.append(tr("Thin lines: the others."))
    return " ".join(parts)


def _key(figure: SeriesChart, drawn: Sequence[SeriesLine]) -> str:
    """The meaning of the marks of small pictures, in words."""
    bounded = any(point.mean.interval is not None for line in drawn for point in line.points)
    parts = [
        tr("Dots: means of each batch of news with their ranges, from batch 1, the oldest.")
        if bounded
        else tr("Dots: means of each batch of news, from batch 1, the oldest; too few articles in each for ranges.")
    ]
    if any(line.centre is not None for line in drawn):
        parts.append(tr("Thick line: smoothed; band: its limits; dotted: the centre; diamonds: outside."))
    parts.append(
        tr("One scale for all pictures.")
        if figure.together
        else tr("The scale has the same step in all pictures and begins where each needs it.")
    )
    return " ".join(parts)
