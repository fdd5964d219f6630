"""A round of a study as files: its plan, as `gpf-desktop run` takes it, and beside it a protocol of its own."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from gpf_desktop.domain.events import ModelsChanged
from gpf_desktop.domain.methods import StudyProtocol
from gpf_desktop.domain.models import TargetModel
from gpf_desktop.domain.plans import Plan
from gpf_desktop.engine.core.protocols import load_protocol, protocol_hash, shipped_protocols, write_protocol
from gpf_desktop.engine.open_audit import OpenAudit
from gpf_desktop.engine.rounds.plans import write_plan
from gpf_desktop.engine.rounds.setup_choices import write_whole
from gpf_desktop.engine.schedules.plan_rounds import keep_models

PROTOCOL_ENDING: Final = ".protocol.yaml"
"""Behind the plan's own name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenedPlan:
    """A plan with what it names."""

    plan: Plan
    protocol: Any
    models: tuple[TargetModel, ...]
    """As the audit keeps them, with their roles."""


def opened(open_audit: OpenAudit, plan: Plan, *, beside: Path) -> OpenedPlan:
    """*plan* with what it names, looked up in *beside*; models that the audit lacks are added to it.

    Blocks. Raises `UserError` for what the protocol says wrongly, and `StorageError`.
    """
    protocol = load_protocol(plan.protocol, beside=beside, method=plan.method)
    models = open_audit.context.audit.write(lambda connection: keep_models(connection, plan)).result()
    open_audit.context.emit(ModelsChanged(model_ids=tuple(model.id for model in models)))
    return OpenedPlan(plan=plan, protocol=protocol, models=models)


def save_plan(plan: Plan, protocol: StudyProtocol, path: Path) -> None:
    """Write *plan* to *path*, asking what *protocol* asks, which is written beside it unless it comes with the method.

    Blocks. Raises `StorageError`.
    """
    if _shipped(plan.method, protocol):
        write_whole(path, write_plan(replace(plan, protocol=protocol.name)))
        return
    beside = path.with_name(path.stem + PROTOCOL_ENDING)
    # The protocol first: cut off in between there is a file too many, and no plan that names one which is not there.
    write_whole(beside, write_protocol(protocol, plan.method))
    write_whole(path, write_plan(replace(plan, protocol=beside.name)))


def _shipped(method: str, protocol: StudyProtocol) -> bool:
    known = shipped_protocols(method)
    return protocol.name in known and protocol_hash(load_protocol(protocol.name, method=method)) == protocol_hash(
        protocol
    )
