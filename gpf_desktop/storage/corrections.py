"""Categories of answers as people corrected them, in place of those that a scorer gave.

Read from the sealed entries alone: of what several people said of one answer, the last holds.
"""

import json
import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from gpf_desktop.domain.coordinates import Coordinates
from gpf_desktop.domain.ids import BundleId, FitGroupId
from gpf_desktop.domain.reviews import Correction, judgement_from_json
from gpf_desktop.storage import stored
from gpf_desktop.storage.times import as_moment


@dataclass(frozen=True, slots=True, kw_only=True)
class Corrected:
    """How one answer was corrected, and by whom."""

    bundle_id: BundleId
    reviewer: str
    reason: str
    at: datetime
    by_measure: Mapping[str, Correction] = field(default_factory=dict)

    @property
    def categories(self) -> dict[str, str]:
        """The corrected category of the answer, by measure."""
        return {name: each.category for name, each in self.by_measure.items()}


_ENTRIES = (
    "SELECT e.bundle_id, r.name, e.reason, e.at, e.judgement FROM review_entry e"
    " JOIN reviewer r ON r.id = e.reviewer_id WHERE e.action = 'correct'"
)


def every(connection: sqlite3.Connection, method: str | None = None) -> dict[int, Corrected]:
    """The corrections by cell, in the order in which cells were first corrected; of the runs of *method* (None: of
    all)."""
    return _standing(
        connection.execute(
            f"{_ENTRIES} AND (?1 IS NULL OR e.bundle_id IN (SELECT b.id FROM bundle b JOIN run r ON r.id = b.run_id"
            " WHERE r.method = ?1 AND b.id = e.bundle_id)) ORDER BY e.at, e.id",
            (method,),
        )
    )


def of_group(connection: sqlite3.Connection, group: FitGroupId) -> dict[int, Corrected]:
    """The corrections of the answers that share a fit, by cell."""
    return _standing(
        connection.execute(
            f"{_ENTRIES} AND e.bundle_id IN (SELECT id FROM bundle WHERE fit_group_id = ?) ORDER BY e.at, e.id",
            (group,),
        )
    )


def of_bundle(connection: sqlite3.Connection, bundle_id: BundleId) -> dict[int, Corrected]:
    return _standing(connection.execute(f"{_ENTRIES} AND e.bundle_id = ? ORDER BY e.at, e.id", (bundle_id,)))


def standing(
    connection: sqlite3.Connection, bundle_id: BundleId, wanted: Iterable[Correction]
) -> tuple[Correction, ...]:
    """The corrections that stand for the answers and measures of *wanted*; an empty category where the rules do."""
    found = of_bundle(connection, bundle_id)
    nobody = Corrected(bundle_id=bundle_id, reviewer="", reason="", at=datetime.now(UTC))
    return tuple(
        found.get(each.cell_id, nobody).by_measure.get(each.measure, replace(each, category="")) for each in wanted
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectedPlace:
    """The model, the item and the coordinates of a corrected answer."""

    model: str
    synthetic: bool
    item: str
    coordinates: Coordinates
    """On the factors that vary in its bundle."""


def places(connection: sqlite3.Connection, cells: Iterable[int]) -> dict[int, CorrectedPlace]:
    rows = connection.execute(
        "SELECT c.id, m.label, m.synthetic, i.key, x.text FROM json_each(?) j JOIN cell c ON c.id = j.value"
        " JOIN model m ON m.id = c.model_id JOIN item i ON i.id = c.item_id"
        " JOIN coordinate_set x ON x.id = c.coordinates_id",
        (json.dumps(list(cells)),),
    )
    return {
        cell: CorrectedPlace(model=model, synthetic=bool(synthetic), item=item, coordinates=stored.coordinates(text))
        for cell, model, synthetic, item, text in rows
    }


def _standing(rows: sqlite3.Cursor) -> dict[int, Corrected]:
    found: dict[int, Corrected] = {}
    for bundle_id, reviewer, reason, at, judgement in rows:
        for each in judgement_from_json(judgement).corrections:
            before = found[each.cell_id].by_measure if each.cell_id in found else {}
            kept = {name: one for name, one in before.items() if name != each.measure}
            # An empty category takes a correction back: the rules hold again.
            if each.category:
                kept[each.measure] = each
            found[each.cell_id] = Corrected(
                bundle_id=BundleId(bundle_id), reviewer=reviewer, reason=reason, at=as_moment(at), by_measure=kept
            )
    return {cell: each for cell, each in found.items() if each.by_measure}
