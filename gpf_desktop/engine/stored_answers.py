"""Streams stored answers through the scoring workers: a whole audit passes by, a few thousand answers at a time."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Final, TypeVar

from gpf_desktop.domain.scores import FitGroup
from gpf_desktop.engine.bench import Bench
from gpf_desktop.storage import responses
from gpf_desktop.storage.scores import StoredGroup
from gpf_desktop.storage.writer import Connection

T = TypeVar("T")

ANSWERS_AT_ONCE: Final = 2048
"""Answers that make a chunk: some 2 MB of text, so that three chunks on their way are nothing beside a worker."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """A chunk of fit groups and where in the store they are."""

    stored: tuple[StoredGroup, ...]
    groups: tuple[FitGroup, ...]


async def streamed(
    bench: Bench,
    groups: Sequence[StoredGroup],
    work: Callable[[Read], "Future[T]"],
    keep: Callable[[Read, T], Awaitable[None]],
) -> None:
    """Hand *groups* to *work* (which starts a worker on them) chunk by chunk, and each result, in order, to *keep*.

    No more chunks are held than there are workers, and one. Cancelling cancels what waits.
    """
    waiting: deque[tuple[Read, asyncio.Future[T]]] = deque()
    try:
        async for chunk in _chunks(bench, groups):
            waiting.append((chunk, asyncio.wrap_future(work(chunk))))
            if len(waiting) > bench.scoring.workers:
                first, outcome = waiting.popleft()
                await keep(first, await outcome)
        while waiting:
            first, outcome = waiting.popleft()
            await keep(first, await outcome)
    finally:
        for _, outcome in waiting:
            outcome.cancel()
        await asyncio.gather(*(outcome for _, outcome in waiting), return_exceptions=True)


async def _chunks(bench: Bench, groups: Sequence[StoredGroup]) -> AsyncIterator[Read]:
    done = 0
    while done < len(groups):
        read = await bench.read(lambda connection, begin=done: _read(connection, groups, begin))  # type: ignore[misc]
        done += len(read.stored)
        yield read


def _read(connection: Connection, groups: Sequence[StoredGroup], begin: int) -> Read:
    """As many whole groups from *begin* on as make a chunk, at least one."""
    found: list[FitGroup] = []
    answers = 0
    for group in groups[begin:]:
        if found and (answers >= ANSWERS_AT_ONCE or group.complete is not groups[begin].complete):
            break
        found.append(responses.fit_group(connection, group.run_id, group.model_id, group.article_id))
        answers += len(found[-1].texts)
    return Read(stored=tuple(groups[begin : begin + len(found)]), groups=tuple(found))
