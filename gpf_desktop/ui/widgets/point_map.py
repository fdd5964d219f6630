"""Many small points in a plane, one colour for each group: a map of answers."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from gpf_desktop.domain.figures import GROUP_COLORS
from gpf_desktop.domain.findings import BundleFilter
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.widgets.plots import CHOSEN, Plot

_POINT = 7
_SYMBOLS = ("o", "t", "s", "d", "t1", "p", "h", "star")
_SIGNS = ("●", "▼", "■", "◆", "▲", "⬟", "⬢", "★")
"""Shape and colour together name a group."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MapPoint:
    """One row."""

    group: str
    words: str
    x: float
    y: float
    bundles: BundleFilter


class PointMapPlot(Plot):
    """The mouse, and the keyboard, say what a point is; Enter or a click opens what is behind it."""

    def __init__(self, theme: Theme, *, says: str, x_title: str, y_title: str, name: str = "") -> None:
        super().__init__(theme, says=says, name=name)
        self._titles = (x_title, y_title)
        self._points: tuple[MapPoint, ...] = ()
        self._groups: tuple[str, ...] = ()
        self.legend = QLabel()
        self.legend.setObjectName("map.legend")
        self.legend.setTextFormat(Qt.TextFormat.RichText)
        self.legend.setWordWrap(True)
        self._column.addWidget(self.legend)
        theme.on_change(self, self.draw)

    @property
    def points(self) -> tuple[MapPoint, ...]:
        """From left to right."""
        return self._points

    def show_points(self, points: Sequence[MapPoint]) -> None:
        self._groups = tuple(dict.fromkeys(point.group for point in points))
        self._points = tuple(sorted(points, key=lambda point: (point.x, point.y)))
        self.legend.setText(
            " &nbsp; ".join(
                f'<span style="color:{_color(at)}">{_SIGNS[at % len(_SIGNS)]}</span>&nbsp;'
                + escape(group).replace(" ", "&nbsp;")
                for at, group in enumerate(self._groups)
            )
        )
        self.start_over()

    def count(self) -> int:
        return len(self._points)

    def words(self, at: int) -> str:
        return self._points[at].words

    def bundles(self, at: int) -> BundleFilter:
        return self._points[at].bundles

    def summary(self) -> str:
        points = trn("{n} point", "{n} points", len(self._points))
        return tr("{points} of {groups}", points=points, groups=", ".join(self._groups))

    def draw(self) -> None:
        item = self._emptied(*self._titles)
        if self._points:
            item.addItem(self._marks())
            item.getViewBox().autoRange(padding=0.04)

    def _marks(self) -> Any:
        pg, theme = self._pg, self._theme
        number = {group: at for at, group in enumerate(self._groups)}
        brushes = [pg.mkBrush(_color(at)) for at in range(len(self._groups))]
        edge, chosen = pg.mkPen(theme.color("surface"), width=0.5), pg.mkPen(theme.color("text"), width=2)
        marks = self._spots()
        marks.addPoints(
            [
                {
                    "pos": (point.x, point.y),
                    "data": at,
                    "symbol": _SYMBOLS[number[point.group] % len(_SYMBOLS)],
                    "size": theme.px(_POINT + (CHOSEN if at == self._at else 0)),
                    "brush": brushes[number[point.group]],
                    "pen": chosen if at == self._at else edge,
                }
                for at, point in enumerate(self._points)
            ]
        )
        return marks


def _color(at: int) -> str:
    return GROUP_COLORS[at % len(GROUP_COLORS)]
