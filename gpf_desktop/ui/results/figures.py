"""Findings as the window's charts draw them."""

from gpf_desktop.domain.figures import HeatMap as HeatMapFigure
from gpf_desktop.domain.figures import Scatter
from gpf_desktop.domain.findings import BundleFilter, Estimate, Finding, Row
from gpf_desktop.domain.text import tr
from gpf_desktop.ui.widgets.heat_map import HeatCell, HeatData
from gpf_desktop.ui.widgets.scatter import ScatterPoint


def heat_data(finding: Finding, figure: HeatMapFigure) -> HeatData:
    """*figure* of *finding*; rows and columns in the order in which its rows name them."""
    down = tuple(dict.fromkeys(str(row.values[figure.down]) for row in finding.rows))
    across = tuple(dict.fromkeys(str(row.values[figure.across]) for row in finding.rows))
    found = {(row.values[figure.down], row.values[figure.across]): row for row in finding.rows}
    title = next(column.title for column in finding.columns if column.key == figure.value)
    return HeatData(
        measure=tr("mean {score}", score=title),
        rows=down,
        columns=across,
        cells=tuple(tuple(_cell(found.get((d, a)), figure.value) for a in across) for d in down),
    )


def scatter_points(finding: Finding, figure: Scatter) -> list[ScatterPoint]:
    """A point for each row that has both values."""
    points = []
    for row in finding.rows:
        x, y = row.values[figure.x], row.values[figure.y]
        if not isinstance(x, Estimate) or not isinstance(y, Estimate) or x.value is None or y.value is None:
            continue
        points.append(
            ScatterPoint(
                label=str(row.values[figure.label]).rpartition("/")[2],
                x=x.value,
                y=y.value,
                bundles=row.bundles,
                low=None if x.interval is None else x.interval.low,
                high=None if x.interval is None else x.interval.high,
                synthetic=row.synthetic,
            )
        )
    return points


def _cell(row: Row | None, key: str) -> HeatCell:
    value = None if row is None else row.values[key]
    if row is None or not isinstance(value, Estimate):
        return HeatCell(value=None, n=0, bundles=BundleFilter())
    return HeatCell(value=value.value, n=value.n, bundles=row.bundles)
