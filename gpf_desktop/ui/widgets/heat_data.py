"""Values on a grid of two factors, as a `HeatMap` draws them."""

from dataclasses import dataclass

from gpf_desktop.domain.findings import BundleFilter
from gpf_desktop.ui.widgets.color_maps import SEQUENTIAL


@dataclass(frozen=True, slots=True, kw_only=True)
class HeatCell:
    """One mean with its count and the bundles behind it; *value* None: unavailable."""

    value: float | None
    n: int
    bundles: BundleFilter


@dataclass(frozen=True, slots=True, kw_only=True)
class HeatData:
    """The whole map: ``cells[row][column]``."""

    measure: str
    """What the values are ("mean S"), for the legend and the screen reader."""
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: tuple[tuple[HeatCell, ...], ...]
    digits: int = 2
    map_name: str = SEQUENTIAL

    def bounds(self) -> tuple[float, float] | None:
        """Lowest and highest value, or None where there is none."""
        values = [cell.value for row in self.cells for cell in row if cell.value is not None]
        return (min(values), max(values)) if values else None
