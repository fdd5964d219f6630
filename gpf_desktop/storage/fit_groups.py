"""Fit groups: the answers that share one encoder fit, and on how many of them each setting's scores rest.

Answers are only ever added (a cell that was answered is never asked again), so their number says exactly whether
scores were made on all that is there.
"""

import json
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass

from gpf_desktop.domain.ids import ArticleId, BundleId, CellId, FitGroupId, ModelId, RunId
from gpf_desktop.storage.rows import records


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredGroup:
    """Answers of one run that are fitted together: in GPF-LiveNews one model's to one article."""

    id: FitGroupId
    run_id: RunId
    model_id: ModelId | None
    """None: of several models."""
    article_id: ArticleId | None
    """None: about several items."""
    bundles: int
    answers: int
    complete: bool
    """Every cell has its answer or its reason: scores of it are final."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Basis:
    """The answers on which the scores of a group were made."""

    group: FitGroupId
    answers: int
    """Answers that the encoder was fitted on."""
    of_run: bool = False
    """They are those of the whole run, not the group's alone."""


def touched(connection: sqlite3.Connection, cell_ids: Iterable[CellId]) -> None:
    """Count a change of the groups of these cells, whose flags changed while their state did not."""
    connection.execute(
        "UPDATE fit_group SET changes = changes + 1 WHERE id IN (SELECT b.fit_group_id FROM json_each(?) j"
        " JOIN cell c ON c.id = j.value JOIN bundle b ON b.id = c.bundle_id)",
        (json.dumps(list(cell_ids)),),
    )


def to_score_again(connection: sqlite3.Connection, bundle_id: BundleId) -> None:
    """The scores that rest on a bundle's answers were made before something was said of these that scorers go by."""
    connection.execute(
        # No number of answers: it differs from whatever is there, so that the scores are due.
        "UPDATE score_basis SET answers = -1 WHERE fit_group_id = (SELECT fit_group_id FROM bundle WHERE id = ?)",
        (bundle_id,),
    )


_COLUMNS = "g.id, g.run_id, g.model_id, g.item_id AS article_id, g.bundles, g.answers, g.unended = 0 AS complete"


def groups(connection: sqlite3.Connection, run_ids: Iterable[RunId] | None = None) -> list[StoredGroup]:
    """The groups that can be scored in *run_ids* (None: in every run), run by run."""
    chosen = None if run_ids is None else set(run_ids)
    rows = connection.execute(f"SELECT {_COLUMNS} FROM fit_group g ORDER BY g.run_id, g.model_id, g.item_id")
    return [each for each in _groups(rows) if chosen is None or each.run_id in chosen]


def save_bases(connection: sqlite3.Connection, setting_id: int, bases: Iterable[Basis], *, provisional: bool) -> None:
    """Record what scores of a setting rest on, in the same transaction as the scores."""
    connection.executemany(
        "INSERT OR REPLACE INTO score_basis (setting_id, fit_group_id, answers, of_run, provisional)"
        " VALUES (?, ?, ?, ?, ?)",
        [(setting_id, each.group, each.answers, each.of_run, provisional) for each in bases],
    )


_STANDING = (
    # The sum of a run is made once, not for each of its groups: a fit over the run rests on all of its answers.
    " FROM score_setting s CROSS JOIN fit_group g"
    " JOIN (SELECT run_id, sum(answers) AS answers FROM fit_group GROUP BY run_id) w ON w.run_id = g.run_id"
    " LEFT JOIN score_basis b ON b.setting_id = s.id AND b.fit_group_id = g.id"
)
_THERE = "iif(b.of_run, w.answers, g.answers)"
"""Answers that the scores of the group would rest on if they were made now."""
# The last case has no new answer: the last cells of a group may have ended as missing, and its scores are final now.
_DUE = f"(b.answers IS NULL OR b.answers <> {_THERE} OR b.provisional AND g.unended = 0)"


def unscored(connection: sqlite3.Connection, run_id: RunId, setting_id: int) -> list[FitGroupId]:
    """Groups of a run that are complete but lack final scores of this setting on all their answers."""
    rows = connection.execute(
        f"SELECT g.id{_STANDING} WHERE s.id = ? AND g.run_id = ? AND g.unended = 0 AND {_DUE}",
        (setting_id, run_id),
    )
    return [FitGroupId(row[0]) for row in rows]


def final_on_all(connection: sqlite3.Connection, setting_id: int, group: FitGroupId) -> bool:
    """Whether a group has final scores of this setting that rest on every answer there is now."""
    found = connection.execute(
        f"SELECT 1{_STANDING} WHERE s.id = ? AND g.id = ? AND NOT b.provisional AND NOT {_DUE}", (setting_id, group)
    )
    return found.fetchone() is not None


def due(connection: sqlite3.Connection, setting_id: int, own: Iterable[RunId] = ()) -> list[StoredGroup]:
    """Groups that a setting in use is to be computed for: run by run, those of runs that are being asked if complete.

    A setting chosen for every run covers new runs too; one chosen for some runs covers those, and its *own*: the runs
    whose protocol asks for it.
    """
    rows = connection.execute(
        f"SELECT {_COLUMNS}{_STANDING} JOIN run r ON r.id = g.run_id AND r.method = s.method WHERE s.id = ? AND {_DUE}"
        " AND (s.everywhere OR g.run_id IN (SELECT x.run_id FROM score_basis y JOIN fit_group x"
        " ON x.id = y.fit_group_id WHERE y.setting_id = s.id)"
        " OR g.run_id IN (SELECT value FROM json_each(?)))"
        " AND (g.unended = 0 OR g.answers > 0 AND r.state NOT IN ('running', 'pausing'))"
        # A fit over the whole run is out of date with every answer that comes.
        " AND NOT (json_extract(s.options, '$.fit_scope') IS 'run' AND r.state IN ('running', 'pausing'))"
        " ORDER BY g.run_id, g.model_id, g.item_id",
        (setting_id, json.dumps(list(own))),
    )
    return _groups(rows)


@dataclass(frozen=True, slots=True, kw_only=True)
class Behind:
    """A group whose scores of a setting were made before the newest answers."""

    run_id: RunId
    bundles: int
    newer: int
    """Answers that came after; of the whole run where the fit is over it."""


def behind(connection: sqlite3.Connection, setting_id: int) -> dict[FitGroupId, Behind]:
    """Groups whose scores of a setting do not rest on every answer."""
    rows = connection.execute(
        f"SELECT g.id, g.run_id, g.bundles, {_THERE} - b.answers{_STANDING} WHERE s.id = ? AND b.answers <> {_THERE}",
        (setting_id,),
    )
    return {group: Behind(run_id=run_id, bundles=bundles, newer=newer) for group, run_id, bundles, newer in rows}


def being_asked(connection: sqlite3.Connection) -> frozenset[RunId]:
    """Runs whose groups an execution scores as they grow."""
    rows = connection.execute("SELECT id FROM run WHERE state IN ('running', 'pausing')")
    return frozenset(RunId(row[0]) for row in rows)


def is_open(connection: sqlite3.Connection, run_id: RunId) -> bool:
    """Whether a run has cells without an end."""
    row = connection.execute("SELECT coalesce(sum(unended), 0) FROM fit_group WHERE run_id = ?", (run_id,)).fetchone()
    return bool(row[0])


def _groups(rows: sqlite3.Cursor) -> list[StoredGroup]:
    return records(StoredGroup, rows, complete=bool)
