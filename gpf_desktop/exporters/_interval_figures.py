"""The dots and bars of an interval plot on a page."""

from dataclasses import dataclass
from typing import Any, Final

from gpf_desktop.domain.figures import Intervals
from gpf_desktop.domain.findings import ColumnKind, Estimate, Finding
from gpf_desktop.domain.grid_picture import rows_of
from gpf_desktop.domain.profile_marks import EstimateMark
from gpf_desktop.domain.text import middle_shortened
from gpf_desktop.exporters._figures import WIDE
from gpf_desktop.exporters._scales import tick_text
from gpf_desktop.exporters._text import NO_VALUE, bounds, number, printable
from gpf_desktop.numerics.axis_ticks import inner_ticks, step_of
from gpf_desktop.numerics.interval_layout import interval_layout

_ROW: Final = 24
_LEAST_LEFT: Final = 110.0
_MOST_LEFT: Final = 270.0
"""Left of the plot: the names of its lines."""
_NUMBERS: Final = 220.0
"""Right of the plot, at least: the value and its interval, or why there is none."""
_MOST_NUMBERS: Final = 300.0
_CHARACTER: Final = 6.3
_TICKS: Final = 7
_LABEL: Final = 38


@dataclass(frozen=True, slots=True, kw_only=True)
class _Mark(EstimateMark):
    group: str
    label: str


def interval_view(finding: Finding, figure: Intervals, width: int = WIDE) -> dict[str, Any] | None:
    """What the page's template draws; None where no row has a value."""
    marks = [
        _Mark(
            row=row,
            estimate=value,
            group=" · ".join(str(row.values[key]) for key in figure.label[:-1]),
            label=str(row.values[figure.label[-1]]),
        )
        for row in rows_of(finding, figure)
        if isinstance(value := row.values[figure.value], Estimate)
    ]
    if all(mark.value is None for mark in marks):
        return None
    why = max((len(mark.estimate.why) for mark in marks if mark.value is None), default=0)
    right = width - min(_MOST_NUMBERS, max(_NUMBERS, 66 + _CHARACTER * why))
    layout = interval_layout(marks, zero=figure.zero, band=figure.band)
    longest = max(len(middle_shortened(printable(words), _LABEL)) for words, _ in layout.lines)
    left = min(_MOST_LEFT, max(_LEAST_LEFT, 24 + _CHARACTER * longest))
    low, high = layout.across.low, layout.across.high
    bottom = round(_ROW * (layout.down.high - layout.down.low))

    def across(value: float) -> float:
        return round(left + layout.across.share(value) * (right - left), 1)

    lines = []
    for at, (words, number_of) in enumerate(layout.lines):
        y = round(layout.down.share(at) * bottom)
        line: dict[str, Any] = {"y": y, "label": printable(words), "head": number_of is None, "x": None, "low": None}
        if number_of is not None:
            line |= {"label": printable(middle_shortened(words, _LABEL)), **_drawn(marks[number_of])}
            line |= {key: across(line[key]) for key in ("x", "low", "high") if line.get(key) is not None}
        lines.append(line)
    step = step_of(high - low, _TICKS)
    return {
        "kind": "intervals",
        "title": figure.title,
        "reading": finding.reading,
        "width": width,
        "height": bottom + 48,
        "left": left,
        "right": right,
        "bottom": bottom,
        "zero": across(0.0) if figure.zero else None,
        "band": None if figure.band is None else {"low": across(figure.band[0]), "high": across(figure.band[1])},
        "x_title": printable(figure.x_title),
        "ticks": [{"at": across(tick), "text": tick_text(tick, step)} for tick in inner_ticks(low, high, _TICKS)],
        "lines": lines,
    }


def _drawn(mark: _Mark) -> dict[str, Any]:
    """What stands on the line of *mark*: its values, and in words what they are."""
    estimate = mark.estimate
    drawn: dict[str, Any] = {"planted": mark.row.synthetic, "x": mark.value}
    if estimate.value is None:
        return {**drawn, "text": NO_VALUE, "note": printable(estimate.why)}
    drawn |= {"text": number(estimate.value), "note": f"n {estimate.n:,}"}
    if estimate.interval is not None:
        note = bounds(estimate.interval, ColumnKind.ESTIMATE)
        drawn |= {"low": mark.low, "high": mark.high, "note": note}
    return drawn
