"""How the cells of an audit ended, counted for the coverage and refusal tables.

Answers are long and many, so their rows are not touched: what is missing is looked up for missing cells alone, and
what is cut or refuses in words is read from the flags. Counts of a run are kept until one of its cells changes.
"""

import io
import json
import sqlite3
import zlib
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from zipfile import BadZipFile

from gpf_desktop.domain.coordinates import Coordinates
from gpf_desktop.storage import coordinate_sets, run_tables
from gpf_desktop.storage.run_tables import CELLS, DECIDED, Beside, RunTable, nowhere

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.generic]
else:
    Array = Any

CELL_COUNTS: Final = ("n", "worded_refusals", "truncated")
DECIDED_COUNTS: Final = ("decided", "refused", "worded_refusals")
_CELL_COLUMNS: Final = ("model_id", "stratum", "arm", "fixed", "varying", "repeated", "reason", *CELL_COUNTS)
_DECIDED_COLUMNS: Final = ("model_id", "stratum", "article_id", "fixed", "varying", *DECIDED_COUNTS)
_WORDS: Final = frozenset({"stratum", "arm", "reason"})

Row = tuple[object, ...]
FROM_CELLS = (
    " JOIN bundle b ON b.id = c.bundle_id JOIN run r ON r.id = c.run_id"
    " JOIN batch_item t ON t.batch_id = r.batch_id AND t.item_id = c.item_id"
)
SETS = "b.coordinates_id, c.coordinates_id"


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedCells:
    """One row per combination that occurs of all columns but the counts; as columns of one length, for in a large audit
    they are a million rows."""

    numbers: Mapping[str, Array]
    """``run_id batch_id model_id fixed varying``, the coordinates of a bundle and of a cell within it; what else is
    counted apart; the counts."""
    words: Mapping[str, tuple[tuple[str, ...], Array]]
    """The words that occur, and each row's place among them."""
    counts: tuple[str, ...]
    models: Mapping[int, tuple[str, str, bool]]
    """(``provider/model``, vendor, synthetic) by id."""
    sets: Mapping[int, Coordinates]
    """What *fixed* and *varying* stand for."""
    read: tuple[RunTable, ...] = ()
    """What had to be counted, to be kept for the next time."""


def cell_counts(
    connection: sqlite3.Connection,
    refusal_flag: str,
    truncated_flag: str,
    unread_flag: str,
    only: Collection[int] | None = None,
    beside: Beside = nowhere,
) -> CountedCells:
    """How cells ended; of the bundles *only*, where they are given, and then nothing of it is to be kept.

    *refusal_flag* and *truncated_flag* are the names of the flags that mark answers as such. What *unread_flag* marks
    is no answer that a score could rest on: its name is the reason.
    """
    key = f"c.model_id, t.stratum, b.arm, {SETS}, c.repeat > 0"
    unread = "SELECT 1 FROM flag f WHERE f.cell_id = c.id AND f.name = ?1"
    states = f"CASE WHEN c.state <> 'answered' THEN 'not yet run' WHEN EXISTS ({unread}) THEN ?1 ELSE '' END"
    missing = f"SELECT {key}, p.missing, count(*) FROM cell c{FROM_CELLS} JOIN response p ON p.cell_id = c.id"
    flagged = (
        # From the run's cells to their flags, not from every flag of the audit to its cell.
        f"SELECT {key}, '', count(*) FROM cell c{FROM_CELLS} JOIN flag f ON f.cell_id = c.id AND f.name = ?"
        " WHERE c.state = 'answered'"
    )

    def count(run_id: int) -> list[Row]:
        tallies = _Tallies(connection, run_id, only)
        there = f"SELECT {key}, {states}, count(*) FROM cell c{FROM_CELLS} WHERE c.state <> 'missing'"
        tallies.add(0, there, f"{key}, {states}", (unread_flag,))
        tallies.add(0, f"{missing} WHERE c.state = 'missing'", f"{key}, p.missing")
        for place, flag in enumerate((refusal_flag, truncated_flag), start=1):
            tallies.add(place, flagged, key, (flag,))
        return tallies.rows()

    return counted_by_run(connection, CELLS, _CELL_COLUMNS, CELL_COUNTS, count, only, beside=beside)


