"""Checks of a plan before anything is asked: errors that keep it from being asked, and the method's advice on its
models."""

from pathlib import Path

from gpf_desktop.documents.targets import there
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.plans import Plan
from gpf_desktop.domain.ports.set_up import SetUp
from gpf_desktop.domain.studies import Chosen
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.collect.fetching import neither
from gpf_desktop.engine.collect.source_service import SAMPLE
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.protocols import load_protocol
from gpf_desktop.engine.rounds.planning import controls_in_force
from gpf_desktop.engine.schedules.plan_rounds import resolved


def refuse_lacking(plan: Plan, *, beside: Path) -> None:
    """Raises `UserError` where the models of *plan* alone can answer nothing of what its method asks, and `SourceError`
    where none of its sources is an address, or a file that is there."""
    set_up = catalogue.set_up(plan.method)
    protocol = load_protocol(plan.protocol, beside=beside, method=plan.method)
    chosen = _chosen(set_up, plan)
    if lacking := set_up.missing(protocol, chosen):
        raise UserError(lacking, tr("Add them to the plan as [[models]]."))
    controls = controls_in_force(catalogue.method(plan.method), plan.controls, protocol)
    if astray := set_up.aimed_past(controls, chosen):
        raise UserError(astray, tr("Change target in the plan's [controls]."))
    absent = (
        [] if plan.last_batch or catalogue.method(plan.method).items(protocol) else absent_files(plan, beside=beside)
    )
    if absent and len(absent) == len(plan.sources):
        raise neither(absent[0])


def absent_files(plan: Plan, *, beside: Path) -> list[str]:
    """Sources of *plan* that are no address, and no file either."""
    targets = (resolved(source.target, beside) for source in plan.sources)
    return [each for each in targets if "://" not in each and each != SAMPLE and not _is_file(Path(each).expanduser())]


def _is_file(path: Path) -> bool:
    return there(path) and path.is_file()


def advice_on(plan: Plan, *, beside: Path) -> tuple[str, ...]:
    """Sentences of the method about what the models of *plan* will leave uncertain."""
    set_up = catalogue.set_up(plan.method)
    protocol = load_protocol(plan.protocol, beside=beside, method=plan.method)
    return tuple(set_up.advice(protocol, _chosen(set_up, plan)))


def _chosen(set_up: SetUp, plan: Plan) -> Chosen:
    return {
        part.name: [each.label for place, each in enumerate(plan.models) if plan.role(place) is part.role]
        for part in set_up.parts
    }
