"""Rows with their steps back as plain data, and read again from an audit that may be anybody's."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from gpf_desktop.ui.widgets.editable_table import EditableRows, TableStep, TextRow, note_behind

MOST_STEPS: Final = 200
MOST_CHARACTERS: Final = 2_000_000
"""Of the steps back together; those further back are not kept."""


def made_of(rows: EditableRows) -> Callable[[], object]:
    """Makes plain data of what *rows* hold now, on any thread: rows and steps are never changed in place."""
    columns, held, steps, index = rows.columns, rows.rows, rows.history(), rows.steps.index()
    note = rows.first_note

    def made() -> object:
        # From what is there backwards: where room ends, the oldest steps are what is lost.
        first = _affordable(steps[:index][::-1])
        near = steps[index - first :]
        ahead = _affordable(near[first:])
        return {
            "columns": columns,
            "rows": held,
            "steps": [
                (each.words, each.at, each.gone, each.come, each.columns, each.note) for each in near[: first + ahead]
            ],
            "index": first,
            "note": note_behind(steps[: index - first], note),
        }

    return made


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldRows:
    """Rows and steps that `made_of` made, read and found to fit together."""

    columns: TextRow
    rows: tuple[TextRow, ...]
    steps: tuple[TableStep, ...]
    index: int
    """How many of *steps* led to *rows*; the others were taken back."""
    note: TextRow
    """What was said before the first of *steps*."""

    @classmethod
    def of(cls, data: Any) -> "HeldRows":
        """Raises `ValueError`, `TypeError` or `LookupError` where *data* is none of ours. Blocks for long tables."""
        columns = _row(data["columns"])
        held = _rows(data["rows"], len(columns))
        steps = tuple(
            TableStep(str(words), _whole(at), _rows(gone), _rows(come), (_row(before), _row(after)), *map(_row, note))
            for words, at, gone, come, (before, after), *note in data["steps"]
        )
        index = _whole(data["index"])
        # Steps go by place: one of a damaged or foreign file that does not fit would take other rows away when undone.
        if not columns or index > len(steps) or not _lead(steps, index, columns, held):
            raise ValueError("steps lead elsewhere")
        return cls(columns=columns, rows=held, steps=steps, index=index, note=_row(data.get("note", [])))


def _lead(steps: Sequence[TableStep], index: int, columns: TextRow, rows: tuple[TextRow, ...]) -> bool:
    """Whether each step back and forth fits what stands there then."""
    for order, back in ((steps[:index][::-1], True), (steps[index:], False)):
        names, there = columns, rows
        for step in order:
            now, then = (step.come, step.gone) if back else (step.gone, step.come)
            if names != step.columns[back] or there[step.at : step.at + len(now)] != now:
                return False
            names = step.columns[not back]
            there = step.taken_from(there) if back else step.done_to(there)
            if any(len(row) != len(names) for row in then):
                return False
    return True


def _affordable(steps: Sequence[TableStep]) -> int:
    """How many of *steps*, from the first on, are kept."""
    left = MOST_CHARACTERS
    for number, step in enumerate(islice(steps, MOST_STEPS)):
        left -= sum(len(cell) for part in (step.gone, step.come) for row in part for cell in row)
        if left < 0:
            return number
    return min(len(steps), MOST_STEPS)


def _rows(data: Any, width: int | None = None) -> tuple[TextRow, ...]:
    rows = tuple(_row(each) for each in _listed(data))
    if width is not None and any(len(row) != width for row in rows):
        raise ValueError("rows are not as long as their header")
    return rows


def _row(data: Any) -> TextRow:
    return tuple(str(each) for each in _listed(data))


def _listed(data: Any) -> list[Any]:
    if not isinstance(data, list):
        raise TypeError("no list")
    return data


def _whole(data: Any) -> int:
    if isinstance(data, bool) or not isinstance(data, int) or data < 0:
        raise ValueError("no whole number")
    return data
