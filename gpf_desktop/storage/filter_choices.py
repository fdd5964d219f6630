"""What there is to filter and to sort the review queue by."""

import sqlite3
from collections.abc import Iterable

from gpf_desktop.domain.coordinates import MAIN
from gpf_desktop.domain.review_queue import FilterChoices
from gpf_desktop.domain.scores import BUNDLE_SCORES, GROWING, IDENTITY_ADJUSTED_P, IDENTITY_P, UnitKind
from gpf_desktop.storage import scores, stored


def choices(connection: sqlite3.Connection, setting_id: int | None) -> FilterChoices:
    """What the audit's runs hold, to filter by."""
    runs = connection.execute("SELECT id, name FROM run ORDER BY id DESC").fetchall()
    methods = connection.execute("SELECT method FROM run GROUP BY method ORDER BY min(id)")
    batches = connection.execute(
        "SELECT id, name FROM batch WHERE id IN (SELECT batch_id FROM run) ORDER BY id DESC"
    ).fetchall()
    articles = connection.execute(
        "SELECT DISTINCT t.item_id, t.title FROM run r JOIN batch_item t ON t.batch_id = r.batch_id ORDER BY t.title"
    ).fetchall()
    models = connection.execute("SELECT DISTINCT m.label FROM run_model x JOIN model m ON m.id = x.model_id ORDER BY 1")
    # One fit group of a run shows its whole grid; reading every bundle would cost a scan.
    grid = [
        (arm, stored.coordinates(text))
        for run_id, _ in runs
        for arm, text in connection.execute(
            "SELECT b.arm, x.text FROM bundle b JOIN coordinate_set x ON x.id = b.coordinates_id WHERE b.fit_group_id ="
            " (SELECT min(id) FROM fit_group WHERE run_id = ?) GROUP BY 1, 2 ORDER BY min(b.id)",
            (run_id,),
        )
    ]
    levels: dict[str, dict[str, None]] = {}
    for _, coordinates in [each for each in grid if each[0] == MAIN] or grid:
        for factor, level in coordinates:
            levels.setdefault(factor, {})[level] = None
    flags = _strings(connection.execute("SELECT name FROM flag GROUP BY name"))
    names = _strings(
        connection.execute(
            "SELECT name FROM score WHERE setting_id = ? AND unit_kind = ? AND unit_id ="
            " (SELECT min(unit_id) FROM score WHERE setting_id = ? AND unit_kind = ?)",
            (setting_id, UnitKind.BUNDLE, setting_id, UnitKind.BUNDLE),
        )
    )
    return FilterChoices(
        methods=_strings(methods),
        runs=tuple(runs),
        models=_strings(models),
        batches=tuple(batches),
        articles=tuple(articles),
        arms=_distinct(arm for arm, _ in grid),
        levels={factor: tuple(found) for factor, found in levels.items()},
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
