"""Scores: a value, a category or an "unavailable" with its reason; several settings side by side."""

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from gpf_desktop.domain.coordinates import MAIN, Coordinates
from gpf_desktop.domain.ids import BundleId, FitGroupId, ModelId, RunId
from gpf_desktop.domain.scores import IDENTITY_SCORES, VALID, ScoredChunk, Unavailable, UnitKind
from gpf_desktop.storage import stored
from gpf_desktop.storage.fit_groups import Basis, save_bases
from gpf_desktop.storage.times import now


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreSetting:
    """A scorer with one choice of options; scores of different settings are never mixed."""

    id: int
    scorer: str
    version: str
    options: Mapping[str, object]
    hash: str
    """Stands beside every number that was made with it."""
    everywhere: bool = False
    """Chosen for every run: new runs are scored with it too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredScore:
    """One score of one unit."""

    name: str
    value: float | Unavailable
    provisional: bool


def setting(connection: sqlite3.Connection, scorer: str, version: str, options: Mapping[str, object]) -> int:
    """The id of this scorer with these options, stored now if it is new.

    The first one of an audit is its primary: it is used for every run, so that tables and queue hold the bundles of
    all protocol versions, compared under one setting.
    """
    text = json.dumps(options, sort_keys=True, default=str)
    digest = hashlib.sha256("\x1f".join((scorer, version, text)).encode()).hexdigest()
    connection.execute(
        "INSERT INTO score_setting (scorer, version, options, hash, created_at, everywhere)"
        " VALUES (?, ?, ?, ?, ?, NOT EXISTS (SELECT 1 FROM score_setting)) ON CONFLICT DO NOTHING",
        (scorer, version, text, digest, now()),
    )
    return int(connection.execute("SELECT id FROM score_setting WHERE hash = ?", (digest,)).fetchone()[0])


IDENTITY_TEST = "identity-test"
"""Scorer of the settings under which tests of identities against chance are kept; none of them has means."""


def settings(connection: sqlite3.Connection) -> list[ScoreSetting]:
    """In the order first used; the first is the primary one."""
    return [each for each in _settings(connection) if each.scorer != IDENTITY_TEST]


def tested(connection: sqlite3.Connection) -> ScoreSetting | None:
    """The setting of the test of identities against chance that was computed last; None where there was none."""
    kept = "SELECT 1 FROM score WHERE setting_id = ?"
    found = [each for each in _settings(connection) if each.scorer == IDENTITY_TEST]
    return next((each for each in found if connection.execute(kept, (each.id,)).fetchone()), None)


def forget_tests(connection: sqlite3.Connection) -> None:
    """Take away every test of identities against chance, before one is kept that was computed now."""
    for each in _settings(connection):
        if each.scorer == IDENTITY_TEST:
            forget(connection, each.id)


def _settings(connection: sqlite3.Connection) -> list[ScoreSetting]:
    rows = connection.execute("SELECT id, scorer, version, options, hash, everywhere FROM score_setting ORDER BY id")
    return [
        ScoreSetting(
            id=row[0],
            scorer=row[1],
            version=row[2],
            options=stored.structure(row[3]),
            hash=row[4],
            everywhere=bool(row[5]),
        )
        for row in rows
    ]


def use_everywhere(connection: sqlite3.Connection, setting_id: int) -> None:
    """From now on new runs are scored with this setting too."""
    connection.execute("UPDATE score_setting SET everywhere = 1 WHERE id = ?", (setting_id,))


def primary(connection: sqlite3.Connection) -> int:
    """The setting first used, which the window shows; 0 while nothing is scored."""
    return int(connection.execute("SELECT coalesce(min(id), 0) FROM score_setting").fetchone()[0])


def save(
    connection: sqlite3.Connection,
    setting_id: int,
    scored: ScoredChunk,
    *,
    provisional: bool,
    bases: Iterable[Basis] = (),
) -> None:
    """Store a chunk's scores in place of earlier ones of the same setting, with what they rest on."""
    rows = []
    for column in scored.columns:
        for unit, value in zip(scored.units, column.values, strict=True):
            number = None if isinstance(value, Unavailable) else value
            reason = str(value) if isinstance(value, Unavailable) else None
            rows.append((setting_id, scored.kind, unit, column.name, number, reason, provisional))
    connection.executemany(
        "INSERT OR REPLACE INTO score (setting_id, unit_kind, unit_id, name, value, unavailable, provisional)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        rows,
    )
    save_bases(connection, setting_id, bases, provisional=provisional)
    if scored.kind is UnitKind.BUNDLE:
        connection.execute(
            "INSERT INTO score_edition (setting_id, run_id, edition)"
            " SELECT DISTINCT ?, b.run_id, 1 FROM json_each(?) j JOIN bundle b ON b.id = j.value WHERE true"
            " ON CONFLICT DO UPDATE SET edition = edition + 1",
            (setting_id, json.dumps(scored.units)),
        )


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
    connection.execute("UPDATE score_edition SET edition = edition + 1 WHERE setting_id = ?", (setting_id,))


