"""Choices by which the review queue can be filtered and sorted."""

import sqlite3
from collections.abc import Iterable

from gpf_desktop.domain.coordinates import MAIN
from gpf_desktop.domain.embeddings import EMBEDDED
from gpf_desktop.domain.review_queue import FilterChoices
from gpf_desktop.storage import scores, stored
from gpf_desktop.storage.runs import methods


def choices(connection: sqlite3.Connection, setting_id: int | None, method: str | None = None) -> FilterChoices:
    """The choices in the audit's runs of *method* (None: of every method) to filter by; flags are
    those of the audit."""
    runs = connection.execute(
        "SELECT id, name FROM run WHERE ?1 IS NULL OR method = ?1 ORDER BY id DESC", (method,)
    ).fetchall()
    of_method = "(?1 IS NULL OR r.method = ?1)"
    batches = connection.execute(
        f"SELECT id, name FROM batch WHERE id IN (SELECT r.batch_id FROM run r WHERE {of_method}) ORDER BY id DESC",
        (method,),
    ).fetchall()
    items = f"FROM run r JOIN batch_item t ON t.batch_id = r.batch_id WHERE {of_method}"
    articles = connection.execute(f"SELECT DISTINCT t.item_id, t.title {items} ORDER BY t.title", (method,)).fetchall()
    strata = connection.execute(f"SELECT DISTINCT t.stratum {items} AND t.stratum <> '' ORDER BY 1", (method,))
    models = connection.execute(
        "SELECT DISTINCT m.label FROM run r JOIN run_model x ON x.run_id = r.id JOIN model m ON m.id = x.model_id"
        f" WHERE {of_method} ORDER BY 1",
        (method,),
    )
    # One fit group of a run shows its whole grid; reading every bundle would cost a scan.
    grid = [
        (arm, stored.coordinates(text))
        for run_id, _ in runs
        for arm, text in connection.execute(
            "SELECT b.arm, x.text FROM bundle b JOIN coordinate_set x ON x.id = b.coordinates_id WHERE b.fit_group_id ="
            " (SELECT min(id) FROM fit_group WHERE run_id = ?) AND b.arm <> ? GROUP BY 1, 2 ORDER BY min(b.id)",
            (run_id, EMBEDDED),
        )
    ]
    levels: dict[str, dict[str, None]] = {}
    for _, coordinates in [each for each in grid if each[0] == MAIN] or grid:
        for factor, level in coordinates:
            levels.setdefault(factor, {})[level] = None
    flags = _strings(connection.execute("SELECT name FROM flag GROUP BY name"))
    return FilterChoices(
        methods=methods(connection),
        runs=tuple(runs),
        models=_strings(models),
        batches=tuple(batches),
        articles=tuple(articles),
        strata=_strings(strata),
        arms=_distinct(arm for arm, _ in grid),
        levels={factor: tuple(found) for factor, found in levels.items()},
        flags=flags,
        scores=scores.offered(connection, setting_id),
        categories=_categories(connection, setting_id),
    )


def _categories(connection: sqlite3.Connection, setting_id: int | None) -> dict[str, tuple[str, ...]]:
    setting = next((each for each in scores.settings(connection) if each.id == setting_id), None)
    # A look into the index for each declared category, rather than all scores for the few words that occur.
    there = "SELECT 1 FROM score WHERE setting_id = ? AND unit_kind = ? AND name = ? AND category = ?"
    return {
        each.name: found
        for each in (() if setting is None else setting.measures)
        if (
            found := tuple(
                category
                for category in each.categories
                if connection.execute(there, (setting_id, each.unit, each.name, category)).fetchone()
            )
        )
    }


def _strings(rows: Iterable[tuple[object, ...]]) -> tuple[str, ...]:
    return tuple(str(row[0]) for row in rows)


def _distinct(values: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(values))
