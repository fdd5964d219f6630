"""Frames of an audit's scores, read once and kept until they are forgotten."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING, Any, Final

from gpf_desktop.domain import checkpoints
from gpf_desktop.domain.flags import Flag
from gpf_desktop.domain.ids import FitGroupId
from gpf_desktop.domain.runs import Run
from gpf_desktop.domain.score_tables import Endings, OtherScores, RunTerms
from gpf_desktop.domain.scores import VALID, Measure, UnitKind
from gpf_desktop.domain.served import RoundAnswered
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.context import EngineContext
from gpf_desktop.engine.core.protocols import frozen_protocol, load_protocol, stored_controls
from gpf_desktop.engine.core.worker_pool import WorkerPool
from gpf_desktop.engine.reporting.answer_tables import answer_table
from gpf_desktop.engine.reporting.ending_frame import ending_frame, some_endings
from gpf_desktop.engine.reporting.score_frame import (
    FrameTables,
    Orders,
    bundle_frame,
    counted_frame,
    other_frame,
    tested_frame,
    without_bundles,
    without_counts,
)
from gpf_desktop.engine.reporting.unit_frames import answer_frame, column, of_unit, pair_frame
from gpf_desktop.engine.scoring.score_variants import only_masked, said_now, setting_words
from gpf_desktop.numerics.said_texts import SaidText, said_texts
from gpf_desktop.storage import (
    answer_counts,
    batches,
    cached_tables,
    cell_counts,
    coordinate_sets,
    corrections,
    endings,
    fit_groups,
    models,
    protocols,
    ratings,
    replies,
    run_tables,
    runs,
    scores,
    served,
    unit_scores,
    vectors,
)
from gpf_desktop.storage.asked_again import AskedAgain, asked_again, set_aside
from gpf_desktop.storage.bundles import about_others
from gpf_desktop.storage.cell_counts import CountedCells
from gpf_desktop.storage.fit_groups import Behind
from gpf_desktop.storage.replies import StoredReply
from gpf_desktop.storage.run_stamps import RunStamp, run_stamps
from gpf_desktop.storage.run_tables import Beside, RunTable, nowhere
from gpf_desktop.storage.score_columns import ScoredBundles, scored_bundles
from gpf_desktop.storage.scores import ScoreSetting
from gpf_desktop.storage.unit_scores import Row
from gpf_desktop.storage.writer import Connection

if TYPE_CHECKING:
    import pandas as pd


_MOST_KEPT: Final = 8
"""Frames of as many choices of what does not count: each article that is looked at by itself is one."""


class StoredTables:
    """Reads what analyses need. Threads may share it; frames that it hands out are never changed."""

    def __init__(self, context: EngineContext) -> None:
        self._context = context
        self._lock = Lock()
        self._frames: dict[tuple[int, frozenset[int], str], FrameTables] = {}
        self._again: tuple[AskedAgain, ...] | None = None
        self._answered_by: tuple[RoundAnswered, ...] | None = None
        self._forgotten = 0
        """How often; what was read before the last time is not kept."""

    def forget(self) -> None:
        """Scores have changed: read again the next time."""
        with self._lock:
            self._frames.clear()
            self._again = self._answered_by = None
            self._forgotten += 1

    def keep_tables(self) -> None:
        """Read what has changed since it was last kept, so that the tables of runs are kept."""
        for setting in self._context.audit.read(scores.settings):
            # No names: what is kept of a run holds every score of the setting, whichever are asked for.
            self._scored(setting.id, ())
        self._counted_cells()
        self._decided_cells()

    def setting(self, setting_id: int | None, method: str) -> ScoreSetting | None:
        """The score setting with this id, in the words of now; for None the primary one of *method*, None where nothing
        was scored."""
        every = self._context.audit.read(lambda connection: scores.settings(connection, method))
        return next((said_now(each) for each in every if setting_id in (None, each.id)), None)

    def protocols_by_run(self, chosen: Sequence[Run | RunStamp]) -> dict[int, Any]:
        """The protocol that each of *chosen* runs was asked with, the newest run first."""
        found: dict[int, Any] = {}
        for run in chosen:
            # One object for all runs of a protocol: those who count protocols tell them apart by it.
            if run.protocol_id not in found:
                row = self._context.audit.read(partial(protocols.get, protocol_id=run.protocol_id))
                found[run.protocol_id] = frozen_protocol(row.method, row.text)
        return {int(run.id): found[run.protocol_id] for run in chosen}

    def batches(self) -> tuple[tuple[int, str], ...]:
        """(id, name), the oldest first; batches of one name are told apart by their number."""
        every = self._context.audit.read(batches.every)[::-1]
        named = [batch.name for batch in every]
        return tuple(
            (int(batch.id), batch.name if named.count(batch.name) == 1 else f"{batch.name} ({batch.id})")
            for batch in every
        )

    def set_aside(self, chosen: Collection[int], articles: Collection[int] | None = None) -> frozenset[int]:
        """Bundles that do not count over *chosen* runs, because another of them asked the same of the same model, and
        those about other *articles* than these, where some are given."""
        with self._lock:
            again, forgotten = self._again, self._forgotten
        if again is None:
            # Read outside the lock, which would hold up every other thread; kept only where nothing was forgotten
            # meanwhile.
            again = self._context.audit.read(asked_again)
            with self._lock:
                if forgotten == self._forgotten:
                    self._again = again
        found = set_aside(again, chosen)
        if articles is None:
            return found
        return found | self._context.audit.read(partial(about_others, items=articles))

    def answered_by(self) -> tuple[RoundAnswered, ...]:
        """Every model of every run whose server said who answers, the oldest run first."""
        with self._lock:
            kept, forgotten = self._answered_by, self._forgotten
        if kept is None:
            kept = tuple(self._context.audit.read(served.by_round))
            with self._lock:
                if forgotten == self._forgotten:
                    self._answered_by = kept
        return kept

    def tables(self, setting: ScoreSetting | None, method: str, aside: frozenset[int] = frozenset()) -> FrameTables:
        """Everything of *method* under *setting* but the bundles *aside*; empty where nothing was scored."""
        key = (0 if setting is None else setting.id, aside, method)
        with self._lock:
            kept, forgotten = self._frames.get(key), self._forgotten
        if kept is not None:
            return kept
        stamps = [run for run in self._context.audit.read(run_stamps) if run.method == method]
        used = self.protocols_by_run(stamps)
        orders = Orders(
            levels=_levels(method, stamps, used),
            batches=self.batches(),
        )
        measures = self._measures(setting, method)
        bundles = self._bundles(key[0], of_unit(measures, UnitKind.BUNDLE), orders)
        if aside:
            bundles = bundles[~bundles["bundle_id"].isin(list(aside))]
        made = FrameTables(
            bundles,
            lambda: self._cells(orders, aside),
            lambda: answer_table(self._context, catalogue.method(method), bundles, orders),
            read_others=lambda: self._others(setting, of_unit(measures, UnitKind.BUNDLE)),
            read_tests=lambda: self._tests(orders, aside),
            read_decided=lambda: self._decided(orders, aside),
            read_said=lambda: self._said(orders, aside),
            read_replies=lambda method: self._replies(method, aside),
            read_vectors=lambda method: self._context.audit.read(partial(vectors.of_method, method=method)),
            read_ratings=lambda method: self._context.audit.read(partial(ratings.of_method, method=method)),
            read_terms=self._terms,
            read_endings=lambda method, measure: self._endings(method, key[0], measure, aside),
            read_numbers=lambda name: self._numbers(key[0], name),
            measures=measures,
            read_scored_answers=lambda: self._scored_answers(key[0], measures, orders, aside),
            read_scored_pairs=lambda: self._scored_pairs(key[0], measures),
        )
        with self._lock:
            # Two threads may have made it: both go on with the one that was first, whose further tables are then read
            # once.
            if forgotten != self._forgotten:
                return made
            while key not in self._frames and len(self._frames) >= _MOST_KEPT:
                self._frames.pop(next(iter(self._frames)))
            return self._frames.setdefault(key, made)

    def _replies(self, method: str, aside: frozenset[int]) -> list[StoredReply]:
        every = self._context.audit.read(partial(replies.of_method, method=method))
        return [each for each in every if each.bundle_id not in aside]

    def _endings(self, method: str, setting_id: int, measure: str, aside: frozenset[int]) -> Endings:
        found = self._context.audit.read(lambda c: endings.of_method(c, method, setting_id, measure))
        sets = self._context.audit.read(coordinate_sets.every)
        corrected = self._context.audit.read(corrections.every)
        cells = frozenset(cell for cell, each in corrected.items() if measure in each.by_measure)
        made = ending_frame(found, sets, cells)
        return some_endings(made, ~made.frame["bundle_id"].isin(list(aside))) if aside else made

    def _terms(self, method: str) -> dict[int, RunTerms]:
        stamps = [run for run in self._context.audit.read(run_stamps) if run.method == method]
        used, its = self.protocols_by_run(stamps), catalogue.method(method)
        return {
            int(run.id): RunTerms(
                protocol=used[int(run.id)],
                controls=stored_controls(its.name, self._context.audit.read(partial(runs.controls, run_id=run.id))),
                roles={
                    model.label: model.role for model in self._context.audit.read(partial(models.of_run, run_id=run.id))
                },
                ended=run.ended,
                decoding={
                    model.label: own
                    for model in self._context.audit.read(partial(models.of_run, run_id=run.id))
                    if (own := model.endpoint.decoding) is not None
                },
            )
            for run in stamps
        }

    def _measures(self, setting: ScoreSetting | None, method: str) -> tuple[Measure, ...]:
        """The measures of the method's primary setting, for which its tables always have columns, and those of
        *setting*; before anything is scored, those of the scorer that its default protocol names."""
        first = self.setting(None, method)
        if first is None or setting is None:
            its = catalogue.method(method)
            scoring = its.scoring(load_protocol(its.default_protocol, method=method))
            return catalogue.scorers()[scoring.scorer].measures
        return tuple({each.name: each for each in (*first.measures, *setting.measures)}.values())

    def _bundles(self, setting_id: int, measures: Sequence[Measure], orders: Orders) -> pd.DataFrame:
        # What is behind is read first: scores saved in between are then told as behind, never the other way round.
        behind = self._behind(setting_id)
        frame = bundle_frame(self._scored(setting_id, (*_numbers(measures), VALID)), orders, behind)
        for each in measures:
            if each.categories:
                frame[each.name] = column(frame["bundle_id"].tolist(), each, self._values(setting_id, each))
        return frame

    def _numbers(self, setting_id: int, measure: str) -> dict[int, float]:
        values = self._context.audit.read(lambda c: unit_scores.values(c, setting_id, UnitKind.ANSWER, measure))
        return dict(values)  # type: ignore[arg-type]

    def _values(self, setting_id: int, measure: Measure) -> Iterable[Row]:
        return self._context.audit.read(lambda c: unit_scores.values(c, setting_id, measure.unit, measure.name))

    def _scored_answers(
        self, setting_id: int, measures: Sequence[Measure], orders: Orders, aside: frozenset[int]
    ) -> pd.DataFrame:
        own = of_unit(measures, UnitKind.ANSWER)
        rows = self._context.audit.read(lambda c: unit_scores.places(c, setting_id)) if own else []
        sets = self._context.audit.read(coordinate_sets.every)
        values = {each.name: self._values(setting_id, each) for each in own}
        frame = answer_frame(rows, sets, own, values, orders)
        return frame[~frame["bundle_id"].isin(list(aside))] if aside else frame

    def _scored_pairs(self, setting_id: int, measures: Sequence[Measure]) -> pd.DataFrame:
        own = of_unit(measures, UnitKind.PAIR)
        return pair_frame(own, {each.name: self._values(setting_id, each) for each in own})

    def _scored(self, setting_id: int, names: Sequence[str]) -> ScoredBundles:
        scored = self._context.audit.read(lambda c: scored_bundles(c, setting_id, names))
        self._keep(scored.read)
        return scored

    def _behind(self, setting_id: int) -> dict[FitGroupId, Behind]:
        return self._context.audit.read(lambda c: fit_groups.behind(c, setting_id))

    def _cells(self, orders: Orders, aside: frozenset[int]) -> pd.DataFrame:
        return counted_frame(self._counted_cells(aside), orders)

    def _decided(self, orders: Orders, aside: frozenset[int]) -> pd.DataFrame:
        return counted_frame(self._decided_cells(aside), orders)

    def _said(self, orders: Orders, aside: frozenset[int]) -> pd.DataFrame:
        told = partial(told_beside, self._context.scoring)
        every = self._counts(lambda c, beside: answer_counts.counted_cells(c, beside, told))
        return counted_frame(without_bundles(every, aside), orders)

    def _counted_cells(self, aside: frozenset[int] = frozenset()) -> CountedCells:
        def counted(c: Connection, beside: Beside, only: frozenset[int] | None = None) -> CountedCells:
            return cell_counts.cell_counts(c, Flag.REFUSAL, Flag.TRUNCATED, Flag.NO_WORD, only, beside)

        return self._less(self._counts(counted), aside, counted)

    def _decided_cells(self, aside: frozenset[int] = frozenset()) -> CountedCells:
        def counted(c: Connection, beside: Beside, only: frozenset[int] | None = None) -> CountedCells:
            return cell_counts.decided_counts(c, Flag.REFUSAL, only, beside)

        return self._less(self._counts(counted), aside, counted)

    def _counts(self, counted: Callable[[Connection, Beside], CountedCells]) -> CountedCells:
        """Every cell's counts."""
        beside = partial(cached_tables.kept, self._context.audit)
        every = self._context.audit.read(lambda c: counted(c, beside))
        self._keep(every.read)
        for table in every.read:
            cached_tables.keep(self._context.audit, (table.content, table.run_id, table.stamp), table.data)
        return every

    def _less(
        self,
        every: CountedCells,
        aside: frozenset[int],
        counted: Callable[[Connection, Beside, frozenset[int]], CountedCells],
    ) -> CountedCells:
        """*every* without the bundles *aside*."""
        if not aside:
            return every
        return without_counts(every, self._context.audit.read(lambda c: counted(c, nowhere, aside)))

    def _tests(self, orders: Orders, aside: frozenset[int]) -> pd.DataFrame:
        tests = tested_frame(self._context.audit.read(scores.test_rows), orders)
        return tests[~tests["bundle_id"].isin(list(aside))] if aside else tests

    def _keep(self, read: Sequence[RunTable]) -> None:
        """Have what was read kept for the next time; nobody waits for it, and nothing hangs on it."""
        for table in read:
            with suppress(RuntimeError):  # the audit is being closed
                self._context.audit.write(partial(run_tables.keep, table=table))

    def _others(self, setting: ScoreSetting | None, measures: Sequence[Measure]) -> tuple[OtherScores, ...]:
        """The scores of every setting of its method but *setting*."""
        if setting is None:
            return ()
        every = self._context.audit.read(lambda connection: scores.settings(connection, setting.method))
        return tuple(
            OtherScores(
                title=setting_words(other, every[0]),
                masked=only_masked(other, setting),
                frame=other_frame(self._scored(other.id, _numbers(measures)), self._behind(other.id)),
            )
            for other in every
            if other.id != setting.id
        )


