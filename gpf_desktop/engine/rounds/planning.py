"""Freezes a round: which cells there are, and in which order they are asked."""

import json
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from itertools import count
from typing import Any

from gpf_desktop.domain.cells import cell_seed, seed_text, seeds_of
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.ids import ArticleId, BatchId, CellId, FitGroupId, ModelId, ProtocolId, RunId
from gpf_desktop.domain.items import StudyItem
from gpf_desktop.domain.methods import EndedCell, StudyProtocol
from gpf_desktop.domain.models import Role, TargetModel
from gpf_desktop.domain.plans import Plan
from gpf_desktop.domain.ports.method import Method
from gpf_desktop.domain.runs import Run
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.protocols import kept_text, protocol_hash
from gpf_desktop.engine.rounds.plans import plan_hash, plan_json
from gpf_desktop.engine.rounds.scoping import check_scope, scoped
from gpf_desktop.storage import batches, new_cells, protocols, runs, stages
from gpf_desktop.storage.batches import BatchArticle
from gpf_desktop.storage.new_cells import PlannedCell
from gpf_desktop.storage.stages import PlannedStage
from gpf_desktop.storage.writer import Connection, Write

REPEATS = "repeats"
"""A key beside the arms: further generations of the very same messages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallCount:
    """The number of calls of a round, by what they are for."""

    by_use: Mapping[str, int]
    """By arm, and `REPEATS`."""

    @property
    def total(self) -> int:
        return sum(self.by_use.values())

    def scaled(self, by: float) -> "CallCount":
        return CallCount(by_use={use: round(n * by) for use, n in self.by_use.items()})

    def of(self, use: str) -> int:
        return self.by_use.get(use, 0)


def controls_in_force(method: Method, plan_controls: Any, protocol: StudyProtocol) -> Any:
    return method.controls_of(protocol) if plan_controls is None else plan_controls


def count_calls(
    method: Method, items: Sequence[StudyItem], roles: Counter[Role], protocol: StudyProtocol, controls: Any, seed: int
) -> CallCount:
    """The number of calls of the first stage, exact: expands every item as the round will. *roles*: how many models
    have each."""
    uses: Counter[str] = Counter()
    for item in items:
        for each in method.expand(item, protocol, controls, seed):
            uses[REPEATS if each.repeat else each.arm] += sum(roles[role] for role in each.roles)
    return CallCount(by_use=dict(uses))


MOST_CELLS = 10_000_000
"""Of one round; two months of asking at two answers a second."""


def check_extent(method: Method, articles: int, models: int, protocol: StudyProtocol, controls: Any) -> None:
    """Raises `UserError` for a round that is too large to be planned; takes no time and no memory."""
    asked = articles * models * method.most_questions(protocol, controls)
    if asked > MOST_CELLS:
        raise UserError(
            tr(
                "The round could ask {n:,} questions ({items:,} items, {models:,} models) of {most:,} at most.",
                n=asked,
                items=articles,
                models=models,
                most=MOST_CELLS,
            ),
            tr("Take fewer items, models or levels, or smaller controls, and ask the rest in further rounds."),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Freeze:
    """Everything that a run keeps of the moment it was planned."""

    plan: Plan
    name: str
    batch_id: BatchId
    protocol: StudyProtocol
    models: tuple[TargetModel, ...]


def freeze(frozen: Freeze) -> Write[RunId]:
    """A write that stores the run with its protocol, models and cells, all or nothing. Raises `UserError`."""
    protocol, plan = frozen.protocol, frozen.plan
    check_encoders(frozen.models)
    check_scope(plan.scope, catalogue.method(plan.method), protocol)
    method = scoped(catalogue.method(plan.method), plan.scope)
    controls = controls_in_force(method, plan.controls, protocol)
    models = frozen.models
    protocol_text, digest = kept_text(protocol, method.name), protocol_hash(protocol)

    def write(connection: Connection) -> RunId:
        protocol_id = protocols.keep(
            connection,
            method=method.name,
            name=protocol.name,
            version=protocol.version,
            hash=digest,
            text=protocol_text,
        )
        run_id = runs.create(
            connection,
            runs.NewRun(
                name=frozen.name,
                plan_hash=plan_hash(plan),
                plan=plan_json(plan),
                batch_id=frozen.batch_id,
                protocol_id=ProtocolId(protocol_id),
                method=method.name,
                method_version=method.version,
                controls=json.dumps(asdict(controls)),
                seed=plan.seed,
                spend_cap=plan.spend_cap,
            ),
            models,
        )
        articles = batches.articles(connection, frozen.batch_id)
        planned = planned_cells(method, articles, models, protocol, controls, plan.seed)
        stages, fitted_on = len(method.stages_of(protocol)) - 1, method.fitted_on
        if not new_cells.plan(connection, run_id, method.grouping, planned, fitted_on=fitted_on, stages=stages):
            raise UserError(tr("Nothing is left to ask."), tr("Leave out less of the design."))
        return run_id

    return write


def check_encoders(models: Sequence[TargetModel]) -> None:
    """Raises `UserError` for an encoder whose provider gives no vectors."""
    for model in models:
        if model.role is Role.EMBEDDER and model.endpoint.provider not in catalogue.embedders():
            raise UserError(
                tr("{model} cannot be an encoder: its provider has no models that give vectors.", model=model.label),
                tr("Use a model of one of: {names}.", names=", ".join(sorted(catalogue.embedders()))),
            )


def planned_cells(
    method: Method,
    articles: Iterable[BatchArticle],
    models: Sequence[TargetModel],
    protocol: StudyProtocol,
    controls: Any,
    seed: int,
) -> Iterator[PlannedCell]:
    """Every cell with its place in the order of asking.

    Articles come one after the other, so that each is complete early; within an article a model's cells are
    shuffled by the run's seed, so that time and factors are not confounded.
    """
    offset = 0
    for article in articles:
        key = article.item.key
        answers = list(method.expand(article.item, protocol, controls, seed))
        for model in models:
            # Every model has the same range of places: cells are taken model by model, never across models.
            its = [each for each in answers if model.role in each.roles]
            places = list(range(offset, offset + len(its)))
            # By names and not by row ids: the same plan has the same order in every audit.
            random.Random(cell_seed(seed, "order", model.endpoint.label, key)).shuffle(places)  # noqa: S311
            seed_with = seeds_of(seed_text(seed, model.endpoint.label, key))
            for place, each in zip(places, its, strict=True):
                yield PlannedCell(
                    model_id=ModelId(model.id),
                    article_id=article.id,
                    answer=each,
                    seed=seed_with(_ending(each.coordinates.pairs, each.repeat)),
                    position=place,
                )
        # By all answers, though a model may get only some of them: no place is given to two articles.
        offset += len(answers)


def further_cells(
    method: Method,
    models: Sequence[TargetModel],
    items: Mapping[ArticleId, StudyItem],
    protocol: StudyProtocol,
    controls: Any,
    seed: int,
    *,
    first: int,
) -> Callable[[int, Sequence[EndedCell]], Iterator[PlannedCell]]:
    """Gives the cells of a later stage from those that have ended; the first of them is asked at place *first*."""
    places = count(first)

    def cells_of(stage: int, ended: Sequence[EndedCell]) -> Iterator[PlannedCell]:
        by_number = {each.cell: each for each in ended}
        asked = list(method.next_stage(stage, ended, protocol, controls, seed))
        # Who judges does not read one model's answers in a row.
        random.Random(cell_seed(seed, "order", stage, *(each.seed for each in ended[:1]))).shuffle(asked)  # noqa: S311
        for each in asked:
            parent = by_number[each.parent]
            article = ArticleId(parent.item)
            for model in models:
                if model.role not in each.answer.roles or each.model not in ("", model.label):
                    continue
                # The parent by its seed, which follows from names, and not by its row: the same answers get the same
                # seeds in every audit, and two answers about one item different ones.
                seed_with = seeds_of(seed_text(seed, model.endpoint.label, f"{items[article].key} {parent.seed}"))
                yield PlannedCell(
                    model_id=ModelId(model.id),
                    article_id=article,
                    answer=replace(each.answer, stage=stage),
                    seed=seed_with(_ending(each.answer.coordinates.pairs, each.answer.repeat)),
                    position=next(places),
                    parent=CellId(each.parent),
                )

    return cells_of


@lru_cache(maxsize=4096)
def _ending(coordinates: tuple[tuple[str, str], ...], repeat: int) -> bytes:
    """The end of the text from which a cell's seed is made, after model and item: the cells of a large round share some
    hundred of them."""
    return seed_text(*(level for _, level in coordinates), repeat)


def plan_stage(
    run: Run,
    method: Method,
    protocol: StudyProtocol,
    models: Sequence[TargetModel],
    items: Mapping[ArticleId, StudyItem],
    controls: Any,
    connection: Connection,
    group: FitGroupId,
) -> PlannedStage:
    """Store the cells of a group's next stage, behind all that the run has."""
    first = stages.last_position(connection, run.id) + 1
    cells_of = further_cells(method, models, items, protocol, controls, run.seed, first=first)
    return stages.plan_next(connection, run.id, group, method.grouping, method.fitted_on, cells_of)
