"""Everything scored under one setting, column by column: what a table over a hundred thousand bundles is made from.

Run by run, from the table that was kept the last time where nothing has changed since, else from the rows.
"""

import io
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any, Final
from zipfile import BadZipFile

from gpf_desktop.domain.coordinates import Coordinates
from gpf_desktop.domain.scores import UnitKind
from gpf_desktop.storage import coordinate_sets, run_tables
from gpf_desktop.storage.run_tables import RunTable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.generic]
else:
    Array = Any

_NUMBERS: Final = ("bundle_id", "model_id", "article_id", "fit_group_id", "planned", "coordinates_id")
_ARM: Final = "arm"


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredBundles:
    """Bundles run by run, in the order of their ids; every column of one length."""

    columns: Mapping[str, Array]
    """``bundle_id run_id model_id article_id fit_group_id planned provisional``."""
    words: Mapping[str, tuple[tuple[str, ...], Array]]
    """``arm`` and every factor that bundles hold fixed: the words that occur, and each bundle's place among them."""
    values: Mapping[str, Array]
    """By the score's name; NaN: unavailable."""
    models: Mapping[int, tuple[str, str, bool]]
    """(``provider/model``, vendor, synthetic) by model id; minus a run's id stands for all of its models together."""
    batches: Mapping[int, int]
    """Batch id by run id."""
    articles: Mapping[tuple[int, int], tuple[str, str]]
    """(headline, stratum) by batch id and article id; 0 stands for all of its articles together."""
    read: tuple[RunTable, ...] = ()
    """What had to be made from rows, to be kept for the next time."""


def scored_bundles(connection: sqlite3.Connection, setting_id: int, names: Sequence[str]) -> ScoredBundles:
    """The bundles that have scores under the setting, with those called *names*."""
    content = run_tables.scores_of(setting_id)
    parts: list[tuple[int, dict[str, Array]]] = []
    read: list[RunTable] = []
    with run_tables.one_moment(connection):
        now = run_tables.stamps(connection, content)
        kept = run_tables.kept(connection, content, now)
        for run_id, stamp in now.items():
            part = _unpacked(kept[run_id]) if run_id in kept else None
            if part is None:
                part = _from_rows(connection, run_id, setting_id)
                read.append(RunTable(run_id=run_id, content=content, stamp=stamp, data=_packed(part)))
            parts.append((run_id, part))
        models = {
            row[0]: (row[1], row[2], bool(row[3]))
            for row in connection.execute(
                "SELECT id, label,"
                " coalesce(nullif(json_extract(endpoint, '$.vendor'), ''), provider), synthetic FROM model"
                " UNION ALL SELECT -run_id, '', '', max(synthetic) FROM run_model JOIN model ON model.id = model_id"
                " GROUP BY run_id"
            )
        }
        batches = dict(connection.execute("SELECT id, batch_id FROM run").fetchall())
        articles = {
            (row[0], row[1]): (row[2], row[3])
            for row in connection.execute(
                "SELECT batch_id, item_id, title, stratum FROM batch_item UNION ALL SELECT id, 0, '', '' FROM batch"
            )
        }
        sets = coordinate_sets.every(connection)
    columns, words, values = _joined(parts, names, sets)
    return ScoredBundles(
        columns=columns,
        words=words,
        values=values,
        models=models,
        batches=batches,
        articles=articles,
        read=tuple(read),
    )


def _joined(
    parts: Sequence[tuple[int, dict[str, Array]]], names: Sequence[str], sets: Mapping[int, Coordinates]
) -> tuple[dict[str, Array], dict[str, tuple[tuple[str, ...], Array]], dict[str, Array]]:
    import numpy as np

    def whole(found: list[Any], kind: Any) -> Any:
        return np.concatenate([np.zeros(0, kind), *found]).astype(kind, copy=False)

    columns = {name: whole([part[name] for _, part in parts], np.int64) for name in _NUMBERS}
    columns["run_id"] = whole([np.full(len(part["bundle_id"]), run_id) for run_id, part in parts], np.int64)
    columns["provisional"] = whole([part["provisional"] for _, part in parts], np.bool_)
    every: dict[str, int] = {}
    places = []
    for _, part in parts:
        # Each run numbers its arms by itself: here they get the numbers of all runs together.
        own = [every.setdefault(word, len(every)) for word in part["arms"].tolist()]
        places.append(np.array(own, np.int64)[part[_ARM]] if own else np.zeros(0, np.int64))
    words = {_ARM: (tuple(every), whole(places, np.int64)), **_levels(columns.pop("coordinates_id"), sets)}
    values = {}
    for name in names:
        found = []
        for _, part in parts:
            there = part["names"].tolist()
            none = np.full(len(part["bundle_id"]), np.nan)
            found.append(part["values"][:, there.index(name)] if name in there else none)
        values[name] = whole(found, np.float64)
    return columns, words, values


