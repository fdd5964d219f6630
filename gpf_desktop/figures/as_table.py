"""The lead figure as a table: the same rows with every number, for who reads numbers, and for files."""

from collections.abc import Iterator

from gpf_desktop.domain.conclusions.conclusion import MeasureReading
from gpf_desktop.domain.conclusions.digits import measure_number, with_range
from gpf_desktop.domain.conclusions.rendering import Told, ToldPage, chips
from gpf_desktop.domain.findings import BundleFilter, Column, ColumnKind, Finding, Row
from gpf_desktop.domain.text import decimal, tr
from gpf_desktop.figures.lead_words import finding


def lead_table(told: ToldPage) -> Finding:
    """A row for each measure of each conclusion of *told*."""
    title, _ = finding(told)
    text = ColumnKind.TEXT
    return Finding(
        name="conclusions",
        title=title,
        columns=(
            Column(key="model", title=tr("Model"), kind=text),
            Column(key="outcome", title=tr("What it shows"), kind=text),
            Column(key="measure", title=tr("Measured"), kind=text),
            Column(key="value", title=tr("Value with range"), kind=text),
            Column(key="by_chance", title=tr("By chance"), kind=text),
            Column(key="counts", title=tr("By this measure"), kind=text),
            Column(key="p", title=tr("Adjusted p"), kind=ColumnKind.P, help=tr("All comparisons are counted.")),
            Column(key="beside", title=tr("Beside it"), kind=text),
        ),
        rows=tuple(row for one in told.told for row in _rows(one)),
        reading=" ".join(told.footnote),
    )


def _rows(one: Told) -> Iterator[Row]:
    each = one.conclusion
    controls = [f"{c.words} {decimal(c.value, 2)}" for c in each.controls if c.value is not None]
    for measure in each.measures:
        others = [f"{o.words} {decimal(o.value, 2)}" for o in measure.others]
        yield Row(
            values={
                "model": one.name,
                "outcome": one.chip,
                "measure": measure.words,
                "value": with_range(measure) or measure.why or tr("not measured"),
                "by_chance": _null(measure),
                "counts": chips()[measure.outcome],
                "p": measure.p,
                "beside": "; ".join(others or controls),
            },
            bundles=BundleFilter(model=each.model),
            synthetic=each.synthetic,
        )


def _null(measure: MeasureReading) -> str:
    if measure.null is None:
        return ""
    number, (low, high) = measure_number(measure), measure.null
    return number(low) if low == high else tr("{low} to {high}", low=number(low), high=number(high))
