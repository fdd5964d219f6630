"""`gpf-desktop run PLAN.toml`: one round, from sources to scores; resumes the round if it was cut off."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.events import RunRested
from gpf_desktop.domain.ids import RunId
from gpf_desktop.domain.plans import Plan
from gpf_desktop.domain.program import program
from gpf_desktop.domain.round_parts import RoundPart
from gpf_desktop.domain.runs import Run, RunProgress, RunState
from gpf_desktop.domain.served import ServedNote
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.domain.unknown_refusals import told_by_reason
from gpf_desktop.engine.commands.headless import Headless, progress_line
from gpf_desktop.engine.commands.plan_command import job_notes
from gpf_desktop.engine.commands.plan_models import advice_on, refuse_lacking
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.statements import stated
from gpf_desktop.engine.open_audit import OpenAudit
from gpf_desktop.engine.reporting.conclusions_file import conclusions_document
from gpf_desktop.engine.reporting.results_filter import ResultsFilter
from gpf_desktop.engine.rounds.plans import plan_hash
from gpf_desktop.engine.rounds.preparing import check_keys, missing_variable
from gpf_desktop.engine.schedules.plan_rounds import plan_round
from gpf_desktop.storage import runs, unknown_refusals
from gpf_desktop.storage.unknown_refusals import GapWords

_MOST_SAID: Final = 3
"""Different words of one model's server in a summary."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSummary:
    """The result of a round, for people and for programs."""

    audit: Path
    name: str
    state: RunState | None
    """None: there was nothing new to ask."""
    progress: RunProgress | None
    why: str
    resumed: bool
    statement: str
    """What the scores may be said to show, in short."""
    concluded: Mapping[str, Any] = field(default_factory=dict)
    """What the audit concludes now, as `conclusions --json` prints it; empty: nothing was asked."""
    notes: tuple[str, ...] = ()
    """Sources that failed, sources with nothing new."""
    answered_by: tuple[ServedNote, ...] = ()
    """Who answered, where that is not just the name that was asked for."""
    happened: tuple[str, ...] = ()
    """What was noted while it was asked: limits that changed, calls that may have been billed."""
    part: RoundPart | None = None
    """That was asked, of a round whose others are asked elsewhere."""
    left: int = 0
    """Questions of the part that have no end yet."""
    said: Sequence[GapWords] = ()
    """By servers, of questions that `--retry-failed` asks again; the commonest first."""

    @property
    def done(self) -> bool:
        return self.state is None or self.state.over or (self.part is not None and not self.left)

    @property
    def gaps(self) -> bool:
        """An answer that nothing can be scored of is one too, which the round knows nothing of."""
        return self.done and self.progress is not None and self.progress.missing > 0

    def sentences(self) -> list[str]:
        if self.progress is None or self.state is None:
            return [*self.notes, self.why]
        state = RunState.FINISHED_WITH_GAPS if self.gaps and self.part is None else self.state
        lines = [*self.notes, f"{self.name}: {state}. {progress_line(self.progress)}"]
        for model in self.progress.models:
            gaps = told_by_reason(model.by_reason, model.unknown_refusals)
            if still_open := model.planned - model.answered - model.missing:
                gaps.append(tr("{n:,} not asked to the end", n=still_open))
            reasons = ", ".join(gaps) or tr("no gaps")
            lines.append(f"  {model.model}: {model.answered:,}/{model.planned:,}, {reasons}")
            own = [each for each in self.said if each.model == model.model]
            lines += [f"    {each.sentence}" for each in own[:_MOST_SAID]]
        if self.said and self.done:
            lines.append(tr("The same command with --retry-failed asks those again."))
        lines += [note.sentence for note in self.answered_by]
        if self.part is not None and not self.left:
            lines.append(tr("Part {part} is asked; gpf-desktop merge brings the parts together.", part=str(self.part)))
        lines.append(tr("Saved in {path}.", path=str(self.audit)))
        if self.progress.bundles_scored:
            lines.append(open_with(self.audit))
        headline = self.concluded.get("headline")
        return [*lines, *([str(headline)] if headline else []), self.statement]

    def as_dict(self) -> dict[str, object]:
        progress = self.progress
        return {
            "audit": str(self.audit),
            "run": self.name,
            "state": None if self.state is None else str(self.state),
            "resumed": self.resumed,
            "part": None if self.part is None else str(self.part),
            "planned": 0 if progress is None else progress.planned,
            "answered": 0 if progress is None else progress.answered,
            "missing": 0 if progress is None else progress.missing,
            "bundles": 0 if progress is None else progress.bundles_planned,
            "bundles_scored": 0 if progress is None else progress.bundles_scored,
            "spent_usd": 0 if progress is None else None if progress.unpriced else progress.spent,
            "in_doubt_usd": 0 if progress is None else progress.in_doubt,
            "models": []
            if progress is None
            else [
                {
                    "model": model.model,
                    "planned": model.planned,
                    "answered": model.answered,
                    "missing": dict(model.by_reason),
                    "refused_by_unknown_words": model.unknown_refusals,
                    "said": [
                        {"status": each.status, "words": each.words, "n": each.n}
                        for each in self.said
                        if each.model == model.model
                    ],
                    "spent_usd": model.spent if model.priced else None,
                }
                for model in progress.models
            ],
            "answered_by": [
                {"model": note.model, "kind": str(note.kind), "weighs": note.weighs, "words": note.words}
                for note in self.answered_by
            ],
            "why": self.why,
            "notes": [*self.notes, *self.happened],
            "conclusions": self.concluded,
        }


