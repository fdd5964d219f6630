"""Every submission that stands, with the coordinates that it is counted by."""

import sqlite3
from dataclasses import dataclass

from gpf_desktop.domain.ids import ArticleId, BundleId, ReviewerId
from gpf_desktop.storage.queue import disagreements


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What one reviewer says of one bundle now."""

    bundle_id: BundleId
    reviewer_id: ReviewerId
    article_id: ArticleId
    verdict: str
    severity: int | None
    model: str
    dimension: str
    family: str
    at: str
    main: bool
    """Of the identity condition, paraphrase 0."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MainBundles:
    """How many scored bundles of the identity condition, paraphrase 0, there are of one kind."""

    model: str
    dimension: str
    family: str
    synthetic: bool
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """Counts over the audit."""

    main: tuple[MainBundles, ...]
    """The queue as it opens, by model, dimension and family."""
    settled: int
    open_disagreements: int


def standing(connection: sqlite3.Connection) -> list[Said]:
    """In the order in which they were made."""
    rows = connection.execute(
        "SELECT n.bundle_id, n.reviewer_id, b.article_id, n.verdict, n.severity, m.label,"
        " b.dimension, b.family, n.at, b.condition = 'identity' AND b.paraphrase = 0"
        " FROM review_now n JOIN bundle b ON b.id = n.bundle_id JOIN model m ON m.id = b.model_id"
        " WHERE n.done AND n.verdict IS NOT NULL ORDER BY n.at, n.bundle_id"
    )
    return [
        Said(
            bundle_id=BundleId(row[0]),
            reviewer_id=ReviewerId(row[1]),
            article_id=ArticleId(row[2]),
            verdict=row[3],
            severity=row[4],
            model=row[5],
            dimension=row[6],
            family=row[7],
            at=row[8],
            main=bool(row[9]),
        )
        for row in rows
    ]


def totals(connection: sqlite3.Connection) -> Totals:
    main = connection.execute(
        "SELECT m.label, b.dimension, b.family, m.synthetic, count(*) FROM bundle b"
        " JOIN model m ON m.id = b.model_id WHERE b.condition = 'identity' AND b.paraphrase = 0"
        " AND EXISTS (SELECT 1 FROM score s WHERE s.setting_id = (SELECT min(id) FROM score_setting)"
        " AND s.unit_kind = 'bundle' AND s.unit_id = b.id) GROUP BY m.id, b.dimension, b.family"
    )
    groups = tuple(
        MainBundles(model=row[0], dimension=row[1], family=row[2], synthetic=bool(row[3]), count=row[4]) for row in main
    )
    (settled,) = connection.execute("SELECT count(*) FROM review_final").fetchone()
    return Totals(main=groups, settled=settled, open_disagreements=len(disagreements(connection)))
