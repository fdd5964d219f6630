"""A callback that is through before anybody who waits for the result has it."""

from concurrent.futures import Future
from threading import Event, Thread

import pytest

from gpf_desktop.engine.core.callbacks import with_callback


def test_that_who_waits_for_a_result_finds_it_announced() -> None:
    future: Future[int] = Future()
    heard: list[int] = []
    telling, go_on = Event(), Event()

    def tell(result: int) -> None:
        telling.set()
        assert go_on.wait(250)
        heard.append(result)

    told = with_callback(future, tell)
    thread = Thread(target=future.set_result, args=(7,))
    thread.start()
    assert telling.wait(250)
    assert not told.done()
    go_on.set()
    assert told.result(250) == 7
    assert heard == [7]
    thread.join()


def test_that_nothing_is_announced_of_what_failed() -> None:
    future: Future[int] = Future()
    heard: list[int] = []
    told = with_callback(future, heard.append)
    future.set_exception(OSError("full"))
    with pytest.raises(OSError, match="full"):
        told.result(250)
    assert not heard
