"""How many bundles were assessed without a number to show for it."""

import sqlite3

from gpf_desktop.domain.ids import FitGroupId, RunId
from gpf_desktop.domain.scores import VALID, UnitKind


def without_numbers(connection: sqlite3.Connection, run_id: RunId, setting_id: int) -> dict[FitGroupId, int]:
    """Fit group of a run → bundles in which every score of a setting, of answers too, is unavailable.

    Groups without such bundles are left out.
    """
    rows = connection.execute(
        "SELECT b.fit_group_id, count(*) FROM bundle b WHERE b.run_id = ?"
        " AND EXISTS (SELECT 1 FROM score s WHERE s.setting_id = ? AND s.unit_kind = ? AND s.unit_id = b.id"
        " AND s.name = ?)"
        " AND NOT EXISTS (SELECT 1 FROM score s WHERE s.setting_id = ? AND s.unit_kind = ? AND s.unit_id = b.id"
        " AND s.name <> ? AND s.unavailable IS NULL)"
        # Of one answer nothing is told apart, yet it may have scores of its own.
        " AND NOT EXISTS (SELECT 1 FROM cell c JOIN score s ON s.setting_id = ? AND s.unit_kind = ?"
        " AND s.unit_id = c.id AND s.unavailable IS NULL WHERE c.bundle_id = b.id)"
        " GROUP BY b.fit_group_id",
        (run_id, *(setting_id, UnitKind.BUNDLE, VALID) * 2, setting_id, UnitKind.ANSWER),
    )
    return {FitGroupId(group): n for group, n in rows}
