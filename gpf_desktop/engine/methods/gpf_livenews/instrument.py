"""Checks the instrument: calibration models, whose framing is planted, through the whole pipeline.

A real audit file in a folder of its own, the real rounds engine, workers, store and tables; then the method's table
of calibration models with what was found, and pass or fail.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final

from gpf_desktop.domain.checks import CheckLine
from gpf_desktop.domain.ids import BatchId, ModelId
from gpf_desktop.domain.models import Endpoint
from gpf_desktop.domain.runs import RunProgress
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.checking import CheckRun, InstrumentReport
from gpf_desktop.engine.collect.source_service import SAMPLE
from gpf_desktop.engine.core.followed_task import Tell, tell_nobody
from gpf_desktop.engine.core.protocols import load_protocol
from gpf_desktop.engine.methods.gpf_livenews import instrument_second_turns as second_turns
from gpf_desktop.engine.methods.gpf_livenews.instrument_checks import check_lines, ladders
from gpf_desktop.engine.methods.gpf_livenews.instrument_conclusions import (
    MODELS,
    conclusion_lines,
    conclusions_setup,
)
from gpf_desktop.engine.methods.gpf_livenews.instrument_faults import answer_key, unanswered
from gpf_desktop.engine.methods.gpf_livenews.instrument_means import PROVIDER, Checked
from gpf_desktop.engine.open_audit import OpenAudit
from gpf_desktop.engine.reporting.results_filter import ResultsFilter
from gpf_desktop.engine.rounds.setup import RunSetup
from gpf_desktop.engine.scoring.level_testing import LevelTestOptions
from gpf_desktop.methods.gpf_livenews.method import METHOD
from gpf_desktop.methods.gpf_livenews.protocol import Protocol
from gpf_desktop.storage import cell_outcomes, models
from gpf_desktop.storage.writer import Connection

CHECKED: Final = METHOD.name
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
    """The extent of a check: how much is asked."""

    articles: int
    deltas: tuple[str, ...]
    faint: tuple[str, ...]
    """Smaller δ, of tailoring alone."""
    repeat_share: float
    """Of the bundles of models whose CFS must be told from 0 within a hundredth."""
    plain_share: float = 0.14
    """Of the bundles of the others; cut answers are held against whole ones on what both rounds repeat."""
    bounds: float = 1.0
    """How wide the method's bounds of differences are taken, as fewer bundles tell them less exactly."""
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
            AskedRound(share=self.plain_share, models=(*tailoring, "leaky", "faulty")),
            AskedRound(share=self.repeat_share, models=("neutral", middle), tokens=SHORT),
            AskedRound(share=self.plain_share, models=(middle,)),
        )


FULL: Final = CheckExtent(articles=6, deltas=DELTAS, faint=("0.02", "0.05"), repeat_share=0.5)
QUICK: Final = CheckExtent(
    articles=5,
    deltas=("0.1", "0.5", "0.9"),
    faint=("0.05",),
    repeat_share=1.0,
    plain_share=0.5,
    bounds=2.0,
    shortened=True,
)


