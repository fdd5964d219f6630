"""Streams stored answers through the scoring workers: a whole audit passes by, a few thousand answers at a time."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from typing import Any, Final, TypeVar

from gpf_desktop.domain.ids import RunId
from gpf_desktop.domain.ports.scorer import FitsRuns, Scorer
from gpf_desktop.domain.scores import Chunk, FitGroup, WiderFit
from gpf_desktop.engine.core.context import EngineContext
from gpf_desktop.numerics import merged_frequencies
from gpf_desktop.storage import fit_groups, responses
from gpf_desktop.storage.fit_groups import Basis, StoredGroup
from gpf_desktop.storage.writer import Connection

T = TypeVar("T")

ANSWERS_AT_ONCE: Final = 2048
"""Answers that make a chunk: some 2 MB of text, so that three chunks on their way are nothing beside a worker."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredChunk:
    """A chunk of fit groups as it was read from the store."""

    stored: tuple[StoredGroup, ...]
    groups: tuple[FitGroup, ...]
    fitted: int | None = None
    """Answers of the whole run that the encoder was fitted on; None: each group on its own."""

    @property
    def complete(self) -> bool:
        """All groups of a chunk are; one of part of a run has none of both kinds."""
        return all(each.complete for each in self.stored)

    @property
    def bases(self) -> list[Basis]:
        """The answers that scores of these groups rest on, counted."""
        return [
            Basis(
                group=stored.id,
                answers=len(group.texts) if self.fitted is None else self.fitted,
                of_run=self.fitted is not None,
            )
            for stored, group in zip(self.stored, self.groups, strict=True)
        ]


Work = Callable[[Chunk], Future[T]]
"""Starts a worker on a chunk."""
Keep = Callable[[StoredChunk, T], Awaitable[None]]


async def stream(
    context: EngineContext,
    scorer: Scorer,
    groups: Sequence[StoredGroup],
    options: Any,
    work: Work[T],
    keep: Keep[T],
    *,
    at_once: int = ANSWERS_AT_ONCE,
) -> None:
    """Hand *groups* to *work* chunk by chunk, *at_once* answers or so in each, and each result, in order, to *keep*.

    Where *options* fit the encoder on whole runs, a first pass over the whole of each run counts its terms, whatever
    part of it is wanted. Cancelling cancels what waits.
    """
    if not isinstance(scorer, FitsRuns) or not scorer.fits_the_run(options):
        await _pass_by(context, groups, at_once, work, keep, facts=scorer.needs_facts)
        return
    for run_id, of_run in groupby(groups, key=lambda group: group.run_id):
        together = list(of_run)
        fit, answers = await run_fit(context, scorer, run_id, options)

        async def keep_fitted(read: StoredChunk, outcome: T, answers: int = answers) -> None:
            await keep(replace(read, fitted=answers), outcome)

        await _pass_by(
            context,
            together,
            at_once,
            lambda chunk, fit=fit: work(_within(chunk, fit)),  # type: ignore[misc]
            keep_fitted,
        )


async def run_fit(context: EngineContext, scorer: FitsRuns, run_id: RunId, options: Any) -> tuple[WiderFit, int]:
    """A fit on all answers of a round, and the number of those answers."""
    whole, answers = merged_frequencies.merged([]), 0
    groups = await context.read(lambda connection: fit_groups.groups(connection, [run_id]))

    async def keep(read: StoredChunk, part: WiderFit) -> None:
        nonlocal whole, answers
        # The terms of a whole run: adding them up would hold the loop, and with it calls under way.
        whole = await asyncio.to_thread(merged_frequencies.merged, [whole, part])
        answers += sum(len(group.texts) for group in read.groups)

    await _pass_by(
        context, groups, ANSWERS_AT_ONCE, lambda chunk: context.scoring.call(scorer.frequencies, chunk, options), keep
    )
    return whole, answers


def _within(chunk: Chunk, fit: WiderFit) -> Chunk:
    return [replace(group, wider=fit) for group in chunk]


async def _pass_by(
    context: EngineContext,
    groups: Sequence[StoredGroup],
    at_once: int,
    work: Work[T],
    keep: Keep[T],
    *,
    facts: bool = False,
) -> None:
    """Pass chunks by *work*; no more of them are held than there are workers, and one."""
    waiting: deque[tuple[StoredChunk, asyncio.Future[T]]] = deque()
    try:
        async for read in _chunks(context, groups, at_once, facts=facts):
            # One more chunk than workers, so that none waits while the next is read; results are
            # kept in the order of the groups.
            waiting.append((read, asyncio.wrap_future(work(read.groups))))
            if len(waiting) > context.scoring.workers:
                first, outcome = waiting.popleft()
                await keep(first, await outcome)
        while waiting:
            first, outcome = waiting.popleft()
            await keep(first, await outcome)
    finally:
        for _, outcome in waiting:
            outcome.cancel()
        # Awaited too: an error that nobody takes would be told as one that was never retrieved.
        await asyncio.gather(*(outcome for _, outcome in waiting), return_exceptions=True)


async def _chunks(
    context: EngineContext, groups: Sequence[StoredGroup], at_once: int, *, facts: bool
) -> AsyncIterator[StoredChunk]:
    done = 0
    while done < len(groups):
        read = await context.read(partial(_read, groups=groups, begin=done, at_once=at_once, facts=facts))
        done += len(read.stored)
        yield read


def whole_run(connection: Connection, run_id: RunId) -> StoredChunk:
    """The groups of a round, all in one chunk."""
    stored = tuple(fit_groups.groups(connection, [run_id]))
    groups = tuple(responses.fit_group(connection, each.id, facts=True) for each in stored)
    return StoredChunk(stored=stored, groups=groups, fitted=sum(len(each.texts) for each in groups))


def _read(
    connection: Connection, groups: Sequence[StoredGroup], begin: int, at_once: int, *, facts: bool
) -> StoredChunk:
    """The whole groups from *begin* on that make a chunk, at least one."""
    found: list[FitGroup] = []
    answers = 0
    for group in groups[begin:]:
        # A chunk is saved as provisional or as final, so it holds no groups of both kinds.
        if found and (answers >= at_once or group.complete is not groups[begin].complete):
            break
        found.append(responses.fit_group(connection, group.id, facts=facts))
        answers += len(found[-1].texts)
    return StoredChunk(stored=tuple(groups[begin : begin + len(found)]), groups=tuple(found))
