"""The result of an analysis: estimates with interval, count and the bundles behind them."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from gpf_desktop.domain.figures import Figure


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """A confidence interval and how it was made."""

    low: float
    high: float
    level: float
    """1: no confidence, but the outermost of the values that the estimate is of."""
    method: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A mean (or share, or difference) that never stands without its n."""

    value: float | None
    """None: unavailable, *why* says so."""
    n: int
    articles: int
    interval: Interval | None = None
    why: str = ""

    @classmethod
    def unavailable(cls, why: str) -> "Estimate":
        """An estimate without a value, which rests on nothing; *why* says so."""
        return cls(value=None, n=0, articles=0, why=why)


class ColumnKind(StrEnum):
    """The kind of a column, which says how it is shown, aligned and exported."""

    TEXT = "text"
    COUNT = "count"
    SCORE = "score"
    ESTIMATE = "estimate"
    SHARE = "share"
    P = "p"
    """The p of a test: below `SMALLEST_P` no more than that is told."""


SMALLEST_P: Final = 0.001


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column of a finding's table."""

    key: str
    title: str
    """Its head in the annex and in files: the field's term or sign, "CFS"."""
    kind: ColumnKind
    help: str = ""
    plain: str = ""
    """Its head on screens, "What the reader adds"; empty: the title says it."""

    @property
    def label(self) -> str:
        return self.plain or self.title


Value = str | int | float | Estimate | None


def decimals_of(value: float) -> int:
    """The number of digits after the point that tell a *value* apart: three of a score, one of what is counted in
    tens."""
    return 1 if abs(value) >= 10 else 3


@dataclass(frozen=True, slots=True, kw_only=True)
class BundleFilter:
    """The bundles behind a number, so that a click opens Review with just those."""

    model: str | None = None
    compared: tuple[str, ...] = ()
    """In place of one model, those that were set beside each other: only bundles of questions that all of them have."""
    score: str | None = None
    """Only bundles with a value of this score; of `compared`, questions that all have it for."""
    vendor: str | None = None
    article_id: int | None = None
    batch_id: int | None = None
    arm: str | None = None
    levels: tuple[tuple[str, str], ...] = ()
    """(factor, level) pairs that the bundles have, all of them."""
    stratum: str | None = None
    synthetic: bool | None = None
    """Only calibration models (True), or only other models (False)."""
    answers: tuple[int, ...] = ()
    """Cells: only bundles of these, and of them no other answers; empty: all of a bundle's."""
    sides: tuple[tuple[int | None, tuple[int, ...]], ...] = ()
    """Of two sides that were set beside each other, the score setting (None: the table's) and the rounds (empty: all)
    of each: only bundles of questions that both have `score` for, of one model."""
    about: str = ""
    """Words for what these bundles or answers have in common, where no coordinate says it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One row: its values by column key, and the bundles it stands for."""

    values: dict[str, Value]
    bundles: BundleFilter
    synthetic: bool = False
    detail: bool = False
    """Left out of reports that are read as pages; the window, workbooks and data have it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A table with its reading; figures are drawn from the same rows."""

    name: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    reading: str
    """The one line that belongs under it and says no more than it may."""
    notes: tuple[str, ...] = ()
    """Fit scope, counts, seeds and whatever else a hostile expert would ask for."""
    highlights: tuple[str, ...] = ()
    """Sentences on what to look at first (highest and lowest cells), one each; never a ranking of models as such."""
    figures: tuple[Figure, ...] = ()
    """Ways to draw these rows."""
    failed: bool = False
    """It could not be made: its one row says so, and has none of the table's columns."""


def sound(findings: Mapping[str, Finding]) -> dict[str, Finding]:
    """The *findings* that did not fail, whose rows have the columns of their tables."""
    return {name: finding for name, finding in findings.items() if not finding.failed}


_KEYS = ("down", "across", "value", "x", "y", "label", "group", "line", "panel", "values", "count", "where", "accent")
"""Fields of figures that name columns; of those with a column and its value, the column comes first."""


def check_columns(finding: Finding) -> None:
    """Raises `KeyError` where a row lacks a column of *finding*, or a figure names one that its rows have not."""
    named = {column.key for column in finding.columns}
    for figure in finding.figures:
        for field in _KEYS:
            told = getattr(figure, field, None) or ()
            keys = (told,) if isinstance(told, str) else told[:1] if field in {"where", "accent"} else told
            named.update(key for key in keys if finding.rows)
    for row in finding.rows:
        if lacking := named - row.values.keys():
            raise KeyError(*sorted(lacking))


def printed_rows(finding: Finding) -> tuple[Row, ...]:
    """The rows of *finding* that a report to be read has."""
    return tuple(row for row in finding.rows if not row.detail)


def telling_columns(finding: Finding) -> tuple[tuple[Column, ...], tuple[Column, ...]]:
    """Columns to print, and counts that are 0 in every row and may be left out of a page."""
    silent = tuple(
        column
        for column in finding.columns
        if column.kind is ColumnKind.COUNT and all(row.values[column.key] == 0 for row in finding.rows)
    )
    return tuple(column for column in finding.columns if column not in silent), silent


READING_SHORT = (
    "A number here shows how far answers moved apart in this audit, across what its method "
    "varies. It does not show why, or whether that is harmful; a low one does not show fairness."
)