def _numbers(measures: Iterable[Measure]) -> tuple[str, ...]:
    return tuple(each.name for each in measures if not each.categories)


def _levels(method: str, stamps: Sequence[RunStamp], used: Mapping[int, Any]) -> dict[str, tuple[str, ...]]:
    """The levels of each factor of *method*, in the order of its rounds' protocols, the newest round's first."""
    its = catalogue.method(method)
    found: dict[str, dict[str, None]] = {factor.name: {} for factor in its.factors}
    for run in stamps:
        for factor, levels in its.levels(used[int(run.id)]).items():
            found.setdefault(factor, {}).update(dict.fromkeys(levels))
    return {factor: tuple(levels) for factor, levels in found.items()}


def told_beside(pool: WorkerPool, lists: Iterable[Sequence[str]]) -> Iterator[Sequence[SaidText]]:
    """`storage.answer_counts.Told`, found in the workers: one thread of the window would be at a million texts for two
    minutes. An only list is told here, for workers take longer to start."""
    remaining = iter(lists)
    first, second = next(remaining, None), next(remaining, None)
    if second is None:
        yield from () if first is None else (said_texts(first),)
        return
    waiting: deque[Future[list[SaidText]]] = deque(pool.call(said_texts, each) for each in (first or (), second))
    try:
        for texts in remaining:
            checkpoints.passed()
            waiting.append(pool.call(said_texts, texts))
            # One more than workers, so that none waits while the next is read.
            if len(waiting) > pool.workers:
                yield waiting.popleft().result()
        while waiting:
            checkpoints.passed()
            yield waiting.popleft().result()
    finally:
        for each in waiting:
            each.cancel()
