"""Tables whose columns hold an answer each: under two rows of names, model over generation, or named by models alone.

They become tables with a row for each answer. What the names do not say stands in columns of its own, to be mapped.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, dropwhile, islice, pairwise
from typing import Final

from gpf_desktop.documents import tables
from gpf_desktop.documents.column_names import MODEL as CALLED_MODEL
from gpf_desktop.documents.column_names import RESPONSE as CALLED_RESPONSE
from gpf_desktop.documents.level_names import MODEL, REPEAT, RESPONSE, UPPER, is_model, levels_of
from gpf_desktop.documents.programs import arena
from gpf_desktop.documents.table_reading import LOOKED_AT, Lines, TableReading
from gpf_desktop.documents.tables import Columns, TableRow

_ANSWERS: Final = frozenset({RESPONSE, *CALLED_RESPONSE})
_LONGEST: Final = 60
_LEAST: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoHeads:
    """Two rows of names: what stands over several columns, and what they are called below it."""

    line: int
    """Of the lower one."""
    width: int
    beside: dict[int, str]
    """Columns that stand below no upper name, by their places."""
    groups: dict[str, dict[str, int]]
    """By upper name: the places of its columns, by their lower names."""

    @property
    def tells_fields(self) -> bool:
        """Whether lower names are fields of an answer, rather than tell answers apart."""
        return not _ANSWERS.isdisjoint(name.lower() for name in next(iter(self.groups.values())))

    def head(self) -> list[str]:
        """The names of the columns of the rows that are made."""
        lower = list(next(iter(self.groups.values())))
        beside = [name.lower() for name in self.beside.values()]
        if self.tells_fields:
            return [*beside, *levels_of([self.groups], UPPER, beside), *(name.lower() for name in lower)]
        return [*beside, *levels_of([self.groups, lower], UPPER, beside), RESPONSE]

    def rows(self, lines: Lines) -> Iterator[TableRow]:
        """The rows of *lines* below the names, once for each answer."""
        below = (row for row in lines if row[0] > self.line)
        first = next(below, None)
        if first is not None and (named := self._named_by(first[1])):
            # pandas writes the names of its index in a row of their own.
            yield from named.rows(below)
            return
        head = self.head()
        for line, filled in below if first is None else chain([first], below):
            cells = filled + [""] * (self.width - len(filled))
            if any(cells[: self.width]):
                beside = [cells[place] for place in self.beside]
                for told in self._told(cells):
                    yield TableRow(line, dict(zip(head, [*beside, *told], strict=True)))

    def _told(self, cells: Sequence[str]) -> Iterator[list[str]]:
        numbers = REPEAT in self.head()
        for upper, columns in self.groups.items():
            if self.tells_fields:
                yield [upper, *(cells[place] for place in columns.values())]
                continue
            for number, (lower, place) in enumerate(columns.items()):
                yield [upper, str(number) if numbers else lower, cells[place]]

    def _named_by(self, cells: Sequence[str]) -> "TwoHeads | None":
        named = {place: cells[place].strip() for place in self.beside if place < len(cells) and cells[place].strip()}
        answers = [place for columns in self.groups.values() for place in columns.values()]
        if not named or any(self.beside[place] for place in named) or any(cells[p] for p in answers if p < len(cells)):
            return None
        return replace(self, beside={**self.beside, **named})


def two_heads(begin: Sequence[tuple[int, list[str]]], start: TableReading) -> TwoHeads | None:
    """The two rows of names that the table of *begin* has; None where it has one."""
    head = next((line for line, _ in start.from_head(begin)), 0)
    for (above, upper), (line, lower) in pairwise(begin):
        if head in (above, line) and start.head in (0, above) and (found := _of(upper, lower, line)):
            return found
    return None


def _of(upper: Sequence[str], lower: Sequence[str], line: int) -> TwoHeads | None:
    width = max(len(upper), len(lower))
    above, below = ([cell.strip() for cell in row] + [""] * (width - len(row)) for row in (upper, lower))
    beside: dict[int, str] = {}
    groups: dict[str, dict[str, int]] = {}
    over = ""
    for place, (high, low) in enumerate(zip(above, below, strict=True)):
        if max(len(low), len(high)) > _LONGEST * 4 or len(low) > _LONGEST:
            return None
        if not low or high == low:
            beside[place], over = high, ""
        elif not high and not over:
            beside[place] = low
        else:
            over = high or over
            if low in groups.setdefault(over, {}):
                return None
            groups[over][low] = place
    if len(groups) < _LEAST:
        return None
    first, last = next(iter(groups.values())), list(groups.values())[-1]
    # What follows the last group has no upper name either.
    beside |= {last.pop(name): name for name in [*last] if name not in first}
    found = TwoHeads(line=line, width=width, beside=beside, groups=groups)
    if any(columns.keys() != first.keys() for columns in groups.values()):
        return None
    names = [name.lower() for name in beside.values()]
    if (len(first) < _LEAST and not found.tells_fields) or not _ANSWERS.isdisjoint(names) or not beside:
        return None
    return found if len(set(names)) == len(names) else None


def model_columns(names: Sequence[str]) -> dict[str, str]:
    """The names among those of a table's columns that are models', by how rows have them; empty where a column says
    who answered or what, and where fewer than two do."""
    keys = [name.strip().lstrip("\ufeff").lower() for name in names]
    if (
        {MODEL, *CALLED_MODEL, *_ANSWERS} & {*keys}
        or any(key.endswith(RESPONSE) for key in keys)
        or arena.is_table(keys)
    ):
        return {}
    apart = zip(names, tables.told_apart(keys), strict=True)
    found = {key: name.strip().lstrip("\ufeff") for name, key in apart if is_model(name)}
    alone = all(not any(key != each and key.startswith(each) for key in keys if key not in found) for each in found)
    return found if _LEAST <= len(found) < len(keys) and alone else {}


def rows_below(lines: Lines, columns: Columns, start: TableReading, *, ragged: bool = False) -> Iterator[TableRow]:
    """The rows of a table that begins among *lines*, a row for each answer where it is not said which *columns* are
    needed or hold answers; rows that are *ragged* end where nothing follows. Raises `UserError`."""
    apart = not columns.required and not start.apart
    lines = dropwhile(lambda row: not any(row[1]), lines)
    begin = list(islice(lines, LOOKED_AT))
    if apart and (heads := two_heads(begin, start)):
        yield from heads.rows(chain(begin, lines))
        return
    rows = start.from_head(chain(begin, lines))
    head = next(rows, (0, []))
    models = model_columns(head[1]) if apart else {}
    for row in tables.under_header(chain([head], _filled(rows, len(head[1])) if ragged else rows), columns):
        yield from each_model(row, models)


def _filled(rows: Lines, width: int) -> Iterator[tuple[int, list[str]]]:
    """*rows* as wide as their head."""
    for number, cells in rows:
        # What has no value beside the table is none of its cells.
        while len(cells) > width and not cells[-1]:
            cells.pop()
        yield number, cells + [""] * (width - len(cells))


def each_model(row: TableRow, models: dict[str, str]) -> Iterator[TableRow]:
    """*row* once for each of its columns that are *models*."""
    if row.left_out or not models:
        yield row
        return
    beside = {name: text for name, text in row.values.items() if name not in models}
    for column, title in models.items():
        yield replace(row, values={**beside, MODEL: title, RESPONSE: row.values.get(column, "")})
