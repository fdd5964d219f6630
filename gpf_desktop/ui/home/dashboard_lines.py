"""The dashboard's lines for an open audit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

from gpf_desktop.domain.ids import RunId
from gpf_desktop.domain.runs import Run, RunState
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.storage.cut_off import CutOff
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.home.dashboard import DashboardLine
from gpf_desktop.ui.runs.repeat_view_model import nothing_left
from gpf_desktop.ui.studies.choosing import is_about_news, set_up_round
from gpf_desktop.ui.widgets.badge import Tone
from gpf_desktop.ui.wording import cost_of_cap, count, count_of, moment, money, spending

if TYPE_CHECKING:
    from gpf_desktop.engine.audit_summary import AuditSummary


def dashboard_lines(
    context: Context, summary: AuditSummary, due: datetime | None, resume: Callable[[RunId], object]
) -> tuple[DashboardLine, ...]:
    """Round, next schedule, spend, sources, bundles to read; *due*: when the next round of a schedule begins.

    Of an assignment bundles to read alone: its reader sets nothing up.
    """
    go = context.navigator.go
    lines = (
        _round(context, summary, resume),
        DashboardLine(
            name="schedule",
            icon="history",
            tone=Tone.NEUTRAL,
            title=tr("Schedule"),
            words=_next(due, left=summary.counts.unused > 0),
            button=tr("Schedules …"),
            do=context.actions.action("run.schedules").trigger,
        ),
        DashboardLine(
            name="spend",
            icon="results",
            tone=Tone.NEUTRAL,
            title=tr("Spend"),
            words=_spend(summary),
            button=tr("All rounds"),
            do=lambda: go("runs"),
        ),
        DashboardLine(
            name="sources",
            icon="warning" if summary.failing else "sources",
            tone=Tone.WARNING if summary.failing else Tone.NEUTRAL,
            title=tr("Sources"),
            words=_sources(summary),
            button=tr("Go to Sources"),
            do=lambda: go("sources"),
        ),
        DashboardLine(
            name="read",
            icon="review",
            tone=Tone.NEUTRAL,
            title=tr("To read"),
            words=_to_read(summary),
            button=tr("Read the answers"),
            do=lambda: go("review"),
        ),
    )
    about_news = is_about_news(summary.facts.methods)
    sources = summary.counts.sources > 0 or about_news
    if summary.counts.assigned:
        return lines[-1:]
    if not summary.rounds and not summary.deleted and not summary.deleted_unpriced:
        # Before the first round the next step leads the page, and lines that say “none” would push it down.
        telling = {
            "schedule": due is not None,
            "spend": bool(summary.writers),
            # Of an audit about news the first step says it.
            "sources": bool(summary.failing) or (summary.counts.sources > 0 and not about_news),
        }
        return tuple(line for line in lines if telling.get(line.name))
    return tuple(line for line in lines if line.name != "sources" or sources)


def shown_lines(context: Context, shows: str, *, warns: bool) -> tuple[DashboardLine, ...]:
    """The line of what the audit shows so far, told as *shows*; none where that is empty. *warns*: a check failed."""
    if not shows:
        return ()
    return (
        DashboardLine(
            name="shown",
            icon="warning" if warns else "results",
            tone=Tone.WARNING if warns else Tone.NEUTRAL,
            title=tr("Shows so far"),
            words=shows,
            button=tr("Read why"),
            do=lambda: context.navigator.go("results"),
        ),
    )


def cut_off_lines(found: Sequence[CutOff], resume: Callable[[CutOff], object]) -> tuple[DashboardLine, ...]:
    """Lines on rounds that the program's end stopped in audits that are not open."""
    return tuple(
        DashboardLine(
            name=f"cut_off.{at}",
            icon="pause",
            tone=Tone.WARNING,
            title=each.path.stem,
            words=_stopped(each.name, each.ended, each.planned),
            button=tr("Open and resume"),
            do=partial(resume, each),
        )
        for at, each in enumerate(found)
    )


def _stopped(name: str, ended: int, planned: int) -> str:
    return tr(
        "“{name}” was stopped by the end of the program at {done}. What was answered is stored.",
        name=name,
        done=count_of(ended, planned),
    )


