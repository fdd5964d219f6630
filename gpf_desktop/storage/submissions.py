"""Every submission that stands, with the coordinates that it is counted by."""

import sqlite3
from dataclasses import dataclass
from datetime import datetime

from gpf_desktop.domain.coordinates import MAIN, Coordinates
from gpf_desktop.domain.ids import ArticleId, BundleId, ReviewerId
from gpf_desktop.domain.reviews import ReviewAction
from gpf_desktop.storage import runs, stored
from gpf_desktop.storage.bundles import SYNTHETIC
from gpf_desktop.storage.counted_verdicts import disagreements, settled_number
from gpf_desktop.storage.rows import records
from gpf_desktop.storage.scores import PRIMARIES
from gpf_desktop.storage.times import as_moment


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """One reviewer's verdict on one bundle, as it is now."""

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
    """Of verdicts."""
    open_severities: int
    """All readers say harmful, and not how bad."""


def standing(connection: sqlite3.Connection) -> list[Said]:
    """The verdicts that stand, in the order in which they were made."""
    rows = connection.execute(
        "SELECT n.bundle_id, n.reviewer_id, b.item_id AS article_id, n.verdict, n.severity,"
        " coalesce(m.label, '') AS model, x.text AS coordinates, n.at, b.arm = ? AS main"
        " FROM review_now n JOIN bundle b ON b.id = n.bundle_id LEFT JOIN model m ON m.id = b.model_id"
        " JOIN coordinate_set x ON x.id = b.coordinates_id"
        " WHERE n.done AND n.verdict IS NOT NULL ORDER BY n.at, n.entry_id",
        (MAIN,),
    )
    return records(Said, rows, coordinates=stored.coordinates, main=bool)


def times(connection: sqlite3.Connection, reviewer_id: ReviewerId) -> list[datetime]:
    """When this reviewer submitted what they say now, oldest first."""
    rows = connection.execute(
        "SELECT max(e.at) FROM review_entry e JOIN review_now n USING (bundle_id, reviewer_id)"
        " WHERE reviewer_id = ? AND e.action = ? AND n.done GROUP BY bundle_id ORDER BY 1",
        (reviewer_id, ReviewAction.SUBMIT.value),
    )
    return [as_moment(at) for (at,) in rows]


def totals(connection: sqlite3.Connection) -> Totals:
    unlike = disagreements(connection)
    main = connection.execute(
        "SELECT coalesce(m.label, '') AS model,"
        " (SELECT text FROM coordinate_set WHERE id = b.coordinates_id) AS coordinates,"
        f" {SYNTHETIC} AS synthetic, count(*) AS count"
        " FROM bundle b LEFT JOIN model m ON m.id = b.model_id WHERE b.arm = ?"
        # An assignment has no scores, so all of its bundles are to be read.
        f" AND (EXISTS (SELECT 1 FROM score s WHERE s.setting_id IN ({PRIMARIES})"
        " AND s.unit_kind = 'bundle' AND s.unit_id = b.id) OR NOT EXISTS (SELECT 1 FROM score_setting))"
        " GROUP BY m.id, b.coordinates_id",
        (MAIN,),
    )
    return Totals(
        methods=runs.methods(connection),
        main=tuple(records(MainBundles, main, coordinates=stored.coordinates, synthetic=bool)),
        settled=settled_number(connection),
        open_disagreements=len(unlike.verdicts),
        open_severities=len(unlike.severities),
    )


def read_blind(connection: sqlite3.Connection) -> set[tuple[int, int]]:
    """(bundle, reviewer) of the submissions that stand and were made with names and model hidden."""
    rows = connection.execute(
        "SELECT bundle_id, reviewer_id FROM review_now WHERE done AND verdict IS NOT NULL"
        " AND json_array_length(judgement, '$.letters') > 0"
    )
    return {(int(bundle), int(reviewer)) for bundle, reviewer in rows}
