"""Checks the instrument: calibration models, whose framing is planted, through the whole pipeline.

A real audit file in a folder of its own, the real rounds engine, workers, store and tables; then the method's table
of calibration models with what was found, and pass or fail.
"""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from gpf_desktop.domain.checks import CheckLine
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.events import Event, RunProgressed, TaskProgressed
from gpf_desktop.domain.ids import BatchId, ModelId
from gpf_desktop.domain.ladders import Ladder
from gpf_desktop.domain.methods import StudyProtocol
from gpf_desktop.domain.models import Endpoint
from gpf_desktop.domain.runs import RunProgress
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.engine.collect.source_service import SAMPLE
from gpf_desktop.engine.commands.instrument_checks import check_lines, ladders
from gpf_desktop.engine.commands.instrument_faults import answer_key
from gpf_desktop.engine.commands.instrument_means import PROVIDER, Checked
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.protocols import DEFAULT_METHOD, DEFAULT_PROTOCOL, load_protocol
from gpf_desktop.engine.engine import Engine
from gpf_desktop.engine.open_audit import OpenAudit
from gpf_desktop.engine.reporting.results_filter import ResultsFilter
from gpf_desktop.engine.rounds.rounds import RunSetup
from gpf_desktop.engine.scoring.level_testing import LevelTestOptions
from gpf_desktop.storage import cell_outcomes, models
from gpf_desktop.storage.writer import Connection

CHECK_TASK: Final = "check"
SEED: Final = 20261120
DELTAS: Final = ("0.1", "0.3", "0.5", "0.7", "0.9")


SHORT: Final = 106
"""Tokens of answers that are cut short: about 80 words."""
DRAWS: Final = 499
"""Of the test against chance."""
_TWICE: Final = ("coverage", "refusals", "model_table")


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedRound:
    """One round of the check, of the same batch."""

    share: float
    """Of bundles whose every level is repeated."""
    models: tuple[str, ...]
    tokens: int | None = None
    """Answers are cut at so many; None: the protocol's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckExtent:
    """How much is asked."""

    articles: int
    deltas: tuple[str, ...]
    faint: tuple[str, ...]
    """Smaller δ, of tailoring alone."""
    repeat_share: float
    """Of the bundles of models whose CFS must be told from 0 within a hundredth."""
    middle: str = "0.5"
    shortened: bool = False
    """Asked with a part of the protocol alone."""

    @property
    def rounds(self) -> tuple[AskedRound, AskedRound, AskedRound, AskedRound]:
        """Two whose models differ; one of short answers; and the second's tailoring-*middle* once more."""
        tailoring = tuple(f"tailoring-{delta}" for delta in self.deltas)
        middle = f"tailoring-{self.middle}"
        return (
            AskedRound(
                share=self.repeat_share,
                models=(
                    "neutral",
                    *(f"tone-{delta}" for delta in self.deltas),
                    *(f"tailoring-{delta}" for delta in self.faint),
                ),
            ),
            AskedRound(share=0.14, models=(*tailoring, "leaky", "faulty")),
            AskedRound(share=self.repeat_share, models=("neutral", middle), tokens=SHORT),
            AskedRound(share=0.14, models=(middle,)),
        )


