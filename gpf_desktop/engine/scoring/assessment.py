"""Scores bundles while a run goes on, and again at will, without ever asking a model.

One (model, article) is one fit group. A bundle's scores are provisional until that article is complete for that
model, and final then (method, "Fit scope"); where the protocol fits the encoder on the whole run,
until the run is complete.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import asdict, dataclass, replace
from itertools import groupby
from typing import Any, Final

from gpf_desktop.domain import methods
from gpf_desktop.domain.events import BundlesScored
from gpf_desktop.domain.ids import ArticleId, BundleId, CellId, FitGroupId, RunId
from gpf_desktop.domain.items import StudyItem
from gpf_desktop.domain.methods import StudyProtocol
from gpf_desktop.domain.ports.method import Method
from gpf_desktop.domain.ports.scorer import FitsRuns, Scorer
from gpf_desktop.domain.scores import FitGroup, ScoredChunk
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.context import EngineContext
from gpf_desktop.engine.scoring.newer_versions import renew
from gpf_desktop.engine.scoring.stored_answers import StoredChunk, stream
from gpf_desktop.storage import fit_groups, responses, scores
from gpf_desktop.storage.fit_groups import Basis
from gpf_desktop.storage.responses import AnswerToFlag
from gpf_desktop.storage.writer import Connection

AT_ONCE: Final = 2
"""Fit groups on their way at a time: as many as there are worker processes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Primary:
    """The primary scorer of an execution: that of the round's method, with the settings of its protocol."""

    scorer: Scorer
    options: Any

    @property
    def fits_the_run(self) -> bool:
        return isinstance(self.scorer, FitsRuns) and self.scorer.fits_the_run(self.options)


def primary_of(method: Method, protocol: StudyProtocol) -> Primary:
    scoring = method.scoring(protocol)
    scorer = catalogue.scorers()[scoring.scorer]
    return Primary(scorer=scorer, options=scorer.options(**scoring.options))


