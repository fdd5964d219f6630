"""Where the marks of series stand on a page: a small picture for each line, all of one width."""

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from gpf_desktop.domain.figures import SeriesChart, Track
from gpf_desktop.domain.findings import Finding
from gpf_desktop.domain.series import LEAST_REACH, SeriesBook, SeriesLine, SeriesPoint
from gpf_desktop.domain.text import printable, tr
from gpf_desktop.exporters._figures import WIDE
from gpf_desktop.exporters._scales import tick_text
from gpf_desktop.numerics.axis_ticks import inner_ticks, step_of

_GAP: Final = 22
_AXIS: Final = 46
_HEAD: Final = 24
_PLOT: Final = 130
_FOOT: Final = 20
_LINE: Final = 14
_ACROSS: Final = 3
_CHARACTER: Final = 6.1
"""Pixels of one at the size in which sentences are set."""
_TICKS: Final = 4


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
        return round(self.left + (place + 0.5) / self.places * (self.right - self.left), 1)

    def y(self, value: float) -> float:
        return round(self.bottom - (value - self.low) / (self.high - self.low) * (self.bottom - self.top), 1)


def series_views(finding: Finding, figure: SeriesChart, width: int = WIDE) -> Iterator[dict[str, Any]]:
    """One figure for each split and track that has any value: what the page's template draws."""
    book = SeriesBook(finding, figure)
    for split in book.splits:
        for track in figure.tracks:
            drawn = [line for line in book.lines(track, split) if line.points]
            if drawn:
                yield _view(finding, figure, track, split, drawn, width)


def _view(
    finding: Finding, figure: SeriesChart, track: Track, split: str, drawn: Sequence[SeriesLine], across: int
) -> dict[str, Any]:
    columns = min(_ACROSS, len(drawn))
    width = (across - _GAP * (columns - 1)) / columns
    says = [textwrap.wrap(printable(line.says), int((width - 8) / _CHARACTER)) for line in drawn]
    reaches = [(min(line.heights), max(line.heights)) for line in drawn]
    if figure.together:
        reaches = [(min(low for low, _ in reaches), max(high for _, high in reaches))] * len(drawn)
    # One for all pictures, so that a step is as high in each of them, with some room above and below.
    span = 1.12 * max(LEAST_REACH, *(high - low for low, high in reaches))
    pictures, top = [], 0.0
    for start in range(0, len(drawn), columns):
        row = range(start, min(start + columns, len(drawn)))
        for at in row:
            left = (at - start) * (width + _GAP)
            middle = sum(reaches[at]) / 2
            frame = _Frame(
                left=left + _AXIS,
                right=left + width,
                top=top + _HEAD,
                bottom=top + _HEAD + _PLOT,
                low=middle - span / 2,
                high=middle + span / 2,
                places=len(figure.places),
            )
            pictures.append(_picture(drawn[at], frame, says[at], left))
        top += _HEAD + _PLOT + _FOOT + _LINE * max(len(says[at]) for at in row) + 14
    measure = tr("{score}, {way}", score=split, way=track.title) if split else track.title
    return {
        "kind": "series",
        "title": printable(f"{figure.title}: {measure}"),
        "reading": f"{finding.reading} {_key(figure, drawn)}",
        "width": across,
        "height": top,
        "sets": figure.sets,
        "outside": figure.outside,
        "pictures": pictures,
    }


def _picture(line: SeriesLine, frame: _Frame, says: list[str], left: float) -> dict[str, Any]:
    step = step_of(frame.high - frame.low, _TICKS)
    starts = [run[0] for run in line.signal_runs()]
    return {
        "name": printable(line.name),
        "planted": line.synthetic,
        "left": left,
        "head": frame.top - 8,
        "frame": {"left": frame.left, "right": frame.right, "top": frame.top, "bottom": frame.bottom},
        "ticks": [
            {"at": frame.y(tick), "text": tick_text(tick, step)} for tick in inner_ticks(frame.low, frame.high, _TICKS)
        ],
        "first": {"at": frame.x(0), "text": "1"},
        "last": {"at": frame.x(frame.places - 1), "text": str(frame.places)} if frame.places > 1 else None,
        "region": None if line.last_setting is None else frame.x(line.last_setting + 0.5),
        "centre": None if line.centre is None else frame.y(line.centre),
        "band": " ".join(_box(frame, point) for point in line.judged),
        "limits": " ".join(_bounds(frame, point) for point in line.judged),
        "thick": _path(line, frame, smoothed=True) if line.is_smoothed else "",
        "thin": "" if line.is_smoothed else _path(line, frame, smoothed=False),
        "bars": " ".join(
            f"M{frame.x(point.place)} {frame.y(bar.low)}V{frame.y(bar.high)}"
            for point in line.points
            if (bar := point.mean.interval) is not None
        ),
        # A stroke of hardly any length with round ends is a dot, and a hundred of them are one path.
        "dots": " ".join(f"M{frame.x(point.place)} {frame.y(point.value)}h.01" for point in line.points),
        "signals": " ".join(
            f"M{frame.x(point.place)} {frame.y(point.smoothed) - 4.5:.1f}l4.5 4.5l-4.5 4.5l-4.5-4.5z"
            for point in line.signals
            if point.smoothed is not None
        ),
        "marks": [
            {
                "x": frame.x(point.place) - 5,
                "y": frame.y(point.smoothed) + (-7 if point.smoothed > (line.centre or 0.0) else 15),
            }
            for point in starts
            if point.smoothed is not None
        ],
        "says": [{"y": frame.bottom + _FOOT + _LINE * (at + 1), "text": words} for at, words in enumerate(says)],
    }


def _path(line: SeriesLine, frame: _Frame, *, smoothed: bool) -> str:
    """Through each stretch; nothing over a gap."""
    return " ".join(
        f"{'L' if at else 'M'}{frame.x(place)} {frame.y(height)}"
        for curve in line.curves(smoothed=smoothed)
        for at, (place, height) in enumerate(curve)
    )


def _box(frame: _Frame, point: SeriesPoint) -> str:
    assert point.low is not None
    assert point.high is not None
    left, right = frame.x(point.place - 0.5), frame.x(point.place + 0.5)
    return f"M{left} {frame.y(point.low)}H{right}V{frame.y(point.high)}H{left}z"


def _bounds(frame: _Frame, point: SeriesPoint) -> str:
    assert point.low is not None
    assert point.high is not None
    left, right = frame.x(point.place - 0.5), frame.x(point.place + 0.5)
    return f"M{left} {frame.y(point.low)}H{right}M{left} {frame.y(point.high)}H{right}"


def _key(figure: SeriesChart, drawn: Sequence[SeriesLine]) -> str:
    bounded = any(point.mean.interval is not None for line in drawn for point in line.points)
    parts = [
        tr("Dots: batch means with their intervals, from batch 1, the oldest.")
        if bounded
        else tr("Dots: batch means, from batch 1, the oldest; too few articles in each for intervals.")
    ]
    if any(line.centre is not None for line in drawn):
        parts.append(tr("Thick line: smoothed; band: its limits; dotted: the centre; diamonds: outside."))
    parts.append(
        tr("One scale for all pictures.")
        if figure.together
        else tr("The scale has the same step in all pictures and begins where each needs it.")
    )
    return " ".join(parts)
