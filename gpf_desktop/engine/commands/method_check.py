"""Checks a method on its calibration models: a real round in a folder of its own, its tables beside what is planted."""

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from gpf_desktop.domain.checks import MethodCheck
from gpf_desktop.domain.text import trn
from gpf_desktop.engine.commands.headless import Headless
from gpf_desktop.engine.commands.instrument import InstrumentReport
from gpf_desktop.engine.commands.run_command import run_plan
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.protocols import load_protocol
from gpf_desktop.engine.reporting.results_filter import ResultsFilter
from gpf_desktop.engine.rounds.plans import read_plan


def checked(check: MethodCheck, *, quick: bool, tell: Callable[[int, int], object]) -> InstrumentReport:
    """Ask, score and read; nothing is kept. *tell* is given how many cells ended, of how many."""
    method = catalogue.method(check.name)
    with TemporaryDirectory(prefix="gpf-check-") as place, Headless(quiet=True) as headless:
        folder = Path(place)
        plan = read_plan(check.plan(folder, quick=quick), where=check.name)
        audit = headless.engine.create(folder / "check.gpf", title=check.name)
        summary = run_plan(headless, audit, plan, beside=folder)
        assert summary.progress is not None, "a round of calibration models is asked"
        cells = summary.progress.planned
        tell(cells, cells)
        asked = len(method.items(load_protocol(plan.protocol, beside=folder, method=check.name)))
        return InstrumentReport(
            lines=tuple(check.lines(audit.results.findings(ResultsFilter()))),
            articles=asked,
            cells=cells,
            seed=plan.seed,
            over=trn("{n} item", "{n} items", asked),
        )
