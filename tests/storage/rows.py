"""The rows that others hang on, made in a few words."""

import sqlite3
from datetime import UTC, datetime

from gpf_desktop.domain.articles import Item
from gpf_desktop.domain.ids import ArticleId, BatchId, CellId, ModelId, ProtocolId, RunId, SourceId
from gpf_desktop.domain.models import Endpoint
from gpf_desktop.domain.news_strata import Classification
from gpf_desktop.methods.gpf_livenews.cells import BY_IDENTITY, Condition, Factors
from gpf_desktop.methods.gpf_livenews.strata import Stratum
from gpf_desktop.storage import articles, batches, models, new_cells, protocols, runs, sources

Connection = sqlite3.Connection


def item(headline: str = "Council approves new bus lanes", **changes: object) -> Item:
    """An item whose key is made from its headline."""
    fields: dict[str, object] = {
        "headline": headline,
        "description": "They open in spring.",
        "url": "https://news.example/1",
        "key": f"headline:{headline}",
        "published": datetime(2026, 11, 20, 14, 2, tzinfo=UTC),
    }
    return Item(**{**fields, **changes})  # type: ignore[arg-type]


def classified(each: Item, stratum: Stratum = Stratum.NEUTRAL, *matched: str) -> articles.ClassifiedItem:
    return articles.ClassifiedItem(
        item=each, classification=Classification(stratum=stratum, matched=matched), near_key="near"
    )


def source(connection: Connection, target: str = "https://news.example/feed.xml") -> SourceId:
    return sources.keep(connection, target=target, kind="feed", title="Example news")


def article(connection: Connection, headline: str = "Council approves new bus lanes", **changes: object) -> ArticleId:
    """An article of the default source."""
    each = item(headline, **changes)
    articles.keep(connection, source(connection), [classified(each)])
    row = connection.execute("SELECT id FROM item WHERE key = ?", (each.key,)).fetchone()
    return ArticleId(row[0])


def model(connection: Connection, name: str = "some-model") -> ModelId:
    return models.keep(connection, Endpoint(provider="openai-compatible", model=name), synthetic=False)


def protocol(connection: Connection) -> ProtocolId:
    return protocols.keep(connection, method="gpf-livenews", name="P", version=1, hash="h", text="name: P")


def run(
    connection: Connection, *, articles_in: list[ArticleId] | None = None, models_in: list[ModelId] | None = None
) -> RunId:
    """A run of a batch of its own, without cells."""
    batch: BatchId = batches.create(connection, "batch", articles_in or [article(connection)])
    new = runs.NewRun(
        name="Evening round",
        plan_hash="plan",
        plan="{}",
        batch_id=batch,
        protocol_id=protocol(connection),
        method="gpf-livenews",
        method_version="1",
        controls="{}",
        seed=7,
        spend_cap=10.0,
    )
    ids = models_in or [model(connection)]
    return runs.create(connection, new, [models.get(connection, each) for each in ids])


def factors(identity: str, *, repeat: int = 0, family: str = "Impact", **changes: object) -> Factors:
    fields: dict[str, object] = {
        "condition": Condition.IDENTITY,
        "dimension": "Political",
        "identity": identity,
        "family": family,
        "repeat": repeat,
    }
    return Factors(**{**fields, **changes})  # type: ignore[arg-type]


def planned(connection: Connection, run_id: RunId, *all_factors: Factors) -> list[CellId]:
    """Cells of the run's first model and article; their ids, in the order given."""
    article_id = connection.execute(
        "SELECT item_id FROM batch_item b JOIN run r ON r.batch_id = b.batch_id WHERE r.id = ?", (run_id,)
    ).fetchone()[0]
    model_id = connection.execute("SELECT model_id FROM run_model WHERE run_id = ?", (run_id,)).fetchone()[0]
    new_cells.plan(
        connection,
        run_id,
        BY_IDENTITY,
        [
            new_cells.PlannedCell(model_id=model_id, article_id=article_id, answer=each.planned, seed=i, position=i)
            for i, each in enumerate(all_factors)
        ],
    )
    rows = connection.execute("SELECT id FROM cell WHERE run_id = ? ORDER BY position", (run_id,))
    return [CellId(row[0]) for row in rows]
