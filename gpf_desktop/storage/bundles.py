"""One bundle with everything that its run froze for it."""

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from gpf_desktop.domain.coordinates import Coordinates
from gpf_desktop.domain.ids import ArticleId, BatchId, BundleId, FitGroupId, ModelId, RunId
from gpf_desktop.domain.items import StudyItem
from gpf_desktop.storage import batches, stored


@dataclass(frozen=True, slots=True, kw_only=True)
class BundleFacts:
    """A bundle's coordinates and the words behind them."""

    run_id: RunId
    run: str
    method: str
    protocol: str
    """The protocol's text as the run froze it."""
    model_id: ModelId | None
    """None: models vary within it."""
    model: str
    """Empty where models vary within it."""
    synthetic: bool
    """A calibration model is among those that answered."""
    article_id: ArticleId | None
    """None: items vary within it."""
    items: Mapping[ArticleId, StudyItem]
    """What its cells ask about, as the run's batch froze it."""
    url: str
    source: str
    stratum: str
    """Of its one item; empty where that has none."""
    matched: tuple[str, ...]
    """Words of the anchor that decided the stratum."""
    arm: str
    coordinates: Coordinates
    """On the factors that it holds fixed."""
    fit_group_id: FitGroupId
    planned: int


SYNTHETIC = (
    "coalesce(m.synthetic, EXISTS (SELECT 1 FROM run_model o JOIN model q ON q.id = o.model_id"
    " WHERE o.run_id = b.run_id AND q.synthetic))"
)
"""SQL: whether a calibration model answers in a bundle b, whose model m may be absent."""


def get(connection: sqlite3.Connection, bundle_id: BundleId) -> BundleFacts | None:
    row = connection.execute(
        f"SELECT b.run_id, r.name, p.text, b.model_id, coalesce(m.label, ''), {SYNTHETIC}, b.item_id,"
        " coalesce(a.url, ''), coalesce(s.title, ''), coalesce(t.stratum, ''), coalesce(a.matched, '[]'), b.arm,"
        " x.text, b.fit_group_id, b.planned, r.method"
        " FROM bundle b JOIN run r ON r.id = b.run_id JOIN protocol p ON p.id = r.protocol_id"
        " JOIN coordinate_set x ON x.id = b.coordinates_id LEFT JOIN model m ON m.id = b.model_id"
        " LEFT JOIN item a ON a.id = b.item_id LEFT JOIN source s ON s.id = a.source_id"
        " LEFT JOIN batch_item t ON t.batch_id = r.batch_id AND t.item_id = b.item_id WHERE b.id = ?",
        (bundle_id,),
    ).fetchone()
    if row is None:
        return None
    return BundleFacts(
        run_id=RunId(row[0]),
        run=row[1],
        method=row[15],
        protocol=row[2],
        model_id=None if row[3] is None else ModelId(row[3]),
        model=row[4],
        synthetic=bool(row[5]),
        article_id=None if row[6] is None else ArticleId(row[6]),
        items=batches.items_of(connection, "b.id = ?", bundle_id),
        url=row[7],
        source=row[8],
        stratum=row[9],
        matched=tuple(stored.structure(row[10])),
        arm=row[11],
        coordinates=stored.coordinates(row[12]),
        fit_group_id=FitGroupId(row[13]),
        planned=row[14],
    )


def method_of(connection: sqlite3.Connection, bundle_id: BundleId) -> str | None:
    """Name of the method that planned a bundle; None where there is no such bundle."""
    found = connection.execute(
        "SELECT r.method FROM bundle b JOIN run r ON r.id = b.run_id WHERE b.id = ?", (bundle_id,)
    ).fetchone()
    return None if found is None else str(found[0])


@dataclass(frozen=True, slots=True, kw_only=True)
class RelatedBundle:
    """The same question asked elsewhere: of another model, in another run, or about another news item."""

    bundle_id: BundleId
    model: str
    run: str
    batch_id: BatchId
    batch: str
    headline: str


_ELSEWHERE = "y.id id, coalesce(m.label, '') model, r.name run, h.id batch_id,"
_WORDS = (
    " LEFT JOIN model m ON m.id = y.model_id JOIN batch h ON h.id = r.batch_id"
    " LEFT JOIN batch_item t ON t.batch_id = r.batch_id AND t.item_id = y.item_id"
)


def same_question(connection: sqlite3.Connection, bundle_id: BundleId) -> tuple[RelatedBundle, ...]:
    """The same item and coordinates asked of another model or in another run."""
    rows = connection.execute(
        f"SELECT {_ELSEWHERE} h.name, coalesce(t.title, '') FROM bundle b"
        # IS, since bundles in which items vary have none, and NULL equals nothing.
        " JOIN bundle y ON y.item_id IS b.item_id AND y.id <> b.id AND y.grouping = b.grouping"
        " AND y.coordinates_id = b.coordinates_id"
        f" JOIN run r ON r.id = y.run_id{_WORDS}"
        " WHERE b.id = ? ORDER BY y.run_id, y.model_id",
        (bundle_id,),
    )
    return tuple(_related(row) for row in rows)


def same_question_of_every_item(connection: sqlite3.Connection, bundle_id: BundleId) -> tuple[RelatedBundle, ...]:
    """The same model asked the same about each news item of each batch, this bundle among them; batch by batch.

    Of a batch that was asked in several runs the bundle's own run counts, otherwise the newest.
    """
    # CROSS JOIN keeps the order: from the batches' items, each is one look into the index of a bundle's whole key.
    rows = connection.execute(
        "SELECT id, model, run, batch_id, batch, headline FROM ("
        f" SELECT {_ELSEWHERE} h.name batch, t.title headline, t.position position, row_number() OVER"
        " (PARTITION BY t.batch_id, t.item_id ORDER BY y.run_id = b.run_id DESC, y.run_id DESC) place"
        " FROM bundle b CROSS JOIN run r CROSS JOIN batch_item t ON t.batch_id = r.batch_id"
        " CROSS JOIN bundle y ON y.run_id = r.id AND y.grouping = b.grouping AND y.model_id IS b.model_id"
        " AND y.item_id = t.item_id AND y.coordinates_id = b.coordinates_id"
        " JOIN batch h ON h.id = t.batch_id LEFT JOIN model m ON m.id = b.model_id WHERE b.id = ?"
        ") WHERE place = 1 ORDER BY batch_id, position",
        (bundle_id,),
    )
    return tuple(_related(row) for row in rows)


def of_arm(connection: sqlite3.Connection, bundle_id: BundleId, arm: str) -> list[tuple[BundleId, Coordinates]]:
    """The other bundles of an arm of the same run, grouping, model and item."""
    rows = connection.execute(
        "SELECT y.id, x.text FROM bundle b JOIN bundle y ON y.run_id = b.run_id AND y.grouping = b.grouping"
        " AND y.model_id IS b.model_id AND y.item_id IS b.item_id AND y.arm = ? AND y.id <> b.id"
        " JOIN coordinate_set x ON x.id = y.coordinates_id WHERE b.id = ? ORDER BY y.id",
        (arm, bundle_id),
    )
    return [(BundleId(row[0]), stored.coordinates(row[1])) for row in rows]


def _related(row: Any) -> RelatedBundle:
    return RelatedBundle(
        bundle_id=BundleId(row[0]),
        model=row[1],
        run=row[2],
        batch_id=BatchId(row[3]),
        batch=row[4],
        headline=row[5],
    )