def decided_counts(
    connection: sqlite3.Connection,
    refusal_flag: str,
    only: Collection[int] | None = None,
    beside: Beside = nowhere,
) -> CountedCells:
    """Counts of the cells that their model decided, answered or refused, by item and coordinates."""
    key = f"c.model_id, t.stratum, c.item_id, {SETS}"
    every = f"SELECT {key}, count(*) FROM cell c{FROM_CELLS}"
    refused = " JOIN response p ON p.cell_id = c.id AND p.missing = 'refused'"

    def count(run_id: int) -> list[Row]:
        tallies = _Tallies(connection, run_id, only)
        tallies.add(0, f"{every} WHERE c.state = 'answered'", key)
        # A refusal is a decision: it counts among the decided and among the refused.
        for place in (0, 1):
            tallies.add(place, f"{every}{refused} WHERE c.state = 'missing'", key)
        flags = f"{every} JOIN flag f ON f.cell_id = c.id AND f.name = ? WHERE c.state = 'answered'"
        tallies.add(2, flags, key, (refusal_flag,))
        return tallies.rows()

    return counted_by_run(connection, DECIDED, _DECIDED_COLUMNS, DECIDED_COUNTS, count, only, beside=beside)


class _Tallies:
    """Three counts per key, added up query by query over one run's cells."""

    def __init__(self, connection: sqlite3.Connection, run_id: int, only: Collection[int] | None) -> None:
        self._connection = connection
        self._within = " AND c.run_id = ?"
        self._values: tuple[object, ...] = (run_id,)
        if only is not None:
            self._within += " AND c.bundle_id IN (SELECT value FROM json_each(?))"
            self._values = (run_id, json.dumps(sorted(only)))
        self._counts: dict[Row, list[int]] = {}

    def add(self, place: int, query: str, groups: str, values: tuple[object, ...] = ()) -> None:
        rows = self._connection.execute(f"{query}{self._within} GROUP BY {groups}", (*values, *self._values))
        for *key, n in rows:
            self._counts.setdefault(tuple(key), [0, 0, 0])[place] += int(n)

    def rows(self) -> list[Row]:
        return [(*key, *counts) for key, counts in self._counts.items()]


def counted_by_run(
    connection: sqlite3.Connection,
    content: str,
    columns: Sequence[str],
    counts: tuple[str, ...],
    count: Callable[[int], list[Row]],
    only: Collection[int] | None,
    *,
    rules: str = "",
    beside: Beside = nowhere,
) -> CountedCells:
    """The counts that *count* makes of each run, unless they are kept in the audit or *beside* it, made by the same
    *rules*."""
    import numpy as np

    parts: list[dict[str, Array]] = []
    read: list[RunTable] = []
    with run_tables.one_moment(connection):
        now = run_tables.stamps(connection, content)
        kept = run_tables.kept(connection, content, now) if only is None else {}
        batch_of = dict(connection.execute("SELECT id, batch_id FROM run").fetchall())
        models = {
            row[0]: (row[1], row[2], bool(row[3]))
            for row in connection.execute(
                "SELECT id, label,"
                " coalesce(nullif(json_extract(endpoint, '$.vendor'), ''), provider), synthetic FROM model"
            )
        }
        for run_id, stamp in now.items():
            # The model's number stands for its names, two numbers for the coordinates, the run is known.
            # Names may change while the counts stand, so they are not among what is kept.
            part = _unpacked(kept.get(run_id, b""), columns, rules)
            if part is None and only is None:
                part = _unpacked(beside((content, run_id, stamp)), columns, rules)
            if part is None:
                part = _in_columns(count(run_id), columns)
                if only is None:
                    data = _packed(part, rules)
                    read.append(RunTable(run_id=run_id, content=content, stamp=stamp, data=data))
            rows = len(part[columns[0]])
            parts.append({**part, "run_id": np.full(rows, run_id), "batch_id": np.full(rows, batch_of[run_id])})
        sets = coordinate_sets.every(connection)
    whole = ("run_id", "batch_id", *(name for name in columns if name not in _WORDS))
    return CountedCells(
        numbers={name: np.concatenate([np.zeros(0, np.int32), *(part[name] for part in parts)]) for name in whole},
        words={name: _joined(name, parts) for name in columns if name in _WORDS},
        counts=counts,
        models=models,
        sets=sets,
        read=tuple(read),
    )


