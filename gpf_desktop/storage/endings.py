"""How every cell of a method's runs ended, in columns and without its text: what tables of choices are made of."""

import sqlite3
from dataclasses import dataclass

from gpf_desktop.domain.items import StudyItem
from gpf_desktop.domain.scores import UnitKind
from gpf_desktop.storage.batches import study_item

ENDING_COLUMNS = (
    "cell_id",
    "run_id",
    "batch_id",
    "bundle_id",
    "model_id",
    "item_id",
    "fixed",
    "varying",
    "repeat",
    "stage",
    "missing",
    "category",
)
"""*fixed* and *varying* are numbers of coordinate sets; *missing* is empty for an answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredEndings:
    """Rows in the order planned, and what their numbers stand for."""

    rows: list[tuple[object, ...]]
    """Of `ENDING_COLUMNS`."""
    models: dict[int, tuple[str, bool]]
    """(label, synthetic)."""
    items: dict[tuple[int, int], StudyItem]
    """By batch and item, without their texts."""


def of_method(connection: sqlite3.Connection, method: str, setting_id: int, measure: str) -> StoredEndings:
    """The endings of every cell of a method's runs that has ended; *measure* is one of answers that has categories.

    Reads no page that holds an answer: why one is missing stands in an index.
    """
    rows = connection.execute(
        "SELECT c.id, c.run_id, r.batch_id, c.bundle_id, c.model_id, c.item_id, b.coordinates_id, c.coordinates_id,"
        " c.repeat, c.stage, coalesce(p.missing, ''), s.category"
        " FROM run r CROSS JOIN cell c ON c.run_id = r.id JOIN bundle b ON b.id = c.bundle_id"
        " JOIN response p INDEXED BY response_facts ON p.cell_id = c.id"
        " LEFT JOIN score s ON s.setting_id = ? AND s.unit_kind = ? AND s.unit_id = c.id AND s.name = ?"
        " WHERE r.method = ? AND c.state IN ('answered', 'missing') ORDER BY c.id",
        (setting_id, UnitKind.ANSWER, measure, method),
    ).fetchall()
    models = connection.execute("SELECT id, label, synthetic FROM model")
    items = connection.execute(
        "SELECT t.batch_id, t.item_id, i.kind, i.key, t.title, '', t.stratum, t.data FROM batch_item t"
        " JOIN item i ON i.id = t.item_id WHERE t.batch_id IN (SELECT batch_id FROM run WHERE method = ?)",
        (method,),
    )
    return StoredEndings(
        rows=rows,
        models={number: (label, bool(synthetic)) for number, label, synthetic in models},
        items={(batch, item): study_item(*frozen) for batch, item, *frozen in items},
    )
