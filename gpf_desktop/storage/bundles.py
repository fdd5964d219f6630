"""One bundle with everything that its run froze for it."""

import json
import sqlite3
from dataclasses import dataclass

from gpf_desktop.domain.articles import Anchor, Stratum
from gpf_desktop.domain.cells import Condition
from gpf_desktop.domain.ids import ArticleId, BundleId, ModelId, RunId


@dataclass(frozen=True, slots=True, kw_only=True)
class BundleFacts:
    """A bundle's coordinates and the words behind them."""

    run_id: RunId
    run: str
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
    condition: Condition
    dimension: str
    family: str
    paraphrase: int
    planned: int


def get(connection: sqlite3.Connection, bundle_id: BundleId) -> BundleFacts | None:
    row = connection.execute(
        "SELECT b.run_id, r.name, p.text, b.model_id, m.provider || '/' || m.model, m.synthetic, b.article_id,"
        " t.headline, t.description, a.url, s.title, t.stratum, a.matched, b.condition, b.dimension, b.family,"
        " b.paraphrase, b.planned FROM bundle b JOIN run r ON r.id = b.run_id JOIN protocol p ON p.id = r.protocol_id"
        " JOIN model m ON m.id = b.model_id JOIN article a ON a.id = b.article_id JOIN source s ON s.id = a.source_id"
        " JOIN batch_article t ON t.batch_id = r.batch_id AND t.article_id = b.article_id WHERE b.id = ?",
        (bundle_id,),
    ).fetchone()
    if row is None:
        return None
    return BundleFacts(
        run_id=RunId(row[0]),
        run=row[1],
        protocol=row[2],
        model_id=ModelId(row[3]),
        model=row[4],
        synthetic=bool(row[5]),
        article_id=ArticleId(row[6]),
        anchor=Anchor(headline=row[7], description=row[8]),
        url=row[9],
        source=row[10],
        stratum=Stratum(row[11]),
        matched=tuple(json.loads(row[12])),
        condition=Condition(row[13]),
        dimension=row[14],
        family=row[15],
        paraphrase=row[16],
        planned=row[17],
    )


def same_question(connection: sqlite3.Connection, bundle_id: BundleId) -> list[tuple[BundleId, str]]:
    """The same article, condition, dimension, family and wording asked of another model or in another run."""
    rows = connection.execute(
        "SELECT y.id, m.provider || '/' || m.model || CASE WHEN y.run_id = b.run_id THEN '' ELSE ' · ' || r.name END"
        " FROM bundle b JOIN bundle y ON y.article_id = b.article_id AND y.id <> b.id"
        " AND y.condition = b.condition AND y.dimension = b.dimension AND y.family = b.family"
        " AND y.paraphrase = b.paraphrase AND y.extra = b.extra"
        " JOIN model m ON m.id = y.model_id JOIN run r ON r.id = y.run_id WHERE b.id = ? ORDER BY y.run_id, y.model_id",
        (bundle_id,),
    )
    return [(BundleId(row[0]), row[1]) for row in rows]
