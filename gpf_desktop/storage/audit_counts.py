"""Counts of the contents of an audit."""

import sqlite3
from dataclasses import dataclass

from gpf_desktop.domain.coordinates import MAIN
from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.runs import RunState
from gpf_desktop.domain.scores import VALID, UnitKind
from gpf_desktop.storage import assignments
from gpf_desktop.storage.score_counts import OF_ANSWERS
from gpf_desktop.storage.scores import PRIMARIES

_READ = f"WITH read AS (SELECT run_id, arm, count(*) AS bundles FROM bundle GROUP BY run_id, arm HAVING {OF_ANSWERS}) "
_UNREAD = "NOT EXISTS (SELECT 1 FROM review_now n WHERE n.bundle_id = b.id AND n.done)"


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditCounts:
    """Counts of what is in use: sources and models that were taken away do not count, what they brought does."""

    sources: int
    failing: int
    """Sources whose last fetch failed."""
    articles: int
    unused: int
    """Articles that no batch has taken."""
    models: int
    tested: int
    """Models that were tested, or that are built in and need no test."""
    synthetic: int
    """Calibration models."""
    held: int
    """Models in use and those that rounds have answers of, taken away or imported."""
    held_synthetic: int
    runs: int
    over: int
    """Runs in which every cell has its answer or its reason."""
    bundles: int
    """Of answers; what judges were asked about these is not counted again."""
    scored: int
    checks: int
    """Of the scored, those that Review shows only by its filter: controls and other wordings."""
    reviewed: int
    """Bundles with a submitted verdict."""
    unread: int
    """Scored bundles without one, of those that Review shows at first: controls are not counted. Of an assignment,
    which holds no scores, all that its reader was given and has not submitted."""
    planned: int
    """Of the unread, those of the reading plan; 0 without one."""
    assigned: bool
    """It is an assignment."""


def audit_counts(connection: sqlite3.Connection) -> AuditCounts:
    sources, failing = connection.execute(
        "SELECT count(*), count(*) FILTER (WHERE error <> '') FROM source WHERE active"
    ).fetchone()
    articles, unused = connection.execute(
        "SELECT count(*), count(*) FILTER (WHERE batch_id IS NULL) FROM item"
        " WHERE source_id IN (SELECT id FROM source WHERE active) OR batch_id IS NOT NULL"
    ).fetchone()
    models, tested, synthetic = connection.execute(
        "SELECT count(*), count(*) FILTER (WHERE synthetic OR tested_at IS NOT NULL), coalesce(sum(synthetic), 0)"
        " FROM model WHERE NOT removed"
    ).fetchone()
    held, held_synthetic = connection.execute(
        "SELECT count(*), coalesce(sum(synthetic), 0) FROM model"
        " WHERE NOT removed OR id IN (SELECT model_id FROM run_model)"
    ).fetchone()
    runs, over = connection.execute(
        "SELECT count(*), count(*) FILTER (WHERE state IN (?, ?)) FROM run",
        (RunState.FINISHED, RunState.FINISHED_WITH_GAPS),
    ).fetchone()
    bundles = connection.execute(f"{_READ} SELECT coalesce(sum(bundles), 0) FROM read").fetchone()[0]
    scored, checks = connection.execute(
        f"{_READ} SELECT count(*), count(*) FILTER (WHERE b.arm <> ?)"
        " FROM score s JOIN bundle b ON b.id = s.unit_id JOIN read USING (run_id, arm)"
        # The first setting of each method, its primary one: scored under others too, a bundle counts once.
        f" WHERE s.setting_id IN ({PRIMARIES})"
        " AND s.unit_kind = ? AND s.name = ? AND s.value IS NOT NULL",
        (MAIN, UnitKind.BUNDLE, VALID),
    ).fetchone()
    reviewed = connection.execute("SELECT count(DISTINCT bundle_id) FROM review_now WHERE done").fetchone()[0]
    assigned = assignments.assignment(connection) is not None
    unread = _left(connection) if assigned else _scored_and_unread(connection)
    plan = assignments.plan(connection)
    return AuditCounts(
        sources=sources,
        failing=failing,
        articles=articles,
        unused=unused,
        models=models,
        tested=tested,
        synthetic=synthetic,
        held=held,
        held_synthetic=held_synthetic,
        runs=runs,
        over=over,
        bundles=bundles,
        scored=scored,
        checks=checks,
        reviewed=reviewed,
        unread=len(unread),
        planned=0 if plan is None else len(unread.intersection(plan.bundles)),
        assigned=assigned,
    )


def _left(connection: sqlite3.Connection) -> set[BundleId]:
    """The bundles still unread among those that the reader of an assignment was given."""
    unread = connection.execute(f"SELECT b.id FROM bundle b WHERE {_UNREAD}")
    return {BundleId(bundle) for (bundle,) in unread} - assignments.beside(connection)


def _scored_and_unread(connection: sqlite3.Connection) -> set[BundleId]:
    unread = connection.execute(
        "SELECT b.id FROM score s JOIN bundle b ON b.id = s.unit_id"
        f" WHERE s.setting_id IN ({PRIMARIES})"
        f" AND s.unit_kind = ? AND s.name = ? AND s.value IS NOT NULL AND b.arm = ? AND {_UNREAD}",
        (UnitKind.BUNDLE, VALID, MAIN),
    )
    return {BundleId(bundle) for (bundle,) in unread}
