"""Scores: a value, a category or an "unavailable" with its reason; several settings side by side."""

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from gpf_desktop.domain.coordinates import MAIN, Coordinates
from gpf_desktop.domain.ids import BundleId, FitGroupId, ModelId
from gpf_desktop.domain.scores import (
    CategoryColumn,
    Measure,
    ScoreColumn,
    ScoredChunk,
    Unavailable,
    UnitKind,
)
from gpf_desktop.storage import stored
from gpf_desktop.storage.fit_groups import Basis, save_bases
from gpf_desktop.storage.rows import records
from gpf_desktop.storage.times import now


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreSetting:
    """A scorer with one choice of options; scores of different settings are never mixed."""

    id: int
    method: str
    scorer: str
    version: str
    options: Mapping[str, object]
    hash: str
    """Stands beside every number that was made with it."""
    everywhere: bool = False
    """Chosen for every run of its method: new runs are scored with it too."""
    measures: tuple[Measure, ...] = ()
    """What it gives, as its scorer declared it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredScore:
    """One score of one unit."""

    name: str
    value: float | str | Unavailable
    """A number, a category, or why there is neither."""
    provisional: bool


def setting(
    connection: sqlite3.Connection,
    scorer: str,
    version: str,
    options: Mapping[str, object],
    *,
    method: str,
    measures: Iterable[Measure] = (),
) -> int:
    """The id of this scorer with these options, stored now if it is new, with the *measures* that it gives.

    The first one of a method is its primary: it is used for all of its runs, so that tables and queue hold the bundles
    of all protocol versions, compared under one setting; `succeed` puts another in its place. What it gives may have
    grown since it was stored first.
    """
    # Sorted: the same setting has one hash on every machine.
    text = json.dumps(options, sort_keys=True, default=str)
    digest = setting_hash(scorer, version, text)
    connection.execute(
        "INSERT INTO score_setting (method, scorer, version, options, hash, measures, created_at, everywhere, place)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, NOT EXISTS (SELECT 1 FROM score_setting WHERE method = ?),"
        " (SELECT coalesce(max(place), 0) + 1 FROM score_setting))"
        " ON CONFLICT DO UPDATE SET measures = excluded.measures",
        (method, scorer, version, text, digest, json.dumps([asdict(each) for each in measures]), now(), method),
    )
    found = connection.execute("SELECT id FROM score_setting WHERE method = ? AND hash = ?", (method, digest))
    return int(found.fetchone()[0])


def setting_hash(scorer: str, version: str, options: str) -> str:
    """Of a setting, its *options* as they are stored."""
    # Parted by a character that no part holds.
    return hashlib.sha256("\x1f".join((scorer, version, options)).encode()).hexdigest()


LEVEL_TEST = "level-test"
"""Scorer of the settings under which tests against chance are kept; none of them has means."""


def settings(connection: sqlite3.Connection, method: str | None = None) -> list[ScoreSetting]:
    """The settings of *method* (None: of every method) in their order; the first of a method is its primary one."""
    return [each for each in _settings(connection) if each.scorer != LEVEL_TEST and method in (None, each.method)]


def setting_of(connection: sqlite3.Connection, primary_id: int | None, name: str) -> ScoreSetting | None:
    """The setting under which the measure called *name* is kept: *primary_id*, or where it lacks the measure, the
    setting of the same method that has values of it and was made last."""
    every = _settings(connection)
    primary_one = next((each for each in every if each.id == primary_id), None)
    if primary_one is None or any(each.name == name for each in primary_one.measures) or not name:
        return primary_one
    kept = "SELECT 1 FROM score WHERE setting_id = ? AND name = ?"
    others = [
        each
        for each in reversed(every)
        if each.method == primary_one.method and any(measure.name == name for measure in each.measures)
    ]
    return next((each for each in others if connection.execute(kept, (each.id, name)).fetchone()), primary_one)


def offered(connection: sqlite3.Connection, primary_id: int | None) -> tuple[Measure, ...]:
    """The measures by which bundles can be sorted: the setting's own, then those that other settings of its method add;
    what grows with the number of answers stands last."""
    every = _settings(connection)
    primary_one = next((each for each in every if each.id == primary_id), None)
    if primary_one is None:
        return ()
    found = {each.name: each for each in primary_one.measures}
    for other in every:
        added = [each for each in other.measures if other.method == primary_one.method and each.name not in found]
        if added and connection.execute("SELECT 1 FROM score WHERE setting_id = ?", (other.id,)).fetchone():
            found |= {each.name: each for each in added}
    ranked = [each for each in found.values() if each.unit is UnitKind.BUNDLE]
    return tuple(sorted(ranked, key=lambda each: each.grows))


def tested(connection: sqlite3.Connection) -> ScoreSetting | None:
    """The setting of the test against chance that was computed last; None where there was none."""
    kept = "SELECT 1 FROM score WHERE setting_id = ?"
    found = [each for each in _settings(connection) if each.scorer == LEVEL_TEST]
    return next((each for each in found if connection.execute(kept, (each.id,)).fetchone()), None)


def forget_tests(connection: sqlite3.Connection) -> None:
    """Take away every test against chance, before one is kept that was computed now."""
    for each in _settings(connection):
        if each.scorer == LEVEL_TEST:
            forget(connection, each.id)


def _settings(connection: sqlite3.Connection) -> list[ScoreSetting]:
    rows = connection.execute(
        "SELECT id, method, scorer, version, options, hash, everywhere, measures FROM score_setting ORDER BY place"
    )
    return records(
        ScoreSetting,
        rows,
        options=stored.structure,
        everywhere=bool,
        measures=lambda text: tuple(map(_measure, stored.structure(text))),
    )


def _measure(data: Mapping[str, Any]) -> Measure:
    try:
        kind, categories = UnitKind(data["unit"]), tuple(data["categories"])
        return Measure(**{**data, "unit": kind, "categories": categories})
    except (KeyError, TypeError, ValueError) as error:
        raise stored.BadRowError(f"no measure: {error}") from error


def use_everywhere(connection: sqlite3.Connection, setting_id: int) -> None:
    """Have new runs scored with this setting too from now on."""
    connection.execute("UPDATE score_setting SET everywhere = 1 WHERE id = ?", (setting_id,))


def succeed(connection: sqlite3.Connection, setting_id: int, newer: int) -> None:
    """Put *newer* where *setting_id* stood, and use it where that was used; its scores stay beside."""
    (before,) = connection.execute("SELECT place FROM score_setting WHERE id = ?", (setting_id,)).fetchone()
    (after,) = connection.execute("SELECT place FROM score_setting WHERE id = ?", (newer,)).fetchone()
    connection.executemany(
        "UPDATE score_setting SET place = ?, everywhere = ? WHERE id = ?",
        [(min(before, after), 1, newer), (max(before, after), 0, setting_id)],
    )


PRIMARIES = "SELECT id FROM (SELECT id, min(place) FROM score_setting GROUP BY method)"
"""SQL of the primary setting of each method; SQLite takes `id` from the row that holds the least place."""


def primary(connection: sqlite3.Connection, method: str | None = None) -> int:
    """The setting that is the first of *method* (None: of any), which the window shows; 0 while nothing is scored."""
    found = connection.execute(
        "SELECT id FROM score_setting WHERE ?1 IS NULL OR method = ?1 ORDER BY place LIMIT 1", (method,)
    ).fetchone()
    return 0 if found is None else int(found[0])


def save(
    connection: sqlite3.Connection,
    setting_id: int,
    scored: ScoredChunk,
    *,
    provisional: bool,
    bases: Iterable[Basis] = (),
) -> None:
    """Store a chunk's scores in place of earlier ones of the same setting, with what they rest on."""
    for chunk in (scored, *scored.further):
        connection.executemany(
            "INSERT OR REPLACE INTO score (setting_id, unit_kind, unit_id, name, value, category, unavailable,"
            " provisional) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            _rows(chunk, setting_id, provisional=provisional),
        )
    save_bases(connection, setting_id, bases, provisional=provisional)
    if scored.kind is UnitKind.BUNDLE:
        connection.execute(
            "INSERT INTO score_edition (setting_id, run_id, edition)"
            # Without WHERE SQLite reads the ON of ON CONFLICT as that of the join.
            " SELECT DISTINCT ?, b.run_id, 1 FROM json_each(?) j JOIN bundle b ON b.id = j.value WHERE true"
            " ON CONFLICT DO UPDATE SET edition = edition + 1",
            (setting_id, json.dumps(scored.units)),
        )


