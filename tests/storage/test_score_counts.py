"""How far a run's bundles are scored, and what counting it takes."""

import sqlite3
from contextlib import closing
from pathlib import Path

from gpf_desktop.domain.scores import VALID, UnitKind
from gpf_desktop.storage import score_counts, scores
from gpf_desktop.storage.audit_file import AuditFile
from tests.storage import rows


def scored_by_answer(c: sqlite3.Connection, bundles: int) -> tuple[int, int]:
    """A run of so many bundles, of which nothing but their answers' choices is told; itself, and the setting."""
    run = rows.run(c)
    cells = rows.planned(c, run, *(rows.factors("A", family=f"family {number}") for number in range(bundles)))
    setting = scores.setting(c, "choices", "1", {}, method="gpf-livenews", measures=())
    row = "INSERT INTO score (setting_id, unit_kind, unit_id, name, {}, provisional) VALUES (?, ?, ?, ?, ?, 0)"
    c.executemany(row.format("category"), [(setting, UnitKind.ANSWER, cell, "choice", "S") for cell in cells])
    for (bundle,) in c.execute("SELECT id FROM bundle").fetchall():
        c.execute(row.format("value"), (setting, UnitKind.BUNDLE, bundle, VALID, 1.0))
        c.execute(row.format("unavailable"), (setting, UnitKind.BUNDLE, bundle, "choice_moves", "one answer"))
    return run, setting


def steps_to_count(c: sqlite3.Connection, run: int, setting: int) -> int:
    """Tens of instructions that SQLite takes."""
    steps = 0

    def step() -> None:
        nonlocal steps
        steps += 1

    c.set_progress_handler(step, 10)
    score_counts.by_group(c, run, setting)  # type: ignore[arg-type]
    c.set_progress_handler(None, 0)
    return steps


def test_that_bundles_of_one_answer_are_counted_by_their_answers_scores(c: sqlite3.Connection) -> None:
    run, setting = scored_by_answer(c, 5)
    (count,) = score_counts.by_group(c, run, setting)  # type: ignore[arg-type]
    assert (count.planned, count.scored, count.provisional) == (5, 5, 0)


def test_that_each_bundle_is_counted_by_its_own_answers_and_not_by_a_look_at_all(
    c: sqlite3.Connection, tmp_path: Path
) -> None:
    few = steps_to_count(c, *scored_by_answer(c, 50))
    AuditFile.create(tmp_path / "large.gpf", title="x").close()
    with closing(sqlite3.connect(tmp_path / "large.gpf", isolation_level=None)) as large:
        many = steps_to_count(large, *scored_by_answer(large, 400))
    assert many < 12 * few
