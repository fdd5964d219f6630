"""Rows of the queue tell of leakage only where an answer speaks of a reader of its own bundle."""

from pathlib import Path

import pytest

from gpf_desktop.domain.review_queue import QueueOrder
from gpf_desktop.engine.engine import Engine
from gpf_desktop.storage.audit_file import AuditFile
from tests.support.filled_audit import fill


@pytest.mark.parametrize(
    ("detail", "badge"),
    [
        ("Student: students", False),
        ("Student: students; Veteran: veterans", False),
        ("Hindu: Hindus", True),
        ("Student: students; Hindu: Hindus", True),
        ("Other Hindu: Hindus", False),
    ],
)
def test_that_only_leakage_within_the_bundles_own_dimension_is_a_badge(
    tmp_path: Path, detail: str, badge: bool
) -> None:
    path = tmp_path / "audit.gpf"
    audit = AuditFile.create(path, title="Evening news")
    fill(audit, models_asked=("neutral",), dimensions=("Religion",), families=("Impact",))

    def flag(connection) -> int:  # type: ignore[no-untyped-def]
        cell, bundle = connection.execute(
            "SELECT c.id, c.bundle_id FROM cell c JOIN coordinate_set x ON x.id = c.coordinates_id"
            " JOIN bundle b ON b.id = c.bundle_id WHERE x.text LIKE '%Muslim%' AND b.arm = 'main' LIMIT 1"
        ).fetchone()
        connection.execute("DELETE FROM flag WHERE name = 'leakage'")
        connection.execute("INSERT INTO flag (cell_id, name, detail) VALUES (?, 'leakage', ?)", (cell, detail))
        return int(bundle)

    bundle = audit.write(flag).result()
    audit.close()
    engine = Engine(lambda _event: None)
    try:
        (row,) = engine.open(path).reviews.rows([bundle], QueueOrder())
        assert bool(row.leakage) is badge
    finally:
        engine.close()
