"""Fit groups: one model's answers to one article in one run, and on how many of them each setting's scores rest.

Answers are only ever added (a cell that was answered is never asked again), so their number says exactly whether
scores were made on all that is there.
"""

import json
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass

from gpf_desktop.domain.ids import ArticleId, CellId, ModelId, RunId


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredGroup:
    """One model's answers to one article in one run."""

    run_id: RunId
    model_id: ModelId
    article_id: ArticleId
    bundles: int
    complete: bool
    """Every cell has its answer or its reason: scores of it are final."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Basis:
    """What the scores of a group were made on."""

    run_id: RunId
    model_id: ModelId
    article_id: ArticleId
    answers: int
    """Answers that the encoder was fitted on."""
    of_run: bool = False
    """They are those of the whole run, not the group's alone."""


def planned(connection: sqlite3.Connection, rows: Iterable[tuple[RunId, ModelId, ArticleId, int, int]]) -> None:
    """Count new (run, model, article, bundles, cells)."""
    connection.executemany(
        "INSERT INTO fit_group (run_id, model_id, article_id, bundles, unended) VALUES (?, ?, ?, ?, ?)"
        " ON CONFLICT DO UPDATE SET bundles = bundles + excluded.bundles, unended = unended + excluded.unended",
        rows,
    )


def touched(connection: sqlite3.Connection, cell_ids: Iterable[CellId]) -> None:
    """What is known of these cells has changed without a change of their state: their flags."""
    connection.execute(
        "UPDATE fit_group SET changes = changes + 1 FROM"
        " (SELECT DISTINCT c.run_id, c.model_id, c.article_id FROM json_each(?) j JOIN cell c ON c.id = j.value) t"
        " WHERE fit_group.run_id = t.run_id AND fit_group.model_id = t.model_id"
        " AND fit_group.article_id = t.article_id",
        (json.dumps(list(cell_ids)),),
    )


def groups(connection: sqlite3.Connection, run_ids: Iterable[RunId] | None = None) -> list[StoredGroup]:
    """What there is to score in *run_ids* (None: in every run), run by run."""
    chosen = None if run_ids is None else set(run_ids)
    rows = connection.execute(
        "SELECT run_id, model_id, article_id, bundles, unended = 0 FROM fit_group ORDER BY run_id, model_id, article_id"
    )
    return [_group(row) for row in rows if chosen is None or row[0] in chosen]


def save_bases(connection: sqlite3.Connection, setting_id: int, bases: Iterable[Basis], *, provisional: bool) -> None:
    """Record what scores of a setting rest on, in the same transaction as the scores."""
    connection.executemany(
        "INSERT OR REPLACE INTO score_basis (setting_id, run_id, model_id, article_id, answers, of_run, provisional)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        [
            (setting_id, each.run_id, each.model_id, each.article_id, each.answers, each.of_run, provisional)
            for each in bases
        ],
    )


_STANDING = (
    " FROM score_setting s CROSS JOIN fit_group g"
    " JOIN (SELECT run_id, sum(answers) AS answers FROM fit_group GROUP BY run_id) w ON w.run_id = g.run_id"
    " LEFT JOIN score_basis b ON b.setting_id = s.id AND b.run_id = g.run_id AND b.model_id = g.model_id"
    " AND b.article_id = g.article_id"
)
_THERE = "iif(b.of_run, w.answers, g.answers)"
"""Answers that the scores of the group would rest on if they were made now."""
_DUE = f"(b.answers IS NULL OR b.answers <> {_THERE} OR b.provisional AND g.unended = 0)"


def unscored(connection: sqlite3.Connection, run_id: RunId, setting_id: int) -> list[tuple[ModelId, ArticleId]]:
    """(model, article) of a run that are complete but lack final scores of this setting on all their answers."""
    rows = connection.execute(
        f"SELECT g.model_id, g.article_id{_STANDING} WHERE s.id = ? AND g.run_id = ? AND g.unended = 0 AND {_DUE}",
        (setting_id, run_id),
    )
    return [(ModelId(model_id), ArticleId(article_id)) for model_id, article_id in rows]


def due(connection: sqlite3.Connection, setting_id: int, own: Iterable[RunId] = ()) -> list[StoredGroup]:
    """Groups that a setting in use is to be computed for: run by run, those of runs that are being asked if complete.

    A setting chosen for every run covers new runs too; one chosen for some runs covers those, and its *own*: the runs
    whose protocol asks for it.
    """
    rows = connection.execute(
        "SELECT g.run_id, g.model_id, g.article_id, g.bundles, g.unended = 0"
        f"{_STANDING} JOIN run r ON r.id = g.run_id WHERE s.id = ? AND {_DUE}"
        " AND (s.everywhere OR g.run_id IN (SELECT run_id FROM score_basis WHERE setting_id = s.id)"
        " OR g.run_id IN (SELECT value FROM json_each(?)))"
        " AND (g.unended = 0 OR g.answers > 0 AND r.state NOT IN ('running', 'pausing'))"
        " AND NOT (json_extract(s.options, '$.fit_scope') = 'run' AND r.state IN ('running', 'pausing'))"
        " ORDER BY g.run_id, g.model_id, g.article_id",
        (setting_id, json.dumps(list(own))),
    )
    return [_group(row) for row in rows]


def behind(connection: sqlite3.Connection, setting_id: int) -> dict[tuple[int, int, int], int]:
    """(run, model, article) whose scores of a setting were made before the newest answers → how many those are."""
    rows = connection.execute(
        f"SELECT g.run_id, g.model_id, g.article_id, {_THERE} - b.answers{_STANDING}"
        f" WHERE s.id = ? AND b.answers <> {_THERE}",
        (setting_id,),
    )
    return {(run_id, model_id, article_id): newer for run_id, model_id, article_id, newer in rows}


def being_asked(connection: sqlite3.Connection) -> frozenset[RunId]:
    """Runs whose groups a sitting scores as they grow."""
    rows = connection.execute("SELECT id FROM run WHERE state IN ('running', 'pausing')")
    return frozenset(RunId(row[0]) for row in rows)


def is_open(connection: sqlite3.Connection, run_id: RunId) -> bool:
    """Whether a run has cells without an end."""
    row = connection.execute("SELECT coalesce(sum(unended), 0) FROM fit_group WHERE run_id = ?", (run_id,)).fetchone()
    return bool(row[0])


def _group(row: tuple[int, int, int, int, int]) -> StoredGroup:
    return StoredGroup(
        run_id=RunId(row[0]),
        model_id=ModelId(row[1]),
        article_id=ArticleId(row[2]),
        bundles=row[3],
        complete=bool(row[4]),
    )
