"""A run's progress: counted as answers land while it is under way, without asking the store; read from it at rest."""

from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from gpf_desktop.domain.flags import Flag
from gpf_desktop.domain.ids import FitGroupId, ModelId
from gpf_desktop.domain.models import TargetModel
from gpf_desktop.domain.money import MOST_DIGITS, digits_of, exact, rounded_up
from gpf_desktop.domain.responses import Miss, Missing, Reply, Usage
from gpf_desktop.domain.runs import ModelProgress, Run, RunProgress, RunState, Spread
from gpf_desktop.domain.text import grouped, tr, trn
from gpf_desktop.domain.unknown_refusals import told_by_reason
from gpf_desktop.engine.rounds.spend_guard import SpendGuard
from gpf_desktop.storage import batch_jobs, models, runs, score_counts, scores
from gpf_desktop.storage.runs import ModelCount
from gpf_desktop.storage.score_counts import GroupCount
from gpf_desktop.storage.writer import Connection

WINDOW: Final = 30.0
"""Seconds over which a rate is taken."""
ENOUGH: Final = 20
"""Answers, or bundles scored, of this execution before a time left is told."""


@dataclass(slots=True, kw_only=True)
class ModelCounts:
    """The counts of one model."""

    model: TargetModel
    planned: int
    answered: int
    by_reason: Counter[str]
    spent: float
    in_doubt: float = 0.0
    unknown_refusals: int = 0
    in_flight: int = 0
    limit: int = 0
    waits: int = 0
    throttle: str = ""
    job_requests: int = 0
    job_done: int = 0
    landed: deque[float] = field(default_factory=deque)
    """Times of the answers within the window."""
    execution: int = 0
    """Cells that ended in this execution."""

    @property
    def missing(self) -> int:
        return self.by_reason.total()

    @property
    def left(self) -> int:
        return self.planned - self.answered - self.missing


