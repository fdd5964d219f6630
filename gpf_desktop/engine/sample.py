"""The sample audit and practice runs: calibration models over our own sample news, through the real pipeline.

The sample is the same everywhere: what `gpf-desktop demo` makes, and what the window's first card opens a copy of.
"""

import lzma
from dataclasses import dataclass, replace
from pathlib import Path
from shutil import copyfileobj
from typing import Final

import platformdirs

from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.models import Endpoint
from gpf_desktop.domain.plans import Plan, PlanSource
from gpf_desktop.domain.protocol import Controls
from gpf_desktop.domain.resources import resources
from gpf_desktop.domain.review_queue import QueueFilter, QueueOrder, QueueTab
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.collect.source_desk import SAMPLE
from gpf_desktop.engine.headless import Headless
from gpf_desktop.engine.protocol.protocols import DEFAULT_PROTOCOL
from gpf_desktop.engine.rounds.plan_rounds import PlannedRound, plan_round
from gpf_desktop.engine.run_command import RunSummary, run_plan
from gpf_desktop.engine.session import Session
from gpf_desktop.engine.workshop import Workshop
from gpf_desktop.storage.faults import translated

MODELS: Final = ("neutral", "tailoring-0.3", "tailoring-0.7", "tone-0.5", "leaky", "faulty")
ROUNDS: Final = 2
"""Two batches, so that stability over news has something to show."""
ARTICLES: Final = 2
"""Articles of each batch."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Practice:
    """A small round before the auditor's eyes: one article, one calibration model, no controls."""

    model: str = "tailoring-0.5"
    articles: int = 1


def sample_plan(number: int) -> Plan:
    """The plan of the sample's round *number*, from 1."""
    return Plan(
        name=tr("Sample round {n}", n=number),
        articles_per_source=ARTICLES,
        protocol=DEFAULT_PROTOCOL,
        controls=None,
        last_batch=False,
        seed=2026 + number,
        spend_cap=None,
        sources=(PlanSource(target=SAMPLE),),
        models=tuple(Endpoint(provider="calibration", model=name) for name in MODELS),
    )


def practice_plan(number: int, practice: Practice | None = None) -> Plan:
    """The plan of the window's practice run."""
    practice = practice or Practice()
    return Plan(
        name=tr("Practice run {n}", n=number),
        articles_per_source=practice.articles,
        protocol=DEFAULT_PROTOCOL,
        controls=Controls.none(),
        last_batch=False,
        seed=7 + number,
        spend_cap=None,
        sources=(PlanSource(target=SAMPLE),),
        models=(Endpoint(provider="calibration", model=practice.model),),
    )


def default_place() -> Path:
    """Where `gpf-desktop demo` and the window's first card keep the sample audit."""
    return _folder() / "Sample audit.gpf"


def practice_place() -> Path:
    """Where practice runs are kept."""
    return _folder() / "Practice runs.gpf"


def make_sample(headless: Headless, path: Path) -> RunSummary:
    """Make the sample audit at *path*, or finish or just open the one that is there.

    Scored with identity words masked too, so that every table has something to show.
    """
    session = enter_sample(headless.workshop, path)
    summary = None
    while (plan := unfinished_plan(session)) is not None:
        summary = run_plan(headless, session, plan, beside=path.absolute().parent)
        if summary.state is None or not summary.done:
            return summary
    if summary is not None:
        session.mask_identity_words()
        session.upkeep.settle().result()
        return summary
    newest = session.rounds.runs()[0]
    return RunSummary(
        audit=session.path,
        name=newest.name,
        state=newest.state,
        progress=session.rounds.progress(newest.id),
        why="",
        resumed=False,
        notes=(tr("The sample audit was made before."),),
    )


def enter_sample(workshop: Workshop, path: Path) -> Session:
    """Open the sample audit at *path*, or start one there. Raises `StorageError`."""
    if path.exists():
        return workshop.open(path)
    return workshop.create(path, title=tr("Sample audit"), sample=True)


def unfinished_plan(session: Session) -> Plan | None:
    """The sample's next round to ask; None: it is complete."""
    over = {run.name for run in session.rounds.runs() if run.state.over}
    plans = (sample_plan(number) for number in range(1, ROUNDS + 1))
    return next((plan for plan in plans if plan.name not in over), None)


def next_sample_round(session: Session) -> PlannedRound | None:
    """The sample's next round, ready to be asked; None: it is complete."""
    plan = unfinished_plan(session)
    return None if plan is None else plan_round(session, plan, beside=session.path.parent)


def first_to_read(session: Session) -> BundleId | None:
    """The bundle whose answers differ most, of those that nobody has judged; None while nothing is scored."""
    queue = session.reviews.queue(QueueFilter(), QueueOrder(refusals_first=False))
    return next(iter([*queue.tabs.get(QueueTab.TO_DO, ()), *queue.order]), None)


def enter_practice(workshop: Workshop, path: Path) -> Session:
    """Open the audit that keeps practice runs, or start it. Raises `StorageError`."""
    if path.exists():
        return workshop.open(path)
    return workshop.create(path, title=tr("Practice runs"), sample=True)


def plan_practice(session: Session) -> PlannedRound:
    """The practice run that was not finished, else the next one; over the last batch again once news is used up."""
    number = 1 + sum(run.state.over for run in session.rounds.runs())
    plan = practice_plan(number)
    planned = plan_round(session, plan, beside=session.path.parent)
    if planned.run_id is not None:
        return planned
    return plan_round(session, replace(plan, last_batch=True), beside=session.path.parent)


def unpack_sample(path: Path) -> Path:
    """A copy of the shipped sample audit at *path*, unless there is one: its reviews stay. Raises `StorageError`."""
    if path.exists():
        return path
    beside = path.with_name(f".{path.name}.part")
    with translated(path):
        with lzma.open(resources() / "sample" / "sample-audit.gpf.xz") as packed, beside.open("wb") as copy:
            copyfileobj(packed, copy)
        beside.replace(path)
    return path


def _folder() -> Path:
    return platformdirs.user_data_path("gpf-desktop", appauthor=False, ensure_exists=True)