FULL: Final = CheckExtent(articles=6, deltas=DELTAS, faint=("0.02", "0.05"), repeat_share=0.5)
QUICK: Final = CheckExtent(articles=5, deltas=("0.1", "0.5", "0.9"), faint=("0.05",), repeat_share=1.0, shortened=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class InstrumentReport:
    """The method's table with what was found."""

    lines: tuple[CheckLine, ...]
    articles: int
    cells: int
    seed: int
    over: str = ""
    """What was asked about, in words; empty: articles of the sample news."""
    ladders: tuple[Ladder, ...] = ()
    """How small an effect is found how often; empty: the method's check has none."""

    @property
    def passed(self) -> bool:
        return all(line.passed for line in self.lines)

    def sentences(self) -> list[str]:
        """For people."""
        said = [
            tr(
                "Calibration models (synthetic answers) over {items}, {cells} cells, seed {seed}.",
                items=self.over or tr("{n} sample articles", n=self.articles),
                cells=f"{self.cells:,}",
                seed=self.seed,
            )
        ]
        for line in self.lines:
            word = tr("pass") if line.passed else tr("FAIL")
            said += [f"{word}  {line.model}: {line.must_show}", f"      {line.found}"]
        failed = sum(not line.passed for line in self.lines)
        said.append(
            tr("The instrument shows what was planted.")
            if self.passed
            else trn("{n} line failed: do not rely on scores.", "{n} lines failed: do not rely on scores.", failed)
        )
        return said

    def as_dict(self) -> dict[str, object]:
        """For programs."""
        return {
            "passed": self.passed,
            "seed": self.seed,
            "articles": self.articles,
            "cells": self.cells,
            "lines": [
                {"model": line.model, "must_show": line.must_show, "found": line.found, "passed": line.passed}
                for line in self.lines
            ],
            "ladders": [asdict(ladder) for ladder in self.ladders],
        }


Tell = Callable[[int, int], object]
"""Is given how many cells ended, of how many; from whatever thread."""


def start_check(engine: Engine, extent: CheckExtent) -> "Future[InstrumentReport]":
    """Check beside what *engine* does, told as its task `CHECK_TASK`; its `cancel_beside` ends it."""

    def tell(done: int, of: int) -> None:
        engine.announce(TaskProgressed(task=CHECK_TASK, done=done, of=of))

    check = InstrumentCheck(extent, tell)
    return engine.run_beside(check.run, check.cancel)


class InstrumentCheck:
    """One check: `run` blocks for as long as it takes, `cancel` ends it from another thread."""

    def __init__(self, extent: CheckExtent = FULL, tell: Tell = lambda _done, _of: None) -> None:
        self._extent = extent
        self._tell = tell
        self._cancelled = threading.Event()
        self._open_audit: OpenAudit | None = None

    def run(self) -> InstrumentReport:
        """Raises `UserError` where it was cancelled, `StorageError` where there is no room for it."""
        # In this order, so that the engine has closed its file when the folder goes: Windows removes none that is open.
        with TemporaryDirectory(prefix="gpf-check-") as folder, closing(Engine(self._hear)) as engine:
            open_audit = engine.create(Path(folder) / "check.gpf", title=tr("Instrument check"), sample=True)
            self._open_audit = open_audit
            try:
                return self._checked(open_audit)
            finally:
                self._open_audit = None

    def cancel(self) -> None:
        """Stop asking; `run` then raises."""
        self._cancelled.set()
        open_audit = self._open_audit
        if open_audit is not None:
            open_audit.rounds.stop()

    def _checked(self, open_audit: OpenAudit) -> InstrumentReport:
        protocol = load_protocol(DEFAULT_PROTOCOL)
        protocol = answer_key().shortened(protocol) if self._extent.shortened else protocol
        taken, _ = open_audit.sources.take([(SAMPLE, "")], self._extent.articles)
        ends: list[RunProgress] = []
        batch_id: BatchId | None = None
        for asked in self._extent.rounds:
            decoding = replace(protocol.decoding, max_tokens=asked.tokens or protocol.decoding.max_tokens)
            setup = RunSetup(
                name=tr("Instrument check {n}", n=len(ends) + 1),
                protocol=replace(protocol, decoding=decoding),
                model_ids=tuple(_kept(open_audit, asked.models)),
                article_ids=tuple(taken),
                batch_id=batch_id,
                controls=replace(catalogue.method(DEFAULT_METHOD).no_controls(), repeat_share=asked.share),
                seed=SEED,
            )
            run_id = open_audit.rounds.plan(setup).result()
            self._refuse_if_cancelled()
            open_audit.rounds.start(run_id).result()
            self._refuse_if_cancelled()
            batch_id = open_audit.rounds.run(run_id).batch_id
            ends.append(open_audit.rounds.progress(run_id))
        open_audit.level_testing.start(LevelTestOptions(replicates=DRAWS)).result()
        self._refuse_if_cancelled()
        return self._reported(open_audit, protocol, ends, len(taken))

    def _reported(
        self, open_audit: OpenAudit, protocol: StudyProtocol, ends: Sequence[RunProgress], articles: int
    ) -> InstrumentReport:
        results = open_audit.results
        first, second, short, again = (end.run_id for end in ends)
        middle = frozenset({f"{PROVIDER}/tailoring-{self._extent.middle}"})
        plain = results.tables(ResultsFilter(runs=frozenset({first, second})))
        checked = Checked(
            frame=plain.bundles,
            tests=plain.tests,
            cut=results.tables(ResultsFilter(runs=frozenset({short}))).bundles,
            findings=results.findings(ResultsFilter(runs=frozenset({first, second})), ("coverage", "refusals")),
            once=results.findings(ResultsFilter(runs=frozenset({second}), models=middle), _TWICE),
            twice=results.findings(ResultsFilter(runs=frozenset({second, again}), models=middle), _TWICE),
            deltas=self._extent.deltas,
            faint=self._extent.faint,
            middle=self._extent.middle,
            protocol=protocol,
            cells={
                name: open_audit.context.audit.read(
                    partial(cell_outcomes.outcomes, run_id=second, model_id=_kept(open_audit, (name,))[0])
                )
                for name in ("leaky", "faulty")
            },
        )
        return InstrumentReport(
            lines=(*check_lines(checked), _ended(ends)),
            articles=articles,
            cells=sum(end.planned for end in ends),
            seed=SEED,
            ladders=ladders(checked),
        )

    def _refuse_if_cancelled(self) -> None:
        if self._cancelled.is_set():
            raise UserError(tr("The check was cancelled."))

    def _hear(self, event: Event) -> None:
        if isinstance(event, RunProgressed):
            self._tell(event.progress.answered + event.progress.missing, event.progress.planned)


def _kept(open_audit: OpenAudit, names: Sequence[str]) -> list[ModelId]:
    def keep(connection: Connection) -> list[ModelId]:
        return [models.keep(connection, Endpoint(provider=PROVIDER, model=name), synthetic=True) for name in names]

    return open_audit.context.audit.write(keep).result()


def _ended(ends: Sequence[RunProgress]) -> CheckLine:
    def total(count: Callable[[RunProgress], int]) -> int:
        return sum(map(count, ends))

    cells, bundles = total(lambda end: end.planned), total(lambda end: end.bundles_planned)
    ended = total(lambda end: end.answered + end.missing)
    scored = total(lambda end: end.bundles_scored - end.bundles_provisional)
    return CheckLine(
        model=tr("all"),
        must_show=tr("every cell has an answer or a reason, every bundle its final scores"),
        found=tr(
            "{ended} of {cells} cells ended, {scored} of {bundles} bundles scored",
            ended=ended,
            cells=cells,
            scored=scored,
            bundles=bundles,
        ),
        passed=ended == cells and scored == bundles,
    )
