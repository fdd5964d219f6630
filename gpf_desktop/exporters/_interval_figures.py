"""Where the dots and bars of an interval plot stand on a page."""

from collections.abc import Iterator
from typing import Any, Final

from gpf_desktop.domain.figures import Intervals
from gpf_desktop.domain.findings import ColumnKind, Estimate, Finding, Row
from gpf_desktop.exporters._scales import inner_ticks, step_of, tick_text
from gpf_desktop.exporters._text import NO_VALUE, bounds, number, printable

_WIDTH: Final = 960
_ROW: Final = 24
_LEFT: Final = 270.0
_RIGHT: Final = 740.0
_MARGIN: Final = 0.05
_TICKS: Final = 7
_LABEL: Final = 38


def interval_view(finding: Finding, figure: Intervals) -> dict[str, Any] | None:
    """What the page's template draws; None where no row has a value."""
    rows = [(row, value) for row in finding.rows if isinstance(value := row.values[figure.value], Estimate)]
    ends = [end for _, value in rows for end in _ends(value)]
    if not ends:
        return None
    ends += [0.0] if figure.zero else []
    margin = _MARGIN * (max(ends) - min(ends) or 0.1)
    low, high = min(ends) - margin, max(ends) + margin

    def across(value: float) -> float:
        return round(_LEFT + (value - low) / (high - low) * (_RIGHT - _LEFT), 1)

    lines = []
    for at, (words, row, value) in enumerate(_lines(rows, figure)):
        y = 18 + _ROW * at
        line: dict[str, Any] = {"y": y, "label": printable(words), "head": value is None, "x": None, "low": None}
        if row is not None and value is not None:
            line["planted"] = row.synthetic
            line["text"] = NO_VALUE if value.value is None else number(value.value)
            line["note"] = printable(value.why) if value.value is None else f"n {value.n:,}"
            if value.value is not None:
                line["x"] = across(value.value)
            if value.interval is not None:
                line |= {"low": across(value.interval.low), "high": across(value.interval.high)}
                line["note"] = bounds(value.interval, ColumnKind.ESTIMATE)
        lines.append(line)
    bottom = 18 + _ROW * len(lines) - 6
    step = step_of(high - low, _TICKS)
    return {
        "kind": "intervals",
        "title": figure.title,
        "reading": finding.reading,
        "width": _WIDTH,
        "height": bottom + 48,
        "left": _LEFT,
        "right": _RIGHT,
        "bottom": bottom,
        "zero": across(0.0) if figure.zero else None,
        "x_title": printable(figure.x_title),
        "ticks": [{"at": across(tick), "text": tick_text(tick, step)} for tick in inner_ticks(low, high, _TICKS)],
        "lines": lines,
    }


def _lines(rows: list[tuple[Row, Estimate]], figure: Intervals) -> Iterator[tuple[str, Row | None, Estimate | None]]:
    """What stands below each other: rows, and above the first of each group its name."""
    groups = [" · ".join(str(row.values[key]) for key in figure.label[:-1]) for row, _ in rows]
    several = len(set(groups)) > 1
    before = None
    for group, (row, value) in zip(groups, rows, strict=True):
        if several and group != before:
            yield group, None, None
            before = group
        words = str(row.values[figure.label[-1]])
        yield (words if len(words) <= _LABEL else f"{words[: _LABEL - 1].rstrip()}…"), row, value


def _ends(value: Estimate) -> tuple[float, ...]:
    if value.value is None:
        return ()
    return (value.value,) if value.interval is None else (value.value, value.interval.low, value.interval.high)