def _rows(chunk: ScoredChunk, setting_id: int, *, provisional: bool) -> list[tuple[object, ...]]:
    rows: list[tuple[object, ...]] = []
    columns: tuple[ScoreColumn | CategoryColumn, ...] = (*chunk.columns, *chunk.categories)
    for column in columns:
        for unit, value in zip(chunk.units, column.values, strict=True):
            # First: `Unavailable` is a string too, as categories are.
            reason = str(value) if isinstance(value, Unavailable) else None
            category = value if isinstance(value, str) and reason is None else None
            number = None if isinstance(value, str) else value
            rows.append((setting_id, chunk.kind, unit, column.name, number, category, reason, provisional))
    return rows


def doubt(connection: sqlite3.Connection, setting_id: int, bundles: Iterable[int]) -> None:
    """Mark what is stored of *bundles* as provisional: further answers came to their fit, and they wait for more."""
    connection.execute(
        "UPDATE score SET provisional = 1 WHERE setting_id = ? AND unit_kind = ?"
        " AND unit_id IN (SELECT value FROM json_each(?)) AND NOT provisional",
        (setting_id, UnitKind.BUNDLE, json.dumps(list(bundles))),
    )


def forget(connection: sqlite3.Connection, setting_id: int) -> None:
    """Take away every score of one setting, before it is computed anew as a whole."""
    connection.execute("DELETE FROM score WHERE setting_id = ?", (setting_id,))
    connection.execute("DELETE FROM score_basis WHERE setting_id = ?", (setting_id,))
    # Raised and not deleted: counted from 1 again it would meet the stamp of a table kept before (`run_tables`).
    connection.execute("UPDATE score_edition SET edition = edition + 1 WHERE setting_id = ?", (setting_id,))