def _levels(numbers: Array, sets: Mapping[int, Coordinates]) -> dict[str, tuple[tuple[str, ...], Array]]:
    """The levels of each factor, and the place among them of the level of each of *numbers*, numbers of sets; "" where
    a set has none."""
    import numpy as np

    used, place = np.unique(numbers, return_inverse=True)
    found = [sets[int(number)] for number in used]
    words: dict[str, tuple[tuple[str, ...], Array]] = {}
    for factor in dict.fromkeys(name for coordinates in found for name, _ in coordinates):
        every: dict[str, int] = {}
        own = [every.setdefault(each.get(factor), len(every)) for each in found]
        words[factor] = tuple(every), np.array(own, np.int64)[place]
    return words


def _packed(part: Mapping[str, Array]) -> bytes:
    import numpy as np

    file = io.BytesIO()
    np.savez(file, allow_pickle=False, **dict(part))
    return file.getvalue()


def _unpacked(data: bytes) -> dict[str, Array] | None:
    """None for what is no such table, which is then read from its rows."""
    import numpy as np

    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as file:
            part: dict[str, Array] = dict(file)
    # A file that somebody else made may hold any bytes here.
    except (OSError, ValueError, KeyError, EOFError, BadZipFile):
        return None
    wanted = {*_NUMBERS, _ARM, "arms", "provisional", "names", "values"}
    return part if wanted <= part.keys() else None


def _from_rows(connection: sqlite3.Connection, run_id: int, setting_id: int) -> dict[str, Array]:
    import numpy as np

    rows = connection.execute(
        "SELECT id, coalesce(model_id, -run_id), coalesce(item_id, 0), fit_group_id, planned, coordinates_id, arm"
        " FROM bundle WHERE run_id = ? ORDER BY id",
        (run_id,),
    ).fetchall()
    ids = np.array([row[0] for row in rows], np.int64)
    # A range of ids in place of a join: scores stand in the order of their units, and so are read in one sweep.
    low, high = (rows[0][0], rows[-1][0]) if rows else (0, -1)
    units, names, values = _values(connection, setting_id, low, high)
    # Between the ids of a run there may be those of another.
    of_run = np.isin(units, ids)
    units, values = units[of_run], values[of_run]
    here = np.searchsorted(ids, units)
    # The arm comes behind the numbers, and is left out by the zip that is not strict.
    columns: list[Any] = list(zip(*rows, strict=True)) if rows else [()] * (len(_NUMBERS) + 1)
    part: dict[str, Any] = {
        name: np.array(column, np.int64)[here] for name, column in zip(_NUMBERS, columns, strict=False)
    }
    own = [columns[-1][at] for at in here.tolist()]
    every = {word: place for place, word in enumerate(dict.fromkeys(own))}
    part[_ARM] = np.array([every[word] for word in own], np.int32)
    part["arms"] = np.array(list(every), np.str_)
    provisional = connection.execute(
        "SELECT DISTINCT unit_id FROM score WHERE setting_id = ? AND unit_kind = ? AND unit_id BETWEEN ? AND ?"
        " AND provisional",
        (setting_id, UnitKind.BUNDLE, low, high),
    )
    open_ones = np.array([row[0] for row in provisional], np.int64)
    return {**part, "provisional": np.isin(units, open_ones), "names": np.array(names, np.str_), "values": values}


def _values(connection: sqlite3.Connection, setting_id: int, low: int, high: int) -> tuple[Any, tuple[str, ...], Any]:
    """Ids of the scored units *low* to *high*, ascending; the scores' names; values (units, names), NaN: unavailable.

    A scorer gives every unit of a setting the same names, so the primary key's order is a table; where it is not,
    values are put in place one by one.
    """
    import numpy as np

    within = "FROM score WHERE setting_id = ? AND unit_kind = ? AND unit_id BETWEEN ? AND ?"
    asked = (setting_id, UnitKind.BUNDLE, low, high)
    names = tuple(sorted(row[0] for row in connection.execute(f"SELECT DISTINCT name {within}", asked)))
    # Infinity stands for NULL on its way into the array: rows as a list of tuples would take three times as long.
    rows = connection.execute(f"SELECT unit_id, coalesce(value, 9e999) {within} ORDER BY unit_id, name", asked)
    # Ids pass through float64 too, which holds whole numbers exactly up to 2⁵³.
    flat = np.fromiter(chain.from_iterable(rows), np.float64)
    if not len(flat):
        return np.zeros(0, np.int64), (), np.zeros((0, 0))
    if len(flat) % (2 * len(names)) == 0:
        table = flat.reshape(-1, len(names), 2)
        units = table[:, 0, 0]
        if bool((table[:, :, 0] == units[:, None]).all() and (np.diff(units) > 0).all()):
            return units.astype(np.int64), names, np.where(np.isinf(table[:, :, 1]), np.nan, table[:, :, 1])
    loose = connection.execute(f"SELECT unit_id, name, value {within}", asked).fetchall()
    units = np.unique([row[0] for row in loose])
    values = np.full((len(units), len(names)), np.nan)
    place = {name: at for at, name in enumerate(names)}
    for unit, name, value in loose:
        if value is not None:
            values[np.searchsorted(units, unit), place[name]] = value
    return units, names, values
