"""The panels of small multiples on a page."""

from typing import Any, Final

from gpf_desktop.domain.figures import Profiles
from gpf_desktop.domain.findings import ColumnKind, Finding
from gpf_desktop.domain.profile_marks import ProfileMark, legend, profile_marks
from gpf_desktop.domain.text import middle_shortened, printable
from gpf_desktop.exporters._figures import WIDE
from gpf_desktop.exporters._scales import tick_text
from gpf_desktop.exporters._text import NO_VALUE, bounds, number
from gpf_desktop.numerics.axis_ticks import inner_ticks
from gpf_desktop.numerics.profile_layout import HEAD, TICKS, ProfileLayout, profile_layout

_ROW: Final = 24
_NAMES: Final = (0.12, 0.4)
"""Shares of the width that the lines' names have at least and at most."""
_CHARACTER: Final = 6.3
_UNDER: Final = 30


def profile_view(finding: Finding, figure: Profiles, width: int = WIDE) -> dict[str, Any] | None:
    """What the page's template draws; None where no row has a value."""
    marks = profile_marks(finding, figure)
    if all(mark.value is None for mark in marks):
        return None
    layout = profile_layout(marks, figure.columns)
    longest = max(map(len, layout.lines)) * _CHARACTER + 2 * _CHARACTER
    left = round(min(max(longest, _NAMES[0] * width), _NAMES[1] * width))
    each = (width - left - 12) / layout.width

    def across(x: float) -> float:
        return round(left + each * x, 1)

    def down(y: float) -> float:
        return round(_ROW * y, 1)

    firsts = [panel for panel in range(len(layout.panels)) if panel % layout.columns == 0]
    return {
        "kind": "profiles",
        "title": figure.title,
        "reading": finding.reading,
        "width": width,
        "height": round(_ROW * layout.height) + _UNDER,
        "names_at": left - 10,
        "names": [
            {"y": down(layout.y(panel, line)) + 4, "text": printable(middle_shortened(words, int(left / _CHARACTER)))}
            for panel in firsts
            for line, words in enumerate(layout.lines)
        ],
        "panels": [_panel(layout, panel, each, across, down) for panel in range(len(layout.panels))],
        "marks": [_mark(layout, mark, across, down) for mark in marks],
        "x_title": printable(" · ".join(filter(None, (figure.x_title, legend(finding, figure))))),
        "middle": across(layout.width / 2),
    }


def _panel(layout: ProfileLayout, panel: int, each: float, across: Any, down: Any) -> dict[str, Any]:
    ticks = layout.with_room(inner_ticks(layout.across.low, layout.across.high, TICKS))
    step = ticks[1] - ticks[0] if len(ticks) > 1 else 0.1
    return {
        "name": printable(middle_shortened(layout.panels[panel], int(each / _CHARACTER))),
        "head": down(layout.top(panel) - HEAD / 2) + 4,
        "left": across(layout.left(panel)),
        "right": across(layout.left(panel) + 1),
        "top": down(layout.top(panel)),
        "bottom": down(layout.bottom(panel)),
        "zero": across(layout.x(panel, 0.0)),
        "ticks": [{"at": across(layout.x(panel, tick)), "text": tick_text(tick, step)} for tick in ticks],
    }


def _mark(layout: ProfileLayout, mark: ProfileMark, across: Any, down: Any) -> dict[str, Any]:
    panel, y = layout.of(mark)
    drawn: dict[str, Any] = {"y": down(y), "planted": mark.row.synthetic, "ring": mark.place > 0, "low": None}
    if mark.value is None:
        return {**drawn, "x": None, "at": across(layout.left(panel)) + 6, "text": NO_VALUE}
    tip = f"{mark.panel} · {mark.line} · {mark.title}: {number(mark.value)}"
    drawn["x"] = across(layout.x(panel, mark.value))
    if mark.low is not None and mark.high is not None and mark.estimate.interval is not None:
        drawn |= {"low": across(layout.x(panel, mark.low)), "high": across(layout.x(panel, mark.high))}
        tip += f", {bounds(mark.estimate.interval, ColumnKind.ESTIMATE)}"
    return {**drawn, "tip": printable(tip)}
