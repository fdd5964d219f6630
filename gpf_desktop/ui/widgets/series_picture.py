"""What a picture of series shows, in words and numbers, before anything is drawn."""

from collections.abc import Sequence
from dataclasses import dataclass

from gpf_desktop.domain.series import LEAST_REACH, SeriesLine
from gpf_desktop.domain.text import tr


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesPicture:
    """What a `SeriesPlot` draws."""

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


def place_ticks(places: Sequence[str], step: int) -> list[tuple[int, str]]:
    """Names of the places, or their numbers from 1: the first and every round one."""
    if step == 0:
        return list(enumerate(places))
    shown = range(0, len(places), step) if step <= 2 else (0, *range(step - 1, len(places), step))
    return [(at, str(at + 1)) for at in shown]


def places_title(picture: SeriesPicture, *, named: bool) -> str:
    if named:
        return tr("batches, oldest first")
    return tr(
        "batches 1 to {n}, oldest first: {first} … {last}",
        n=len(picture.places),
        first=picture.places[0],
        last=picture.places[-1],
    )


def key_words(picture: SeriesPicture) -> str:
    line = picture.line
    if not line.points:
        return ""
    bounded = any(point.mean.interval is not None for point in line.points)
    marks = tr("Triangles: synthetic batch means") if line.synthetic else tr("Dots: batch means")
    parts = [
        tr("{marks} with their intervals.", marks=marks)
        if bounded
        else tr("{marks}; too few articles in each for intervals.", marks=marks)
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


def reach(picture: SeriesPicture) -> tuple[float, float]:
    """From the lowest to the highest of what is drawn."""
    found = [*picture.line.heights] or [0.0, 1.0]
    found += [point.value for other in picture.others for point in other.points]
    low, high = min(found), max(found)
    short = max(0.0, LEAST_REACH - (high - low)) / 2
    return low - short, high + short
