"""Facts about answers' texts, found in the workers if there are many: one thread of the window would be at a million
for two minutes, and hold the window up at that."""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future

from gpf_desktop.domain import checkpoints
from gpf_desktop.engine.core.worker_pool import WorkerPool
from gpf_desktop.numerics.said_texts import SaidText, said_texts


def told_beside(pool: WorkerPool, lists: Iterable[Sequence[str]]) -> Iterator[Sequence[SaidText]]:
    """`storage.answer_counts.Told`; an only list is told here, for workers take longer to start."""
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
