"""The lead figure as a table: the same rows with every number, for who reads numbers, and for files."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from gpf_desktop.domain.conclusions.conclusion import ConclusionOutcome
from gpf_desktop.domain.conclusions.digits import FEW, decimals_of, with_range
from gpf_desktop.domain.conclusions.lead import LeadRow, PointShape
from gpf_desktop.domain.conclusions.rendering import Told, ToldPage, chips
from gpf_desktop.domain.findings import BundleFilter, Column, ColumnKind, Finding, Row
from gpf_desktop.domain.text import decimal, range_ends, range_words, tr
from gpf_desktop.figures.lead_words import finding, outcome_of
from gpf_desktop.figures.marks import grouped


def lead_table(told: ToldPage, *, drawn: bool = False) -> Finding:
    """A row for each measure of each conclusion of *told*; where rows of the figure are measures, its very rows, and
    those of further comparisons unless what is *drawn* is wanted alone."""
    title, _ = finding(told)
    text = ColumnKind.TEXT
    rows = tuple(_drawn(told, () if drawn else told.lead.undrawn) if _one_scale(told) else _measured(told))
    value = tr("Gap with range") if told.lead.of_groups else tr("Value with range")
    beside = Column(key="beside", title=tr("Beside it"), kind=text)
    return Finding(
        name="conclusions",
        title=title,
        columns=(
            Column(key="model", title=tr("Model"), kind=text),
            Column(key="outcome", title=tr("What the model shows"), kind=text),
            Column(key="measure", title=tr("Measured"), kind=text),
            Column(key="value", title=value, kind=text),
            Column(key="by_chance", title=told.lead.band_title or tr("If nothing differs"), kind=text),
            Column(key="counts", title=tr("What this row shows"), kind=text),
            Column(key="p", title=tr("Adjusted p"), kind=ColumnKind.P, help=tr("All comparisons are counted.")),
            *([beside] if any(row.values["beside"] for row in rows) else []),
        ),
        rows=rows,
        reading=" ".join(told.footnote),
    )


def panels_table(told: ToldPage, *, brief: bool = False) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """The figure of several scales as it is drawn, in words: a row for each of its rows, with a column for each scale
    and for each control on it, and the numbers that have no scale. Titles and rows.

    *brief*: where something differs on one scale, without the controls of scales on which nothing does.
    """
    lead, several = told.lead, len(told.told) > 1
    panels = range(len(lead.panels))
    controls = [
        dict.fromkeys(p.words for row in lead.rows for p in row.cells[at].points if p.shape is not PointShape.DOT)
        for at in panels
    ]
    differing = [any(row.cells[at].outcome is ConclusionOutcome.DIFFERS for row in lead.rows) for at in panels]
    if brief and any(differing):
        controls = [its if differs else {} for its, differs in zip(controls, differing, strict=True)]
    titles = [*([tr("Model")] if several else []), *([tr("Asked as")] if any(row.label for row in lead.rows) else [])]
    for panel, beside in zip(lead.panels, controls, strict=True):
        titles += [panel.column or panel.title, *(f"{each[:1].upper()}{each[1:]}" for each in beside)]
    titles += lead.further
    rows = []
    for row in lead.rows:
        words = [told.told[row.conclusion].name] if several else []
        words += [row.label] if any(each.label for each in lead.rows) else []
        for cell, beside in zip(row.cells, controls, strict=True):
            at = {each.words: decimal(each.value, FEW) for each in cell.points}
            ranged = tr("{value} ({range})", value=cell.text, range=cell.reach) if cell.reach else cell.text
            words += [ranged or cell.why, *(at.get(name, "") for name in beside)]
        rows.append((*words, *row.further))
    return tuple(titles), rows


def figure_table(told: ToldPage) -> Finding:
    """The figure itself in rows: `lead_table`, or where it has several scales the numbers that stand on them."""
    made = lead_table(told)
    if _one_scale(told):
        return made
    titles, rows = panels_table(told)
    if len(told.told) > 1:
        titles, rows = titles[1:], [row[1:] for row in rows]
    words_first = any(row.label for row in told.lead.rows)
    values = [
        Column(key="asked_as" if words_first and not at else f"value{at}", title=title, kind=ColumnKind.TEXT)
        for at, title in enumerate(titles)
    ]
    words = ({each.key: said for each, said in zip(values, row, strict=True)} for row in rows)
    return replace(
        made,
        columns=(*made.columns[:2], *values),
        rows=tuple(_row(told.told[row.conclusion], **said) for row, said in zip(told.lead.rows, words, strict=True)),
    )


def _one_scale(told: ToldPage) -> bool:
    """Whether rows of the figure are measures, with their own numbers on it: groups stand where their means are."""
    lead = told.lead
    return lead.by_measure and len(lead.panels) == 1 and not any(grouped(row.cells[0]) for row in lead.rows)


def _drawn(told: ToldPage, undrawn: Iterable[LeadRow]) -> Iterator[Row]:
    (panel,) = told.lead.panels
    for row in (*told.lead.rows, *undrawn):
        one, (cell,) = told.told[row.conclusion], row.cells
        band = cell.band or panel.band or (None if panel.null is None else (panel.null, panel.null))
        yield _row(
            one,
            measure=row.label or one.name,
            value=cell.ranged or cell.why or tr("not measured"),
            by_chance="" if band is None else _between(band, FEW),
            counts=chips()[outcome_of(told, row)[0]],
            p=cell.p,
            beside=_beside(one, ((each.words, each.value) for each in cell.points)),
            beside_in_short=_in_short([each.value for each in cell.points if each.shape is PointShape.STROKE]),
        )


def _measured(told: ToldPage) -> Iterator[Row]:
    for one in told.told:
        for measure in one.conclusion.measures:
            yield _row(
                one,
                measure=measure.words,
                value=with_range(measure) or measure.why or tr("not measured"),
                by_chance="" if measure.null is None else _between(measure.null, decimals_of(measure)),
                counts=chips()[measure.outcome],
                p=measure.p,
                beside=_beside(one, ((each.words, each.value) for each in measure.others)),
            )


def _row(one: Told, **values: str | float | None) -> Row:
    each = one.conclusion
    return Row(
        values={"model": one.name, "outcome": one.chip, **values},
        bundles=BundleFilter(model=each.model),
        synthetic=each.synthetic,
    )


def _beside(one: Told, others: Iterable[tuple[str, float]]) -> str:
    """The words and values of *others*; where there are none, of the controls."""
    controls = ((each.words, each.value) for each in one.conclusion.controls if each.value is not None)
    return "; ".join(f"{words} {decimal(value, FEW)}" for words, value in list(others) or controls)


def _in_short(values: Sequence[float]) -> str:
    """Those of several other models, where each with its name has no room."""
    if len(values) < 2:
        return ""
    low, high = range_ends(min(values), max(values), FEW)
    return tr("{n} models, {low} to {high}", n=len(values), low=low, high=high)


def _between(band: tuple[float, float], digits: int) -> str:
    low, high = band
    if low == high:
        return decimal(low, 0 if low == 0 else digits)
    return range_words(low, high, digits)
