"""The points of a map on a page, with the colours of their groups."""

from typing import Any, Final

from gpf_desktop.domain.figures import GROUP_COLORS, PointMap
from gpf_desktop.domain.findings import Finding
from gpf_desktop.domain.grid_picture import rows_of
from gpf_desktop.domain.text import printable
from gpf_desktop.exporters._figures import WIDE

_HEIGHT: Final = 460
_LEGEND: Final = 210
_LINE: Final = 20
_EDGE: Final = 12.0


def map_view(finding: Finding, figure: PointMap, width: int = WIDE) -> dict[str, Any] | None:
    """What the page's template draws; None where no row has a place."""
    points = [
        (str(row.values[figure.group]), x, y)
        for row in rows_of(finding, figure)
        if isinstance(x := row.values[figure.x], float) and isinstance(y := row.values[figure.y], float)
    ]
    if not points:
        return None
    groups = list(dict.fromkeys(group for group, _, _ in points))
    left, right, top, bottom = 40.0, float(width - _LEGEND), 32.0, float(_HEIGHT - 40)
    xs, ys = [x for _, x, _ in points], [y for _, _, y in points]

    def placed(value: float, values: list[float], begin: float, end: float) -> float:
        # Points that share a value have no reach, and nothing is divided by 0.
        reach = max(values) - min(values) or 1.0
        return round(begin + (value - min(values)) / reach * (end - begin), 1)

    return {
        "kind": "map",
        "title": figure.title,
        "reading": finding.reading,
        "width": width,
        "height": _HEIGHT,
        "left": left,
        "right": right,
        "top": top,
        "bottom": bottom,
        "x_title": printable(figure.x_title),
        "y_title": printable(figure.y_title),
        "points": [
            {
                "x": placed(x, xs, left + _EDGE, right - _EDGE),
                "y": placed(y, ys, bottom - _EDGE, top + _EDGE),
                "fill": GROUP_COLORS[groups.index(group) % len(GROUP_COLORS)],
            }
            for group, x, y in points
        ],
        "groups": [
            {
                "y": top + 10 + _LINE * at,
                "x": right + 20,
                "fill": GROUP_COLORS[at % len(GROUP_COLORS)],
                "label": printable(group),
            }
            for at, group in enumerate(groups)
        ],
    }
