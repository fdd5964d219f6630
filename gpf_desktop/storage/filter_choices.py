"""What there is to filter and to sort the review queue by."""

import sqlite3
from collections.abc import Iterable

from gpf_desktop.domain.review_queue import FilterChoices
from gpf_desktop.domain.scores import BUNDLE_SCORES, GROWING, IDENTITY_ADJUSTED_P, IDENTITY_P, UnitKind
from gpf_desktop.storage import scores


def choices(connection: sqlite3.Connection, setting_id: int | None) -> FilterChoices:
    """What the audit's runs hold, to filter by."""
    runs = connection.execute("SELECT id, name FROM run ORDER BY id DESC").fetchall()
    batches = connection.execute(
        "SELECT id, name FROM batch WHERE id IN (SELECT batch_id FROM run) ORDER BY id DESC"
    ).fetchall()
    articles = connection.execute(
        "SELECT DISTINCT t.article_id, t.headline FROM run r JOIN batch_article t ON t.batch_id = r.batch_id"
        " ORDER BY t.headline"
    ).fetchall()
    models = connection.execute("SELECT DISTINCT m.label FROM run_model x JOIN model m ON m.id = x.model_id ORDER BY 1")
    # One model and one article of a run show its whole grid; reading every bundle would cost a scan.
    grid = [
        row
        for run_id, _ in runs
        for row in connection.execute(
            "SELECT b.condition, b.dimension, b.family FROM bundle b JOIN"
            " (SELECT run_id, model_id, article_id FROM bundle WHERE run_id = ? LIMIT 1) x"
            " ON b.model_id = x.model_id AND b.article_id = x.article_id AND b.run_id = x.run_id"
            " GROUP BY 1, 2, 3 ORDER BY min(b.id)",
            (run_id,),
        )
    ]
    flags = _strings(connection.execute("SELECT name FROM flag GROUP BY name"))
    names = _strings(
        connection.execute(
            "SELECT name FROM score WHERE setting_id = ? AND unit_kind = ? AND unit_id ="
            " (SELECT min(unit_id) FROM score WHERE setting_id = ? AND unit_kind = ?)",
            (setting_id, UnitKind.BUNDLE, setting_id, UnitKind.BUNDLE),
        )
    )
    return FilterChoices(
        runs=tuple(runs),
        models=_strings(models),
        batches=tuple(batches),
        articles=tuple(articles),
        conditions=_distinct(row[0] for row in grid),
        dimensions=_distinct(row[1] for row in grid if row[0] == "identity"),
        families=_distinct(row[2] for row in grid),
        flags=flags,
        scores=(
            *(name for name in BUNDLE_SCORES if name in names and name not in GROWING),
            *((IDENTITY_ADJUSTED_P, IDENTITY_P) if scores.tested(connection) is not None else ()),
            *(name for name in GROWING if name in names),
        ),
    )


def _strings(rows: Iterable[tuple[object, ...]]) -> tuple[str, ...]:
    return tuple(str(row[0]) for row in rows)


def _distinct(values: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(values))
