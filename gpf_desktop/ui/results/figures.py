"""The choice of the line of a series that stands in front."""

from dataclasses import dataclass

from gpf_desktop.domain.figures import SeriesChart, Track
from gpf_desktop.domain.findings import Column, Finding
from gpf_desktop.domain.series import SeriesBook, SeriesLine
from gpf_desktop.domain.text import tr
from gpf_desktop.figures.series import SeriesPicture


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesChoice:
    """The line of a `SeriesChart` that stands in front, and its part."""

    line: str = ""
    split: str = ""
    track: str = ""
    """`Track.value`."""


def settled_choice(book: SeriesBook, wanted: SeriesChoice) -> SeriesChoice:
    """*wanted* as far as there is such a line; else the one furthest outside its limits, else the first with values.

    The furthest, because a model that leaves its peers moves their series too, each by a share.
    """
    split = wanted.split if wanted.split in book.splits else book.splits[0]
    tracks = [track for track in book.figure.tracks if book.has_values(track, split)] or list(book.figure.tracks)
    track = next((each for each in tracks if each.value == wanted.track), tracks[0])
    there = book.lines(track, split)
    line = wanted.line
    if line not in [each.name for each in there]:
        telling = [each for each in there if each.points] or list(there)
        line = max(telling, key=_distance).name
    return SeriesChoice(line=line, split=split, track=track.value)


def series_picture(book: SeriesBook, choice: SeriesChoice) -> SeriesPicture:
    """The line that *choice*, a settled one, puts in front."""
    figure, track = book.figure, _track(book, choice)
    every = book.lines(track, choice.split)
    front = next(line for line in every if line.name == choice.line)
    measure = tr("{score}, {way}", score=choice.split, way=track.title) if figure.split else track.title
    return SeriesPicture(
        title=f"{front.name} · {measure}" + (f" · {tr('synthetic')}" if front.synthetic else ""),
        y_title=measure,
        places=figure.places,
        line=front,
        others=tuple(line for line in every if line is not front) if figure.together else (),
        sets=figure.sets,
        outside=figure.outside,
    )


def series_columns(finding: Finding, figure: SeriesChart, choice: SeriesChoice) -> tuple[Column, ...]:
    """The columns that tell the chosen line's points: not its name, and nothing of the other tracks."""
    other = {
        key
        for track in figure.tracks
        if track.value != choice.track
        for key in (track.value, track.smoothed, track.low, track.high, track.state)
    }
    return tuple(column for column in finding.columns if column.key not in other | {figure.line, figure.split})


def lines_beside(book: SeriesBook, choice: SeriesChoice) -> tuple[SeriesLine, ...]:
    """Every line that could stand in front in place of the chosen one, and that one."""
    return book.lines(_track(book, choice), choice.split)


def _track(book: SeriesBook, choice: SeriesChoice) -> Track:
    return next(track for track in book.figure.tracks if track.value == choice.track)


def _distance(line: SeriesLine) -> float:
    """How far from its centre the smoothed series was outside its limits; 0 where it never was."""
    centre = line.centre or 0.0
    return max((abs(point.smoothed - centre) for point in line.signals if point.smoothed is not None), default=0.0)
