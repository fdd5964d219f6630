"""Many small points in a plane, one colour and shape for each group: a map of answers."""

import math
from typing import Final

from gpf_desktop.domain.figures import GROUP_COLORS, PointMap
from gpf_desktop.domain.findings import Finding
from gpf_desktop.domain.grid_picture import rows_of
from gpf_desktop.figures.plots import MARK, NAME, called
from gpf_desktop.figures.shapes import Disc, Figure, Line, Polygon, Shape, Spot, Words
from gpf_desktop.figures.text_widths import width_of

_HEIGHT: Final = 420.0
_EDGE: Final = 12.0
_LEFT: Final = 8.0
_TOP: Final = 28.0
_RADIUS: Final = 3.6
_KEY: Final = 20.0
"""Pixels of a line of the key."""
_CORNERS: Final = ((0, 0.0), (3, 0.5), (4, 0.25), (4, 0.0), (3, 0.0), (5, 0.0), (6, 0.0))
"""Of a group's shape: how many, none for a disc, and by how much of a turn it is turned from its tip above."""


def map_figure(finding: Finding, figure: PointMap, width: float) -> Figure | None:
    """*figure* of *finding*, its points from left to right; None where no row has a place."""
    rows = {id(row): at for at, row in enumerate(finding.rows)}
    points = sorted(
        (
            (x, y, row)
            for row in rows_of(finding, figure)
            if isinstance(x := row.values[figure.x], float) and isinstance(y := row.values[figure.y], float)
        ),
        key=lambda point: point[:2],
    )
    if not points:
        return None
    groups = list(dict.fromkeys(str(row.values[figure.group]) for row in rows_of(finding, figure)))
    number = {group: at for at, group in enumerate(groups)}
    right, bottom = width - _LEFT, _HEIGHT - 40
    xs, ys = [x for x, _, _ in points], [y for _, y, _ in points]
    shapes: list[Shape] = [
        Line(x1=_LEFT, y1=_TOP, x2=_LEFT, y2=bottom, ink="border"),
        Line(x1=_LEFT, y1=bottom, x2=right, y2=bottom, ink="border"),
        Words(x=_LEFT, y=_TOP - 10, text=figure.y_title, size=NAME, ink="text_secondary"),
        Words(x=right, y=bottom + 18, text=figure.x_title, size=NAME, ink="text_secondary", anchor="end"),
    ]
    spots: list[Spot] = []
    for x, y, row in points:
        across, down = _placed(x, xs, _LEFT + _EDGE, right - _EDGE), _placed(y, ys, bottom - _EDGE, _TOP + _EDGE)
        shapes.append(_point(number[str(row.values[figure.group])], across, down))
        spots.append(
            Spot(
                x=across - MARK,
                y=down - MARK,
                width=2 * MARK,
                height=2 * MARK,
                says=" · ".join(str(row.values[key]) for key in figure.label),
                row=rows[id(row)],
                bundles=row.bundles,
            )
        )
    key, height = _key(groups, called(figure.group, groups), width, bottom + 40)
    return Figure(
        width=width,
        height=height,
        shapes=(*shapes, *key),
        title=figure.title,
        description=finding.reading,
        reading=finding.reading,
        spots=tuple(spots),
    )


def _placed(value: float, values: list[float], begin: float, end: float) -> float:
    # Points that share a value have no reach, and nothing is divided by 0.
    reach = max(values) - min(values) or 1.0
    return begin + (value - min(values)) / reach * (end - begin)


def _point(group: int, x: float, y: float) -> Shape:
    """Shape and colour together name a group."""
    color = GROUP_COLORS[group % len(GROUP_COLORS)]
    corners, turned = _CORNERS[group % len(_CORNERS)]
    if not corners:
        return Disc(x=x, y=y, radius=_RADIUS, fill=color, edge="surface", edge_width=0.5)
    turns = [2 * math.pi * ((at + turned) / corners - 0.25) for at in range(corners)]
    wide = _RADIUS * 1.2
    places = tuple((x + wide * math.cos(turn), y + wide * math.sin(turn)) for turn in turns)
    return Polygon(points=places, fill=color, edge="surface", edge_width=0.5)


def _key(groups: list[str], names: dict[str, str], width: float, top: float) -> tuple[list[Shape], float]:
    """The groups with their marks, in lines from *top* on; and where they end."""
    shapes: list[Shape] = []
    x, y = _LEFT, top
    for at, group in enumerate(groups):
        room = 30 + width_of(names[group], NAME)
        if x > _LEFT and x + room > width:
            x, y = _LEFT, y + _KEY
        shapes += [_point(at, x + 6, y - 4), Words(x=x + 16, y=y, text=names[group], size=NAME)]
        x += room
    return shapes, y + 12
