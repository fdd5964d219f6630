"""Heat maps: cells coloured by their values, or by how far they are from the mean of all."""

from typing import Final

from gpf_desktop.domain.figures import HeatMap
from gpf_desktop.domain.findings import Finding
from gpf_desktop.domain.grid_picture import PALEST, GridCell, GridPicture, grid_picture, short_names
from gpf_desktop.domain.text import decimal, grouped, outward, percent, range_ends, tr
from gpf_desktop.figures.plots import MODELS, NAME, SMALL
from gpf_desktop.figures.shapes import Figure, Rectangle, Shape, Spot, Words
from gpf_desktop.figures.text_widths import middle_fitted, width_of, wrapped
from gpf_desktop.numerics.color_scale import DIVERGING, color_at, faded, mixed, rising, text_on

PAPER: Final = "#FFFFFF"
_DIGITS: Final = 2
_ROW: Final = 38.0
_LINE: Final = 15.0
_NAMES: Final = 0.34
"""Of the width, that the names of rows have at most."""
_WIDEST: Final = 180.0
"""Pixels of a column."""
_LEAST: Final = 8.0
"""Pixels of the smallest number that can be read."""
_STEPS: Final = 36
"""Colours in the key."""


def stops(picture: GridPicture, ground: str = PAPER) -> tuple[str, ...]:
    """The colours of its scale, from its low end to its high one, evenly apart: 0, or the mean, is the palest."""
    return rising(ground) if picture.centre is None and picture.low >= 0 else DIVERGING


def cell_fill(picture: GridPicture, cell: GridCell, ground: str) -> str:
    """``#RRGGBB`` of a *cell* that has a value, on *ground*."""
    assert cell.value is not None
    if not picture.told(cell):
        # It carries no number that must be read on it, and is to step back on a dark ground too.
        return mixed(color_at(picture.share(cell.value), stops(picture, ground)), picture.strength(cell), ground)
    return faded(color_at(picture.share(cell.value), stops(picture, ground)), picture.strength(cell), ground)


def cell_words(picture: GridPicture, cell: GridCell) -> str:
    """The number in a cell; of one by its distance from the mean, that distance, and nothing where it is not told."""
    if cell.value is None or not picture.told(cell):
        return ""
    return end_words(picture, cell.value, _DIGITS)


def end_words(picture: GridPicture, value: float, digits: int) -> str:
    """*value* as it stands in the picture and at the ends of its scale."""
    if picture.centre is not None:
        apart = value - picture.centre
        words = percent(apart, 1) if picture.percent else decimal(apart, max(digits, _DIGITS))
        return f"+{words}" if apart > 0 and not words.startswith("−") else words
    return percent(value, 1) if picture.percent else decimal(value, digits)


def heat_figure(finding: Finding, figure: HeatMap, width: float, ground: str = PAPER) -> Figure:
    """*figure* of *finding*, its colours faded into *ground*, ``#RRGGBB``."""
    return _Heat(finding, figure, width, ground).drawn()


