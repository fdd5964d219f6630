"""Checks a method on its calibration models: a real round in a folder of its own, its tables beside what is planted."""

from concurrent.futures import Future
from pathlib import Path
from typing import Final

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.events import TaskProgressed
from gpf_desktop.domain.ports.check import MethodCheck
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.engine.checking import CheckRun, InstrumentReport
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.followed_task import Tell, tell_nobody
from gpf_desktop.engine.core.protocols import load_protocol
from gpf_desktop.engine.engine import Engine
from gpf_desktop.engine.methods.gpf_livenews.instrument import CHECKED, FULL, QUICK, SEED, InstrumentCheck
from gpf_desktop.engine.open_audit import OpenAudit
from gpf_desktop.engine.reporting.results_filter import ResultsFilter
from gpf_desktop.engine.rounds.plans import read_plan
from gpf_desktop.engine.schedules.plan_rounds import plan_round

CHECK_TASK: Final = "check"


class PlannedCheck(CheckRun):
    """The check of a method that describes its round as a plan."""

    def __init__(self, check: MethodCheck, *, quick: bool, seed: int | None = None, tell: Tell = tell_nobody) -> None:
        super().__init__(tell)
        self._check, self._quick = check, quick
        self._seed = check.seed if seed is None else seed

    def checked(self, open_audit: OpenAudit, folder: Path) -> InstrumentReport:
        name = self._check.name
        plan = read_plan(self._check.plan(folder, quick=self._quick, seed=self._seed), where=name)
        planned = plan_round(open_audit, plan, beside=folder)
        assert planned.run_id is not None, "a round of calibration models is asked"
        self.refuse_if_cancelled()
        open_audit.rounds.start(planned.run_id).result()
        self.refuse_if_cancelled()
        open_audit.auto_rescoring.settle().result()
        asked = len(catalogue.method(name).items(load_protocol(plan.protocol, beside=folder, method=name)))
        told = open_audit.results.concluding.page(ResultsFilter())
        concluded = () if told is None else self._check.concluded(told)
        return InstrumentReport(
            lines=(*self._check.lines(open_audit.results.findings(ResultsFilter(), self._check.reads)), *concluded),
            articles=asked,
            cells=open_audit.rounds.progress(planned.run_id).planned,
            seed=plan.seed,
            over=trn("{n} item", "{n} items", asked),
        )


def check_of(method: str, *, quick: bool, tell: Tell, seed: int | None = None) -> CheckRun:
    """The check of *method*, with its own seed where *seed* is None. Raises `UserError` where it has none."""
    catalogue.method_with("check", method)
    own = catalogue.checks().get(method)
    # More than a plan can say, several rounds and a look at every cell, stands on the engine: `engine.methods`.
    if own is None:
        if method != CHECKED:
            raise UserError(
                tr("The method {name} says that it has a check, and brings none.", name=method),
                tr("Tell whoever made the package, or uninstall it."),
            )
        return InstrumentCheck(QUICK if quick else FULL, tell, seed=SEED if seed is None else seed)
    return PlannedCheck(own, quick=quick, seed=seed, tell=tell)


def start_check(engine: Engine, method: str, *, quick: bool = False) -> "Future[InstrumentReport]":
    """Check *method* beside what *engine* does, told as its task `CHECK_TASK`; its `cancel_beside` ends it."""

    def tell(done: int, of: int) -> None:
        engine.announce(TaskProgressed(task=CHECK_TASK, done=done, of=of))

    check = check_of(method, quick=quick, tell=tell)
    return engine.run_beside(check.run, check.cancel)
