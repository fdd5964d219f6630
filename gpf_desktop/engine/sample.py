"""The sample audit: the calibration models over our own sample news, through the real pipeline.

The same everywhere: what `gpf-desktop demo` makes, what the window's first card opens a copy of.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import platformdirs

from gpf_desktop.domain.models import Endpoint
from gpf_desktop.domain.plans import Plan, PlanSource
from gpf_desktop.domain.protocol import Controls
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.headless import Headless
from gpf_desktop.engine.protocols import DEFAULT_PROTOCOL
from gpf_desktop.engine.run_command import RunSummary, run_plan
from gpf_desktop.engine.session import Session
from gpf_desktop.engine.source_desk import SAMPLE

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
    """Where `gpf-desktop demo` keeps the sample audit when no file is named."""
    folder = platformdirs.user_data_path("gpf-desktop", appauthor=False, ensure_exists=True)
    return folder / "Sample audit.gpf"


def make_sample(headless: Headless, path: Path) -> RunSummary:
    """Make the sample audit at *path*, or finish or just open the one that is there."""
    session = enter_sample(headless, path)
    summary = None
    for number in range(1, ROUNDS + 1):
        if not _finished(session, sample_plan(number)):
            summary = run_plan(headless, session, sample_plan(number), beside=path.absolute().parent)
            if not summary.done:
                return summary
    if summary is not None:
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


def enter_sample(headless: Headless, path: Path) -> Session:
    if path.exists():
        return headless.workshop.open(path)
    return headless.workshop.create(path, title=tr("Sample audit"), sample=True)


def _finished(session: Session, plan: Plan) -> bool:
    return any(run.name == plan.name and run.state.over for run in session.rounds.runs())
