"""A callback that is through before anybody who waits for the result has it."""

from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

T = TypeVar("T")


def with_callback(future: "Future[T]", tell: Callable[[T], object]) -> "Future[T]":
    """A future of the same result, done once *tell* was called with it on the same thread.

    `Future.add_done_callback` would not do: who waits for a result is woken before the callbacks are called.
    """
    told: Future[T] = Future()
    told.set_running_or_notify_cancel()

    def end(done: "Future[T]") -> None:
        try:
            result = done.result()
            tell(result)
        except BaseException as error:
            told.set_exception(error)
        else:
            told.set_result(result)

    future.add_done_callback(end)
    return told
