"""Words of the page Rounds on one round: its figures, its facts, its spend, the tone of its state."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from gpf_desktop.domain.responses import Usage
from gpf_desktop.domain.runs import Run, RunProgress, RunState
from gpf_desktop.domain.served import ServedNote
from gpf_desktop.domain.text import dotted, tr, trn
from gpf_desktop.domain.unknown_refusals import told_by_reason
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.rounds.scoping import Narrowing
from gpf_desktop.ui.messages import Message, MessageKind, Remedy
from gpf_desktop.ui.runs.scope_words import scope_words
from gpf_desktop.ui.widgets.badge import Tone
from gpf_desktop.ui.wording import (
    cap_money,
    cost_of_cap,
    count,
    count_of,
    decimal,
    duration,
    duration_range,
    moment,
    money_beside,
    spending,
)

STOPPING = "run.stopping"


def figures_of(now: RunProgress, took: float | None = None) -> tuple[tuple[str, str], ...]:
    """The five cards: a figure and what is under it; *took*: seconds from the start of a round to its end."""
    rate = sum(model.rate for model in now.models)
    left = tr("not known yet") if now.left is None else duration_range(now.left)
    if now.state.over:
        left = tr("done")
    elif not now.state.active:
        left = tr("not started") if now.state is RunState.DRAFT else tr(str(now.state))
    under_left = tr("left at {rate} a second", rate=decimal(rate, 1)) if now.state.active else tr("time")
    in_jobs = any(line.job_requests for line in now.models)
    if now.state.over and took is not None:
        left, under_left = duration(took), tr("from start to end")
    if now.scoring:
        under_left = tr("until all sets are scored")
    elif now.state.active and now.left is None:
        under_left = tr("a day at most for batch jobs") if in_jobs else tr("time left, after 20 answers")
    reasons: dict[str, int] = {}
    for model in now.models:
        for reason, n in model.by_reason:
            reasons[reason] = reasons.get(reason, 0) + n
    whole = tr("every question has its answer") if now.state.over else tr("so far")
    under_spend = tr("of {cap} cap", cap=cap_money(now.spend_cap)) if now.spend_cap is not None else tr("no cap")
    if now.in_doubt:
        under_spend = tr(
            "{cap} · up to {doubt} in doubt", cap=under_spend, doubt=money_beside(now.in_doubt, now.spend_cap)
        )
    if now.held and not now.in_flight:
        under_spend = tr(
            "{cap} · {held} held for the next answers", cap=under_spend, held=money_beside(now.held, now.spend_cap)
        )
    elif now.held:
        under_spend = trn(
            "{cap} · {held} held for {n} answer in flight",
            "{cap} · {held} held for {n} answers in flight",
            now.in_flight,
            cap=under_spend,
            held=money_beside(now.held, now.spend_cap),
        )
    return (
        (count_of(now.answered, now.planned), tr("answers stored")),
        (left, under_left),
        (spending(now.spent, unpriced=now.unpriced), under_spend),
        _scored(now),
        (
            tr("no gaps")
            if not now.missing
            else trn("{gaps} gap", "{gaps} gaps", now.missing, gaps=count(now.missing)),
            ", ".join(told_by_reason(reasons.items(), sum(line.unknown_refusals for line in now.models))) or whole,
        ),
    )


def _scored(now: RunProgress) -> tuple[str, str]:
    if not now.bundles_planned:
        return tr("none"), tr("sets to score: judge models alone are asked")
    scored = trn("set scored", "sets scored", now.bundles_planned)
    if now.bundles_provisional:
        scored = tr("{scored}, {n} may still change", scored=scored, n=count(now.bundles_provisional))
    return count_of(now.bundles_scored, now.bundles_planned), scored


def stopping_question(*, finish: Callable[[], object], stop: Callable[[], object]) -> Message:
    """The question before stopping at once: what that costs, and what to do instead."""
    # Without their number: while the question stands, more are on their way.
    words = tr("Stopped now, the answers on their way are lost, may be billed, and are asked again when you resume.")
    remedies = (Remedy(text=tr("Finish what is in flight"), do=finish), Remedy(text=tr("Stop now"), do=stop))
    return Message(text=words, kind=MessageKind.WARNING, remedies=remedies, topic=STOPPING, asks=True)


def tone_of(state: RunState) -> tuple[Tone, str]:
    """Colour and icon of a state's badge."""
    match state:
        case RunState.RUNNING:
            return Tone.SUCCESS, "play"
        case RunState.PAUSING | RunState.PAUSED | RunState.INTERRUPTED:
            return Tone.WARNING, "pause"
        case RunState.FINISHED:
            return Tone.SUCCESS, "check"
        case RunState.FINISHED_WITH_GAPS:
            return Tone.WARNING, "check"
        case RunState.STOPPED:
            return Tone.DANGER, "stop"
        case RunState.DRAFT:
            return Tone.NEUTRAL, ""


def facts_of(run: Run, usage: Usage, narrowing: Narrowing | None = None) -> str:
    """A line on what a round asked of whom, when, and who had it asked."""
    parts = [
        run.protocol,
        catalogue.method(run.method).items_in_words(run.articles),
        trn("{n} model", "{n} models", len(run.models)),
    ]
    if narrowing is not None and narrowing.scope:
        parts.append(scope_words(narrowing.scope, narrowing.offered))
    if run.started is not None:
        by = f" {tr(str(run.started_by))}" if run.started_by is not None else ""
        parts.append(tr("started {moment}{by}", moment=moment(run.started), by=by))
        if run.finished is not None:
            parts.append(tr("ended {moment}", moment=moment(run.finished)))
    if usage.prompt or usage.completion:
        sent, got = count(usage.prompt or 0), count(usage.completion or 0)
        of_cache = tr(" ({cached} from the provider's cache)", cached=count(usage.cached)) if usage.cached else ""
        parts.append(tr("{sent} tokens in{of_cache}, {got} out", sent=sent, got=got, of_cache=of_cache))
    return dotted(parts)


def answered_by(told: Sequence[ServedNote], names: Mapping[str, str]) -> str:
    """A line for each model on who answered in its servers' words; *names* has the models' short names."""
    by_model: dict[str, list[str]] = {}
    for note in told:
        by_model.setdefault(names.get(note.model, note.model), []).append(note.words)
    return "\n".join(tr("Who answered for {m}: {said}", m=name, said=" ".join(its)) for name, its in by_model.items())


def spend_of(run: Run) -> str:
    return cost_of_cap(run.spent, run.spend_cap, unpriced=run.unpriced)


def short_names(models: Sequence[str]) -> dict[str, str]:
    """Models → their names without the provider, as far as no two are the same then."""
    short = {model: model.partition("/")[2] or model for model in models}
    same = Counter(short.values())
    return {model: name if same[name] == 1 else model for model, name in short.items()}
