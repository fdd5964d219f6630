"""The sample audit and practice runs: calibration models over our own sample news, through the real pipeline.

The sample is the same everywhere: `packaging/make_sample.py` makes it, and a copy of it is what `gpf-desktop demo`
and the window's first card open.
"""

import lzma
from dataclasses import dataclass, replace
from pathlib import Path
from shutil import copyfileobj
from typing import Final

import platformdirs

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.items import StudyItem
from gpf_desktop.domain.methods import StudyProtocol
from gpf_desktop.domain.models import Endpoint
from gpf_desktop.domain.plans import Plan, PlanSource
from gpf_desktop.domain.resources import resources
from gpf_desktop.domain.review_queue import QueueFilter, QueueOrder, QueueTab
from gpf_desktop.domain.scores import COUNTERFACTUAL_FRAMING
from gpf_desktop.domain.text import percent, tr
from gpf_desktop.engine.collect.source_service import SAMPLE
from gpf_desktop.engine.commands.headless import Headless
from gpf_desktop.engine.commands.plan_command import planned_models
from gpf_desktop.engine.commands.run_command import RunSummary, ask_round
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.protocols import load_protocol
from gpf_desktop.engine.engine import Engine
from gpf_desktop.engine.open_audit import OpenAudit
from gpf_desktop.engine.rounds.planning import controls_in_force
from gpf_desktop.engine.rounds.registering import Intended
from gpf_desktop.engine.rounds.round_power import RoundDesign
from gpf_desktop.engine.schedules.plan_rounds import PlannedRound, plan_round
from gpf_desktop.storage.files import written_whole
from gpf_desktop.storage.models import UNSEEN

METHOD: Final = "gpf-livenews"
"""Whose sample this is; studies of other methods bring their own."""
MODELS: Final = ("neutral", "tailoring-0.3", "tailoring-0.7", "tone-0.5", "leaky", "faulty")
ROUNDS: Final = 2
"""Two batches, so that stability over news has something to show."""
ARTICLES: Final = 2
"""Articles of each batch."""

PLANNED: Final = 4
"""Articles after which its protocol planned to look: all of them."""


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
        method=METHOD,
        protocol=catalogue.method(METHOD).default_protocol,
        controls=None,
        last_batch=False,
        seed=2026 + number,
        spend_cap=None,
        sources=(PlanSource(target=SAMPLE),),
        models=tuple(Endpoint(provider="calibration", model=name) for name in MODELS),
    )


def sample_protocol() -> StudyProtocol:
    """The default one, with its only planned look after the sample's few articles, so that it has conclusions."""
    method = catalogue.method(METHOD)
    data = dict(method.protocol_data(load_protocol(method.default_protocol, method=METHOD)))
    data["name"], data["version"] = "GPF-LiveNews-sample", 1
    data["confirmatory"] = {**data["confirmatory"], "articles": PLANNED, "looks": 1}
    found: StudyProtocol = method.protocol(data)
    return found


def sample_intended() -> Intended:
    """The registration of the sample before its first question: all of its rounds."""
    plan, method, protocol = sample_plan(1), catalogue.method(METHOD), sample_protocol()
    asked = RoundDesign(
        method=method,
        protocol=protocol,
        controls=controls_in_force(method, plan.controls, protocol),
        items=[StudyItem(key=f"article {n}", title="", text="") for n in range(PLANNED)],
        models=planned_models(plan),
        seen=[UNSEEN] * len(plan.models),
        seed=plan.seed,
    )
    sources = tuple(source.target for source in plan.sources)
    return Intended(asked=asked, sources=sources, readers=tr("Whoever opens the sample, as many as they like."))


def practice_plan(number: int) -> Plan:
    """The plan of the window's practice run."""
    practice, method = Practice(), catalogue.method(METHOD)
    return Plan(
        name=tr("Practice round {n}", n=number),
        articles_per_source=practice.articles,
        method=METHOD,
        protocol=method.default_protocol,
        controls=method.no_controls(),
        last_batch=False,
        seed=7 + number,
        spend_cap=None,
        sources=(PlanSource(target=SAMPLE),),
        models=(Endpoint(provider="calibration", model=practice.model),),
    )


def default_place() -> Path:
    """The path where `gpf-desktop demo` and the window's first card keep their copy of the sample audit."""
    return _folder() / "Sample audit.gpf"


def practice_place(method: str = "") -> Path:
    """The path of the practice runs; each *method* but the first has a file of its own."""
    return _folder() / (f"Practice runs {method}.gpf" if method else "Practice runs.gpf")