def of_bundle(connection: sqlite3.Connection, setting_id: int, bundle_id: BundleId) -> list[StoredScore]:
    rows = connection.execute(
        f"SELECT {_VALUE} FROM score WHERE setting_id = ? AND unit_kind = ? AND unit_id = ?",
        (setting_id, UnitKind.BUNDLE, bundle_id),
    )
    return [_stored(row) for row in rows]


def of_answers(connection: sqlite3.Connection, setting_id: int, bundle_id: BundleId) -> dict[int, list[StoredScore]]:
    """The scores of a bundle's answers, by cell."""
    rows = connection.execute(
        # CROSS JOIN keeps the order: from the bundle's few cells to the key of their
        # scores, not through all of a setting.
        f"SELECT {_VALUE}, unit_id FROM cell c CROSS JOIN score ON setting_id = ? AND unit_kind = ? AND unit_id = c.id"
        " WHERE c.bundle_id = ? ORDER BY c.id, name",
        (setting_id, UnitKind.ANSWER, bundle_id),
    )
    found: dict[int, list[StoredScore]] = {}
    for row in rows:
        found.setdefault(row[5], []).append(_stored(row))
    return found


_VALUE = "name, value, category, unavailable, provisional"


def _stored(row: tuple[Any, ...]) -> StoredScore:
    name, value, category, reason, provisional = row[:5]
    known = category if value is None else value
    return StoredScore(name=name, value=Unavailable(reason) if known is None else known, provisional=bool(provisional))