class _Heat:
    def __init__(self, finding: Finding, figure: HeatMap, width: float, ground: str) -> None:
        self._finding, self._figure, self._width, self._ground = finding, figure, width, ground
        self._picture = grid_picture(finding, figure)
        self._rows = short_names(self._picture.rows) if figure.down in MODELS else self._picture.rows
        longest = max((width_of(words, NAME) for words in self._rows), default=0.0)
        self._left = min(longest + 18, _NAMES * width)
        self._each = min(_WIDEST, (width - self._left) / max(1, len(self._picture.columns)))
        models = figure.across in MODELS
        self._heads = [_broken(words, self._each - 6, models=models) for words in self._picture.columns]
        self._top = _LINE * max((len(lines) for lines in self._heads), default=1) + 8

    def drawn(self) -> Figure:
        picture = self._picture
        shapes: list[Shape] = []
        spots: list[Spot] = []
        for column, lines in enumerate(self._heads):
            for line, words in enumerate(lines):
                y = self._top - 8 - _LINE * (len(lines) - 1 - line)
                x = self._left + self._each * (column + 0.5)
                shapes.append(Words(x=x, y=y, text=words, size=SMALL, ink="text_secondary", anchor="middle"))
        for row, cells in enumerate(picture.cells):
            top = self._top + _ROW * row
            name = middle_fitted(self._rows[row], NAME, self._left - 14)
            shapes.append(Words(x=self._left - 10, y=top + _ROW / 2 + 4.5, text=name, size=NAME, anchor="end"))
            for column, cell in enumerate(cells):
                left = self._left + self._each * column
                shapes += self._cell(cell, left, top)
                spots.append(self._spot(row, column, left, top))
        bottom = self._top + _ROW * len(picture.rows)
        return Figure(
            width=self._width,
            height=bottom + 34,
            shapes=(*shapes, *self._key(bottom + 14)),
            title=self._figure.title,
            description=f"{self._finding.reading} {picture.key}",
            reading=f"{self._finding.reading} {picture.key}",
            spots=tuple(spots),
            across=max(1, len(picture.columns)),
        )

    def _cell(self, cell: GridCell, left: float, top: float) -> list[Shape]:
        middle = left + self._each / 2
        if cell.value is None:
            return [
                Rectangle(
                    x=left + 0.5, y=top + 0.5, width=self._each - 1, height=_ROW - 1, fill="sunken", edge="border"
                ),
                Words(x=middle, y=top + _ROW / 2 + 4.5, text="–", size=NAME, ink="text_secondary", anchor="middle"),
            ]
        fill = cell_fill(self._picture, cell, self._ground)
        # A little more than its place, or the ground shows as hairlines between cells.
        shapes: list[Shape] = [Rectangle(x=left, y=top, width=self._each + 0.3, height=_ROW + 0.3, fill=fill)]
        words, ink = cell_words(self._picture, cell), text_on(fill)
        size = min(13.0, 13.0 * (self._each - 4) / max(1.0, width_of(words, 13)))
        if not words or size < _LEAST:
            return shapes
        shapes.append(Words(x=middle, y=top + _ROW / 2 - 1, text=words, size=size, ink=ink, anchor="middle"))
        count = tr("n {n}", n=grouped(cell.n))
        if width_of(count, 10) < self._each - 2:
            shapes.append(Words(x=middle, y=top + _ROW / 2 + 13, text=count, size=10, ink=ink, anchor="middle"))
        return shapes

    def _key(self, top: float) -> list[Shape]:
        """The colours from one end of the scale to the other."""
        picture, left = self._picture, self._left + 52
        if picture.low == picture.high or not picture.cells:
            return []
        wide = min(180.0, self._width - left - 60)
        step = wide / _STEPS
        shapes: list[Shape] = [
            Rectangle(
                x=left + step * at,
                y=top,
                width=step + 0.3,
                height=10,
                fill=self._key_fill((at + 0.5) / _STEPS),
            )
            for at in range(_STEPS)
        ]
        low, high = (end_words(picture, end, 1) for end in (picture.low, picture.high))
        if picture.centre is not None:
            low, high = tr("{number} below the mean", number=low), tr("{number} above it", number=high)
        return [
            *shapes,
            Words(x=left - 8, y=top + 9, text=low, size=SMALL, ink="text_secondary", anchor="end"),
            Words(x=left + wide + 8, y=top + 9, text=high, size=SMALL, ink="text_secondary"),
        ]

    def _key_fill(self, share: float) -> str:
        """A colour of the scale, its middle as cells there have it: not told from the mean, they step back into the
        ground."""
        color = color_at(share, stops(self._picture, self._ground))
        if self._picture.centre is None or self._ground == PAPER:
            return color
        return mixed(color, PALEST + (1 - PALEST) * abs(2 * share - 1), self._ground)

    def _spot(self, row: int, column: int, left: float, top: float) -> Spot:
        cell = self._picture.cells[row][column]
        return Spot(
            x=left,
            y=top,
            width=self._each,
            height=_ROW,
            says=cell_says(self._picture, row, column),
            row=-1,
            bundles=cell.bundles,
        )


def cell_says(picture: GridPicture, row: int, column: int) -> str:
    """A cell in words."""
    cell = picture.cells[row][column]
    named = {"row": picture.rows[row], "column": picture.columns[column], "measure": picture.measure}
    if cell.value is None:
        return tr("{row}, {column}: {measure} unavailable, {why}", **named, why=cell.why or tr("no value"))
    words = tr("{row}, {column}: {measure} {value}", **named, value=_value(cell.value, picture))
    if cell.low is not None and cell.high is not None:
        low, high = _ends(cell.low, cell.high, picture)
        words += tr(", range {low} to {high}", low=low, high=high)
    if picture.centre is not None:
        words += tr(", {apart} from the mean of all", apart=end_words(picture, cell.value, 3))
    return words + tr(", n {n}", n=grouped(cell.n))


def _ends(low: float, high: float, picture: GridPicture) -> tuple[str, str]:
    if not picture.percent:
        return range_ends(low, high, 3)
    first, last = outward(100 * low, 100 * high, 1)
    return percent(first / 100, 1), percent(last / 100, 1)


def _value(value: float, picture: GridPicture) -> str:
    return percent(value, 1) if picture.percent else decimal(value, 3)


def _broken(label: str, room: float, *, models: bool) -> list[str]:
    """The lines of *label*, five at most; a model's name ends a line behind its vendor, and where that is not enough,
    behind a hyphen: names are alike where they begin, and differ where they end."""
    words = label.replace(" / ", "/ ").replace("/", "/ ").replace("/  ", "/ ")
    if models and any(width_of(each, SMALL) > room for each in words.split(" ")):
        words = words.replace("-", "- ")
    lines = wrapped(words, SMALL, room, most=5)
    if len(lines) == 1:
        return wrapped(label, SMALL, room, most=1)
    return [line.replace("- ", "-").replace("/ ", "/") if models else line for line in lines]
