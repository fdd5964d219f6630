"""Where the marks of a figure stand: numbers for whoever draws it."""

import textwrap
from dataclasses import dataclass
from typing import Any, Final

from gpf_desktop.domain.figures import HeatMap
from gpf_desktop.domain.findings import Finding
from gpf_desktop.domain.grid_picture import GridCell, GridPicture, grid_picture
from gpf_desktop.domain.text import middle_shortened, printable
from gpf_desktop.exporters._text import number, percent
from gpf_desktop.figures.heat import cell_fill, cell_words, end_words, stops
from gpf_desktop.figures.shapes import Figure
from gpf_desktop.figures.svg import IN_PAGE, svg
from gpf_desktop.numerics.color_scale import text_on

WIDE: Final = 960
"""Pixels across, for a screen; a page of paper takes fewer, or its words would be too small to read."""
TALLEST: Final = 930
"""Pixels of a figure that still leave its caption on a page of paper."""
_ROW: Final = 38
_LINE: Final = 15
_DOWN: Final = 180
_PLOT_HEIGHT: Final = 420
_CHARACTER: Final = 6.9
"""Pixels of one in a name, about."""
_PAPER: Final = "#FFFFFF"
_APART: Final = 7
"""Pixels from a point to its name."""


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
    fill = cell_fill(picture, cell, _PAPER)
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


def _lines(label: str, width: int) -> list[str]:
    """At most five; a model's name ends a line behind its vendor, not in the middle of a word."""
    return [line.replace("/ ", "/") for line in textwrap.wrap(label.replace("/", "/ "), width)[:5]]


def heat_view(finding: Finding, figure: HeatMap, name: str, width: int = WIDE) -> dict[str, object]:
    """What the page's template draws, *width* pixels across; *name* is unique on the page."""
    made = grid(finding, figure)
    each = (width - _DOWN) / max(1, len(made.across))
    heads = [_lines(label, max(6, int(each / 6.4))) for label in made.across]
    top = _LINE * max((len(lines) for lines in heads), default=1) + 10
    return {
        "kind": "heat",
        "id": name,
        "title": figure.title,
        "reading": f"{finding.reading} {made.key}",
        "width": width,
        "height": top + _ROW * len(made.down) + 36,
        "stops": [
            {"at": f"{place / (len(made.stops) - 1):.4f}", "color": color} for place, color in enumerate(made.stops)
        ],
        "across": [
            {
                "x": round(_DOWN + each * (column + 0.5), 1),
                "y": top - 10 - _LINE * (len(lines) - 1 - line),
                "text": printable(words),
            }
            for column, lines in enumerate(heads)
            for line, words in enumerate(lines)
        ],
        "down": [
            {"x": _DOWN - 10, "y": top + _ROW * row + _ROW / 2 + 4.5, "text": printable(middle_shortened(label, 24))}
            for row, label in enumerate(made.down)
        ],
        "cells": [
            {
                "x": round(_DOWN + each * column, 2),
                "y": top + _ROW * row,
                # A little more than its place, or the paper shows as hairlines between the cells.
                "width": round(each + 0.3, 2),
                "height": _ROW + 0.3,
                "middle": round(_DOWN + each * (column + 0.5), 1),
                "base": top + _ROW * row + _ROW / 2 - 1,
                "under": top + _ROW * row + _ROW / 2 + 13,
                "count": cell.count,
                "fill": cell.fill,
                "ink": cell.ink,
                "text": cell.text,
                "tip": cell.tip,
            }
            for row, cells in enumerate(made.cells)
            for column, cell in enumerate(cells)
        ],
        "low": made.low,
        "high": made.high,
        "legend_x": _DOWN + 48,
        "legend_y": top + _ROW * len(made.down) + 16,
    }
