"""Figures as markup for pages, and heat maps as the tables of readers that draw none."""

from dataclasses import dataclass
from typing import Any, Final

from gpf_desktop.domain.figures import HeatMap
from gpf_desktop.domain.findings import Finding
from gpf_desktop.domain.grid_picture import GridCell, GridPicture, grid_picture
from gpf_desktop.domain.text import printable
from gpf_desktop.exporters._text import number, percent
from gpf_desktop.figures.heat import PAPER, cell_fill, cell_words, end_words, stops
from gpf_desktop.figures.shapes import Figure
from gpf_desktop.figures.svg import IN_PAGE, svg
from gpf_desktop.numerics.color_scale import text_on

WIDE: Final = 960
"""Pixels across, for a screen; a page of paper takes fewer, or its words would be too small to read."""
TALLEST: Final = 930
"""Pixels of a figure that still leave its caption on a page of paper."""


def drawn_view(figure: Figure) -> dict[str, Any]:
    """*figure* for a page: as markup in the page's colours, and itself for whoever cuts it."""
    return {
        "kind": "drawn",
        "title": figure.title,
        "reading": figure.reading,
        "width": figure.width,
        "height": figure.height,
        "figure": figure,
        "svg": svg(figure, IN_PAGE, alone=False),
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperCell:
    """One cell of a heat map as it stands on white paper."""

    fill: str
    """Empty: no value."""
    ink: str
    text: str
    """Empty: no number stands in the picture."""
    count: str
    tip: str
    plain: str = ""
    """The number where cells stand in a table, each of which has it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """A heat map as rows and columns."""

    down: tuple[str, ...]
    across: tuple[str, ...]
    cells: tuple[tuple[PaperCell, ...], ...]
    low: str
    """The ends of the scale."""
    high: str
    stops: tuple[str, ...]
    """Its colours, evenly apart."""
    key: str


def grid(finding: Finding, figure: HeatMap) -> Grid:
    """*figure* of *finding*, its numbers in words."""
    picture = grid_picture(finding, figure)
    return Grid(
        down=picture.rows,
        across=picture.columns,
        cells=tuple(
            tuple(_cell(f"{down} × {across}", cell, picture) for across, cell in zip(picture.columns, row, strict=True))
            for down, row in zip(picture.rows, picture.cells, strict=True)
        ),
        low=end_words(picture, picture.low, 1),
        high=end_words(picture, picture.high, 1),
        stops=stops(picture),
        key=picture.key,
    )


def _cell(place: str, cell: GridCell, picture: GridPicture) -> PaperCell:
    if cell.value is None:
        return PaperCell(fill="", ink="", text="", count="", tip=printable(f"{place}: {cell.why}"))
    fill = cell_fill(picture, cell, PAPER)
    tip = f"{place}: {_words(cell.value, picture, 3)}, n {cell.n}"
    words = cell_words(picture, cell)
    if cell.low is not None and cell.high is not None:
        tip += f", {_words(cell.low, picture, 3)} to {_words(cell.high, picture, 3)}, {cell.method}"
    return PaperCell(
        fill=fill,
        ink=text_on(fill),
        text=words,
        count=f"n {cell.n}" if words else "",
        tip=printable(tip),
        plain=_words(cell.value, picture, 2),
    )


def _words(value: float, picture: GridPicture, digits: int) -> str:
    return percent(value) if picture.percent else number(value, digits)