def _round(context: Context, summary: AuditSummary, resume: Callable[[RunId], object]) -> DashboardLine:
    run = summary.open_round
    if run is None:
        last = next(iter(summary.shown), None)
        if last is not None:
            words = tr("“{name}” is {state}.", name=last.name, state=_state(last))
        else:
            words = tr("Every round is archived.") if summary.rounds else tr("No round yet.")
        return DashboardLine(
            name="round",
            icon="runs",
            tone=Tone.NEUTRAL,
            title=tr("Round"),
            words=words,
            button=tr("Set up a round"),
            do=lambda: set_up_round(context, summary.facts.methods),
        )
    done = count_of(run.answered + run.missing, run.planned)
    if run.state.active:
        return DashboardLine(
            name="round",
            icon="play",
            tone=Tone.SUCCESS,
            title=tr("Round"),
            words=tr("“{name}” is being asked: {done}.", name=run.name, done=done),
            button=tr("Watch it"),
            do=lambda: context.navigator.go("runs", run=run.id),
        )
    words = tr("“{name}” is {state} at {done}.", name=run.name, state=_state(run), done=done)
    if run.state is RunState.DRAFT:
        words = tr("“{name}” is planned and waits for its start.", name=run.name)
    if run.state is RunState.INTERRUPTED:
        words = _stopped(run.name, run.answered + run.missing, run.planned)
    return DashboardLine(
        name="round",
        icon="pause",
        tone=Tone.WARNING,
        title=tr("Round"),
        words=words,
        button=tr("Start") if run.state is RunState.DRAFT else tr("Resume"),
        do=lambda: resume(run.id),
    )


def _state(run: Run) -> str:
    return tr(str(run.state))


def _spend(summary: AuditSummary) -> str:
    run = summary.open_round
    words = spending(summary.spent, unpriced=summary.unpriced)
    any_deleted = bool(summary.deleted or summary.deleted_unpriced)
    if any_deleted and not summary.rounds:
        words = tr("{spent}, all in rounds deleted since", spent=words)
    elif any_deleted:
        deleted = spending(summary.deleted, unpriced=summary.deleted_unpriced)
        words = tr("{spent} in all, of which {deleted} in rounds deleted since", spent=words, deleted=deleted)
    else:
        unknown = sum(run.unpriced for run in summary.rounds)
        some = 0 < unknown < len(summary.rounds)
        words = money(summary.spent) if some else words
        words = trn("{spent} in {n} round", "{spent} in {n} rounds", len(summary.rounds), spent=words)
        words += tr(", price unknown in {n} of them", n=count(unknown)) if some else ""
    if run is not None and run.spend_cap is not None:
        words += " · " + tr(
            "“{name}”: {spent}", name=run.name, spent=cost_of_cap(run.spent, run.spend_cap, unpriced=run.unpriced)
        )
    if summary.writers:
        words += " · " + tr("{spent} by writers", spent=money(summary.writers))
    return words


def _next(due: datetime | None, *, left: bool) -> str:
    if due is None:
        return tr("Nothing is repeated.")
    words = tr("Next round: {moment}", moment=moment(due))
    return words if left else f"{words}. {nothing_left()}"


def _sources(summary: AuditSummary) -> str:
    words = trn("{n} source", "{n} sources", summary.counts.sources)
    if summary.failing:
        return tr("{sources}, failing: {names}", sources=words, names=", ".join(summary.failing))
    return tr("{sources}, none failing", sources=words)


def _to_read(summary: AuditSummary) -> str:
    counts = summary.counts
    left = counts.unread
    if counts.assigned:
        return trn(
            "{count} set of your assignment is left",
            "{count} sets of your assignment are left",
            left,
            count=count(left),
        )
    words = trn(
        "{count} scored set of answers nobody has read",
        "{count} scored sets of answers nobody has read",
        left,
        count=count(left),
    )
    if counts.planned:
        words += tr(", {n} of them in the reading plan", n=count(counts.planned))
    if counts.checks:
        # The figures above count all that is scored: why fewer are to be read is not to be guessed.
        words += trn(
            "; not counted here: {count} set of controls and other wordings",
            "; not counted here: {count} sets of controls and other wordings",
            counts.checks,
            count=count(counts.checks),
        )
    return words
