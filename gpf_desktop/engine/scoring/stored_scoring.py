"""Scores stored answers by one setting and keeps the scores, telling how far it is."""

import asyncio
import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, Future
from functools import partial
from typing import Any, Final

from gpf_desktop.domain.ports.scorer import HowFar, ScoresWholeRuns, TellsHowFar
from gpf_desktop.domain.scores import Chunk, ScoredChunk
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.context import EngineContext
from gpf_desktop.engine.scoring.stored_answers import ANSWERS_AT_ONCE, StoredChunk, stream, whole_run
from gpf_desktop.storage import scores
from gpf_desktop.storage.fit_groups import StoredGroup

ONE_BY_ONE: Final = 1
"""Answers at once of a language model, which takes milliseconds for each: as few as there are in one fit group."""


def costly(scorer: str) -> bool:
    """Whether a scorer takes minutes where tf-idf and VADER take a second."""
    found = catalogue.scorers().get(scorer)
    return found is None or found.costly


async def score_again(
    context: EngineContext,
    setting_id: int,
    name: str,
    options: Any,
    groups: Sequence[StoredGroup],
    count: Callable[[int], object],
) -> None:
    """Score *groups* with the scorer *name*; *count* is told of bundles as they are done, on the engine's loop.

    Cancelling ends what is computed; what was stored by then stays.
    """
    scorer = catalogue.scorers()[name]
    # Set when nobody waits for these scores any more.
    left = threading.Event()

    async def keep(read: StoredChunk, scored: ScoredChunk) -> None:
        await context.write(
            lambda connection: scores.save(
                connection, setting_id, scored, provisional=not read.complete, bases=read.bases
            )
        )

    # A chunk each, in the order in which they are kept.
    under_way: deque[_Steps] = deque()

    def work(chunk: Chunk) -> "Future[ScoredChunk]":
        steps = _Steps(count, sum(len(group.bundles) for group in chunk))
        under_way.append(steps)
        if isinstance(scorer, TellsHowFar):
            return context.scoring.submit_telling(name, chunk, options, _telling(steps, left))
        return context.scoring.submit(name, chunk, options)

    async def keep_and_count(read: StoredChunk, scored: ScoredChunk) -> None:
        await keep(read, scored)
        under_way.popleft().end(len(scored.units))

    try:
        if isinstance(scorer, ScoresWholeRuns):
            # All of a run, whatever part is wanted: what such a scorer says of one answer rests on all the others.
            for run_id in dict.fromkeys(group.run_id for group in groups):
                read = await context.read(partial(whole_run, run_id=run_id))
                await keep_and_count(read, await asyncio.wrap_future(work(read.groups)))
            return
        # Few at once where each takes long, so that what was scored before a stop is kept.
        at_once = ONE_BY_ONE if scorer.costly else ANSWERS_AT_ONCE
        await stream(context, scorer, groups, options, work, keep_and_count, at_once=at_once)
    finally:
        left.set()


class _Steps:
    """A chunk's bundles, counted as far as the scorer is with all of them; the last one only when they are stored."""

    def __init__(self, count: Callable[[int], object], bundles: int) -> None:
        self._count, self._bundles, self._counted = count, bundles, 0

    def far(self, done: int, of: int) -> None:
        self._to(min(self._bundles * done // max(of, 1), self._bundles - 1))

    def end(self, bundles: int) -> None:
        self._to(bundles)

    def _to(self, bundles: int) -> None:
        more, self._counted = bundles - self._counted, max(self._counted, bundles)
        if more > 0:
            self._count(more)


def _telling(steps: _Steps, left: threading.Event) -> HowFar:
    """Tells *steps* on the running loop from any thread, and ends what tells it once *left* is set."""
    loop = asyncio.get_running_loop()

    def tell(done: int, of: int) -> None:
        # Once more: nothing is told of a task behind its end.
        if not left.is_set():
            steps.far(done, of)

    def told(done: int, of: int) -> None:
        if left.is_set():
            raise CancelledError
        loop.call_soon_threadsafe(tell, done, of)

    return told
