"""The content of a heat map, for whoever draws it: window, web page and document draw the same cells alike."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from gpf_desktop.domain.figures import HeatMap, Intervals, PointMap
from gpf_desktop.domain.findings import BundleFilter, ColumnKind, Estimate, Finding, Row
from gpf_desktop.domain.text import decimal, tr

SHARP: Final = 0.1
"""Width of an interval, as a share of the scale, up to which a cell has its full colour."""
VAGUE: Final = 0.6
"""Width from which it is palest."""
PALEST: Final = 0.3


@dataclass(frozen=True, slots=True, kw_only=True)
class GridCell:
    """One mean with its count and the bundles behind it; *value* None: unavailable, *why* says so."""

    value: float | None
    n: int
    bundles: BundleFilter
    low: float | None = None
    """Bounds of its interval; None: it has none."""
    high: float | None = None
    method: str = ""
    """How the interval was made."""
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class GridPicture:
    """The whole map, ``cells[row][column]``, on a scale that is the measure's own and never the values'."""

    measure: str
    """What the values are ("how far apart, mean"), for the legend and the screen reader."""
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: tuple[tuple[GridCell, ...], ...]
    low: float = 0.0
    high: float = 1.0
    """Ends of the scale; a value beyond them has the colour of the end."""
    percent: bool = False
    centre: float | None = None
    """The mean of all squares, which colours are about; None: the scale begins at its low end."""
    folded: tuple[str, ...] = ()
    """Columns that are not drawn, for every value in them is 0."""

    def told(self, cell: GridCell) -> bool:
        """Whether its interval leaves the mean of all out, where colours are about that; else every cell is."""
        if self.centre is None or cell.value is None:
            return True
        return cell.low is not None and cell.high is not None and not cell.low <= self.centre <= cell.high

    def share(self, value: float) -> float:
        """The place of *value* on the scale, from 0 to 1."""
        return max(0.0, min(1.0, (value - self.low) / (self.high - self.low)))

    def strength(self, cell: GridCell) -> float:
        """The strength of the colour of *cell*: 1 for a narrow interval, `PALEST` for a wide one or none.

        Where no cell has an interval, none is made for this measure, and none fades.
        """
        if self.centre is not None:
            return 1.0 if self.told(cell) else PALEST
        if cell.low is None or cell.high is None:
            return PALEST if any(other.low is not None for other in self._known()) else 1.0
        width = (cell.high - cell.low) / (self.high - self.low)
        faded = max(0.0, min(1.0, (width - SHARP) / (VAGUE - SHARP)))
        return max(PALEST, 1.0 - (1.0 - PALEST) * faded)

    @property
    def key(self) -> str:
        """Sentences under the picture that say what colour and paleness mean."""
        if self.centre is not None:
            return tr(
                "Blue is below the mean of all, {mean}, and ochre above it; numbers say by how much. Pale "
                "fields without a number are not told from it.",
                mean=decimal(self.centre, 2),
            )
        said = tr("The scale is fixed, and the same for all rounds and models.")
        if self.folded:
            said = f"{tr('Not drawn, 0 in every field: {names}.', names=', '.join(self.folded))} {said}"
        if not any(cell.low is not None for cell in self._known()):
            return said
        return tr(
            "{scale} A field pales as its range widens from a tenth of the scale to six tenths, or where it has none.",
            scale=said,
        )

    def _known(self) -> Iterator[GridCell]:
        return (cell for row in self.cells for cell in row if cell.value is not None)


def grid_picture(finding: Finding, figure: HeatMap) -> GridPicture:
    """*figure* of *finding*; rows and columns in the order in which its rows name them."""
    rows = rows_of(finding, figure)
    down = tuple(dict.fromkeys(str(row.values[figure.down]) for row in rows))
    across = tuple(dict.fromkeys(str(row.values[figure.across]) for row in rows))
    found = {(row.values[figure.down], row.values[figure.across]): row for row in rows}
    column = next(column for column in finding.columns if column.key == figure.value)
    share = column.kind is ColumnKind.SHARE
    cells = tuple(tuple(_cell(found.get((d, a)), figure.value) for a in across) for d in down)
    named = short_names(across)
    drawn = [at for at in range(len(across)) if any(row[at].value != 0 for row in cells)]
    if not figure.folds or not drawn:
        drawn = list(range(len(across)))
    cells = tuple(tuple(row[at] for at in drawn) for row in cells)
    centre, low, high = _around_mean(cells, figure) if figure.centred else (None, figure.low, figure.high)
    return GridPicture(
        measure=column.label if share else tr("{score}, mean", score=column.label),
        rows=down,
        columns=tuple(named[at] for at in drawn),
        folded=tuple(name for at, name in enumerate(named) if at not in drawn),
        cells=cells,
        low=low,
        high=high,
        percent=share,
        centre=centre,
    )


def _around_mean(cells: Sequence[Sequence[GridCell]], figure: HeatMap) -> tuple[float | None, float, float]:
    """The mean of *cells* with the ends of a scale around it; no mean where fewer than two have a value."""
    values = [cell.value for row in cells for cell in row if cell.value is not None]
    if len(values) < 2:
        return None, figure.low, figure.high
    mean = sum(values) / len(values)
    reach = max([figure.margin, *(abs(each - mean) for each in values)]) or 0.1
    return mean, mean - reach, mean + reach


def rows_of(finding: Finding, figure: HeatMap | Intervals | PointMap) -> list[Row]:
    """The rows of *finding* that *figure* draws."""
    return [row for row in finding.rows if figure.where is None or row.values[figure.where[0]] == figure.where[1]]


def short_names(names: Sequence[str]) -> tuple[str, ...]:
    """Models, also in a role ("provider/model · role"), without their provider, where that leaves them different."""
    parted = [name.partition(" · ") for name in names]
    shorter = tuple("".join((model.rpartition("/")[2].strip() or model, *role)) for model, *role in parted)
    # Only what looks like provider/model: a headline may hold a slash too.
    models = all(model.count("/") == 1 and " " not in model for model, *_ in parted)
    # “0” of “m/0” says nothing.
    tell = all(any(map(str.isalpha, each)) for each in shorter)
    return shorter if models and tell and len(set(shorter)) == len(set(names)) else tuple(names)


def _cell(row: Row | None, key: str) -> GridCell:
    value = None if row is None else row.values[key]
    if row is None or not isinstance(value, Estimate):
        return GridCell(value=None, n=0, bundles=BundleFilter(), why=tr("no answers"))
    interval = value.interval
    return GridCell(
        value=value.value,
        n=value.n,
        bundles=row.bundles,
        low=None if interval is None else interval.low,
        high=None if interval is None else interval.high,
        method="" if interval is None else interval.method,
        why=value.why,
    )