class Assessor:
    """Scores the groups of one run. Lives on the engine loop; `settle` waits for all that was asked for."""

    def __init__(
        self,
        context: EngineContext,
        run_id: RunId,
        method: Method,
        protocol: StudyProtocol,
        items: Mapping[ArticleId, StudyItem],
        on_scored: Callable[[FitGroupId, int, int], None],
    ) -> None:
        self._context = context
        self._run_id = run_id
        self._method = method
        self._flagged_by = protocol if method.flags_by_protocol else None
        self._primary = primary_of(method, protocol)
        self._items = items
        self._on_scored = on_scored
        self._slots = asyncio.Semaphore(AT_ONCE)
        self._under_way: dict[FitGroupId, asyncio.Task[None]] = {}
        self._again: dict[FitGroupId, bool] = {}
        self._saving: set[FitGroupId] = set()
        self._left_off = False
        self._setting_id: int | None = None

    def ask(self, group: FitGroupId, *, final: bool) -> None:
        """Score *group* soon; while it is being scored, one further request is kept, a final one above all."""
        if self._left_off:
            return
        if group in self._under_way:
            self._again[group] = final or self._again.get(group, False)
            return
        task = asyncio.get_running_loop().create_task(self._score(group, final=final))
        self._under_way[group] = task
        task.add_done_callback(lambda _: self._ended(group))

    async def settle(self) -> None:
        """Wait until nothing is under way. Raises what scoring raised."""
        # Over and over: a request that was kept behind one under way is a task of its own by then.
        while self._under_way:
            # Not `gather`: from Python 3.12 on it gives nobody a turn where all have ended, so that `_ended`, which
            # takes them out, never has its own.
            ended, _ = await asyncio.wait(self._under_way.values())
            for task in ended:
                # Cancelled ones were left off.
                if not task.cancelled() and (error := task.exception()) is not None:
                    raise error

    def leave_off(self) -> None:
        """Score nothing further, so that `settle` does not wait for it: it stays due, and comes when the run rests."""
        self._left_off = True
        self._again.clear()
        for group, task in self._under_way.items():
            # What is being saved would be stored all the same, and nobody told of it.
            if group not in self._saving:
                task.cancel()

    def cancel(self) -> None:
        # First: a task that ends at this very moment would start the request that was kept behind it.
        self._again.clear()
        for task in self._under_way.values():
            task.cancel()

    async def conclude(self) -> None:
        """Every cell of the run has its end: where the fit is over the whole run, score it once more, finally."""
        if not self._primary.fits_the_run or self._left_off:
            return
        setting = await self.setting()
        groups = await self._context.read(lambda connection: fit_groups.groups(connection, [self._run_id]))

        async def keep(read: StoredChunk, scored: ScoredChunk) -> None:
            await self._context.write(
                lambda connection: scores.save(connection, setting, scored, provisional=False, bases=read.bases)
            )
            bundle_ids = tuple(BundleId(unit) for unit in scored.units)
            self._context.emit(BundlesScored(run_id=self._run_id, bundle_ids=bundle_ids, provisional=0))

        await stream(
            self._context,
            self._primary.scorer,
            groups,
            self._primary.options,
            lambda chunk: self._context.scoring.submit(self._primary.scorer.name, chunk, self._primary.options),
            keep,
        )

    async def setting(self) -> int:
        """The stored setting that these scores belong to."""
        # Two groups may ask at the same time: storing a setting twice gives the same number.
        if self._setting_id is None:
            scorer = self._primary.scorer
            options: Mapping[str, object] = asdict(self._primary.options)
            method = self._method.name

            def store(connection: Connection) -> int:
                renew(connection, method)
                measures = scorer.measures
                return scores.setting(
                    connection, scorer.name, scorer.version, options, method=method, measures=measures
                )

            self._setting_id = await self._context.write(store)
        return self._setting_id

    def _ended(self, group: FitGroupId) -> None:
        # What failed before anybody settled is not lost: its group stays due in the store, and `AutoRescoring` tries it
        # again when the round rests, and tells of it.
        task = self._under_way.pop(group)
        # Asked for whatever comes of it: asyncio prints errors that nobody asked for.
        ended_well = not task.cancelled() and task.exception() is None
        if ended_well and group in self._again:
            self.ask(group, final=self._again.pop(group))

    async def _score(self, group: FitGroupId, *, final: bool) -> None:
        async with self._slots:
            setting = await self.setting()
            facts = self._primary.scorer.needs_facts
            fit_group = await self._context.read(lambda connection: responses.fit_group(connection, group, facts=facts))
            provisional = not final or self._primary.fits_the_run
            # The answers that were read, not those that are there when scores are saved: what comes
            # meanwhile makes the group due.
            basis = Basis(group=group, answers=len(fit_group.texts))
            ready = fit_group if final else _complete_bundles(fit_group)

            # A round that is resumed while the scores of its last execution are caught up with may complete the
            # group, and score it finally, between the reading above and the saving below.
            def late(connection: Connection) -> bool:
                return not final and fit_groups.final_on_all(connection, setting, group)

            # Kept though nothing is scored: a group that was looked at is not due again until further answers come.
            def keep_basis(connection: Connection) -> None:
                if not late(connection):
                    fit_groups.save_bases(connection, setting, [basis], provisional=True)

            if not ready.bundles:
                await self._context.write(keep_basis)
                return
            scoring = asyncio.wrap_future(
                self._context.scoring.submit(self._primary.scorer.name, [ready], self._primary.options)
            )
            flagging = asyncio.ensure_future(self._flags(group, {bundle.bundle for bundle in ready.bundles}))
            scored, (cell_ids, flags) = await asyncio.gather(scoring, flagging)
            older = [bundle.bundle for bundle in fit_group.bundles if bundle.bundle not in set(scored.units)]

            # In one transaction: a table never shows new scores beside the flags or the finality of those before.
            def save(connection: Connection) -> bool:
                if late(connection):
                    return False
                scores.save(connection, setting, scored, provisional=provisional, bases=[basis])
                scores.doubt(connection, setting, older)
                responses.set_flags(connection, cell_ids, flags)
                return True

            self._saving.add(group)
            try:
                if not await self._context.write(save):
                    return
            finally:
                self._saving.discard(group)
            bundle_ids = tuple(BundleId(unit) for unit in scored.units)
            open_ones = len(bundle_ids) if provisional else 0
            answered = scored.with_answers
            self._on_scored(group, answered, answered if provisional else 0)
            self._context.emit(BundlesScored(run_id=self._run_id, bundle_ids=bundle_ids, provisional=open_ones))

    async def _flags(
        self, group: FitGroupId, wanted: AbstractSet[int]
    ) -> tuple[list[CellId], list[tuple[CellId, str, str]]]:
        """The cells of the *wanted* bundles that have an answer, and their flags."""
        answers = await self._context.read(lambda connection: responses.to_flag(connection, group))
        chosen = [answer for answer in answers if answer.bundle_id in wanted]
        items = {answer.article_id: self._items[answer.article_id] for answer in chosen}
        flagging = self._context.scoring.call(_flags_of, self._method, chosen, self._flagged_by, items)
        found = await asyncio.wrap_future(flagging)
        return [answer.cell_id for answer in chosen], found


def _complete_bundles(group: FitGroup) -> FitGroup:
    """*group* with only those bundles whose every cell of repeat 0 is answered; the fit keeps every text."""
    bundles = tuple(
        bundle for bundle in group.bundles if sum(repeat == 0 for repeat in bundle.repeats) == bundle.planned
    )
    return replace(group, bundles=bundles)


def _flags_of(
    method: Method,
    answers: Sequence[AnswerToFlag],
    protocol: StudyProtocol | None,
    items: Mapping[ArticleId, StudyItem],
) -> list[tuple[CellId, str, str]]:
    """(cell, flag, what it found) of *answers*, which come bundle by bundle; each flag once a cell."""
    flags: dict[tuple[CellId, str], str] = {}
    for _, bundle in groupby(answers, key=lambda answer: answer.bundle_id):
        members = list(bundle)
        asked = [methods.ToFlag(level=each.level, text=each.text, truncated=each.truncated) for each in members]
        for member, found in zip(members, method.flag(asked, protocol, items[members[0].article_id]), strict=True):
            for name, detail in found:
                before = flags.get((member.cell_id, name))
                flags[member.cell_id, name] = detail if before is None else f"{before}; {detail}"
    return [(cell_id, name, detail) for (cell_id, name), detail in flags.items()]
