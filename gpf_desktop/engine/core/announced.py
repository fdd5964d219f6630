"""Results that are announced before anybody has them."""

from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

T = TypeVar("T")


def announced(future: "Future[T]", tell: Callable[[T], object]) -> "Future[T]":
    """What *future* comes to, after *tell* was called with it on the same thread.

    A callback of *future* would not do: who waits for a result is woken before callbacks are called, and would not
    find announced what is done.
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
