"""Checks the instrument: calibration models, whose framing is planted, through the whole pipeline.

A real audit file in a folder of its own, the real rounds engine, workers, store and tables; then the method's table
of calibration models with what was found, and pass or fail.
"""

import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from gpf_desktop.domain.checks import CheckLine
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.events import Event, RunProgressed, TaskProgressed
from gpf_desktop.domain.ids import BatchId, ModelId, RunId
from gpf_desktop.domain.models import Endpoint
from gpf_desktop.domain.protocol import Controls, Protocol
from gpf_desktop.domain.runs import RunProgress
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.engine.collect.source_service import SAMPLE
from gpf_desktop.engine.commands.instrument_checks import PROVIDER, Checked, check_lines
from gpf_desktop.engine.core.protocols import DEFAULT_METHOD, DEFAULT_PROTOCOL, load_protocol
from gpf_desktop.engine.engine import Engine
from gpf_desktop.engine.open_audit import OpenAudit
from gpf_desktop.engine.reporting.results_filter import ResultsFilter
from gpf_desktop.engine.reporting.stored_tables import StoredTables
from gpf_desktop.engine.rounds.rounds import RunSetup
from gpf_desktop.storage import cell_outcomes, models
from gpf_desktop.storage.writer import Connection

CHECK_TASK: Final = "check"
SEED: Final = 20261120
DELTAS: Final = ("0.1", "0.3", "0.5", "0.7", "0.9")


@dataclass(frozen=True, slots=True, kw_only=True)
class Extent:
    """How much is asked."""

    articles: int
    deltas: tuple[str, ...]
    repeat_share: float
    """Of the bundles of models whose CFS must be told from 0 within a hundredth."""
    dimensions: int | None = None
    """The first so many of the protocol's; None: all."""

    @property
    def rounds(self) -> tuple[tuple[float, tuple[str, ...]], ...]:
        """(share of bundles whose every identity is repeated, models asked so)."""
        return (
            (self.repeat_share, ("neutral", *(f"tone-{delta}" for delta in self.deltas))),
            (0.14, (*(f"tailoring-{delta}" for delta in self.deltas), "leaky", "faulty")),
        )


FULL: Final = Extent(articles=6, deltas=DELTAS, repeat_share=0.5)
QUICK: Final = Extent(articles=5, deltas=("0.1", "0.5", "0.9"), repeat_share=1.0, dimensions=2)


@dataclass(frozen=True, slots=True, kw_only=True)
class InstrumentReport:
    """The method's table with what was found."""

    lines: tuple[CheckLine, ...]
    articles: int
    cells: int
    seed: int
    over: str = ""
    """What was asked about, in words; empty: articles of the sample news."""

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
        }


Tell = Callable[[int, int], object]
"""Is given how many cells ended, of how many; from whatever thread."""


def start_check(engine: Engine, extent: Extent) -> "Future[InstrumentReport]":
    """Check beside what *engine* does, told as its task `CHECK_TASK`; its `cancel_beside` ends it."""

    def tell(done: int, of: int) -> None:
        engine.announce(TaskProgressed(task=CHECK_TASK, done=done, of=of))

    check = InstrumentCheck(extent, tell)
    return engine.run_beside(check.run, check.cancel)


class InstrumentCheck:
    """One check: `run` blocks for as long as it takes, `cancel` ends it from another thread."""

    def __init__(self, extent: Extent = FULL, tell: Tell = lambda _done, _of: None) -> None:
        self._extent = extent
        self._tell = tell
        self._cancelled = threading.Event()
        self._open_audit: OpenAudit | None = None

    def run(self) -> InstrumentReport:
        """Raises `UserError` where it was cancelled, `StorageError` where there is no room for it."""
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
        protocol = replace(protocol, dimensions=protocol.dimensions[: self._extent.dimensions])
        taken, _ = open_audit.sources.take([(SAMPLE, "")], self._extent.articles)
        asked: dict[str, tuple[RunId, ModelId]] = {}
        ends: list[RunProgress] = []
        batch_id: BatchId | None = None
        for share, names in self._extent.rounds:
            model_ids = _kept(open_audit, names)
            setup = RunSetup(
                name=tr("Instrument check {n}", n=len(ends) + 1),
                protocol=protocol,
                model_ids=tuple(model_ids.values()),
                article_ids=tuple(taken),
                batch_id=batch_id,
                controls=replace(Controls.none(), repeat_share=share),
                seed=SEED,
            )
            run_id = open_audit.rounds.plan(setup).result()
            self._refuse_if_cancelled()
            open_audit.rounds.start(run_id).result()
            self._refuse_if_cancelled()
            batch_id = open_audit.rounds.run(run_id).batch_id
            asked |= {name: (run_id, model_id) for name, model_id in model_ids.items()}
            ends.append(open_audit.rounds.progress(run_id))
        return self._reported(open_audit, protocol, asked, ends, len(taken))

    def _reported(
        self,
        open_audit: OpenAudit,
        protocol: Protocol,
        asked: Mapping[str, tuple[RunId, ModelId]],
        ends: Sequence[RunProgress],
        articles: int,
    ) -> InstrumentReport:
        stored = StoredTables(open_audit.context)
        checked = Checked(
            frame=stored.tables(stored.setting(None, DEFAULT_METHOD), DEFAULT_METHOD).bundles,
            findings=open_audit.results.findings(ResultsFilter(), ("coverage", "refusals")),
            deltas=self._extent.deltas,
            protocol=protocol,
            cells={
                name: open_audit.context.audit.read(
                    partial(cell_outcomes.outcomes, run_id=asked[name][0], model_id=asked[name][1])
                )
                for name in ("leaky", "faulty")
            },
        )
        return InstrumentReport(
            lines=(*check_lines(checked), _ended(ends)),
            articles=articles,
            cells=sum(end.planned for end in ends),
            seed=SEED,
        )

    def _refuse_if_cancelled(self) -> None:
        if self._cancelled.is_set():
            raise UserError(tr("The check was cancelled."))

    def _hear(self, event: Event) -> None:
        if isinstance(event, RunProgressed):
            self._tell(event.progress.answered + event.progress.missing, event.progress.planned)


def _kept(open_audit: OpenAudit, names: Sequence[str]) -> dict[str, ModelId]:
    def keep(connection: Connection) -> dict[str, ModelId]:
        return {
            name: models.keep(connection, Endpoint(provider=PROVIDER, model=name), synthetic=True) for name in names
        }

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
