"""Marks that judges of another program gave: columns of scores beside an answer, as logs of Inspect have them."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from gpf_desktop.documents.programs.inspect_logs import SCORED, WHY
from gpf_desktop.documents.tables import TableRow
from gpf_desktop.methods.relative_bias.wide_tables import whole_level

_AGAIN: Final = re.compile(r"(.+) #(\d{1,3})")
"""As `domain.judging.generation_name` calls a judge's second mark of an answer."""


def in_heads(heads: Sequence[Sequence[str]]) -> dict[str, str]:
    """The judges that may have given marks, and the columns of these marks, as told by *heads*; empty where there are
    none."""
    judges = dict.fromkeys(name for head in heads for name in head if name.startswith(SCORED))
    return (
        {"judge": ", ".join(name.removeprefix(SCORED) for name in judges), "level": ", ".join(judges)} if judges else {}
    )


def judges_in(rows: Iterable[Mapping[str, str]]) -> set[str]:
    """The scorers that are judges, by what they gave in *rows*."""
    given: dict[str, list[str]] = {}
    for row in rows:
        for name, value in row.items():
            if name.startswith(SCORED) and value.strip():
                given.setdefault(name, []).append(value)
    return {name.removeprefix(SCORED) for name, values in given.items() if may_be_marks(values)}


def may_be_marks(values: Iterable[str]) -> bool:
    """Whether all *values* may be a judge's marks; a bare 1 throughout is more likely a test that was passed."""
    every = {*values}
    return all(map(whole_level, every)) and (not every or not every <= {"1", "1.0"})


def with_marks(rows: Iterable[TableRow]) -> Iterator[TableRow]:
    """*rows*, each once for every judge that marked its answer.

    A scorer is a judge where all that it gave are whole numbers from 1 to 10, and not all of them a bare 1: right and
    wrong (1 and 0, C and I) are no marks, and stay columns that are not read.
    """
    every = list(rows)
    judges = judges_in(row.values for row in every)
    taken = {prefix + judge for judge in judges for prefix in (SCORED, WHY)}
    for row in every:
        rest = {name: text for name, text in row.values.items() if name not in taken}
        marked = [judge for judge in sorted(judges) if row.values.get(SCORED + judge, "").strip()]
        for judge in marked:
            again = _AGAIN.fullmatch(judge)
            said = {"judge": again[1], "judging": str(int(again[2]) - 1)} if again else {"judge": judge}
            said |= {"level": whole_level(row.values[SCORED + judge]), "explanation": row.values.get(WHY + judge, "")}
            yield replace(row, values={**rest, **said})
        if not marked:
            yield replace(row, values=rest)