class Tracker:
    """Counts one execution of a run. Used on the engine loop only."""

    def __init__(
        self,
        run: Run,
        models: Iterable[TargetModel],
        counts: Iterable[ModelCount],
        clock: Callable[[], float],
    ) -> None:
        by_model = {count.model_id: count for count in counts}
        self._run_id = run.id
        self._clock = clock
        self._started = clock()
        self.usage = Usage(prompt=run.prompt_tokens, completion=run.completion_tokens, cached=run.cached_tokens)
        """Tokens of the answers that are stored."""
        self.models: dict[ModelId, ModelCounts] = {
            model.id: ModelCounts(
                model=model,
                planned=by_model[model.id].planned,
                answered=by_model[model.id].answered,
                by_reason=Counter(by_model[model.id].by_reason),
                spent=by_model[model.id].spent,
                in_doubt=by_model[model.id].in_doubt,
                unknown_refusals=by_model[model.id].unknown_refusals,
            )
            for model in models
        }
        self.bundles_planned = 0
        self.scored: dict[FitGroupId, tuple[int, int]] = {}
        """Fit group → bundles scored, and provisional ones among them."""
        self._bundles: dict[FitGroupId, int] = {}
        self._final: set[FitGroupId] = set()
        self._all_ended: tuple[float, int] | None = None
        """When every cell had its end, and how many bundles had their last scores then."""

    @property
    def spent(self) -> float:
        """US dollars so far, by counted usage."""
        return sum(counts.spent for counts in self.models.values())

    @property
    def in_doubt(self) -> float:
        """US dollars that calls may have cost of which nobody knows the end."""
        return sum(counts.in_doubt for counts in self.models.values())

    def likely_in_all(self, at_most: Mapping[ModelId, float]) -> float:
        """US dollars for the whole run, if the open cells cost what the ended ones did; of a model of which none ended,
        what each costs *at_most*."""
        likely = 0.0
        for model, counts in self.models.items():
            ended = counts.planned - counts.left
            each = counts.spent / ended if ended else at_most.get(model, 0.0)
            likely += counts.spent + counts.left * each
        return likely

    @property
    def gaps(self) -> int:
        return sum(counts.missing for counts in self.models.values())

    @property
    def done(self) -> bool:
        return all(counts.left == 0 for counts in self.models.values())

    def count_bundles(self, counts: Iterable[GroupCount]) -> None:
        """Take over how many bundles are planned and scored."""
        self.bundles_planned = 0
        for count in counts:
            self.bundles_planned += count.planned
            self._bundles[count.group] = count.planned
            self.scored[count.group] = (count.scored, count.provisional)
            if count.scored and not count.provisional:
                self._final.add(count.group)

    def assessed(self, group: FitGroupId, scored: int, provisional: int) -> None:
        """The bundles of *group* have new scores."""
        self.scored[group] = (scored, provisional)
        if not provisional:
            self._final.add(group)

    def unread(self, counts: Mapping[ModelId, int]) -> None:
        """Count stored answers, so many of each model, as gaps: nothing in them can be scored."""
        for model_id, n in counts.items():
            self.models[model_id].answered -= n
            self.models[model_id].by_reason[Flag.NO_WORD] += n

    def landed(self, model_id: ModelId, outcome: Reply | Miss) -> None:
        """Count one cell that ended, with an answer or a reason."""
        counts = self.models[model_id]
        counts.execution += 1
        self._all_ended = None
        self.usage += outcome.usage
        if isinstance(outcome, Miss):
            counts.by_reason[outcome.reason] += 1
            counts.unknown_refusals += outcome.guessed
        else:
            counts.answered += 1
        now = self._clock()
        counts.landed.append(now)
        while counts.landed and counts.landed[0] < now - WINDOW:
            counts.landed.popleft()

    def reopened(self, model_id: ModelId, reasons: Iterable[Missing]) -> None:
        """Cells that had ended for these *reasons* are open again; those declined were so by words not known."""
        reasons, by_reason = list(reasons), self.models[model_id].by_reason
        self.models[model_id].unknown_refusals -= reasons.count(Missing.REFUSED)
        by_reason.subtract(reasons)
        # The plus leaves out reasons that no cell has any more.
        self.models[model_id].by_reason = +by_reason

    def progress(self, state: RunState, cap: float | None, held: float = 0.0) -> RunProgress:
        models = [self._line(counts) for counts in self.models.values()]
        lefts = [counts.left for counts in models if counts.left is not None]
        unknown = any(
            line.left is None and counts.left for line, counts in zip(models, self.models.values(), strict=True)
        )
        # Models are asked side by side, so the slowest decides; one of which nothing can be told yet may be that one.
        left = None
        if self.done:
            left = self._scoring_left()
        elif lefts and not unknown:
            left = Spread(low=max(spread.low for spread in lefts), high=max(spread.high for spread in lefts))
        return RunProgress(
            run_id=self._run_id,
            state=state,
            planned=sum(counts.planned for counts in self.models.values()),
            answered=sum(counts.answered for counts in self.models.values()),
            missing=self.gaps,
            bundles_planned=self.bundles_planned,
            bundles_scored=sum(scored for scored, _ in self.scored.values()),
            bundles_provisional=sum(provisional for _, provisional in self.scored.values()),
            left=left,
            spent=self.spent,
            spend_cap=cap,
            held=held,
            in_doubt=self.in_doubt,
            models=tuple(models),
            usage=self.usage,
        )

    def _scoring_left(self) -> Spread | None:
        """Seconds until every bundle is scored, as it went since the last answer."""
        now, final = self._clock(), sum(self._bundles.get(group, 0) for group in self._final)
        since, before = self._all_ended = self._all_ended or (now, final)
        if final - before < ENOUGH:
            return None
        left = (now - since) / (final - before) * (self.bundles_planned - final)
        return Spread(low=0.9 * left, high=1.1 * left)

    def _line(self, counts: ModelCounts) -> ModelProgress:
        now = self._clock()
        # Old times are thrown away only as answers land; where none do, the rate still has to fall.
        recent = [moment for moment in counts.landed if moment >= now - WINDOW]
        span = min(WINDOW, now - self._started)
        rate = len(recent) / span if span > 0 else 0.0
        overall = counts.execution / (now - self._started) if now > self._started else 0.0
        return ModelProgress(
            model=counts.model.label,
            planned=counts.planned,
            answered=counts.answered,
            missing=counts.missing,
            by_reason=tuple(counts.by_reason.most_common()),
            unknown_refusals=counts.unknown_refusals,
            in_flight=counts.in_flight,
            limit=counts.limit,
            rate=rate,
            left=_time_left(counts, rate, overall),
            waits=counts.waits,
            throttle=counts.throttle,
            spent=counts.spent,
            priced=counts.model.priced,
            job_requests=counts.job_requests,
            job_done=counts.job_done,
        )


