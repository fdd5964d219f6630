"""Every submission that stands, with the coordinates that it is counted by."""

import sqlite3
from dataclasses import dataclass

from gpf_desktop.domain.coordinates import MAIN, Coordinates
from gpf_desktop.domain.ids import ArticleId, BundleId, ReviewerId
from gpf_desktop.storage import runs, stored
from gpf_desktop.storage.bundles import SYNTHETIC
from gpf_desktop.storage.counted_verdicts import disagreements, settled_number


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What one reviewer says of one bundle now."""

    bundle_id: BundleId
    reviewer_id: ReviewerId
    article_id: ArticleId | None
    verdict: str
    severity: int | None
    model: str
    """Empty where models vary within the bundle."""
    coordinates: Coordinates
    at: str
    main: bool
    """Of the main arm."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MainBundles:
    """How many scored bundles of the main arm there are of one kind."""

    model: str
    coordinates: Coordinates
    synthetic: bool
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """Counts over the audit."""

    methods: tuple[str, ...]
    """Names of those that its runs were planned by."""
    main: tuple[MainBundles, ...]
    """The queue as it opens, by model and coordinates."""
    settled: int
    open_disagreements: int


def standing(connection: sqlite3.Connection) -> list[Said]:
    """In the order in which they were made."""
    rows = connection.execute(
        "SELECT n.bundle_id, n.reviewer_id, b.item_id, n.verdict, n.severity, coalesce(m.label, ''), x.text, n.at,"
        " b.arm = ? FROM review_now n JOIN bundle b ON b.id = n.bundle_id LEFT JOIN model m ON m.id = b.model_id"
        " JOIN coordinate_set x ON x.id = b.coordinates_id"
        " WHERE n.done AND n.verdict IS NOT NULL ORDER BY n.at, n.bundle_id",
        (MAIN,),
    )
    return [
        Said(
            bundle_id=BundleId(row[0]),
            reviewer_id=ReviewerId(row[1]),
            article_id=None if row[2] is None else ArticleId(row[2]),
            verdict=row[3],
            severity=row[4],
            model=row[5],
            coordinates=stored.coordinates(row[6]),
            at=row[7],
            main=bool(row[8]),
        )
        for row in rows
    ]


def totals(connection: sqlite3.Connection) -> Totals:
    main = connection.execute(
        "SELECT coalesce(m.label, ''), (SELECT text FROM coordinate_set WHERE id = b.coordinates_id),"
        f" {SYNTHETIC}, count(*) FROM bundle b LEFT JOIN model m ON m.id = b.model_id WHERE b.arm = ?"
        # An assignment has no scores, so all of its bundles are to be read.
        " AND (EXISTS (SELECT 1 FROM score s WHERE s.setting_id IN (SELECT min(id) FROM score_setting GROUP BY method)"
        " AND s.unit_kind = 'bundle' AND s.unit_id = b.id) OR NOT EXISTS (SELECT 1 FROM score_setting))"
        " GROUP BY m.id, b.coordinates_id",
        (MAIN,),
    )
    groups = tuple(
        MainBundles(model=row[0], coordinates=stored.coordinates(row[1]), synthetic=bool(row[2]), count=row[3])
        for row in main
    )
    return Totals(
        methods=runs.methods(connection),
        main=groups,
        settled=settled_number(connection),
        open_disagreements=len(disagreements(connection)),
    )
