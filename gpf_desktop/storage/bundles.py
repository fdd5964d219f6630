"""One bundle with everything that its run froze for it."""

import sqlite3
from dataclasses import dataclass
from typing import Any

from gpf_desktop.domain.articles import Anchor, Stratum
from gpf_desktop.domain.coordinates import Coordinates
from gpf_desktop.domain.ids import ArticleId, BatchId, BundleId, FitGroupId, ModelId, RunId
from gpf_desktop.storage import stored


@dataclass(frozen=True, slots=True, kw_only=True)
class BundleFacts:
    """A bundle's coordinates and the words behind them."""

    run_id: RunId
    run: str
    method: str
    protocol: str
    """The protocol's text as the run froze it."""
    model_id: ModelId
    model: str
    synthetic: bool
    article_id: ArticleId
    anchor: Anchor
    url: str
    source: str
    stratum: Stratum
    matched: tuple[str, ...]
    """Words of the anchor that decided the stratum."""
    arm: str
    coordinates: Coordinates
    """On the factors that it holds fixed."""
    fit_group_id: FitGroupId
    planned: int


def get(connection: sqlite3.Connection, bundle_id: BundleId) -> BundleFacts | None:
    row = connection.execute(
        "SELECT b.run_id, r.name, p.text, b.model_id, m.label, m.synthetic, b.item_id,"
        " t.title, t.text, a.url, coalesce(s.title, ''), t.stratum, a.matched, b.arm, x.text, b.fit_group_id,"
        " b.planned, r.method FROM bundle b JOIN run r ON r.id = b.run_id JOIN protocol p ON p.id = r.protocol_id"
        " JOIN coordinate_set x ON x.id = b.coordinates_id"
        " JOIN model m ON m.id = b.model_id JOIN item a ON a.id = b.item_id LEFT JOIN source s ON s.id = a.source_id"
        " JOIN batch_item t ON t.batch_id = r.batch_id AND t.item_id = b.item_id WHERE b.id = ?",
        (bundle_id,),
    ).fetchone()
    if row is None:
        return None
    return BundleFacts(
        run_id=RunId(row[0]),
        run=row[1],
        method=row[17],
        protocol=row[2],
        model_id=ModelId(row[3]),
        model=row[4],
        synthetic=bool(row[5]),
        article_id=ArticleId(row[6]),
        anchor=Anchor(headline=row[7], description=row[8]),
        url=row[9],
        source=row[10],
        stratum=stored.word(Stratum, row[11]),
        matched=tuple(stored.structure(row[12])),
        arm=row[13],
        coordinates=stored.coordinates(row[14]),
        fit_group_id=FitGroupId(row[15]),
        planned=row[16],
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class RelatedBundle:
    """The same question asked elsewhere: of another model, in another run, or about another news item."""

    bundle_id: BundleId
    model: str
    run: str
    same_run: bool
    batch_id: BatchId
    batch: str
    headline: str


_ELSEWHERE = "y.id id, m.label model, r.name run, y.run_id = b.run_id same_run, h.id batch_id,"
_WORDS = (
    " JOIN model m ON m.id = y.model_id JOIN batch h ON h.id = r.batch_id"
    " JOIN batch_item t ON t.batch_id = r.batch_id AND t.item_id = y.item_id"
)


def same_question(connection: sqlite3.Connection, bundle_id: BundleId) -> tuple[RelatedBundle, ...]:
    """The same item and coordinates asked of another model or in another run."""
    rows = connection.execute(
        f"SELECT {_ELSEWHERE} h.name, t.title FROM bundle b"
        " JOIN bundle y ON y.item_id = b.item_id AND y.id <> b.id AND y.grouping = b.grouping"
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
        "SELECT id, model, run, same_run, batch_id, batch, headline FROM ("
        f" SELECT {_ELSEWHERE} h.name batch, t.title headline, t.position position, row_number() OVER"
        " (PARTITION BY t.batch_id, t.item_id ORDER BY y.run_id = b.run_id DESC, y.run_id DESC) place"
        " FROM bundle b CROSS JOIN run r CROSS JOIN batch_item t ON t.batch_id = r.batch_id"
        " CROSS JOIN bundle y ON y.run_id = r.id AND y.grouping = b.grouping AND y.model_id = b.model_id"
        " AND y.item_id = t.item_id AND y.coordinates_id = b.coordinates_id"
        " JOIN batch h ON h.id = t.batch_id JOIN model m ON m.id = b.model_id WHERE b.id = ?"
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
        same_run=bool(row[3]),
        batch_id=BatchId(row[4]),
        batch=row[5],
        headline=row[6],
    )
