"""Takes a run out of the file, with everything that was asked and answered in it."""

import sqlite3
from math import isfinite
from typing import Final

from gpf_desktop.domain.ids import RunId
from gpf_desktop.storage import audits, models, moving_texts, registrations, used_numbers

_SPENT: Final = "microdollars of deleted runs"
_UNPRICED: Final = "price unknown in deleted runs"
_CELLS = "SELECT id FROM cell WHERE run_id = :run"
_BUNDLES = "SELECT id FROM bundle WHERE run_id = :run"
_GROUPS = "SELECT id FROM fit_group WHERE run_id = :run"
# By its settings, so that the table's own key finds the rows.
_SCORES = "DELETE FROM score WHERE setting_id IN (SELECT id FROM score_setting)"

# What refers goes before what it refers to: foreign keys are checked statement by statement.
_DELETIONS = (
    f"DELETE FROM cell_vector WHERE cell_id IN ({_CELLS})",
    # Cells of other runs may share a vector; only those that nobody has any more go.
    "DELETE FROM vector WHERE id NOT IN (SELECT vector_id FROM cell_vector)",
    f"DELETE FROM exchange WHERE cell_id IN ({_CELLS})",
    f"DELETE FROM flag WHERE cell_id IN ({_CELLS})",
    f"DELETE FROM response WHERE cell_id IN ({_CELLS})",
    f"DELETE FROM call WHERE cell_id IN ({_CELLS})",
    f"DELETE FROM batch_job_cell WHERE cell_id IN ({_CELLS})",
    "DELETE FROM batch_job WHERE run_id = :run",
    f"{_SCORES} AND unit_kind = 'bundle' AND unit_id IN ({_BUNDLES})",
    f"{_SCORES} AND unit_kind = 'answer' AND unit_id IN ({_CELLS})",
    # A pair is its first cell × 2³¹ + its second one.
    f"{_SCORES} AND unit_kind = 'pair' AND unit_id >> 31 IN ({_CELLS})",
    f"DELETE FROM score_basis WHERE fit_group_id IN ({_GROUPS})",
    "DELETE FROM score_edition WHERE run_id = :run",
    "DELETE FROM run_table WHERE run_id = :run",
    f"DELETE FROM review_draft WHERE bundle_id IN ({_BUNDLES})",
    # Steps of drafts: what they could undo goes with the drafts.
    f"DELETE FROM review_step_part WHERE bundle_id IN ({_BUNDLES})",
    f"DELETE FROM review_step WHERE bundle_id IN ({_BUNDLES})",
    "UPDATE cell SET parent_cell_id = NULL WHERE run_id = :run AND parent_cell_id IS NOT NULL",
    "DELETE FROM cell WHERE run_id = :run",
    "DELETE FROM bundle WHERE run_id = :run",
    "DELETE FROM fit_group WHERE run_id = :run",
    "DELETE FROM run_note WHERE run_id = :run",
    "DELETE FROM run_model WHERE run_id = :run",
)


def bundles_read(connection: sqlite3.Connection, run_id: RunId) -> int:
    """Bundles of a run about which a reviewer's entries are sealed: a chain that nothing may be taken out of."""
    return int(
        connection.execute(
            "SELECT count(DISTINCT e.bundle_id) FROM review_entry e JOIN bundle b ON b.id = e.bundle_id"
            " WHERE b.run_id = ?",
            (run_id,),
        ).fetchone()[0]
    )


def delete(connection: sqlite3.Connection, run_id: RunId) -> None:
    """Delete a run that no reviewer's entry speaks of. Items of a batch that no other run has are unused again."""
    used_numbers.keep(connection)
    registrations.remember_asked(connection, run_id)
    moving_texts.forget(connection, run_id)
    _keep_spent(connection, run_id)
    batch_id = connection.execute("SELECT batch_id FROM run WHERE id = ?", (run_id,)).fetchone()[0]
    for statement in _DELETIONS:
        connection.execute(statement, {"run": run_id})
    connection.execute("DELETE FROM run WHERE id = ?", (run_id,))
    if not connection.execute("SELECT 1 FROM run WHERE batch_id = ?", (batch_id,)).fetchone():
        connection.execute(
            "UPDATE item SET batch_id = (SELECT min(x.batch_id) FROM batch_item x WHERE x.item_id = item.id"
            " AND x.batch_id <> :batch) WHERE batch_id = :batch",
            {"batch": batch_id},
        )
        connection.execute("DELETE FROM batch_item WHERE batch_id = ?", (batch_id,))
        connection.execute("DELETE FROM batch WHERE id = ?", (batch_id,))


def dollars(connection: sqlite3.Connection) -> float:
    """US dollars that the calls of deleted runs had cost: what is spent stays spent."""
    try:
        kept = float(audits.setting(connection, _SPENT, "0")) / 1e6
    except ValueError:
        # In a file from elsewhere anything may stand here.
        return 0.0
    return kept if isfinite(kept) and kept > 0 else 0.0


def unpriced(connection: sqlite3.Connection) -> bool:
    """Whether a deleted run had asked a model whose price was unknown."""
    return bool(audits.setting(connection, _UNPRICED))


def _keep_spent(connection: sqlite3.Connection, run_id: RunId) -> None:
    calls, spent = connection.execute(
        "SELECT count(*), total(k.microdollars) FROM cell c JOIN call k ON k.cell_id = c.id WHERE c.run_id = ?",
        (run_id,),
    ).fetchone()
    if spent:
        audits.set_setting(connection, _SPENT, repr(1e6 * dollars(connection) + spent))
    if calls and models.unpriced(connection, run_id):
        audits.set_setting(connection, _UNPRICED, "yes")
