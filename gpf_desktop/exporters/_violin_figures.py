"""The outlines of distributions on a page."""

from typing import Any, Final

from gpf_desktop.domain.figures import Violins
from gpf_desktop.domain.findings import Finding
from gpf_desktop.domain.text import middle_shortened, printable
from gpf_desktop.domain.violins import Violin, violins_of
from gpf_desktop.exporters._figures import WIDE
from gpf_desktop.exporters._scales import tick_text
from gpf_desktop.numerics.axis_ticks import inner_ticks, step_of
from gpf_desktop.numerics.interval_layout import interval_layout
from gpf_desktop.numerics.violin_shape import violin_shape

_ROW: Final = 38
_ROW_ON_PAPER: Final = 26
"""Three figures of eight groups stand on a page."""
_LEFT: Final = 270.0
_NOTES: Final = 190.0
_TICKS: Final = 10
_FOOT: Final = 0.42
"""Of a row's height, below its middle: the line on which dots stand."""
_LABEL: Final = 38


def violin_view(finding: Finding, figure: Violins, width: int = WIDE) -> dict[str, Any] | None:
    """What the page's template draws; None where there is no value."""
    violins = violins_of(finding, figure)
    if not any(violin.points for violin in violins):
        return None
    layout = interval_layout(violins, zero=False)
    pitch = _ROW if width >= WIDE else _ROW_ON_PAPER
    right, bottom = width - _NOTES, round(pitch * (layout.down.high - layout.down.low))

    def across(value: float) -> float:
        return round(_LEFT + layout.across.share(value) * (right - _LEFT), 1)

    def drawn(violin: Violin, y: float) -> dict[str, Any]:
        outline = ""
        if violin.has_shape:
            where, half = violin_shape(violin.points, violin.low, violin.high)
            upper = [f"{across(x)} {y - h * pitch:.1f}" for x, h in zip(where, half, strict=True)]
            lower = [f"{across(x)} {y + h * pitch:.1f}" for x, h in zip(where, half, strict=True)]
            outline = f"M{'L'.join(upper + lower[::-1])}Z"
        return {
            "outline": outline,
            "points": [across(value) for value, _ in violin.points] if violin.has_shape else [],
            "dots": [{"x": across(value), "y": round(y + down * pitch, 1)} for value, down in violin.dots],
            "foot": round(y + _FOOT * pitch, 1),
            "median": None if violin.value is None else across(violin.value),
            "planted": violin.synthetic,
            "note": violin.note,
            "words": printable(violin.words),
        }

    lines = []
    for at, (words, number) in enumerate(layout.lines):
        y = round(layout.down.share(at) * bottom, 1)
        shown = words if number is None else middle_shortened(words, _LABEL)
        line: dict[str, Any] = {"y": y, "label": printable(shown), "head": number is None}
        lines.append(line if number is None else line | drawn(violins[number], y))
    ticks = inner_ticks(layout.across.low, layout.across.high, _TICKS)
    step = step_of(layout.across.high - layout.across.low, _TICKS)
    return {
        "kind": "violins",
        "title": figure.title,
        "reading": finding.reading,
        "width": width,
        "height": bottom + 48,
        "left": _LEFT,
        "right": right,
        "bottom": bottom,
        "x_title": printable(figure.x_title),
        "ticks": [{"at": across(tick), "text": tick_text(tick, step)} for tick in ticks],
        "lines": lines,
    }
