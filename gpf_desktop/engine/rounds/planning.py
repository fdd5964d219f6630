"""Freezes a round: which cells there are, and in which order they are asked."""

import json
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass

from gpf_desktop.domain.cells import Condition, Factors, cell_seed
from gpf_desktop.domain.ids import BatchId, ModelId, ProtocolId, RunId
from gpf_desktop.domain.models import TargetModel
from gpf_desktop.domain.plans import Plan
from gpf_desktop.domain.ports import PlannedItem
from gpf_desktop.domain.protocol import Controls, Protocol
from gpf_desktop.engine import catalogue
from gpf_desktop.engine.protocol.protocols import protocol_hash, write_protocol
from gpf_desktop.engine.rounds.plans import plan_hash, plan_json
from gpf_desktop.storage import batches, cells, protocols, runs
from gpf_desktop.storage.batches import BatchArticle
from gpf_desktop.storage.cells import PlannedCell
from gpf_desktop.storage.writer import Connection, Write

EXPANDER = "gpf-grid"


@dataclass(frozen=True, slots=True, kw_only=True)
class CallCount:
    """How many calls a round makes, by what they are for."""

    identity: int
    repeats: int
    paraphrases: int
    identity_free: int
    random_label: int

    @property
    def total(self) -> int:
        return self.identity + self.repeats + self.paraphrases + self.identity_free + self.random_label


def controls_in_force(plan_controls: Controls | None, protocol: Protocol) -> Controls:
    return protocol.controls if plan_controls is None else plan_controls


def count_calls(
    items: Sequence[PlannedItem], models: int, protocol: Protocol, controls: Controls, seed: int
) -> CallCount:
    """Exact: expands every item as the run will."""
    kinds: Counter[str] = Counter()
    expander = catalogue.expanders()[EXPANDER]
    for item in items:
        kinds.update(kind_of(factors) for factors in expander.expand(item, protocol, controls, seed))
    return CallCount(**{kind: kinds[kind] * models for kind in CallCount.__dataclass_fields__})


def kind_of(factors: Factors) -> str:
    """The field of `CallCount` that a cell counts towards."""
    match factors.condition:
        case Condition.IDENTITY_FREE:
            return "identity_free"
        case Condition.RANDOM_LABEL:
            return "random_label"
        case Condition.IDENTITY:
            if factors.repeat:
                return "repeats"
            return "paraphrases" if factors.paraphrase else "identity"


@dataclass(frozen=True, slots=True, kw_only=True)
class Freeze:
    """Everything that a run keeps of the moment it was planned."""

    plan: Plan
    name: str
    batch_id: BatchId
    protocol: Protocol
    models: tuple[TargetModel, ...]


def freeze(frozen: Freeze) -> Write[RunId]:
    """A write that stores the run with its protocol, models and cells, all or nothing."""
    protocol, plan = frozen.protocol, frozen.plan
    controls = controls_in_force(plan.controls, protocol)
    expander = catalogue.expanders()[EXPANDER]
    protocol_text, digest = write_protocol(protocol), protocol_hash(protocol)

    def write(connection: Connection) -> RunId:
        protocol_id = protocols.keep(
            connection, name=protocol.name, version=protocol.version, hash=digest, text=protocol_text
        )
        run_id = runs.create(
            connection,
            runs.NewRun(
                name=frozen.name,
                plan_hash=plan_hash(plan),
                plan=plan_json(plan),
                batch_id=frozen.batch_id,
                protocol_id=ProtocolId(protocol_id),
                expander=expander.name,
                expander_version=expander.version,
                controls=json.dumps(asdict(controls)),
                seed=plan.seed,
                spend_cap=plan.spend_cap,
            ),
            frozen.models,
        )
        articles = batches.articles(connection, frozen.batch_id)
        planned = planned_cells(articles, frozen.models, protocol, controls, plan.seed)
        cells.plan(connection, run_id, expander.grouping.name, planned)
        return run_id

    return write


def planned_cells(
    articles: Iterable[BatchArticle],
    models: Sequence[TargetModel],
    protocol: Protocol,
    controls: Controls,
    seed: int,
) -> Iterator[PlannedCell]:
    """Every cell with its place in the order of asking.

    Articles come one after the other, so that each is complete early; within an article a model's cells are
    shuffled by the run's seed, so that time and identity are not confounded.
    """
    expander = catalogue.expanders()[EXPANDER]
    offset = 0
    for article in articles:
        item = PlannedItem(key=article.key, anchor=article.anchor)
        factors = list(expander.expand(item, protocol, controls, seed))
        for model in models:
            places = list(range(offset, offset + len(factors)))
            random.Random(cell_seed(seed, "order", model.endpoint.label, article.key)).shuffle(places)  # noqa: S311
            for place, each in zip(places, factors, strict=True):
                yield PlannedCell(
                    model_id=ModelId(model.id),
                    article_id=article.id,
                    factors=each,
                    seed=seed_of(seed, model, article.key, each),
                    position=place,
                )
        offset += len(factors)


def seed_of(run_seed: int, model: TargetModel, article_key: str, factors: Factors) -> int:
    return cell_seed(
        run_seed,
        model.endpoint.label,
        article_key,
        factors.condition,
        factors.dimension,
        factors.identity,
        factors.family,
        factors.paraphrase,
        factors.repeat,
    )
