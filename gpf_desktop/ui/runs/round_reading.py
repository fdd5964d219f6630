"""One round as the store has it, read together."""

from dataclasses import dataclass, replace

from gpf_desktop.domain.ids import RunId
from gpf_desktop.domain.models import Limits
from gpf_desktop.domain.runs import Run, RunProgress
from gpf_desktop.domain.served import ServedNote
from gpf_desktop.engine.rounds.rounds import Rounds
from gpf_desktop.engine.rounds.scoping import Narrowing
from gpf_desktop.storage.lost_calls import UnknownCall
from gpf_desktop.storage.runs import RunNote


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundRead:
    """Everything that the page needs to show a round."""

    run: Run
    progress: RunProgress
    notes: list[RunNote]
    unknown: list[UnknownCall]
    limits: dict[str, Limits]
    narrowing: Narrowing
    answered_by: tuple[ServedNote, ...]


def read_round(rounds: Rounds, run_id: RunId) -> RoundRead:
    """Blocks; belongs on a worker thread."""
    return RoundRead(
        run=rounds.run(run_id),
        progress=rounds.progress(run_id),
        notes=rounds.notes(run_id),
        unknown=rounds.unknown_calls(run_id),
        limits=rounds.limits(run_id),
        narrowing=rounds.narrowing(run_id),
        answered_by=rounds.answered_by(run_id),
    )


def as_heard(run: Run, heard: RunProgress | None) -> Run:
    """*run* with the counts that were announced last, where it is the round that is being asked."""
    if heard is None or heard.run_id != run.id or not (run.state.active and heard.state.active):
        return run
    return replace(run, answered=heard.answered, missing=heard.missing, spent=heard.spent)
