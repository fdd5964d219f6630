"""Small multiples: a panel of dots with ranges for each model, all on one scale."""

from collections.abc import Sequence
from typing import Final

from gpf_desktop.domain.figures import Profiles
from gpf_desktop.domain.findings import Finding
from gpf_desktop.domain.profile_marks import ProfileMark, legend, profile_marks
from gpf_desktop.domain.text import decimal
from gpf_desktop.figures.plots import MARK, NAME, NO_VALUE, SMALL, estimate_marks, estimate_words, null_line
from gpf_desktop.figures.shapes import Figure, Line, Shape, Spot, Words
from gpf_desktop.figures.text_widths import middle_fitted, width_of
from gpf_desktop.numerics.axis_ticks import digits_of, inner_ticks
from gpf_desktop.numerics.profile_layout import HEAD, TICKS, ProfileLayout, profile_layout

_LINE: Final = 25.0
_NAMES: Final = (0.12, 0.4)
"""Shares of the width that the names of lines have at least and at most."""
_UNDER: Final = 26.0
_EDGE: Final = 12.0
_NARROW: Final = 210.0
"""Pixels of a panel: narrower ones stand in fewer columns."""


def profile_figure(finding: Finding, figure: Profiles, width: float) -> Figure | None:
    """*figure* of *finding*; None where no row has a value."""
    marks = profile_marks(finding, figure)
    if all(mark.value is None for mark in marks):
        return None
    return _Panels(finding, figure, marks, width).drawn()


class _Panels:
    def __init__(self, finding: Finding, figure: Profiles, marks: Sequence[ProfileMark], width: float) -> None:
        self._finding, self._figure, self._marks, self._width = finding, figure, marks, width
        longest = max(width_of(mark.line, NAME) for mark in marks) + 20
        self._left = min(max(longest, _NAMES[0] * width), _NAMES[1] * width)
        room = width - self._left - _EDGE
        self._layout: ProfileLayout = profile_layout(marks, max(1, min(figure.columns, int(room / _NARROW))))
        self._each = room / self._layout.width

    def drawn(self) -> Figure:
        layout = self._layout
        shapes: list[Shape] = []
        for panel in range(len(layout.panels)):
            shapes += self._panel(panel)
        for mark in self._marks:
            shapes += self._mark(mark)
        height = _LINE * layout.height + _UNDER
        title = " · ".join(filter(None, (self._figure.x_title, legend(self._finding, self._figure))))
        middle = self._x(layout.width / 2)
        shapes.append(Words(x=middle, y=height - 9, text=title, size=NAME, ink="text_secondary", anchor="middle"))
        places = {id(row): at for at, row in enumerate(self._finding.rows)}
        return Figure(
            width=self._width,
            height=height,
            shapes=tuple(shapes),
            title=self._figure.title,
            description=self._finding.reading,
            reading=self._finding.reading,
            spots=tuple(self._spot(mark, places[id(mark.row)]) for mark in self._marks),
        )

    def _x(self, place: float) -> float:
        return self._left + self._each * place

    def _panel(self, panel: int) -> list[Shape]:
        """Its name, its frame, the line at 0, the numbers of the scale; names of lines beside a row's first."""
        layout = self._layout
        left, right = self._x(layout.left(panel)), self._x(layout.left(panel) + 1)
        top, bottom = _LINE * layout.top(panel), _LINE * layout.bottom(panel)
        head = middle_fitted(layout.panels[panel], NAME, right - left, bold=True)
        y = _LINE * (layout.top(panel) - HEAD / 2) + 4.5
        shapes: list[Shape] = [
            Words(x=left, y=y, text=head, size=NAME, bold=True),
            Line(x1=left, y1=top, x2=left, y2=bottom, ink="border"),
            Line(x1=left, y1=bottom, x2=right, y2=bottom, ink="border"),
        ]
        ticks = layout.with_room(inner_ticks(layout.across.low, layout.across.high, TICKS))
        digits = digits_of(ticks[1] - ticks[0]) if len(ticks) > 1 else 2
        for tick in ticks:
            x, words = self._x(layout.x(panel, tick)), decimal(tick, digits)
            shapes.append(Line(x1=x, y1=top, x2=x, y2=bottom, ink="border", opacity=0.5))
            shapes.append(Words(x=x, y=bottom + 16, text=words, size=11, ink="text_secondary", anchor="middle"))
        shapes.append(null_line(self._x(layout.x(panel, 0.0)), top, bottom))
        if panel % layout.columns == 0:
            for line, words in enumerate(layout.lines):
                text = middle_fitted(words, NAME, self._left - 12)
                y = _LINE * layout.y(panel, line) + 4.5
                shapes.append(Words(x=self._left - 10, y=y, text=text, size=NAME, anchor="end"))
        return shapes

    def _place(self, mark: ProfileMark) -> tuple[float, float]:
        """Its mark's, or that of the dash in its place."""
        panel, y = self._layout.of(mark)
        across = self._layout.left(panel) if mark.value is None else self._layout.x(panel, mark.value)
        return self._x(across) + (10 if mark.value is None else 0), _LINE * y

    def _mark(self, mark: ProfileMark) -> list[Shape]:
        x, y = self._place(mark)
        if mark.value is None:
            return [Words(x=x - 4, y=y + 4, text=NO_VALUE, size=SMALL, ink="text_secondary")]
        panel, _ = self._layout.of(mark)
        ends = None
        if mark.low is not None and mark.high is not None:
            low, high = (self._layout.x(panel, each) for each in (mark.low, mark.high))
            ends = (self._x(low), self._x(high))
        return estimate_marks(x, y, ends, ink="accent", synthetic=mark.row.synthetic, hollow=mark.place > 0)

    def _spot(self, mark: ProfileMark, row: int) -> Spot:
        x, y = self._place(mark)
        named = f"{mark.panel}, {mark.line}"
        return Spot(
            x=x - MARK,
            y=y - MARK,
            width=2 * MARK,
            height=2 * MARK,
            says=estimate_words(named, mark.title, mark.estimate, synthetic=mark.row.synthetic),
            row=row,
            bundles=mark.row.bundles,
        )