class InstrumentCheck(CheckRun):
    """Several rounds of the sample news."""

    def __init__(self, extent: CheckExtent = FULL, tell: Tell = tell_nobody, *, seed: int = SEED) -> None:
        super().__init__(tell)
        self._extent, self._seed = extent, seed

    def checked(self, open_audit: OpenAudit, folder: Path) -> InstrumentReport:
        report = self._asked(open_audit)
        self.refuse_if_cancelled()
        with self.beside(folder / "conclusions.gpf") as other:
            lines, cells = self._concluded(other)
        self.refuse_if_cancelled()
        with self.beside(folder / "second-turns.gpf") as other:
            turns, more = self._doubted(other)
        return replace(report, lines=(*report.lines, *lines, *turns), cells=report.cells + cells + more)

    def _doubted(self, open_audit: OpenAudit) -> tuple[tuple[CheckLine, ...], int]:
        """Whether a model gives way to some readers more than to others."""
        model_ids = tuple(_kept(open_audit, second_turns.MODELS))
        setup = second_turns.second_turns_setup(open_audit, model_ids, self._seed)
        run_id = open_audit.rounds.plan(setup).result()
        self.refuse_if_cancelled()
        open_audit.rounds.start(run_id).result()
        self.refuse_if_cancelled()
        open_audit.auto_rescoring.settle().result()
        finding = open_audit.results.findings(ResultsFilter(), (second_turns.TABLE,))[second_turns.TABLE]
        return tuple(second_turns.second_turn_lines(finding)), open_audit.rounds.progress(run_id).planned

    def _concluded(self, open_audit: OpenAudit) -> tuple[tuple[CheckLine, ...], int]:
        """Lines about the conclusions on one page of models, most of which treat all readers alike, and the cells
        planned."""
        model_ids = tuple(_kept(open_audit, MODELS))
        run_id = open_audit.rounds.plan(conclusions_setup(open_audit, model_ids, self._seed)).result()
        self.refuse_if_cancelled()
        open_audit.rounds.start(run_id).result()
        self.refuse_if_cancelled()
        open_audit.auto_rescoring.settle().result()
        told = open_audit.results.concluding.page(ResultsFilter())
        assert told is not None, "the round is scored"
        return tuple(conclusion_lines(told)), open_audit.rounds.progress(run_id).planned

    def _asked(self, open_audit: OpenAudit) -> InstrumentReport:
        protocol = load_protocol(METHOD.default_protocol, method=METHOD.name)
        protocol = answer_key().shortened(protocol) if self._extent.shortened else protocol
        taken, _ = open_audit.sources.take([(SAMPLE, "")], self._extent.articles)
        ends: list[RunProgress] = []
        batch_id: BatchId | None = None
        for asked in self._extent.rounds:
            decoding = replace(protocol.decoding, max_tokens=asked.tokens or protocol.decoding.max_tokens)
            setup = RunSetup(
                name=tr("Check of the test {n}", n=len(ends) + 1),
                protocol=replace(protocol, decoding=decoding),
                method=METHOD.name,
                model_ids=tuple(_kept(open_audit, asked.models)),
                article_ids=tuple(taken),
                batch_id=batch_id,
                controls=replace(METHOD.no_controls(), repeat_share=asked.share),
                seed=self._seed,
            )
            run_id = open_audit.rounds.plan(setup).result()
            self.refuse_if_cancelled()
            open_audit.rounds.start(run_id).result()
            self.refuse_if_cancelled()
            batch_id = open_audit.rounds.run(run_id).batch_id
            ends.append(open_audit.rounds.progress(run_id))
        open_audit.level_testing.start(LevelTestOptions(replicates=DRAWS), METHOD.name).result()
        self.refuse_if_cancelled()
        return self._reported(open_audit, protocol, ends, len(taken))

    def _reported(
        self, open_audit: OpenAudit, protocol: Protocol, ends: Sequence[RunProgress], articles: int
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
            bounds=self._extent.bounds,
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
            lines=(*check_lines(checked), ended(ends, unanswered(checked.cells["faulty"]))),
            articles=articles,
            cells=sum(end.planned for end in ends),
            seed=self._seed,
            ladders=ladders(checked),
        )


def _kept(open_audit: OpenAudit, names: Sequence[str]) -> list[ModelId]:
    def keep(connection: Connection) -> list[ModelId]:
        return [models.keep(connection, Endpoint(provider=PROVIDER, model=name), synthetic=True) for name in names]

    return open_audit.context.audit.write(keep).result()


def ended(ends: Sequence[RunProgress], unscored: int) -> CheckLine:
    """A line that checks that nothing of the rounds is left open; *unscored* bundles have too few answers for a
    score."""

    def total(count: Callable[[RunProgress], int]) -> int:
        return sum(map(count, ends))

    cells, bundles = total(lambda end: end.planned), total(lambda end: end.bundles_planned)
    done = total(lambda end: end.answered + end.missing)
    scored = total(lambda end: end.bundles_scored - end.bundles_provisional)
    return CheckLine(
        model=tr("all"),
        must_show=tr("every question has an answer or a reason, every set of two answers or more its final scores"),
        found=tr(
            "{done} of {cells} questions ended, {scored} of {bundles} sets scored, {few} with fewer than two answers",
            done=done,
            cells=cells,
            scored=scored,
            bundles=bundles,
            few=unscored,
        ),
        passed=done == cells and scored == bundles - unscored,
    )
