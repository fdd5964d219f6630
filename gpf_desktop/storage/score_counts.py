"""How far the bundles of a run are scored."""

import sqlite3
from dataclasses import dataclass
from typing import Final

from gpf_desktop.domain.ids import FitGroupId, RunId
from gpf_desktop.domain.scores import VALID, UnitKind
from gpf_desktop.storage.rows import records

# Cells of an arm are all of one stage, so that one of them tells.
OF_ANSWERS: Final = "coalesce((SELECT max(stage) FROM cell WHERE bundle_id = min(bundle.id)), 0) = 0"
"""Of bundles grouped by run and arm: they hang on no others. What judges and embedders were asked is read with the
answers that it is about, and is no bundle of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupCount:
    """How far the bundles of answers of one fit group are scored."""

    group: FitGroupId
    planned: int
    scored: int
    """Those of which a score, of the bundle or of one of its answers, is a number or a category."""
    provisional: int


def by_group(connection: sqlite3.Connection, run_id: RunId, setting_id: int) -> list[GroupCount]:
    """Groups of judgements alone are left out."""
    rows = connection.execute(
        "WITH assessed AS (SELECT b.fit_group_id, v.provisional, v.unit_id IS NOT NULL AND ("
        " EXISTS (SELECT 1 FROM score s WHERE s.setting_id = v.setting_id AND s.unit_kind = v.unit_kind"
        " AND s.unit_id = b.id AND s.name <> v.name AND s.unavailable IS NULL)"
        # Of one answer nothing is told apart, yet it may have scores of its own. CROSS keeps the cells first: SQLite
        # would go through every answer's score for each bundle, minutes at the end of 317,000 answers.
        " OR EXISTS (SELECT 1 FROM cell c CROSS JOIN score s ON s.setting_id = v.setting_id AND s.unit_kind = ?"
        " AND s.unit_id = c.id AND s.unavailable IS NULL WHERE c.bundle_id = b.id)) AS told"
        " FROM bundle b LEFT JOIN score v ON v.setting_id = ? AND v.unit_kind = ? AND v.unit_id = b.id AND v.name = ?"
        " WHERE b.run_id = ? AND b.arm IN"
        f" (SELECT arm FROM bundle WHERE run_id = ? GROUP BY arm HAVING {OF_ANSWERS}))"
        ' SELECT fit_group_id AS "group", count(*) AS planned, sum(told) AS scored,'
        " coalesce(sum(told AND provisional), 0) AS provisional FROM assessed GROUP BY fit_group_id",
        (UnitKind.ANSWER, setting_id, UnitKind.BUNDLE, VALID, run_id, run_id),
    )
    return records(GroupCount, rows)
