import sqlite3
from collections.abc import Iterable

from gpf_desktop.domain.scores import UnitKind


def bundle_values(connection: sqlite3.Connection, setting_id: int, names: Iterable[str]) -> list[tuple[object, ...]]:
    """One row per bundle scored under a setting: its id, then the value of each of *names* (None: unavailable)."""
    names = tuple(names)
    # A unit has one row of a name at most, which `max` picks out: one sweep makes a table, without a join for each
    # name.
    picked = ", ".join("max(CASE WHEN name = ? THEN value END)" for _ in names)
    return connection.execute(
        f"SELECT unit_id, {picked} FROM score WHERE setting_id = ? AND unit_kind = ? GROUP BY unit_id",
        (*names, setting_id, UnitKind.BUNDLE),
    ).fetchall()
