"""Between the page of a study and plans."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.ids import ModelId
from gpf_desktop.domain.models import Role, TargetModel
from gpf_desktop.domain.plans import Plan
from gpf_desktop.domain.ports.set_up import StudySetUp
from gpf_desktop.domain.studies import Rehearsal
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.open_audit import OpenAudit
from gpf_desktop.engine.rounds.plans import load_plan
from gpf_desktop.engine.rounds.round_power import RoundDesign
from gpf_desktop.engine.rounds.setup import by_jobs
from gpf_desktop.engine.schedules.saved_plans import OpenedPlan, opened


def plan_of(asked: RoundDesign, *, name: str, seed: int, spend_cap: float | None) -> Plan:
    """What is *asked*, as a plan; its items come with the protocol."""
    return Plan(
        name=name,
        articles_per_source=1,
        protocol=asked.protocol.name,
        controls=asked.controls,
        last_batch=False,
        seed=seed,
        spend_cap=spend_cap,
        sources=(),
        models=tuple(by_jobs(model.endpoint, wanted=bool(asked.batch_jobs)) for model in asked.models),
        method=asked.method.name,
        scope=asked.scope,
        roles=tuple(model.role for model in asked.models),
    )


def open_study(open_audit: OpenAudit, path: Path) -> OpenedPlan:
    """The plan at *path*. Raises `UserError` where it is of a method whose rounds are set up on Runs. Blocks."""
    plan = load_plan(path)
    if not isinstance(catalogue.set_up(plan.method), StudySetUp):
        raise UserError(
            tr("{path} is a round of {method}, which is no study.", path=path.name, method=plan.method),
            tr("Set it up on Runs, or give the file to gpf-desktop run."),
        )
    return opened(open_audit, plan, beside=path.parent)


def numbers_of(set_up: StudySetUp, protocol: Any, sizes: Any) -> Mapping[str, int]:
    """The numbers of the page as *sizes* have them, the method's controls, or else the *protocol*."""
    return {each.name: getattr(sizes, each.name, getattr(protocol, each.name, each.default)) for each in set_up.numbers}


def part_of(set_up: StudySetUp, role: Role) -> str:
    """The part of a model that has *role*."""
    return next(part.name for part in set_up.parts if part.role is role)


def with_rehearsal(models: Sequence[TargetModel], rehearsal: Rehearsal) -> tuple[TargetModel, ...]:
    """*models*, and those calibration models that are not among them, which have ids below 0."""
    known = {model.label for model in models}
    return (
        *models,
        *(
            TargetModel(id=ModelId(-1 - at), endpoint=endpoint, synthetic=True, label=endpoint.label)
            for at, (endpoint, _) in enumerate(rehearsal.models)
            if endpoint.label not in known
        ),
    )
