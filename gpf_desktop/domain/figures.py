"""Figures that a finding wishes to be drawn as: the window, a web page and a document draw the same rows.

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
    low: float = 0.0
    high: float = 1.0
    """Ends of the colour scale: the measure's own, never the lowest and highest value, so that pictures compare."""
    where: tuple[str, str] | None = None
    """Key of a text column and its value in the rows that are drawn; None: all of them."""
    centred: bool = False
    """Coloured by how far a cell is from the mean of all, both ways, where all of them lie close together on the
    measure's own scale and would have one colour."""
    margin: float = 0.0
    """Of a centred one: a difference too small to matter is never the darkest colour."""
    folds: bool = False
    """Columns in which every value is 0 are named under the others, and not drawn."""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class PointMap:
    """A small point per row in a plane whose axes have no unit, in one colour for each group."""

    title: str
    x: str
    y: str
    """Keys of numbers."""
    group: str
    """Key of the text column whose values have a colour each, in the order in which the finding has them."""
    label: tuple[str, ...]
    """Keys of the text columns that together say what a point is."""
    x_title: str
    y_title: str
    where: tuple[str, str] | None = None
    """Key of a text column and its value in the rows that are drawn; None: all of them."""


GROUP_COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#8A7FBF", "#999999")
"""Of the groups of a map, told apart by colour-blind readers too (Okabe and Ito, 2008, without its yellow and black,
which one of the window's themes would swallow); of more groups than that, further ones begin again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Intervals:
    """A dot with its interval per row, below each other on one scale; a row without a value keeps its line, empty."""

    title: str
    label: tuple[str, ...]
    """Keys of the text columns that together name a row; by those before the last, rows stand in groups."""
    value: str
    """Key of the estimate."""
    x_title: str
    zero: bool = False
    """The value is a difference: a line marks 0."""
    band: tuple[float, float] | None = None
    """The band that values are held against, from its low end to its high one, drawn behind them."""
    chance: str = ""
    """Key of the number that chance alone would give of a row, marked on its line; empty: there is none."""
    where: tuple[str, str] | None = None
    """Key of a text column and its value in the rows that are drawn; None: all of them."""
    accent: tuple[str, str] | None = None
    """Key of a text column and its value in the rows that stand in colour, all others grey; None: all are alike."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Profiles:
    """Small multiples: a panel of dots with intervals for each name, all panels with the same lines and one scale."""

    title: str
    panel: tuple[str, ...]
    """Keys of the text columns that together name a row's panel."""
    line: str
    """Key of the text column that names its line."""
    values: tuple[str, ...]
    """Keys of the estimates that stand beside each other on a line: the first filled, a second one as a ring."""
    x_title: str
    columns: int = 3
    """Panels beside each other at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Violins:
    """The distribution of counted values for each name, below each other on one scale: a row says how often a name
    has a value."""

    title: str
    label: tuple[str, ...]
    """Keys of the text columns that together name a distribution; by those before the last, they stand in groups."""
    value: str
    """Key of the value."""
    count: str
    """Key of how often it occurs."""
    x_title: str
    low: float
    high: float
    """Ends of the scale."""
    where: tuple[str, str] | None = None
    """Key of a text column and its value in the rows that are drawn; None: all of them."""
    accent: tuple[str, str] | None = None
    """Key of a text column and its value in the rows that stand in colour, all others grey; None: all are alike."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Track:
    """One way to measure a series, and the columns that hold it; those of limits are empty where it has none."""

    title: str
    value: str
    """Key of the estimate."""
    smoothed: str = ""
    low: str = ""
    high: str = ""
    """Limits of the smoothed series."""
    state: str = ""
    """Key of the text column that says where the smoothed series is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesChart:
    """The values of each line in the order of time, with the limits of a control chart if its tracks have them.

    A line has no row at a place where it has nothing: that is a gap.
    """

    title: str
    along: str
    """Key of the text column whose values are places in time."""
    places: tuple[str, ...]
    """Every value of *along*, oldest first."""
    line: str
    """Key of the text column whose values are the lines."""
    tracks: tuple[Track, ...]
    split: str = ""
    """Key of a text column that splits the rows into charts of their own; empty: none."""
    together: bool = False
    """All lines belong into one picture; else each has its own."""
    needed: int = 0
    """Places that set the limits; none of them is judged."""
    sets: str = ""
    """The words of the state at those places."""
    outside: str = ""
    """The words of the state where the limits were left."""


Figure = HeatMap | Scatter | PointMap | Intervals | Violins | Profiles | SeriesChart