def stored_progress(connection: Connection, run: Run) -> RunProgress:
    """The progress of a round that rests."""
    # A clock that stands still: of a run that rests there is no rate, and no time left is told.
    tracker = Tracker(run, models.of_run(connection, run.id), runs.counts(connection, run.id), lambda: 0.0)
    setting = scores.primary(connection, run.method)
    tracker.count_bundles(score_counts.by_group(connection, run.id, setting))
    tracker.unread(runs.flagged(connection, run.id, Flag.NO_WORD))
    for job in batch_jobs.live(connection, run.id):
        tracker.models[job.model_id].job_requests += job.requests
        tracker.models[job.model_id].job_done += job.done
    return tracker.progress(run.state, run.spend_cap)


def _time_left(counts: ModelCounts, rate: float, overall: float) -> Spread | None:
    """Seconds left, between the recent and the overall rate, each a tenth wider."""
    if counts.left == 0:
        return Spread(low=0.0, high=0.0)
    if counts.execution < ENOUGH or not rate or not overall:
        return None
    return Spread(low=0.9 * counts.left / max(rate, overall), high=1.1 * counts.left / min(rate, overall))


def words_of_rest(state: RunState, tracker: Tracker) -> str:
    """A sentence about the result of an execution, errors by kind."""
    reasons: Counter[str] = Counter()
    answered = unknown = 0
    for counts in tracker.models.values():
        unknown += counts.unknown_refusals
        answered += counts.answered
        reasons.update(counts.by_reason)
    parts = [
        trn("{count} answer", "{count} answers", answered, count=grouped(answered)),
        *told_by_reason(((reason, n) for reason, n in reasons.most_common() if n), unknown),
    ]
    if tracker.in_doubt:
        parts.append(tr("{dollars} at most in doubt", dollars=exact(tracker.in_doubt)))
    return f"{tr(str(state)).capitalize()}: {', '.join(parts)}."


def _digits_that_add_up(tracker: Tracker, guard: SpendGuard) -> int:
    """Those of the cap, and so many more that what is told of spent and next answers is above it, as it is."""
    cap, digits = guard.cap or 0.0, digits_of(guard.cap)
    while digits < MOST_DIGITS and (
        round(tracker.spent, digits) + round(tracker.in_doubt, digits) + rounded_up(guard.wanted, digits) < cap + 1e-9
    ):
        digits += 1
    return digits


def cap_needed(tracker: Tracker, guard: SpendGuard, at_most: Mapping[ModelId, float]) -> tuple[float, str]:
    """US dollars to which a cap that was reached is best raised, and a sentence that says so; *at_most*: what a cell of
    each model may cost."""
    digits = _digits_that_add_up(tracker, guard)
    unit = 10.0**-digits
    taken = tracker.spent + tracker.in_doubt
    # One unit above the worst case of the next call, so that the sum of all that is rounded does not fall short.
    least = round(rounded_up(taken + guard.wanted, digits) + unit, digits)
    # The last answer is asked for only where its worst case fits too.
    likely = tracker.likely_in_all(at_most) + tracker.in_doubt + guard.wanted
    needed = max(least, round(rounded_up(likely, digits) + unit, digits))
    doubt = tr(" (and up to {dollars} in doubt)", dollars=exact(tracker.in_doubt, digits)) if tracker.in_doubt else ""
    return needed, tr(
        "The spend cap is reached: {spent} of {cap} is spent{doubt}, and the next answer may cost {next}."
        " To resume, raise the cap to {least} at least; all that is open may take {all} in all.",
        spent=exact(tracker.spent, digits),
        cap=exact(guard.cap or 0.0, digits),
        doubt=doubt,
        next=exact(rounded_up(guard.wanted, digits), digits),
        least=exact(least, digits),
        all=exact(needed, digits),
    )
