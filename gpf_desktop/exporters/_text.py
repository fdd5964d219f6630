"""Text from outside on its way into a file, and values on their way into words."""

import re
from collections.abc import Iterable
from typing import Final

from gpf_desktop.domain.findings import (
    SMALLEST_P,
    ColumnKind,
    Estimate,
    Finding,
    Interval,
    Value,
    decimals_of,
    printed_rows,
)
from gpf_desktop.domain.text import decimal, grouped, printable, range_ends, range_words, tr

NO_VALUE: Final = "–"


def number(value: float, digits: int = 3) -> str:
    """`decimal`, with as many digits as scores have."""
    return decimal(value, digits)


def percent(value: float) -> str:
    """7.7%"""
    return f"{number(100 * value, 1)}%"


def shown(value: Value, kind: ColumnKind) -> str:
    """A value in words, without its interval."""
    match value:
        case None:
            return NO_VALUE
        case Estimate():
            return NO_VALUE if value.value is None else _scaled(value.value, kind, decimals_of(value.value))
        case str():
            return printable(value)
        case _ if kind is ColumnKind.COUNT:
            return grouped(value)
        case _ if kind is ColumnKind.P and value < SMALLEST_P:
            return f"< {number(SMALLEST_P)}"
        case _:
            return _scaled(value, kind, decimals_of(value))


def bounds(interval: Interval, kind: ColumnKind) -> str:
    """0.301 to 0.361"""
    digits = decimals_of(max(interval.low, interval.high, key=abs))
    if kind is not ColumnKind.SHARE:
        return range_words(interval.low, interval.high, digits)
    low, high = range_ends(100 * interval.low, 100 * interval.high, 1)
    return tr("{low} to {high}", low=f"{low}%", high=f"{high}%")


def left_out(finding: Finding) -> list[str]:
    """The sentence on where the rows are that are not printed, if there are any."""
    n, every = len(printed_rows(finding)), len(finding.rows)
    if n == every:
        return []
    where = tr("All are in the report as a workbook (.xlsx) and among the tables of Results that Export data writes.")
    return [f"{tr('{n} of {every} rows are printed.', n=n, every=every)} {where}"]


def interval_key(findings: Iterable[Finding]) -> str:
    """The key to what stands under each mean: the letters of the intervals that *findings* have, and n."""
    ways: dict[str, set[str]] = {}
    for finding in findings:
        for value in (each for row in finding.rows for each in row.values.values()):
            if isinstance(value, Estimate) and value.interval is not None:
                # How many articles, replicates and the seed differ from cell to cell.
                name = re.split(r" over |[,;]", value.interval.method)[0]
                said = tr("Student's t") if name == "t" else name
                ways.setdefault(interval_letter(value.interval), set()).add(said)
    made = "; ".join(f"{letter}: {', '.join(sorted(names))}" for letter, names in sorted(ways.items()))
    return tr(
        "Under each mean: its 95% range{made}; and n, the sets of answers (questions, models or batches) it rests on.",
        made=tr(", made by {ways}", ways=made) if made else "",
    )


def interval_letter(interval: Interval) -> str:
    """Stands for how *interval* was made, beside it in a table."""
    return interval.method[:1].lower()


def _scaled(value: float, kind: ColumnKind, digits: int) -> str:
    return percent(value) if kind is ColumnKind.SHARE else number(value, digits)
