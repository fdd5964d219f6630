"""The choices in the set-up of a round, read in one go; and what was chosen, as a plan and its files."""

import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from gpf_desktop.documents.whole_files import together
from gpf_desktop.domain.articles import Article
from gpf_desktop.domain.errors import GpfError
from gpf_desktop.domain.ids import ArticleId
from gpf_desktop.domain.methods import StudyProtocol
from gpf_desktop.domain.models import TargetModel
from gpf_desktop.domain.plans import Plan, PlanSource
from gpf_desktop.engine.core.protocols import load_protocol, protocol_hash, shipped_protocols, write_protocol
from gpf_desktop.engine.models.price_list import with_prices
from gpf_desktop.engine.rounds.plans import load_plan, write_plan
from gpf_desktop.engine.rounds.setup import RunSetup
from gpf_desktop.storage import articles, batches, models, sources
from gpf_desktop.storage.articles import ArticleFilter
from gpf_desktop.storage.batches import Batch
from gpf_desktop.storage.faults import translated
from gpf_desktop.storage.files import written_whole
from gpf_desktop.storage.run_stamps import run_stamps
from gpf_desktop.storage.writer import Connection

PROTOCOL_ENDING: Final = ".protocol.yaml"
"""Of the protocol's file, behind the plan's own name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SetupChoices:
    """Unused articles newest first, models, and earlier batches."""

    articles: tuple[Article, ...]
    models: tuple[TargetModel, ...]
    batches: tuple[Batch, ...]
    runs: int
    """Rounds that the audit has; the next one's name and seed go by it."""


def setup_choices(connection: Connection, newest: int, chosen: Sequence[ArticleId] = ()) -> SetupChoices:
    """The *newest* unused articles, and those *chosen* elsewhere however old."""
    unused = articles.newest(connection, ArticleFilter(unused=True), limit=newest)
    missing = set(chosen) - {article.id for article in unused}
    return SetupChoices(
        articles=(*unused, *articles.by_ids(connection, [each for each in chosen if each in missing])),
        models=with_prices(models.every(connection)),
        batches=tuple(batches.every(connection)),
        runs=len(run_stamps(connection)),
    )


def plan_of(connection: Connection, setup: RunSetup) -> Plan:
    """*setup* as a plan: its models and, where it asks about articles, every source in use at its own pace.

    A plan names sources, not articles, because it is for fresh news; `batch = "last"` stands for an earlier batch.
    """
    in_use = [PlanSource(target=row.target, title=row.title) for row in sources.every(connection)]
    per_source = max(1, round(len(setup.article_ids) / max(1, len(in_use))))
    endpoints = (models.get(connection, model_id).endpoint for model_id in setup.model_ids)
    return setup.plan(endpoints, sources=in_use if setup.article_ids else (), articles_per_source=per_source)


def save_plan(plan: Plan, protocol: StudyProtocol, path: Path) -> None:
    """Write *plan* to *path*, asking what *protocol* asks, which is written beside it unless it comes with the method.

    Blocks. What lies beside it under the protocol's name stays, unless it is that of the plan that is replaced. Raises
    `StorageError`.
    """
    if _shipped(plan.method, protocol):
        _write_whole(path, write_plan(replace(plan, protocol=protocol.name)))
        return
    with translated(path), together():
        beside = _protocol_beside(path)
        _write_whole(beside, write_protocol(protocol, plan.method))
        _write_whole(path, write_plan(replace(plan, protocol=beside.name)))


def _protocol_beside(path: Path) -> Path:
    replaced = ""
    with suppress(GpfError):
        replaced = load_plan(path).protocol
    number, name = 1, path.stem + PROTOCOL_ENDING
    while name != replaced and os.path.lexists(path.with_name(name)):
        number += 1
        name = f"{path.stem}-{number}{PROTOCOL_ENDING}"
    return path.with_name(name)


def _shipped(method: str, protocol: StudyProtocol) -> bool:
    known = shipped_protocols(method)
    return protocol.name in known and protocol_hash(load_protocol(protocol.name, method=method)) == protocol_hash(
        protocol
    )


def _write_whole(path: Path, text: str) -> None:
    """Write *text* beside *path*, then rename it. Raises `StorageError`."""
    with written_whole(path) as beside:
        beside.write_text(text, encoding="utf-8")