def open_with(audit: Path) -> str:
    """A line that says how to read *audit* in the window, from any folder."""
    start, *arguments = program()
    words = " ".join([f'"{start}"', *arguments])
    return tr('Read the highest sets of answers: {program} "{path}"', program=words, path=str(audit))


def check_plan(plan: Plan, *, beside: Path) -> None:
    """Raises `UserError` for what keeps *plan* from being asked at all, before a file is made for it."""
    refuse_lacking(plan, beside=beside)
    for endpoint in plan.models:
        if endpoint.key_env and not os.environ.get(endpoint.key_env, "").strip():
            raise missing_variable(endpoint.label, endpoint.key_env)


def only_planned(open_audit: OpenAudit, plan: Plan, *, beside: Path) -> str:
    """Freeze the next round of *plan* and ask nothing, for parts that copies of the audit ask; what was done, in words.

    Raises `UserError` for what the plan asks and cannot have, and where there is nothing new.
    """
    planned = plan_round(open_audit, plan, beside=beside)
    if planned.run_id is None:
        raise UserError(tr("There are no new articles to plan a round of."), " ".join(planned.notes))
    run = open_audit.rounds.run(planned.run_id)
    return tr(
        "{name} is planned in {path}: {n:,} questions. Copy it to each machine, and run the plan there with --part.",
        name=run.name,
        path=str(open_audit.path),
        n=run.planned,
    )


def run_plan(
    headless: Headless, open_audit: OpenAudit, plan: Plan, *, beside: Path, part: RoundPart | None = None
) -> RunSummary:
    """Resume the unfinished run of *plan*, or take a batch and ask it, or a *part* of it. Relative files are looked up
    in *beside*.

    A finished round of *plan* whose summary was never told (`mark_told`) is told now, and nothing is asked. Raises
    `UserError` for what the plan asks and cannot have.
    """
    digest = plan_hash(plan)
    for endpoint in plan.models:
        open_audit.context.keys.allow(endpoint)
    if (finished := open_audit.context.audit.read(lambda connection: runs.untold(connection, digest))) is not None:
        return _told_late(open_audit, finished)
    if open_audit.context.audit.read(lambda connection: runs.unfinished(connection, digest)) is None:
        if part is not None:
            _check_fixed(plan)
        # Of a round that goes on, a model that lacks its key may have no question left.
        check_keys(open_audit.context.keys, plan.models)
    planned = plan_round(open_audit, plan, beside=beside)
    if planned.run_id is None:
        why = (
            tr("There are no new articles of these sources that hold “{words}”.", words=plan.article_words)
            if plan.article_words
            else tr("There are no new articles: every article of these sources was used in an earlier batch.")
        )
        return RunSummary(
            audit=open_audit.path,
            name=plan.name,
            state=None,
            progress=None,
            why=why,
            resumed=False,
            statement=catalogue.method(plan.method).statement.short,
            notes=planned.notes,
        )
    run_id = planned.run_id
    # Before anything is asked: of a program that is killed after the last answer, the next command tells this round's
    # summary and does not pay for another round.
    open_audit.context.audit.write(lambda connection: runs.expect_telling(connection, digest, run_id)).result()
    # A round that goes on asks the models that it was begun with.
    advice = () if planned.resumed else advice_on(plan, beside=beside)
    if not planned.resumed:
        # Before anything is asked: what is saved, or could be, is of use while the round can still be stopped.
        for line in job_notes(plan, beside=beside, articles=open_audit.rounds.run(run_id).articles):
            headless.say(line)
    notes = (*planned.notes, *advice)
    return ask_round(headless, open_audit, run_id, resumed=planned.resumed, notes=notes, part=part)