def highest(connection: sqlite3.Connection, setting_id: int, name: str, limit: int) -> list[tuple[BundleId, float]]:
    """The bundles with the highest score called *name*, from the index."""
    rows = connection.execute(
        "SELECT unit_id, value FROM score WHERE setting_id = ? AND unit_kind = ? AND name = ? AND value IS NOT NULL"
        " ORDER BY value DESC, unit_id LIMIT ?",
        (setting_id, UnitKind.BUNDLE, name, limit),
    )
    return rows.fetchall()


@dataclass(frozen=True, slots=True, kw_only=True)
class RepeatedBundle:
    """A main bundle whose cells were asked several times."""

    bundle_id: BundleId
    group: FitGroupId
    model_id: ModelId
    coordinates: Coordinates
    synthetic: bool


def repeated(connection: sqlite3.Connection, method: str) -> list[RepeatedBundle]:
    """Every main bundle of *method* that has repeats."""
    rows = connection.execute(
        'SELECT b.id AS bundle_id, b.fit_group_id AS "group", b.model_id, x.text AS coordinates, m.synthetic'
        " FROM bundle b"
        " JOIN coordinate_set x ON x.id = b.coordinates_id JOIN model m ON m.id = b.model_id"
        " JOIN run r ON r.id = b.run_id WHERE r.method = ? AND b.arm = ?"
        " AND EXISTS (SELECT 1 FROM cell c WHERE c.bundle_id = b.id AND c.repeat > 0) ORDER BY b.id",
        (method, MAIN),
    )
    return records(RepeatedBundle, rows, coordinates=stored.coordinates, synthetic=bool)


TEST_COLUMNS = (
    "bundle_id",
    "run_id",
    "batch_id",
    "model",
    "vendor",
    "synthetic",
    "article_id",
    "stratum",
    "arm",
    "coordinates",
    "newer",
)
"""Of `LevelTestRows`, before its scores; *coordinates* as `Coordinates.text` gives them, *newer*: answers that came
later."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelTestRows:
    """The newest test against chance."""

    scores: tuple[str, ...] = ()
    """Names of what it keeps for a bundle."""
    rows: Sequence[tuple[object, ...]] = ()
    """One per bundle: `TEST_COLUMNS`, then *scores*."""


def test_rows(connection: sqlite3.Connection) -> LevelTestRows:
    """The rows of the level test; without any where nothing was tested."""
    setting = tested(connection)
    if setting is None:
        return LevelTestRows()
    kept = connection.execute("SELECT DISTINCT name FROM score WHERE setting_id = ? ORDER BY name", (setting.id,))
    names = tuple(name for (name,) in kept)
    picked = ", ".join("max(CASE WHEN s.name = ? THEN s.value END)" for _ in names)
    rows = connection.execute(
        "SELECT b.id, b.run_id, r.batch_id, m.label,"
        " coalesce(nullif(json_extract(m.endpoint, '$.vendor'), ''), m.provider), m.synthetic, b.item_id,"
        " t.stratum, b.arm, x.text,"
        f" coalesce(iif(u.of_run, (SELECT sum(x.answers) FROM fit_group x WHERE x.run_id = b.run_id), g.answers)"
        f" - u.answers, 0), {picked}"
        " FROM bundle b JOIN score s ON s.setting_id = ? AND s.unit_kind = ? AND s.unit_id = b.id"
        " JOIN run r ON r.id = b.run_id JOIN model m ON m.id = b.model_id"
        " JOIN coordinate_set x ON x.id = b.coordinates_id"
        " JOIN batch_item t ON t.batch_id = r.batch_id AND t.item_id = b.item_id"
        " LEFT JOIN score_basis u ON u.setting_id = s.setting_id AND u.fit_group_id = b.fit_group_id"
        " JOIN fit_group g ON g.id = b.fit_group_id"
        " GROUP BY b.id",
        (*names, setting.id, UnitKind.BUNDLE),
    ).fetchall()
    return LevelTestRows(scores=names, rows=rows)
