"""Sets of coordinates: an audit has some hundreds, whatever the number of its cells, so rows hold their numbers."""

import sqlite3
from collections.abc import Mapping
from functools import lru_cache

from gpf_desktop.domain.cells import Grouping
from gpf_desktop.domain.coordinates import Coordinates
from gpf_desktop.storage import stored


def number_of(connection: sqlite3.Connection, coordinates: Coordinates) -> int:
    """The number of *coordinates*, stored now if they are new."""
    text = coordinates.text()
    row = connection.execute("SELECT id FROM coordinate_set WHERE text = ?", (text,)).fetchone()
    if row is not None:
        return int(row[0])
    number = connection.execute("INSERT INTO coordinate_set (text) VALUES (?)", (text,)).lastrowid or 0
    connection.executemany(
        "INSERT INTO coordinate (set_id, factor, level) VALUES (?, ?, ?)",
        [(number, factor, level) for factor, level in coordinates],
    )
    return number


class CoordinateNumbers(dict[Coordinates, int]):
    """The numbers of sets that are asked for many times while rows are written."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        super().__init__()
        self._connection = connection

    def __missing__(self, coordinates: Coordinates) -> int:
        number = self[coordinates] = number_of(self._connection, coordinates)
        return number


class PartNumbers(dict[Coordinates, tuple[int, int]]):
    """(number of those held by *grouping*, number of those that vary in it) of coordinates, each taken apart once:
    the cells of a large round share some hundred."""

    def __init__(self, connection: sqlite3.Connection, grouping: Grouping) -> None:
        super().__init__()
        self._numbers = CoordinateNumbers(connection)
        self._grouping = grouping

    def __missing__(self, coordinates: Coordinates) -> tuple[int, int]:
        held, inside = self._grouping.held(coordinates), self._grouping.inside(coordinates)
        parts = self[coordinates] = self._numbers[held], self._numbers[inside]
        return parts


def every(connection: sqlite3.Connection) -> Mapping[int, Coordinates]:
    """All sets of coordinates by number."""
    rows = connection.execute("SELECT id, text FROM coordinate_set")
    return {number: stored.coordinates(text) for number, text in rows}


SETS = " JOIN coordinate_set x ON x.id = b.coordinates_id JOIN coordinate_set y ON y.id = c.coordinates_id"
"""SQL: the sets that a bundle b holds fixed (x), and that its cell c has within it (y)."""
COORDINATES = "x.text || char(10) || y.text AS coordinates"
"""SQL: both, as `stored.joined_coordinates` takes them."""
LABEL = (
    "(SELECT text FROM coordinate_set WHERE id = c.coordinates_id), iif(b.model_id IS NULL, m.label, ''),"
    " iif(b.item_id IS NULL, (SELECT (t.position + 1) || '. ' || t.title FROM run r JOIN batch_item t"
    " ON t.batch_id = r.batch_id AND t.item_id = c.item_id WHERE r.id = b.run_id), '')"
)
"""SQL: what `label` takes, of a cell c, its bundle b and its model m."""


@lru_cache(maxsize=4096)
def label(varying: str, model: str, item: str) -> str:
    """The words that tell the answers of a bundle apart: model and item where they vary in it, and
    the levels that do."""
    levels = (level for _, level in stored.coordinates(varying))
    return " · ".join(word for word in (model, item, *levels) if word)
