"""How a finding wishes to be drawn: the window, a web page and a document draw the same rows.

A figure names columns of its finding and holds no numbers of its own, so picture and table cannot disagree.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class HeatMap:
    """One column's values on a grid; rows and columns of the grid in the order in which the finding has them."""

    title: str
    down: str
    """Key of the text column whose values are the grid's rows."""
    across: str
    """Key of the text column whose values are the grid's columns."""
    value: str
    """Key of the estimate that colours a cell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scatter:
    """One point per row; a row without one of the two values is left out and counted by who draws."""

    title: str
    x: str
    y: str
    label: str
    """Key of the text column that names a point."""
    x_title: str
    y_title: str


Figure = HeatMap | Scatter
