"""What a method says of the models that a plan names: the sentences that its set-up has in the window."""

from pathlib import Path

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.plans import Plan
from gpf_desktop.domain.ports.set_up import SetUp
from gpf_desktop.domain.studies import Chosen
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.protocols import load_protocol
from gpf_desktop.engine.rounds.planning import controls_in_force


def refuse_lacking(plan: Plan, *, beside: Path) -> None:
    """Raises `UserError` where the models of *plan* alone can answer nothing of what its method asks."""
    set_up = catalogue.set_up(plan.method)
    protocol = load_protocol(plan.protocol, beside=beside, method=plan.method)
    chosen = _chosen(set_up, plan)
    if lacking := set_up.missing(protocol, chosen):
        raise UserError(lacking, tr("Add them to the plan as [[models]]."))
    controls = controls_in_force(catalogue.method(plan.method), plan.controls, protocol)
    if astray := set_up.aimed_past(controls, chosen):
        raise UserError(astray, tr("Change target in the plan's [controls]."))


def advice_on(plan: Plan, *, beside: Path) -> tuple[str, ...]:
    """What the models of *plan* will leave uncertain, in sentences."""
    set_up = catalogue.set_up(plan.method)
    protocol = load_protocol(plan.protocol, beside=beside, method=plan.method)
    return tuple(set_up.advice(protocol, _chosen(set_up, plan)))


def _chosen(set_up: SetUp, plan: Plan) -> Chosen:
    return {
        part.name: [each.label for place, each in enumerate(plan.models) if plan.role(place) is part.role]
        for part in set_up.parts
    }
