"""Columns of a table as data: the words, order and look of each cell."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Generic, TypeVar

from gpf_desktop.domain.findings import SMALLEST_P, ColumnKind, Estimate, Finding, Row, Value, decimals_of
from gpf_desktop.domain.findings import Column as FindingColumn
from gpf_desktop.domain.text import range_ends, tr, trn
from gpf_desktop.ui.wording import NO_VALUE, count, decimal, percent

R = TypeVar("R")


@dataclass(frozen=True, slots=True, kw_only=True)
class TableColumn(Generic[R]):
    """One column over rows of type R."""

    title: str
    text: Callable[[R], str]
    """What the cell shows and what is copied."""
    numeric: bool = False
    """Right-aligned; figures have one width."""
    sort: Callable[[R], Any] | None = None
    """What to sort by, None values last; without it by the text."""
    spoken: Callable[[R], str] | None = None
    """What a screen reader says, where the text alone would not do."""
    help: str = ""
    """Tool tip of the header."""
    tip: Callable[[R], str] | None = None
    """Tool tip of the cell."""
    icon: Callable[[R], tuple[str, str] | None] | None = None
    """Icon and colour token before the text; the text says the same in words."""
    token: Callable[[R], str] | None = None
    """Colour token of the text; empty: the usual one."""
    bar: Callable[[R], float | None] | None = None
    """A share from 0 to 1 drawn as a bar in place of the text."""
    checked: Callable[[R], bool | None] | None = None
    """A tick box; None: this row has none. Ticking emits `RowsTableModel.ticked`."""
    strong: bool = False
    width: int = 0
    """Pixels at 100 %; 0: as wide as the content. The least of a column that stretches; 0: the usual least."""
    stretch: bool = False
    """Takes the room that is left."""
    whole: bool = False
    """Its words are never cut, as numbers are not: a date without its year is another."""
    spare: int = 0
    """Not shown where the words of the others would be cut, the highest first; 0: always shown. For what stands on the
    row's own page too."""


def share_text(estimate: Estimate) -> str:
    """7.7% (5.4 to 10.8), or a dash."""
    if estimate.value is None:
        return NO_VALUE
    if estimate.interval is None:
        return percent(estimate.value, 1.0, 1)
    low, high = range_ends(100 * estimate.interval.low, 100 * estimate.interval.high, 1)
    return tr("{value} ({low} to {high})", value=percent(estimate.value, 1.0, 1), low=low, high=high)


def estimate_text(estimate: Estimate) -> str:
    """0.331 (0.301 to 0.361) where an interval is known; a dash where unavailable.

    The tool tip and every file have the bounds exactly, and how they were made.
    """
    if estimate.value is None:
        return NO_VALUE
    digits = decimals_of(estimate.value)
    shown = decimal(estimate.value, digits)
    if estimate.interval is None:
        return shown
    low, high = range_ends(estimate.interval.low, estimate.interval.high, digits)
    return tr("{value} ({low} to {high})", value=shown, low=low, high=high)


def value_text(value: Value, kind: ColumnKind) -> str:
    """*value* as a table on the screen shows it."""
    match value:
        case None:
            return NO_VALUE
        case Estimate():
            return share_text(value) if kind is ColumnKind.SHARE else estimate_text(value)
        case str():
            return value
        case _ if kind is ColumnKind.SHARE:
            return percent(value, 1.0, 1)
        case _ if kind is ColumnKind.COUNT:
            return count(round(value))
        case _:
            small = kind is ColumnKind.P and value < SMALLEST_P
            return f"< {decimal(SMALLEST_P, 3)}" if small else decimal(value, decimals_of(value))


def finding_columns(finding: Finding, names: Mapping[str, str] = MappingProxyType({})) -> tuple[TableColumn[Row], ...]:
    """Columns for the rows of any finding; *names*: of models, what they are called where there is little room."""
    first_text = next((c.key for c in finding.columns if c.kind is ColumnKind.TEXT), "")
    return tuple(_finding_column(column, names, stretch=column.key == first_text) for column in finding.columns)


def _finding_column(column: FindingColumn, names: Mapping[str, str], *, stretch: bool) -> TableColumn[Row]:
    def value(row: Row) -> Value:
        found = row.values.get(column.key)
        return names.get(found, found) if isinstance(found, str) else found

    def sort(row: Row) -> Any:
        now = value(row)
        return now.value if isinstance(now, Estimate) else now

    def spoken(row: Row) -> str:
        now = value(row)
        if isinstance(now, Estimate):
            why = now.why or tr("unavailable")
            shown = value_text(now, column.kind) if now.value is not None else why
            return tr("{title} {value}, n {n}", title=column.label, value=shown, n=now.n)
        return f"{column.label} {value_text(now, column.kind)}"

    def tip(row: Row) -> str:
        now = value(row)
        if not isinstance(now, Estimate):
            return ""
        if now.value is None:
            return now.why
        words = [tr("n {n}", n=count(now.n))]
        if now.articles:
            words.append(trn("{items} item", "{items} items", now.articles, items=count(now.articles)))
        if now.interval is not None:
            scale = 100 if column.kind is ColumnKind.SHARE else 1
            low, high = range_ends(scale * now.interval.low, scale * now.interval.high, 3)
            words.append(tr("{low} to {high}, {method}", low=low, high=high, method=now.interval.method))
        return "; ".join(words)

    return TableColumn(
        title=column.label,
        text=lambda row: value_text(value(row), column.kind),
        numeric=column.kind is not ColumnKind.TEXT,
        sort=sort,
        spoken=spoken,
        help=column.help,
        tip=tip,
        icon=(lambda row: ("synthetic", "synthetic") if row.synthetic else None) if stretch else None,
        stretch=stretch,
    )
