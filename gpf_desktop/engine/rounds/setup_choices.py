"""What the set-up of a round offers to choose from, read in one go."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from gpf_desktop.domain.articles import Article
from gpf_desktop.domain.ids import ArticleId
from gpf_desktop.domain.methods import StudyProtocol
from gpf_desktop.domain.models import TargetModel
from gpf_desktop.domain.plans import PlanSource
from gpf_desktop.domain.ports.method import Method
from gpf_desktop.engine.models.price_list import with_prices
from gpf_desktop.engine.rounds.plans import write_plan
from gpf_desktop.engine.rounds.setup import RunSetup
from gpf_desktop.storage import articles, batches, models, sources
from gpf_desktop.storage.articles import ArticleFilter
from gpf_desktop.storage.batches import Batch
from gpf_desktop.storage.files import written_whole
from gpf_desktop.storage.run_stamps import run_stamps
from gpf_desktop.storage.writer import Connection


@dataclass(frozen=True, slots=True, kw_only=True)
class SetupChoices:
    """Unused articles newest first, models, earlier batches, and by which method they are asked."""

    articles: tuple[Article, ...]
    models: tuple[TargetModel, ...]
    batches: tuple[Batch, ...]
    method: Method
    protocol: StudyProtocol
    """Of that method, the one in force."""
    runs: int
    """Rounds that the audit has, for the next one's name."""


def setup_choices(
    connection: Connection, method: Method, protocol: StudyProtocol, newest: int, chosen: Sequence[ArticleId] = ()
) -> SetupChoices:
    """The *newest* unused articles, and those *chosen* elsewhere however old."""
    unused = articles.newest(connection, ArticleFilter(unused=True), limit=newest)
    missing = set(chosen) - {article.id for article in unused}
    return SetupChoices(
        articles=(*unused, *articles.by_ids(connection, [each for each in chosen if each in missing])),
        models=with_prices(models.every(connection)),
        batches=tuple(batches.every(connection)),
        method=method,
        protocol=protocol,
        runs=len(run_stamps(connection)),
    )


def plan_text(connection: Connection, setup: RunSetup) -> str:
    """*setup* as a plan: its models, and every source in use at its own pace.

    A plan names sources, not articles, because it is for fresh news; `batch = "last"` stands for an earlier batch.
    """
    in_use = [PlanSource(target=row.target, title=row.title) for row in sources.every(connection)]
    per_source = max(1, round(len(setup.article_ids) / max(1, len(in_use))))
    endpoints = (models.get(connection, model_id).endpoint for model_id in setup.model_ids)
    named = () if setup.batch_id is not None else in_use
    return write_plan(setup.plan(endpoints, sources=named, articles_per_source=per_source))


def save_plan(connection: Connection, setup: RunSetup, path: Path) -> None:
    """Write *setup* as a plan file. Raises `StorageError`."""
    write_whole(path, plan_text(connection, setup))


def write_whole(path: Path, text: str) -> None:
    """Write *text* beside *path*, then rename it. Raises `StorageError`."""
    with written_whole(path) as beside:
        beside.write_text(text, encoding="utf-8")