def counts_of(data: bytes) -> tuple[str, list[str]] | None:
    """The rules and the rows of a kept table of counts, in whatever order they were counted; None for no such table."""
    part = _arrays(data)
    if part is None:
        return None
    try:
        words = {name: part.pop(f"{name} words").tolist() for name in _WORDS.intersection(part)}
        rules = str(part.pop("rules"))
        columns = {
            name: [words[name][at] for at in column] if name in words else column.tolist()
            for name, column in sorted(part.items())
        }
        return rules, sorted(map(repr, zip(*columns.values(), strict=True)))
    except (KeyError, IndexError, TypeError, ValueError):
        return None


def _joined(name: str, parts: Sequence[Mapping[str, Array]]) -> tuple[tuple[str, ...], Array]:
    """Each run numbers its words by itself: here they get the numbers of all runs together."""
    import numpy as np

    every: dict[str, int] = {}
    places: list[Any] = [np.zeros(0, np.int32)]
    for part in parts:
        own = [every.setdefault(word, len(every)) for word in part[f"{name} words"].tolist()]
        places.append(np.array(own, np.int32)[part[name]] if own else places[0])
    return tuple(every), np.concatenate(places)


def _in_columns(rows: Sequence[Row], columns: Sequence[str]) -> dict[str, Array]:
    import numpy as np

    part: dict[str, Any] = {}
    for name, column in zip(columns, zip(*rows, strict=True) if rows else [()] * len(columns), strict=True):
        if name in _WORDS:
            every = {word: at for at, word in enumerate(dict.fromkeys(column))}
            part[f"{name} words"] = np.array(list(every), np.str_)
            part[name] = np.array([every[word] for word in column], np.int32)
        else:
            found: Any = np.array(column, np.int64)
            small = not len(found) or int(np.abs(found).max()) < 2**31
            part[name] = found.astype(np.int32) if small else found
    return part


def _packed(part: Mapping[str, Array], rules: str) -> bytes:
    import numpy as np

    file = io.BytesIO()
    np.savez_compressed(file, allow_pickle=False, rules=np.array(rules), **dict(part))
    return file.getvalue()


def _unpacked(data: bytes, columns: Sequence[str], rules: str) -> dict[str, Array] | None:
    """None for what is no such table, or one by other *rules*, which is then counted from its rows."""
    part = _arrays(data)
    if part is None or not {"rules", *columns} <= part.keys() or str(part.pop("rules")) != rules:
        return None
    rows = part[columns[0]].shape
    sound = all(part[name].dtype.kind == "i" and part[name].shape == rows and len(rows) == 1 for name in columns)
    for name in _WORDS.intersection(columns):
        words: Any = part.get(f"{name} words")
        sound = sound and words is not None and words.dtype.kind == "U" and words.ndim == 1
        sound = sound and bool(((part[name] >= 0) & (part[name] < len(words))).all())
    return part if sound else None


def _arrays(data: bytes) -> dict[str, Any] | None:
    import numpy as np

    if not data:
        return None
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as file:
            return dict(file)
    # What is damaged may be met by the reader of arrays, of the zip or of what is packed in it.
    except (OSError, ValueError, KeyError, EOFError, IndexError, RuntimeError, BadZipFile, zlib.error):
        return None
