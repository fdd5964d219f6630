"""Numbers in an auditor's text: never typed, but taken from a table by reference, so that they change with it.

    {{model_table; model=openai/gpt-x; s}}              0.412
    {{model_table; model=openai/gpt-x; s; interval}}    0.412 (0.390 to 0.430, n 36)
    {{window; articles}}                                12

First the table's name, then the words that tell its row, then the column's key, then ``interval`` or ``n``.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import unquote

from gpf_desktop.domain.columns import count
from gpf_desktop.domain.findings import BundleFilter, Column, ColumnKind, Estimate, Finding, Row, Value
from gpf_desktop.domain.text import grouped, tr
from gpf_desktop.engine.reporting.results_filter import Window
from gpf_desktop.exporters._text import bounds, shown

REFERENCE: Final = re.compile(r"\{\{(.*?)\}\}", re.DOTALL)
WINDOW: Final = "window"
"""The table of what a report is about: one row of counts."""
_INTERVAL: Final = "interval"
_N: Final = "n"
_ESCAPED: Final = re.compile(r"[;={}%\r\n]")

RowKey = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedNumber:
    """A number that a text can refer to."""

    table: str
    row: str
    column: str
    shown: str
    reference: str
    with_interval: str
    """The reference that shows its interval and n too; empty where it has none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolved:
    """A text with its references replaced by what they stand for."""

    text: str
    problems: tuple[str, ...]
    """One sentence for each that stands for nothing; the text says so at its place."""


def offered(tables: Mapping[str, Finding]) -> Iterator[OfferedNumber]:
    """Every number of *tables*, in their order."""
    for name, finding in tables.items():
        for row in finding.rows:
            key = row_key(finding, row)
            if key is None:
                continue
            for column in finding.columns:
                value = row.values[column.key]
                if column.kind is ColumnKind.TEXT or not _known(value):
                    continue
                spans = isinstance(value, Estimate) and value.interval is not None
                yield OfferedNumber(
                    table=finding.title,
                    row=row_words(key),
                    column=column.label,
                    shown=_words(value, column, ""),
                    reference=_reference(name, key, column.key),
                    with_interval=_reference(name, key, column.key, _INTERVAL) if spans else "",
                )


def named_tables(text: str) -> frozenset[str]:
    """Names of the tables that references in *text* need."""
    return frozenset(_parts(match[1])[0] for match in REFERENCE.finditer(text))


def resolved(text: str, tables: Mapping[str, Finding]) -> Resolved:
    """*text* with the numbers that *tables* hold now."""
    problems: list[str] = []

    def put(match: re.Match[str]) -> str:
        found, why = _look_up(match[1], tables)
        if why:
            problems.append(tr("{reference} stands for no number: {why}.", reference=match[0], why=why))
            return tr("[no number: {why}]", why=why)
        return found

    return Resolved(text=REFERENCE.sub(put, text), problems=tuple(problems))


def row_key(finding: Finding, row: Row) -> RowKey | None:
    """The fewest words, from the left, that tell *row* from all others of *finding*; None where none do."""
    texts = [column.key for column in finding.columns if column.kind is ColumnKind.TEXT]
    # From no words at all, which are enough where a table has one row.
    for most in range(len(texts) + 1):
        key = tuple((name, shown(row.values[name], ColumnKind.TEXT)) for name in texts[:most])
        if len(rows_of(finding, key)) == 1:
            return key
    return None


def row_words(key: RowKey) -> str:
    """The words of *key*, without a vendor's name that its model begins with."""
    said = [words for _, words in key]
    return ", ".join(each for each in said if not any(other.startswith(f"{each}/") for other in said))


def rows_of(finding: Finding, key: Sequence[tuple[str, str]]) -> tuple[Row, ...]:
    """The rows of *finding* that say *key*."""
    return tuple(
        row
        for row in finding.rows
        if all(name in row.values and shown(row.values[name], ColumnKind.TEXT) == words for name, words in key)
    )


def window_table(window: Window) -> Finding:
    """The scope of a report as a table that references can name."""
    counts = (
        ("batches", tr("Batches of news"), window.batches),
        ("articles", tr("Items"), window.articles),
        ("models", tr("Models"), window.models),
        ("bundles", tr("Sets of answers"), window.bundles),
        ("complete", tr("Whole sets"), window.complete),
        ("provisional", tr("Sets until all answers are in"), window.provisional),
    )
    return Finding(
        name=WINDOW,
        title=tr("What the report is about"),
        columns=tuple(count(key, title) for key, title, _ in counts),
        rows=(Row(values={key: n for key, _, n in counts}, bundles=BundleFilter()),),
        reading="",
    )


def _look_up(inside: str, tables: Mapping[str, Finding]) -> tuple[str, str]:
    """(words, why there are none)"""
    name, key, column_key, form = _read(inside)
    finding = tables.get(name)
    if finding is None or not finding.rows:
        return "", tr("there is no table “{name}” here", name=name)
    column = next((each for each in finding.columns if each.key == column_key), None)
    if column is None:
        return "", tr("“{table}” has no column “{name}”", table=finding.title, name=column_key)
    rows = rows_of(finding, key)
    if len(rows) != 1:
        words = ", ".join(said for _, said in key)
        if rows:
            return "", tr("“{words}” is {n} rows of “{table}”", words=words, n=len(rows), table=finding.title)
        return "", tr("“{table}” has no row “{words}”", table=finding.title, words=words)
    value = rows[0].values[column.key]
    if not _known(value):
        why = value.why if isinstance(value, Estimate) else ""
        return "", why or tr("“{table}” has no value there", table=finding.title)
    return _words(value, column, form), ""


def _words(value: Value, column: Column, form: str) -> str:
    if not isinstance(value, Estimate) or not form:
        return shown(value, column.kind)
    if form == _N:
        return grouped(value.n)
    if value.interval is None:
        return tr("{value} (no range, n {n:,})", value=shown(value, column.kind), n=value.n)
    ends = bounds(value.interval, column.kind)
    return tr(
        "{value} ({level:.0f}% range {ends}, n {n:,})",
        value=shown(value, column.kind),
        level=100 * value.interval.level,
        ends=ends,
        n=value.n,
    )


def _known(value: Value) -> bool:
    return value is not None and not (isinstance(value, Estimate) and value.value is None)


def _read(inside: str) -> tuple[str, RowKey, str, str]:
    """(table, row, column, form); what is missing is empty."""
    # Parted first and unescaped afterwards: an escaped semicolon or equals sign is part of a word.
    name, *rest = _parts(inside)
    key = tuple(
        (unquote(left.strip()), unquote(right)) for left, found, right in (p.partition("=") for p in rest) if found
    )
    plain = [part for part in rest if "=" not in part]
    return name, key, unquote(plain[0]) if plain else "", plain[1] if len(plain) > 1 else ""


def _parts(inside: str) -> list[str]:
    return [part.strip() for part in inside.split(";")]


def _reference(table: str, key: RowKey, column: str, form: str = "") -> str:
    words = (table, *(f"{_escaped(name)}={_escaped(said)}" for name, said in key), _escaped(column), form)
    return "{{" + "; ".join(filter(None, words)) + "}}"


def _escaped(words: str) -> str:
    return _ESCAPED.sub(lambda found: f"%{ord(found[0]):02X}", words)