def of_bundle(connection: sqlite3.Connection, setting_id: int, bundle_id: BundleId) -> list[StoredScore]:
    rows = connection.execute(
        "SELECT name, value, unavailable, provisional FROM score"
        " WHERE setting_id = ? AND unit_kind = ? AND unit_id = ?",
        (setting_id, UnitKind.BUNDLE, bundle_id),
    )
    return [
        StoredScore(name=name, value=Unavailable(reason) if value is None else value, provisional=bool(provisional))
        for name, value, reason, provisional in rows
    ]


def highest(connection: sqlite3.Connection, setting_id: int, name: str, limit: int) -> list[tuple[BundleId, float]]:
    """The bundles with the highest score called *name*, from the index."""
    rows = connection.execute(
        "SELECT unit_id, value FROM score WHERE setting_id = ? AND unit_kind = ? AND name = ? AND value IS NOT NULL"
        " ORDER BY value DESC, unit_id LIMIT ?",
        (setting_id, UnitKind.BUNDLE, name, limit),
    )
    return [(BundleId(unit), value) for unit, value in rows]


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupCount:
    """How far the bundles of one fit group are scored."""

    group: FitGroupId
    planned: int
    scored: int
    provisional: int


def by_group(connection: sqlite3.Connection, run_id: RunId, setting_id: int) -> list[GroupCount]:
    rows = connection.execute(
        "SELECT b.fit_group_id, count(*), count(s.unit_id), coalesce(sum(s.provisional), 0) FROM bundle b"
        " LEFT JOIN score s ON s.setting_id = ? AND s.unit_kind = ? AND s.unit_id = b.id AND s.name = ?"
        " WHERE b.run_id = ? GROUP BY b.fit_group_id",
        (setting_id, UnitKind.BUNDLE, VALID, run_id),
    )
    return [GroupCount(group=FitGroupId(row[0]), planned=row[1], scored=row[2], provisional=row[3]) for row in rows]


def values(connection: sqlite3.Connection, setting_id: int, names: Iterable[str]) -> list[tuple[object, ...]]:
    """One row per bundle scored under a setting: its id, then the value of each of *names* (None: unavailable)."""
    names = tuple(names)
    picked = ", ".join("max(CASE WHEN name = ? THEN value END)" for _ in names)
    return connection.execute(
        f"SELECT unit_id, {picked} FROM score WHERE setting_id = ? AND unit_kind = ? GROUP BY unit_id",
        (*names, setting_id, UnitKind.BUNDLE),
    ).fetchall()


@dataclass(frozen=True, slots=True, kw_only=True)
class RepeatedBundle:
    """A main bundle whose cells were asked several times."""

    bundle_id: BundleId
    group: FitGroupId
    model_id: ModelId
    coordinates: Coordinates
    synthetic: bool


def repeated(connection: sqlite3.Connection) -> list[RepeatedBundle]:
    """Every main bundle that has repeats."""
    rows = connection.execute(
        "SELECT b.id, b.fit_group_id, b.model_id, x.text, m.synthetic FROM bundle b"
        " JOIN coordinate_set x ON x.id = b.coordinates_id JOIN model m ON m.id = b.model_id WHERE b.arm = ?"
        " AND EXISTS (SELECT 1 FROM cell c WHERE c.bundle_id = b.id AND c.repeat > 0) ORDER BY b.id",
        (MAIN,),
    )
    return [
        RepeatedBundle(
            bundle_id=BundleId(row[0]),
            group=FitGroupId(row[1]),
            model_id=ModelId(row[2]),
            coordinates=stored.coordinates(row[3]),
            synthetic=bool(row[4]),
        )
        for row in rows
    ]


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
    *IDENTITY_SCORES,
)
"""Columns of `test_rows`; *coordinates* as `Coordinates.text` gives them, *newer*: answers that came later."""


def test_rows(connection: sqlite3.Connection) -> list[tuple[object, ...]]:
    """One row per bundle of the newest test of identities against chance."""
    setting = tested(connection)
    if setting is None:
        return []
    picked = ", ".join("max(CASE WHEN s.name = ? THEN s.value END)" for _ in IDENTITY_SCORES)
    return connection.execute(
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
        (*IDENTITY_SCORES, setting.id, UnitKind.BUNDLE),
    ).fetchall()
