"""A run's progress while it is under way: counted as answers land, without asking the store."""

from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from gpf_desktop.domain.ids import FitGroupId, ModelId, RunId
from gpf_desktop.domain.models import TargetModel
from gpf_desktop.domain.responses import Missing
from gpf_desktop.domain.runs import ModelProgress, RunProgress, RunState, Spread
from gpf_desktop.storage.runs import ModelCount
from gpf_desktop.storage.scores import GroupCount

WINDOW: Final = 30.0
"""Seconds over which a rate is taken."""
ENOUGH: Final = 20
"""Answers of this sitting before a time left is told."""


@dataclass(slots=True, kw_only=True)
class Lane:
    """One model's line."""

    model: TargetModel
    planned: int
    answered: int
    by_reason: Counter[str]
    spent: float
    in_flight: int = 0
    limit: int = 0
    waits: int = 0
    throttle: str = ""
    job_requests: int = 0
    job_done: int = 0
    landed: deque[float] = field(default_factory=deque)
    """Times of the answers within the window."""
    sitting: int = 0
    """Cells that ended in this sitting."""

    @property
    def missing(self) -> int:
        return self.by_reason.total()

    @property
    def left(self) -> int:
        return self.planned - self.answered - self.missing


class Tracker:
    """Counts one sitting of a run. Used on the engine loop only."""

    def __init__(
        self,
        run_id: RunId,
        models: Iterable[TargetModel],
        counts: Iterable[ModelCount],
        clock: Callable[[], float],
    ) -> None:
        by_model = {count.model_id: count for count in counts}
        self._run_id = run_id
        self._clock = clock
        self._started = clock()
        self.lanes: dict[ModelId, Lane] = {
            model.id: Lane(
                model=model,
                planned=by_model[model.id].planned,
                answered=by_model[model.id].answered,
                by_reason=Counter(by_model[model.id].by_reason),
                spent=by_model[model.id].spent,
            )
            for model in models
        }
        self.bundles_planned = 0
        self.scored: dict[FitGroupId, tuple[int, int]] = {}
        """Fit group → bundles scored, and provisional ones among them."""

    @property
    def spent(self) -> float:
        """US dollars so far, by counted usage."""
        return sum(lane.spent for lane in self.lanes.values())

    @property
    def likely_in_all(self) -> float:
        """US dollars for the whole run, if the open cells cost what the answered ones did."""
        each = ((lane.spent, lane.answered, lane.left) for lane in self.lanes.values())
        return sum(spent + (spent / answered * left if answered else 0.0) for spent, answered, left in each)

    @property
    def gaps(self) -> int:
        return sum(lane.missing for lane in self.lanes.values())

    @property
    def done(self) -> bool:
        return all(lane.left == 0 for lane in self.lanes.values())

    def count_bundles(self, counts: Iterable[GroupCount]) -> None:
        """Take over how many bundles are planned and scored."""
        self.bundles_planned = 0
        for count in counts:
            self.bundles_planned += count.planned
            self.scored[count.group] = (count.scored, count.provisional)

    def take_away(self, without_numbers: Mapping[FitGroupId, int]) -> None:
        """Bundles that were assessed and had no answers to score, by group, are not scored."""
        for group, n in without_numbers.items():
            scored, provisional = self.scored[group]
            self.scored[group] = (scored - n, min(provisional, scored - n))

    def landed(self, model_id: ModelId, missing: Missing | None) -> None:
        """One cell ended, with an answer or a reason."""
        lane = self.lanes[model_id]
        lane.sitting += 1
        if missing is None:
            lane.answered += 1
        else:
            lane.by_reason[missing] += 1
        now = self._clock()
        lane.landed.append(now)
        while lane.landed and lane.landed[0] < now - WINDOW:
            lane.landed.popleft()

    def reopened(self, model_id: ModelId, reasons: Iterable[Missing]) -> None:
        """Cells that had ended for these *reasons* are open again."""
        by_reason = self.lanes[model_id].by_reason
        by_reason.subtract(reasons)
        self.lanes[model_id].by_reason = +by_reason

    def progress(self, state: RunState, cap: float | None, held: float = 0.0) -> RunProgress:
        lanes = [self._line(lane) for lane in self.lanes.values()]
        lefts = [lane.left for lane in lanes if lane.left is not None]
        unknown = any(line.left is None and lane.left for line, lane in zip(lanes, self.lanes.values(), strict=True))
        left = None
        if lefts and not unknown:
            left = Spread(low=max(spread.low for spread in lefts), high=max(spread.high for spread in lefts))
        return RunProgress(
            run_id=self._run_id,
            state=state,
            planned=sum(lane.planned for lane in self.lanes.values()),
            answered=sum(lane.answered for lane in self.lanes.values()),
            missing=self.gaps,
            bundles_planned=self.bundles_planned,
            bundles_scored=sum(scored for scored, _ in self.scored.values()),
            bundles_provisional=sum(provisional for _, provisional in self.scored.values()),
            left=left,
            spent=self.spent,
            spend_cap=cap,
            held=held,
            models=tuple(lanes),
        )

    def _line(self, lane: Lane) -> ModelProgress:
        now = self._clock()
        recent = [moment for moment in lane.landed if moment >= now - WINDOW]
        span = min(WINDOW, now - self._started)
        rate = len(recent) / span if span > 0 else 0.0
        overall = lane.sitting / (now - self._started) if now > self._started else 0.0
        return ModelProgress(
            model=lane.model.label,
            planned=lane.planned,
            answered=lane.answered,
            missing=lane.missing,
            by_reason=tuple(lane.by_reason.most_common()),
            in_flight=lane.in_flight,
            limit=lane.limit,
            rate=rate,
            left=_time_left(lane, rate, overall),
            waits=lane.waits,
            throttle=lane.throttle,
            spent=lane.spent,
            priced=lane.model.synthetic or lane.model.endpoint.price is not None,
            job_requests=lane.job_requests,
            job_done=lane.job_done,
        )


def _time_left(lane: Lane, rate: float, overall: float) -> Spread | None:
    """Seconds left, between the recent and the overall rate, each a tenth wider."""
    if lane.left == 0:
        return Spread(low=0.0, high=0.0)
    if lane.sitting < ENOUGH or not rate or not overall:
        return None
    return Spread(low=0.9 * lane.left / max(rate, overall), high=1.1 * lane.left / min(rate, overall))
