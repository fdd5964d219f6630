"""A synthetic audit of any size, made through the storage API: real grid, varied texts, scores by a formula.

Texts are drawn from a pool of some thousand answers and each gets words of its own, so that a vocabulary grows as it
would; making 900,000 different ones would take longer than everything that is measured.
"""

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from itertools import chain, islice

from gpf_desktop.domain import scores as names
from gpf_desktop.domain.articles import Item
from gpf_desktop.domain.ids import ArticleId, CellId, FitGroupId, ModelId, RunId
from gpf_desktop.domain.items import StudyItem
from gpf_desktop.domain.models import Endpoint
from gpf_desktop.domain.news_strata import Classification
from gpf_desktop.domain.responses import Reply
from gpf_desktop.domain.runs import RunState
from gpf_desktop.domain.scores import ScoreColumn, ScoredChunk, Unavailable, UnitKind
from gpf_desktop.engine.core.protocols import protocol_hash, write_protocol
from gpf_desktop.engine.scoring.assessment import primary_of
from gpf_desktop.methods.gpf_livenews.method import METHOD
from gpf_desktop.methods.gpf_livenews.protocol import Controls
from gpf_desktop.methods.gpf_livenews.scorers.gpf import SCORER
from gpf_desktop.methods.gpf_livenews.strata import Stratum
from gpf_desktop.storage import (
    articles,
    batches,
    fit_groups,
    models,
    new_cells,
    protocols,
    responses,
    runs,
    scores,
    sources,
)
from gpf_desktop.storage.articles import ClassifiedItem
from gpf_desktop.storage.audit_file import AuditFile
from gpf_desktop.storage.fit_groups import Basis
from gpf_desktop.storage.new_cells import PlannedCell
from gpf_desktop.storage.responses import CellResult
from gpf_desktop.storage.runs import NewRun
from gpf_desktop.storage.writer import Connection
from tests.benchmarks import answers
from tests.support.protocols import GPF, shipped_protocol

MODELS = 12
ARTICLES_A_RUN = 20
PER_ARTICLE = 42
"""Bundles of one model and article."""
CONTROLS = Controls(identity_free_generations=0, random_label=False, repeat_share=0.14, paraphrase_share=0.0)


