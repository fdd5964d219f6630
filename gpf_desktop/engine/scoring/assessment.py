"""Scores bundles while a run goes on, and again at will, without ever asking a model.

One (model, article) is one fit group. A bundle's scores are provisional until that article is complete for that
model, and final then (method, "Scores of a bundle", fit scope); where the protocol fits the encoder on the whole run,
until the run is complete.
"""

import asyncio
from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import asdict
from typing import Final

from gpf_desktop.domain.articles import Anchor
from gpf_desktop.domain.events import BundlesScored
from gpf_desktop.domain.ids import ArticleId, BundleId, CellId, ModelId, RunId
from gpf_desktop.domain.protocol import FitScope, Protocol
from gpf_desktop.domain.scores import FitGroup, ScoredChunk
from gpf_desktop.engine.bench import Bench
from gpf_desktop.engine.scoring.flagging import flags_of
from gpf_desktop.engine.scoring.stored_answers import Read, streamed
from gpf_desktop.scorers.gpf import SCORER, GpfOptions
from gpf_desktop.storage import fit_groups, responses, scores
from gpf_desktop.storage.fit_groups import Basis
from gpf_desktop.storage.writer import Connection

AT_ONCE: Final = 2
"""Fit groups on their way at a time: as many as there are worker processes."""

Group = tuple[ModelId, ArticleId]


def primary_options(protocol: Protocol) -> GpfOptions:
    """The scorer's settings under *protocol*."""
    return GpfOptions(fit_scope=protocol.scoring.fit_scope, rarefy=protocol.rarefied_size)


class Assessor:
    """Scores the groups of one run. Lives on the engine loop; `settle` waits for all that was asked for."""

    def __init__(
        self,
        bench: Bench,
        run_id: RunId,
        protocol: Protocol,
        anchors: Mapping[ArticleId, tuple[str, Anchor]],
        on_scored: Callable[[Group, int, int], None],
    ) -> None:
        self._bench = bench
        self._run_id = run_id
        self._protocol = protocol
        self._options = primary_options(protocol)
        self._fits_the_run = self._options.fit_scope is FitScope.RUN
        self._anchors = anchors
        self._on_scored = on_scored
        self._slots = asyncio.Semaphore(AT_ONCE)
        self._under_way: dict[Group, asyncio.Task[None]] = {}
        self._again: dict[Group, bool] = {}
        self._setting_id: int | None = None

    def ask(self, group: Group, *, final: bool) -> None:
        """Score *group* soon; while it is being scored, one further request is kept, a final one above all."""
        if group in self._under_way:
            self._again[group] = final or self._again.get(group, False)
            return
        task = asyncio.get_running_loop().create_task(self._score(group, final=final))
        self._under_way[group] = task
        task.add_done_callback(lambda _: self._ended(group))

    async def settle(self) -> None:
        """Wait until nothing is under way. Raises what scoring raised."""
        while self._under_way:
            await asyncio.gather(*self._under_way.values())

    def cancel(self) -> None:
        self._again.clear()
        for task in self._under_way.values():
            task.cancel()

    async def conclude(self) -> None:
        """Every cell of the run has its end: where the fit is over the whole run, score it once more, finally."""
        if not self._fits_the_run:
            return
        setting = await self.setting()
        groups = await self._bench.read(lambda connection: fit_groups.groups(connection, [self._run_id]))

        async def keep(read: Read, scored: ScoredChunk) -> None:
            await self._bench.write(
                lambda connection: scores.save(connection, setting, scored, provisional=False, bases=read.bases)
            )
            for group in read.stored:
                self._on_scored((group.model_id, group.article_id), group.bundles, 0)
            bundle_ids = tuple(BundleId(unit) for unit in scored.units)
            self._bench.emit(BundlesScored(run_id=self._run_id, bundle_ids=bundle_ids, provisional=0))

        await streamed(
            self._bench,
            groups,
            self._options,
            lambda chunk: self._bench.scoring.submit(SCORER.name, chunk, self._options),
            keep,
        )

    async def setting(self) -> int:
        """The stored setting that these scores belong to."""
        if self._setting_id is None:
            options: Mapping[str, object] = asdict(self._options)
            self._setting_id = await self._bench.write(
                lambda connection: scores.setting(connection, SCORER.name, SCORER.version, options)
            )
        return self._setting_id

    def _ended(self, group: Group) -> None:
        task = self._under_way.pop(group)
        if group in self._again and not task.cancelled() and task.exception() is None:
            self.ask(group, final=self._again.pop(group))

    async def _score(self, group: Group, *, final: bool) -> None:
        async with self._slots:
            model_id, article_id = group
            setting = await self.setting()
            fit_group = await self._bench.read(
                lambda connection: responses.fit_group(connection, self._run_id, model_id, article_id)
            )
            provisional = not final or self._fits_the_run
            basis = Basis(run_id=self._run_id, model_id=model_id, article_id=article_id, answers=len(fit_group.texts))
            ready = fit_group if final else _complete_bundles(fit_group)
            if not ready.bundles:
                await self._bench.write(
                    lambda connection: fit_groups.save_bases(connection, setting, [basis], provisional=True)
                )
                return
            scoring = asyncio.wrap_future(self._bench.scoring.submit(SCORER.name, [ready], self._options))
            flagging = asyncio.ensure_future(self._flags(group, {bundle.bundle for bundle in ready.bundles}))
            scored, (cell_ids, flags) = await asyncio.gather(scoring, flagging)
            older = [bundle.bundle for bundle in fit_group.bundles if bundle.bundle not in set(scored.units)]

            def save(connection: Connection) -> None:
                scores.save(connection, setting, scored, provisional=provisional, bases=[basis])
                scores.doubt(connection, setting, older)
                responses.set_flags(connection, cell_ids, flags)

            await self._bench.write(save)
            bundle_ids = tuple(BundleId(unit) for unit in scored.units)
            open_ones = len(bundle_ids) if provisional else 0
            self._on_scored(group, len(bundle_ids), open_ones)
            self._bench.emit(BundlesScored(run_id=self._run_id, bundle_ids=bundle_ids, provisional=open_ones))

    async def _flags(
        self, group: Group, wanted: AbstractSet[int]
    ) -> tuple[list[CellId], list[tuple[CellId, str, str]]]:
        """The cells of the *wanted* bundles that have an answer, and their flags."""
        answers = await self._bench.read(lambda connection: responses.to_flag(connection, self._run_id, *group))
        anchor = self._anchors[group[1]][1]
        chosen = [answer for answer in answers if answer.bundle_id in wanted]
        found = await asyncio.wrap_future(self._bench.scoring.call(flags_of, chosen, self._protocol, anchor))
        return [answer.cell_id for answer in chosen], found


def _complete_bundles(group: FitGroup) -> FitGroup:
    """Only those bundles of *group* whose every cell of repeat 0 is answered; the fit keeps every text."""
    bundles = tuple(
        bundle for bundle in group.bundles if sum(repeat == 0 for repeat in bundle.repeats) == bundle.planned
    )
    return FitGroup(texts=group.texts, bundles=bundles)
