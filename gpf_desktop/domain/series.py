"""The lines of a `SeriesChart`, read from its finding's rows, and what each says in one sentence."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from gpf_desktop.domain.figures import SeriesChart, Track
from gpf_desktop.domain.findings import Estimate, Finding, Row
from gpf_desktop.domain.text import tr, trn

LEAST_REACH: Final = 0.05
"""Of a scale, so that a difference of some thousandths does not look like a cliff."""
_DASH: Final = 0.2
"""Of the way from one place to the next."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesPoint:
    """One place of a line that has a value there."""

    place: int
    """Of `SeriesChart.places`."""
    row: Row
    mean: Estimate
    value: float
    smoothed: float | None
    low: float | None
    high: float | None
    sets: bool
    """It is one of those that set the limits."""
    outside: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesLine:
    """One line of one track, oldest point first."""

    name: str
    points: tuple[SeriesPoint, ...]
    synthetic: bool
    says: str
    """How it stands to its limits; claims no more than it may."""

    @property
    def centre(self) -> float | None:
        """The value in the middle of the newest limits; None while there are too few values for limits."""
        # Limits lie evenly about the centre of their place (`stats.charts`).
        judged = [point for point in self.points if point.low is not None and point.high is not None]
        return (judged[-1].low + judged[-1].high) / 2 if judged else None  # type: ignore[operator]

    @property
    def last_setting(self) -> int | None:
        """The last place that sets the limits."""
        return max((point.place for point in self.points if point.sets), default=None)

    @property
    def signals(self) -> tuple[SeriesPoint, ...]:
        """The points outside the limits."""
        return tuple(point for point in self.points if point.outside)

    @property
    def is_smoothed(self) -> bool:
        return any(point.smoothed is not None for point in self.points)

    @property
    def judged(self) -> tuple[SeriesPoint, ...]:
        """The points that have limits: each is held against them from half a place before it to half behind."""
        return tuple(point for point in self.points if point.low is not None and point.high is not None)

    @property
    def heights(self) -> tuple[float, ...]:
        """The heights of everything that is drawn of the line."""
        bars = [bar for point in self.points if (bar := point.mean.interval) is not None]
        values = [each for p in self.points for each in (p.value, p.smoothed, p.low, p.high) if each is not None]
        return (*values, *(end for bar in bars for end in (bar.low, bar.high)))

    def curves(self, *, smoothed: bool) -> tuple[tuple[tuple[float, float], ...], ...]:
        """Places and heights of the line, a curve for each stretch; of a point between two gaps a dash, or nothing
        would be seen of it."""
        found = []
        for stretch in self.stretches():
            heights = [(point.place, point.smoothed if smoothed else point.value) for point in stretch]
            some = [(float(place), height) for place, height in heights if height is not None]
            if len(some) == 1:
                ((place, height),) = some
                some = [(place - _DASH, height), (place + _DASH, height)]
            if some:
                found.append(tuple(some))
        return tuple(found)

    def signal_runs(self) -> tuple[tuple[SeriesPoint, ...], ...]:
        """The points outside the limits, those of one run together: a run is named once."""
        return _runs(self.signals)

    def stretches(self) -> tuple[tuple[SeriesPoint, ...], ...]:
        """The points without the gaps between: a line is drawn through each stretch, never over a gap."""
        return _runs(self.points)


def _runs(points: Iterable[SeriesPoint]) -> tuple[tuple[SeriesPoint, ...], ...]:
    found: list[list[SeriesPoint]] = []
    for point in points:
        if found and found[-1][-1].place == point.place - 1:
            found[-1].append(point)
        else:
            found.append([point])
    return tuple(map(tuple, found))


