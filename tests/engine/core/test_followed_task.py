"""A task of the engine is told as it goes and ends in exactly one event, however it ends."""

import threading
from collections.abc import Iterator
from concurrent.futures import CancelledError
from pathlib import Path

import pytest

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.events import TaskCancelled, TaskFailed, TaskProgressed, TaskSucceeded
from gpf_desktop.engine.core.followed_task import OneAtATime, Tell
from tests.support.open_context import OpenBench

ENDS = (TaskSucceeded, TaskFailed, TaskCancelled)


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[OpenBench]:
    with OpenBench(tmp_path) as context:
        yield context


@pytest.fixture
def task(opened: OpenBench) -> OneAtATime:
    return OneAtATime(opened.context, "count")


def ends(opened: OpenBench) -> list[object]:
    return [event for kind in ENDS for event in opened.of(kind)]


def test_that_work_is_told_from_its_first_step_to_its_sentence(opened: OpenBench, task: OneAtATime) -> None:
    async def count(tell: Tell) -> tuple[int, str]:
        tell(1, 2)
        return 7, "Counted."

    assert task.start(count, trouble="").result(timeout=250) == 7
    assert opened.of(TaskProgressed) == [TaskProgressed(task="count", done=1, of=2)]
    assert ends(opened) == [TaskSucceeded(task="count", sentence="Counted.")]


@pytest.mark.parametrize(
    ("error", "what", "remedy"),
    [(UserError("Not so.", "Do this."), "Not so.", "Do this."), (KeyError("bug"), "It could not be counted.", "")],
)
def test_that_a_failure_is_told_in_its_own_words_or_in_those_for_a_bug(
    opened: OpenBench, task: OneAtATime, error: Exception, what: str, remedy: str
) -> None:
    async def count(_: Tell) -> tuple[int, str]:
        raise error

    with pytest.raises(type(error)):
        task.start(count, trouble="It could not be counted.").result(timeout=250)
    (told,) = ends(opened)
    assert isinstance(told, TaskFailed)
    assert (told.task, told.what, told.remedy) == ("count", what, remedy)


def test_that_one_runs_at_a_time_and_a_cancelled_one_makes_way(opened: OpenBench, task: OneAtATime) -> None:
    begun = threading.Event()

    async def wait(_: Tell) -> tuple[int, str]:
        begun.set()
        await opened.context.loop.loop.create_future()
        return 0, ""

    task.check_free("Counting already.", "Wait.")
    running = task.start(wait, trouble="")
    assert begun.wait(250)
    with pytest.raises(UserError, match=r"Counting already\. Wait\."):
        task.check_free("Counting already.", "Wait.")
    task.cancel()
    with pytest.raises(CancelledError):
        running.result(timeout=250)
    task.check_free("Counting already.", "Wait.")
    task.close()
    assert ends(opened) == [TaskCancelled(task="count")]
