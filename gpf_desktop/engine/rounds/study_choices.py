"""What the set-up of a study offers to choose from, and begins with."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from gpf_desktop.domain.ids import ModelId
from gpf_desktop.domain.models import TargetModel
from gpf_desktop.domain.ports.method import ChecksJudges, Method
from gpf_desktop.engine.core.protocols import frozen_protocol
from gpf_desktop.engine.models.price_list import with_prices
from gpf_desktop.storage import models, protocols
from gpf_desktop.storage.models import AnswersSeen
from gpf_desktop.storage.run_stamps import run_stamps
from gpf_desktop.storage.writer import Connection

UNSEEN = AnswersSeen(answers=0, tokens_low=0, tokens_high=0, seconds_low=0.0, seconds_high=0.0)
"""Of a model that has not answered yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyChoices:
    models: tuple[TargetModel, ...]
    seen: Mapping[ModelId, AnswersSeen]
    runs: int
    """Rounds that the audit has; the next one's seed goes by it."""


def study_choices(connection: Connection) -> StudyChoices:
    found = with_prices(models.every(connection))
    return StudyChoices(
        models=found,
        seen={model.id: models.answers_seen(connection, model.id) for model in found},
        runs=len(run_stamps(connection)),
    )


def last_asked(connection: Connection, method: Method) -> Any:
    """What the audit's newest round by *method* asked; None: there is none."""
    own: object = method
    for run in run_stamps(connection):
        if run.method != method.name:
            continue
        asked = frozen_protocol(method.name, protocols.get(connection, run.protocol_id).text)
        # Of a check of judges the answers are another round's.
        if not (isinstance(own, ChecksJudges) and own.only_checks(asked)):
            return asked
    return None