def fill(audit: AuditFile, bundles: int, *, with_answers: bool, articles_a_run: int = ARTICLES_A_RUN) -> list[RunId]:
    """Runs of so many articles and 12 models each until there are *bundles*; the runs' ids, the oldest first."""
    made: list[RunId] = []
    texts = _Texts()
    article_count = -(-bundles // (MODELS * PER_ARTICLE))
    for number, begin in enumerate(range(0, article_count, articles_a_run)):
        some = range(begin, min(begin + articles_a_run, article_count))
        run_id, model_ids, article_ids = audit.write(lambda c, n=number, s=some: _run(c, n, s)).result()  # type: ignore[misc]
        for article_id in article_ids:
            audit.write(lambda c, a=article_id, r=run_id, m=model_ids: _article(c, r, m, a)).result()  # type: ignore[misc]
            if with_answers:
                audit.write(lambda c, a=article_id, r=run_id: _answer(c, r, a, texts)).result()  # type: ignore[misc]
        audit.write(lambda c, r=run_id: _finish(c, r)).result()  # type: ignore[misc]
        made.append(run_id)
    return made


class _Texts:
    def __init__(self) -> None:
        self._pool = [text for group in answers.articles(420, seed=5) for text in group.texts]
        self._draw = random.Random(11)
        self._next = 0

    def one(self) -> str:
        self._next += 1
        own = " ".join(f"w{self._draw.randrange(200_000):x}" for _ in range(4))
        return f"{self._pool[self._next % len(self._pool)]} {own}."


def _run(connection: Connection, number: int, some: Sequence[int]) -> tuple[RunId, list[ModelId], list[ArticleId]]:
    protocol = shipped_protocol()
    source = sources.keep(connection, target="https://news.example/feed.xml", kind="feed", title="Example news")
    items = [
        ClassifiedItem(
            item=Item(
                headline=f"Council {article} decides on new lanes",
                description="They open in spring.",
                url="",
                key=f"article-{article}",
                published=datetime(2026, 1, 1, tzinfo=UTC) + timedelta(hours=article),
            ),
            classification=Classification(stratum=Stratum.NEUTRAL if article % 3 else Stratum.RELEVANT, matched=()),
            near_key="",
        )
        for article in some
    ]
    articles.keep(connection, source, items)
    ids = [
        ArticleId(connection.execute("SELECT id FROM item WHERE key = ?", (each.item.key,)).fetchone()[0])
        for each in items
    ]
    chosen = [
        models.keep(
            connection,
            Endpoint(provider="openai-compatible", model=f"model-{n}", vendor=f"vendor-{n % 4}"),
            synthetic=False,
        )
        for n in range(MODELS)
    ]
    run_id = runs.create(
        connection,
        NewRun(
            name=f"Round {number}",
            plan_hash=f"plan-{number}",
            plan=json.dumps({}),
            batch_id=batches.create(connection, f"Batch {number}", ids),
            protocol_id=protocols.keep(
                connection,
                method=METHOD.name,
                name=protocol.name,
                version=protocol.version,
                hash=protocol_hash(protocol),
                text=write_protocol(protocol, GPF),
            ),
            method="gpf-livenews",
            method_version="1",
            controls="{}",
            seed=7,
            spend_cap=None,
        ),
        [models.get(connection, each) for each in chosen],
    )
    return run_id, chosen, ids


def _article(connection: Connection, run_id: RunId, model_ids: Sequence[ModelId], article_id: ArticleId) -> None:
    item = StudyItem(key=str(article_id), title="Council decides", text="")
    protocol = shipped_protocol()
    grid = list(METHOD.expand(item, protocol, CONTROLS, seed=7))
    planned = (
        PlannedCell(model_id=model_id, article_id=article_id, answer=answer, seed=1, position=position)
        for model_id in model_ids
        for position, answer in enumerate(grid)
    )
    new_cells.plan(connection, run_id, METHOD.grouping, planned)


def _answer(connection: Connection, run_id: RunId, article_id: ArticleId, texts: _Texts) -> None:
    ids = connection.execute("SELECT id FROM cell WHERE run_id = ? AND item_id = ?", (run_id, article_id)).fetchall()
    responses.save(
        connection,
        (
            CellResult(
                cell_id=CellId(cell_id), attempt=1, outcome=Reply(text=texts.one()), seconds=1.0, microdollars=0.0
            )
            for (cell_id,) in ids
        ),
    )


def _finish(connection: Connection, run_id: RunId) -> None:
    options = asdict(primary_of(METHOD, shipped_protocol()).options)
    setting = scores.setting(
        connection, SCORER.name, SCORER.version, options, method="gpf-livenews", measures=SCORER.measures
    )
    units = [row[0] for row in connection.execute("SELECT id FROM bundle WHERE run_id = ? ORDER BY id", (run_id,))]
    remaining = iter(units)
    while some := list(islice(remaining, 5000)):
        scores.save(connection, setting, _scored(some), provisional=False)
    bases = [
        Basis(group=FitGroupId(row[0]), answers=row[1])
        for row in connection.execute("SELECT id, answers FROM fit_group WHERE run_id = ?", (run_id,))
    ]
    fit_groups.save_bases(connection, setting, bases, provisional=False)
    runs.set_state(connection, run_id, RunState.FINISHED)


def _scored(units: list[int]) -> ScoredChunk:
    draw = random.Random(units[0])
    columns: dict[str, list[float | Unavailable]] = {
        name: [draw.betavariate(3, 6) for _ in units] for name in names.BUNDLE_SCORES
    }
    for name in (names.NOISE, names.COUNTERFACTUAL_FRAMING):
        columns[name] = [value if draw.random() < 0.14 else Unavailable.NO_REPEATS for value in columns[name]]
    columns[names.VALID] = [7.0 for _ in units]
    return ScoredChunk(
        kind=UnitKind.BUNDLE,
        units=units,
        columns=tuple(ScoreColumn(name=name, values=values) for name, values in columns.items()),
    )


def sizes(run_ids: Sequence[RunId], audit: AuditFile) -> Iterator[tuple[list[RunId], int]]:
    """Growing heads of *run_ids* with their bundles: a tenth, a third, all."""
    counts = dict(audit.read(lambda c: c.execute("SELECT run_id, count(*) FROM bundle GROUP BY run_id").fetchall()))
    for part in (0.1, 1 / 3, 1.0):
        head = list(run_ids[: max(1, round(part * len(run_ids)))])
        yield head, sum(counts[run_id] for run_id in chain(head))