class SeriesBook:
    """The lines of one figure, each read once however often it is asked for."""

    def __init__(self, finding: Finding, figure: SeriesChart) -> None:
        self.figure = figure
        self._finding = finding
        self._places = {name: at for at, name in enumerate(figure.places)}
        self._rows: dict[tuple[str, str], list[Row]] = {}
        for row in finding.rows:
            split = str(row.values[figure.split]) if figure.split else ""
            self._rows.setdefault((split, str(row.values[figure.line])), []).append(row)
        self._lines: dict[tuple[str, str], tuple[SeriesLine, ...]] = {}

    @property
    def splits(self) -> tuple[str, ...]:
        """The names of the parts into which the rows are split; one empty word if they are not."""
        return tuple(dict.fromkeys(split for split, _ in self._rows))

    def rows(self, name: str, split: str = "") -> tuple[Row, ...]:
        """The rows of one line, whatever they are missing."""
        return tuple(self._rows.get((split, name), ()))

    def lines(self, track: Track, split: str = "") -> tuple[SeriesLine, ...]:
        """Every line of *track*, those without any value too, in the finding's order."""
        key = track.value, split
        if key not in self._lines:
            self._lines[key] = tuple(
                _line(name, rows, self.figure, track, self._places)
                for (of, name), rows in self._rows.items()
                if of == split
            )
        return self._lines[key]

    def has_values(self, track: Track, split: str = "") -> bool:
        """Whether any line of *track* has a point."""
        return any(
            isinstance(mean := row.values[track.value], Estimate) and mean.value is not None
            for (of, _), rows in self._rows.items()
            if of == split
            for row in rows
        )


def _line(name: str, rows: list[Row], figure: SeriesChart, track: Track, places: dict[str, int]) -> SeriesLine:
    points = sorted(
        (point for row in rows if (point := _point(row, figure, track, places)) is not None),
        key=lambda point: point.place,
    )
    return SeriesLine(
        name=name,
        points=tuple(points),
        synthetic=all(row.synthetic for row in rows),
        says=_says(points, rows, figure, track),
    )


def _point(row: Row, figure: SeriesChart, track: Track, places: dict[str, int]) -> SeriesPoint | None:
    mean = row.values[track.value]
    if not isinstance(mean, Estimate) or mean.value is None:
        return None
    state = row.values[track.state] if track.state else None
    return SeriesPoint(
        place=places[str(row.values[figure.along])],
        row=row,
        mean=mean,
        value=mean.value,
        smoothed=_number(row, track.smoothed),
        low=_number(row, track.low),
        high=_number(row, track.high),
        sets=bool(figure.sets) and state == figure.sets,
        outside=bool(figure.outside) and state == figure.outside,
    )


def _number(row: Row, key: str) -> float | None:
    value = row.values[key] if key else None
    return float(value) if isinstance(value, (int, float)) else None


def _says(points: list[SeriesPoint], rows: Iterable[Row], figure: SeriesChart, track: Track) -> str:
    if not points:
        whys = (value.why for row in rows if isinstance(value := row.values[track.value], Estimate) and value.why)
        return tr("No values: {why}.", why=next(whys, tr("unavailable")))
    if len(points) == 1:
        return tr("One batch of news so far: a series begins with the second.")
    if not track.state:
        return trn("{n} batch.", "{n} batches.", len(points))
    return _against_limits(points, figure)


def _against_limits(points: list[SeriesPoint], figure: SeriesChart) -> str:
    needed = figure.needed
    if len(points) < needed:
        return tr("{n} of {needed} batches: too early for limits.", n=len(points), needed=needed)
    judged = [point for point in points if point.low is not None]
    outside = [point for point in judged if point.outside]
    if len(points) == needed:
        return tr("{needed} batches set the limits; the next one is the first to be judged.", needed=needed)
    if not judged:
        return tr("The first {needed} batches do not differ, so they set no limits.", needed=needed)
    if not outside:
        return trn(
            "The smoothed series stayed inside its limits at the {n} batch judged.",
            "The smoothed series stayed inside its limits at all {n} batches judged.",
            len(judged),
        )
    return tr(
        "The smoothed series left its limits at {n} of {judged} batches judged, first at {place}; the "
        "chart does not say why.",
        n=len(outside),
        judged=len(judged),
        place=figure.places[outside[0].place],
    )
