"""The progress of each stage of a round, its cost so far and to come, and which model has which role in it."""

from collections.abc import Mapping
from dataclasses import dataclass

from gpf_desktop.domain.ids import RunId
from gpf_desktop.domain.models import Role
from gpf_desktop.domain.runs import Spread
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.models.price_list import price_of
from gpf_desktop.engine.rounds.forecast import Further, further
from gpf_desktop.engine.rounds.preparing import facts_of
from gpf_desktop.storage import models, runs, stages
from gpf_desktop.storage.stages import StageCount
from gpf_desktop.storage.writer import Connection


@dataclass(frozen=True, slots=True, kw_only=True)
class StageLine:
    """One stage; all zeros while nothing of it is planned."""

    title: str
    planned: int
    answered: int
    missing: int
    spent: float | None
    """US dollars; None where no model's price is known."""
    likely: int = 0
    """Calls in all if every earlier answer comes; 0: *planned* are all there will be."""
    cost: Spread | None = None
    """US dollars that those calls are likely to cost; None: not known, or nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StageOutlook:
    lines: tuple[StageLine, ...]
    roles: Mapping[Role, tuple[str, ...]]
    """The models that have each."""


def stage_outlook(connection: Connection, run_id: RunId) -> StageOutlook | None:
    """None for a round of one stage."""
    # Asked first of the method alone: most have no later stage, and no protocol is read for them.
    if len(catalogue.method(runs.get(connection, run_id).method).stages) < 2:
        return None
    facts = facts_of(connection, run_id)
    titles = facts.method.stages_of(facts.protocol)
    if len(titles) < 2:
        return None
    seen = {model.id: models.answers_seen(connection, model.id) for model in facts.models}
    items = [article.item for article in facts.articles]
    coming = further(facts.method, items, facts.models, facts.protocol, facts.controls, seen)
    counts = {each.stage: each for each in stages.counts(connection, run_id)}
    spent = stages.spent(connection, run_id)
    known = any(model.synthetic or price_of(model.endpoint) is not None for model in facts.models)
    roles: dict[Role, tuple[str, ...]] = {}
    for model in facts.models:
        roles[model.role] = (*roles.get(model.role, ()), model.label)
    return StageOutlook(
        lines=tuple(
            # Of two stages only: what `further` gives is one sum for all later ones.
            _line(
                title,
                counts.get(at),
                spent.get(at, 0.0) if known else None,
                coming if at == len(titles) - 1 == 1 else None,
            )
            for at, title in enumerate(titles)
        ),
        roles=roles,
    )


def _line(title: str, counted: StageCount | None, spent: float | None, coming: Further | None) -> StageLine:
    planned, answered, missing = (counted.planned, counted.answered, counted.missing) if counted else (0, 0, 0)
    if coming is None or planned >= coming.calls:
        return StageLine(title=title, planned=planned, answered=answered, missing=missing, spent=spent)
    return StageLine(
        title=title,
        planned=planned,
        answered=answered,
        missing=missing,
        spent=spent,
        likely=coming.calls,
        cost=coming.cost,
    )
