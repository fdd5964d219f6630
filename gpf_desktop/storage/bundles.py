"""One bundle with everything that its run froze for it."""

import json
import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from gpf_desktop.domain.coordinates import Coordinates
from gpf_desktop.domain.ids import ArticleId, BatchId, BundleId, FitGroupId, ModelId, RunId
from gpf_desktop.domain.items import StudyItem
from gpf_desktop.storage import batches, stored
from gpf_desktop.storage.rows import records


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
    rows = connection.execute(
        "SELECT b.run_id, r.name AS run, r.method, p.text AS protocol, b.model_id, coalesce(m.label, '') AS model,"
        f" {SYNTHETIC} AS synthetic, b.item_id AS article_id, b.id AS items, coalesce(a.url, '') AS url,"
        " coalesce(s.title, '') AS source, coalesce(t.stratum, '') AS stratum, coalesce(a.matched, '[]') AS matched,"
        " b.arm, x.text AS coordinates, b.fit_group_id, b.planned"
        " FROM bundle b JOIN run r ON r.id = b.run_id JOIN protocol p ON p.id = r.protocol_id"
        " JOIN coordinate_set x ON x.id = b.coordinates_id LEFT JOIN model m ON m.id = b.model_id"
        " LEFT JOIN item a ON a.id = b.item_id LEFT JOIN source s ON s.id = a.source_id"
        " LEFT JOIN batch_item t ON t.batch_id = r.batch_id AND t.item_id = b.item_id WHERE b.id = ?",
        (bundle_id,),
    )
    found = records(
        BundleFacts,
        rows,
        synthetic=bool,
        items=lambda bundle: batches.items_of(connection, "b.id = ?", bundle),
        matched=lambda text: tuple(stored.structure(text)),
        coordinates=stored.coordinates,
    )
    return found[0] if found else None


def method_of(connection: sqlite3.Connection, bundle_id: BundleId) -> str | None:
    """Name of the method that planned a bundle; None where there is no such bundle."""
    found = connection.execute(
        "SELECT r.method FROM bundle b JOIN run r ON r.id = b.run_id WHERE b.id = ?", (bundle_id,)
    ).fetchone()
    return None if found is None else str(found[0])


def about_others(connection: sqlite3.Connection, items: Iterable[int]) -> frozenset[int]:
    """Numbers of the bundles that are about none of *items*."""
    rows = connection.execute(
        "SELECT id FROM bundle WHERE item_id IS NULL OR item_id NOT IN (SELECT value FROM json_each(?))",
        (json.dumps(sorted(items)),),
    )
    return frozenset(row[0] for row in rows)


@dataclass(frozen=True, slots=True, kw_only=True)
class RelatedBundle:
    """The same question asked elsewhere: of another model, in another run, or about another news item."""

    bundle_id: BundleId
    model: str
    run: str
    batch_id: BatchId
    batch: str
    headline: str


_ELSEWHERE = "y.id bundle_id, coalesce(m.label, '') model, r.name run, h.id batch_id, h.name batch,"
_WORDS = (
    " LEFT JOIN model m ON m.id = y.model_id JOIN batch h ON h.id = r.batch_id"
    " LEFT JOIN batch_item t ON t.batch_id = r.batch_id AND t.item_id = y.item_id"
)


def same_question(connection: sqlite3.Connection, bundle_id: BundleId) -> tuple[RelatedBundle, ...]:
    """The same item and coordinates asked of another model or in another run."""
    rows = connection.execute(
        f"SELECT {_ELSEWHERE} coalesce(t.title, '') headline FROM bundle b"
        # IS, since bundles in which items vary have none, and NULL equals nothing.
        " JOIN bundle y ON y.item_id IS b.item_id AND y.id <> b.id AND y.grouping = b.grouping"
        " AND y.coordinates_id = b.coordinates_id"
        f" JOIN run r ON r.id = y.run_id{_WORDS}"
        " WHERE b.id = ? ORDER BY y.run_id, y.model_id",
        (bundle_id,),
    )
    return tuple(records(RelatedBundle, rows))


def same_question_of_every_item(connection: sqlite3.Connection, bundle_id: BundleId) -> tuple[RelatedBundle, ...]:
    """The same model asked the same about each news item of each batch, this bundle among them; batch by batch.

    Of a batch that was asked in several runs the bundle's own run counts, otherwise the newest.
    """
    # CROSS JOIN keeps the order: from the batches' items, each is one look into the index of a bundle's whole key.
    rows = connection.execute(
        "SELECT bundle_id, model, run, batch_id, batch, headline FROM ("
        f" SELECT {_ELSEWHERE} t.title headline, t.position position, row_number() OVER"
        " (PARTITION BY t.batch_id, t.item_id ORDER BY y.run_id = b.run_id DESC, y.run_id DESC) place"
        " FROM bundle b CROSS JOIN run r CROSS JOIN batch_item t ON t.batch_id = r.batch_id"
        " CROSS JOIN bundle y ON y.run_id = r.id AND y.grouping = b.grouping AND y.model_id IS b.model_id"
        " AND y.item_id = t.item_id AND y.coordinates_id = b.coordinates_id"
        " JOIN batch h ON h.id = t.batch_id LEFT JOIN model m ON m.id = b.model_id WHERE b.id = ?"
        ") WHERE place = 1 ORDER BY batch_id, position",
        (bundle_id,),
    )
    return tuple(records(RelatedBundle, rows))


def of_arm(connection: sqlite3.Connection, bundle_id: BundleId, arm: str) -> list[tuple[BundleId, Coordinates]]:
    """The other bundles of an arm of the same run, grouping, model and item."""
    rows = connection.execute(
        "SELECT y.id, x.text FROM bundle b JOIN bundle y ON y.run_id = b.run_id AND y.grouping = b.grouping"
        " AND y.model_id IS b.model_id AND y.item_id IS b.item_id AND y.arm = ? AND y.id <> b.id"
        " JOIN coordinate_set x ON x.id = y.coordinates_id WHERE b.id = ? ORDER BY y.id",
        (arm, bundle_id),
    )
    return [(BundleId(row[0]), stored.coordinates(row[1])) for row in rows]