def _check_fixed(plan: Plan) -> None:
    """Raises `UserError` where each machine would take a batch of its own from the network."""
    if any("://" in source.target for source in plan.sources):
        raise UserError(
            tr("Each machine would take other news, and the parts would not be of one round."),
            tr("Plan the round once with run --only-plan, and copy that audit to each machine."),
        )


def retry_failed(headless: Headless, open_audit: OpenAudit, plan: Plan) -> RunSummary:
    """Ask the failed cells of *plan*'s newest round again, and what is open of it. Raises `UserError` where there is
    none."""
    digest = plan_hash(plan)
    for endpoint in plan.models:
        open_audit.context.keys.allow(endpoint)
    run_id = open_audit.context.audit.read(lambda connection: runs.newest(connection, digest))
    if run_id is None:
        raise UserError(tr("This plan has no round in {path} yet.", path=str(open_audit.path)))
    again = open_audit.rounds.reopen_failed(run_id)
    note = (
        trn("{n} failed question is asked again.", "{n} failed questions are asked again.", again)
        if again
        else tr("No question of this plan's newest round failed: none is asked again.")
    )
    return ask_round(headless, open_audit, run_id, resumed=True, notes=(note,))


def mark_told(open_audit: OpenAudit, plan: Plan) -> None:
    """The summary of *plan*'s round has reached whoever asked for it: the next command begins another one."""
    digest = plan_hash(plan)
    open_audit.context.audit.write(lambda connection: runs.has_been_told(connection, digest)).result()


def _told_late(open_audit: OpenAudit, run_id: RunId) -> RunSummary:
    open_audit.auto_rescoring.settle().result()
    run = open_audit.rounds.run(run_id)
    note = tr(
        "This round was finished at {time}, but the program ended before it could say so. Nothing was asked now; run"
        " the same command again for the next round.",
        time="?" if run.finished is None else run.finished.strftime("%Y-%m-%d %H:%M UTC"),
    )
    return RunSummary(
        audit=open_audit.path,
        name=run.name,
        state=run.state,
        progress=open_audit.rounds.progress(run_id),
        why="",
        resumed=True,
        statement=_statement(open_audit, run),
        concluded=_concluded(open_audit, run),
        answered_by=open_audit.rounds.answered_by(run_id),
        notes=(note,),
    )


def _concluded(open_audit: OpenAudit, run: Run) -> dict[str, Any]:
    return conclusions_document(open_audit.results, ResultsFilter(method=run.method))


def _statement(open_audit: OpenAudit, run: Run) -> str:
    return open_audit.context.audit.read(partial(stated, method=run.method, runs=[run.id])).short


def ask_round(
    headless: Headless,
    open_audit: OpenAudit,
    run_id: RunId,
    *,
    resumed: bool = False,
    notes: tuple[str, ...] = (),
    part: RoundPart | None = None,
) -> RunSummary:
    """Ask a planned run, or a *part* of it, until it rests."""
    rests: list[RunRested] = []
    with headless.listening(lambda event: rests.append(event) if isinstance(event, RunRested) else None):
        state = headless.ask_round(open_audit, run_id, part)
    said = " ".join(event.why for event in rests)
    go_on = tr("The round was paused; run the same command to go on.")
    run = open_audit.rounds.run(run_id)
    return RunSummary(
        audit=open_audit.path,
        name=run.name,
        state=state,
        progress=open_audit.rounds.progress(run_id),
        why="" if state.over else f"{said} {go_on}".strip(),
        resumed=resumed,
        statement=_statement(open_audit, run),
        concluded=_concluded(open_audit, run),
        answered_by=open_audit.rounds.answered_by(run_id),
        notes=notes,
        happened=tuple(event.sentence for event in headless.noted if event.run_id == run_id),
        part=part,
        left=0 if part is None else open_audit.rounds.left_of(run_id, part),
        said=open_audit.context.audit.read(lambda connection: unknown_refusals.gap_words(connection, run_id)),
    )
