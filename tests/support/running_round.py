"""A round of one model that runs, and the model, for tests that need no audit."""

from datetime import UTC, datetime

from gpf_desktop.domain.ids import BatchId, ModelId, ProtocolId, RunId
from gpf_desktop.domain.models import Endpoint, TargetModel
from gpf_desktop.domain.runs import Run, RunState

MODEL = TargetModel(id=ModelId(1), endpoint=Endpoint(provider="p", model="m"), synthetic=False, label="p/m")


def running(*, planned: int, answered: int, missing: int = 0) -> Run:
    return Run(
        id=RunId(1),
        name="",
        state=RunState.RUNNING,
        plan_hash="",
        method="gpf-livenews",
        batch_id=BatchId(1),
        protocol_id=ProtocolId(1),
        seed=1,
        planned=planned,
        answered=answered,
        missing=missing,
        spend_cap=None,
        spent=0.0,
        created=datetime(2026, 1, 1, tzinfo=UTC),
        started=None,
        finished=None,
        synthetic=False,
    )
