"""A plan as `gpf-desktop run` takes it, read to be set up in the window."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gpf_desktop.domain.events import ModelsChanged
from gpf_desktop.domain.models import TargetModel
from gpf_desktop.domain.plans import Plan
from gpf_desktop.engine.core.protocols import load_protocol
from gpf_desktop.engine.open_audit import OpenAudit
from gpf_desktop.engine.schedules.plan_rounds import keep_models


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
