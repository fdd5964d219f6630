"""A finding as a relation: estimates in columns of their own, everything in full precision."""

from collections.abc import Iterable, Iterator

from gpf_desktop.domain.findings import Column, ColumnKind, Estimate, Finding
from gpf_desktop.domain.findings import Row as FindingRow
from gpf_desktop.domain.relations import Cell, FieldKind, Relation, RelationField
from gpf_desktop.domain.text import tr

_FILTERED = "filtered_to"


def finding_relation(finding: Finding, filtered: str = "") -> Relation:
    """Every row of *finding*; columns are called by their keys, and the last one holds *filtered* where it is given.

    A file leaves the page behind whose filter made it, so each row says what it was filtered to.
    """
    estimated = {column.key for column in finding.columns if _estimated(finding, column)}
    keys = {column.key for column in finding.columns}
    fields: list[RelationField] = []
    for column in finding.columns:
        words = f"{column.title}: {column.help}" if column.help else column.title
        fields.append(RelationField(name=column.key, kind=_kind(finding, column), words=words))
        if column.key in estimated:
            fields += [
                RelationField(name=_part(column.key, part, keys), kind=kind, words=f"{column.title}: {part_words}")
                for part, kind, part_words in _parts()
            ]
    fields.append(
        RelationField(name="synthetic", kind=FieldKind.FLAG, words=tr("A built-in test model: its answers are made up"))
    )
    last: tuple[Cell, ...] = ()
    if filtered:
        fields.append(RelationField(name=_FILTERED, words=tr("What the numbers were filtered to")))
        last = (filtered,)
    return Relation(
        name=finding.name,
        words=finding.title,
        fields=tuple(fields),
        rows=[(*_cells(row, finding, estimated), *last) for row in finding.rows],
    )


def _part(key: str, part: str, taken: set[str]) -> str:
    """The name of a part's column, told from a column of the finding's own that is called so."""
    return f"{key}_{part}" if f"{key}_{part}" not in taken else f"{key}_estimate_{part}"


def notes_relation(findings: Iterable[Finding]) -> Relation:
    """A relation of the sentences that belong under each table: its reading, then notes and highlights."""
    names = (("table", tr("The table")), ("kind", tr("reading, note or highlight")), ("words", tr("The sentence")))
    said = [
        (finding.name, kind, words)
        for finding in findings
        for kind, sentences in (
            ("reading", (finding.reading,)),
            ("note", finding.notes),
            ("highlight", finding.highlights),
        )
        for words in sentences
    ]
    return Relation(
        name="notes",
        words=tr("A sentence that belongs under a table"),
        fields=tuple(RelationField(name=name, words=words) for name, words in names),
        rows=said,
    )


def _cells(row: FindingRow, finding: Finding, estimated: set[str]) -> Iterator[Cell]:
    for column in finding.columns:
        value = row.values[column.key]
        if column.key not in estimated:
            yield value if not isinstance(value, Estimate) else value.value
            continue
        match value:
            case Estimate(interval=None):
                yield from (value.value, value.n, value.articles, None, None, None, None, value.why or None)
            case Estimate(interval=interval) if interval is not None:
                yield from (value.value, value.n, value.articles, interval.low, interval.high)
                yield from (interval.level, interval.method, value.why or None)
            case _:
                yield from (value, *(None for _ in _parts()))  # type: ignore[misc]
    yield row.synthetic


def _estimated(finding: Finding, column: Column) -> bool:
    return any(isinstance(row.values[column.key], Estimate) for row in finding.rows)


def _kind(finding: Finding, column: Column) -> FieldKind:
    """The field kind of *column* by its declaration; text if some cell holds another thing."""
    values = [row.values[column.key] for row in finding.rows]
    if any(isinstance(value, str) for value in values) or column.kind is ColumnKind.TEXT:
        return FieldKind.TEXT
    if column.kind is ColumnKind.COUNT and all(value is None or isinstance(value, int) for value in values):
        return FieldKind.INTEGER
    return FieldKind.NUMBER


def _parts() -> tuple[tuple[str, FieldKind, str], ...]:
    """The columns beside the value of an estimate: name, kind and words of each."""
    return (
        ("n", FieldKind.INTEGER, tr("values that it rests on")),
        ("articles", FieldKind.INTEGER, tr("items behind them")),
        ("low", FieldKind.NUMBER, tr("lower end of the range")),
        ("high", FieldKind.NUMBER, tr("upper end of the range")),
        ("level", FieldKind.NUMBER, tr("level of the range: .95 for a 95% range")),
        ("interval", FieldKind.TEXT, tr("how the range was made")),
        ("why", FieldKind.TEXT, tr("why there is no value")),
    )
