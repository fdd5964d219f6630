"""A piece of the engine's work that the window can follow by its name: how far it is, and one end."""

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import Future, wait
from typing import Any, Final, TypeVar

from gpf_desktop.domain.errors import GpfError, UserError
from gpf_desktop.domain.events import TaskCancelled, TaskFailed, TaskProgressed, TaskSucceeded
from gpf_desktop.engine.core.context import Emit, EngineContext
from gpf_desktop.engine.core.running_tasks import RunningTasks

T = TypeVar("T")
Tell = Callable[[int, int], object]
"""Tells how much is done, and of how much; from whatever thread."""
Work = Callable[[Tell], Coroutine[Any, Any, tuple[T, str]]]
"""Gives its result, and the sentence for people that it went well."""


def tell_nobody(_done: int, _of: int) -> None:
    """A `Tell` for who waits for the end alone."""


_LOOK: Final = 0.2
"""Seconds between two looks at whether it was stopped."""


def waited_for(work: "Future[T]", tell: Callable[[], object]) -> T:
    """Wait for *work* and return its result, or raise its error. Blocks; *tell* is called meanwhile, and an error that
    it raises ends the waiting."""
    while not work.done():
        wait([work], timeout=_LOOK)
        tell()
    return work.result()


async def run_told(emit: Emit, task: str, work: Work[T], *, trouble: str) -> T:
    """The result of *work*, whose progress and end are announced as those of *task*.

    Raises what *work* raises, after it was told: *trouble* stands for what is no `GpfError`.
    """
    try:
        result, sentence = await work(lambda done, of: emit(TaskProgressed(task=task, done=done, of=of)))
    except asyncio.CancelledError:
        emit(TaskCancelled(task=task))
        raise
    # Whatever it is: a task whose end nobody is told of would be shown as going on for ever.
    except Exception as error:
        emit(failed(task, error, trouble))
        raise
    emit(TaskSucceeded(task=task, sentence=sentence))
    return result


def failed(task: str, error: BaseException, trouble: str) -> TaskFailed:
    """*error* in its own words where it has some for people, else as *trouble*."""
    if isinstance(error, GpfError):
        return TaskFailed(task=task, what=error.what, remedy=error.remedy, details=error.details)
    return TaskFailed(task=task, what=trouble, remedy="", details=repr(error))


class OneAtATime:
    """Runs *task* on the engine's loop, never twice at once."""

    def __init__(self, context: EngineContext, task: str) -> None:
        self._context = context
        self._task = task
        self._tasks = RunningTasks(context.loop)
        self._running: Future[Any] | None = None

    def check_free(self, what: str, remedy: str) -> None:
        """Raises `UserError` with these words while one is under way."""
        if self._running is not None and not self._running.done():
            raise UserError(what, remedy)

    def start(self, work: Work[T], *, trouble: str) -> "Future[T]":
        """Start *work* as `run_told` does; the future holds the result, and cancelling it cancels the work."""
        future = self._tasks.start(lambda: run_told(self._context.emit, self._task, work, trouble=trouble))
        self._running = future
        return future

    def cancel(self) -> None:
        if self._running is not None:
            self._running.cancel()

    def close(self) -> None:
        """End what runs and wait until it has cleaned up. Not for the loop's own thread."""
        self._tasks.cancel_all()