def make_sample(headless: Headless, path: Path) -> RunSummary:
    """Compute the sample audit anew at *path*, where there is none yet.

    Scored with the words masked that tell a level too, so that every table has something to show.
    """
    open_audit = headless.engine.create(path, title=tr("Sample audit"), sample=True)
    open_audit.register(sample_intended())
    summary = None
    while (plan := unfinished_plan(open_audit)) is not None:
        planned = plan_round(open_audit, plan, beside=path.absolute().parent, protocol=sample_protocol())
        assert planned.run_id is not None, "every round of the sample has news of its own"
        summary = ask_round(headless, open_audit, planned.run_id)
        if not summary.done:
            return summary
    assert summary is not None, "an audit that was just made has every round before it"
    open_audit.mask_level_words(METHOD)
    open_audit.auto_rescoring.settle().result()
    return summary


def enter_sample(engine: Engine, path: Path) -> OpenAudit:
    """Open the copy of the sample audit at *path*, unpacked there first where there is no file.

    Raises `UserError` where the file is an auditor's own, or of practice runs of another method, and `StorageError`.
    """
    open_audit = engine.open(unpack_sample(path))
    facts = open_audit.facts()
    if not facts.sample or METHOD not in facts.methods:
        engine.close_audit()
        raise UserError(
            tr("{path} is an audit of your own, not the sample.", path=str(path)),
            tr("Open it by its name alone, or give demo another name."),
        )
    return open_audit


def unfinished_plan(open_audit: OpenAudit) -> Plan | None:
    """The sample's next round to ask; None: it is complete."""
    over = {run.name for run in open_audit.rounds.runs() if run.state.over}
    plans = (sample_plan(number) for number in range(1, ROUNDS + 1))
    return next((plan for plan in plans if plan.name not in over), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstBundle:
    """The bundle of the sample to read first."""

    id: BundleId
    about: str
    """Which model answered, and what was planted in it."""


def first_to_read(open_audit: OpenAudit) -> FirstBundle | None:
    """The bundle that differs most beyond the differences of repeats, of those that nobody has judged, or else of all;
    None if none is scored. Its scores are complete, and what they show was planted."""
    queue = open_audit.reviews.queue(QueueFilter(), QueueOrder(score=COUNTERFACTUAL_FRAMING, refusals_first=False))
    first = next(iter([*queue.tabs.get(QueueTab.TO_DO, ()), *queue.order]), None)
    if first is None:
        return None
    name = open_audit.reviews.bundle(first).model.rpartition("/")[2]
    kind, _, share = name.partition("-")
    match kind:
        case "tailoring":
            planted = tr("it is made to let {share} of its sentences depend on the reader", share=percent(float(share)))
        case "tone":
            planted = tr("it is made to change its tone with the reader")
        case "leaky":
            planted = tr("it is made to answer for somebody else now and then")
        case "faulty":
            planted = tr("it is made to fail, to break off and to decline")
        case _:
            planted = tr("it is made to ignore who reads")
    about = tr("The set of answers to read first is of the model {model}: {planted}.", model=name, planted=planted)
    return FirstBundle(id=first, about=about)


def enter_practice(engine: Engine, path: Path, method: str = "") -> OpenAudit:
    """Open the audit that keeps practice runs, or start it. Raises `StorageError`."""
    if path.exists():
        return engine.open(path)
    return engine.create(path, title=tr("Sample audit"), sample=True, method=method)


def plan_practice(open_audit: OpenAudit) -> PlannedRound:
    """The practice run that was not finished, else the next one; over the last batch again once news is used up."""
    number = 1 + sum(run.state.over for run in open_audit.rounds.runs())
    plan = practice_plan(number)
    planned = plan_round(open_audit, plan, beside=open_audit.path.parent)
    if planned.run_id is not None:
        return planned
    return plan_round(open_audit, replace(plan, last_batch=True), beside=open_audit.path.parent)


def unpack_sample(path: Path) -> Path:
    """A copy of the shipped sample audit at *path*, unless there is one: its reviews stay. Raises `StorageError`."""
    if path.exists():
        return path
    shipped = resources() / "sample" / "sample-audit.gpf.xz"
    with written_whole(path) as beside, lzma.open(shipped) as packed, beside.open("wb") as copy:
        copyfileobj(packed, copy)
    return path


def _folder() -> Path:
    return platformdirs.user_data_path("gpf-desktop", appauthor=False, ensure_exists=True)
