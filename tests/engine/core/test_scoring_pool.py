import contextlib
import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
from concurrent.futures import CancelledError, wait
from pathlib import Path

import pytest

from gpf_desktop.domain.errors import GpfError
from gpf_desktop.domain.ports.scorer import HowFar
from gpf_desktop.domain.scores import FitGroup
from gpf_desktop.engine.core import _scoring_worker
from gpf_desktop.engine.core.scoring_pool import ScoringPool, usual_workers
from gpf_desktop.engine.core.worker_process import WorkerProcess
from gpf_desktop.methods.gpf_livenews.scorers.gpf import SCORER, GpfOptions
from gpf_desktop.settings.preferences import HERE
from tests.benchmarks.answers import articles

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("own_workers")]


@pytest.fixture(scope="module")
def groups() -> list[FitGroup]:
    return list(articles(84, words=60))


def test_that_workers_return_what_scoring_here_returns_and_none_is_left_behind(groups: list[FitGroup]) -> None:
    with ScoringPool() as pool:
        ready = pool.warm()
        outcomes = [pool.submit("gpf", [group], GpfOptions()) for group in groups]
        assert [outcome.result() for outcome in outcomes] == [SCORER.score([group], GpfOptions()) for group in groups]
        assert all(future.result() for future in ready)
        assert multiprocessing.active_children()
    assert multiprocessing.active_children() == []


def test_that_chunks_survive_the_death_of_a_worker(groups: list[FitGroup]) -> None:
    with ScoringPool() as pool:
        wait(pool.warm())
        before = multiprocessing.active_children()
        outcomes = [pool.submit("gpf", groups, GpfOptions()) for _ in range(12)]
        before[0].kill()
        expected = SCORER.score(groups, GpfOptions())
        assert [outcome.result() for outcome in outcomes] == [expected] * 12
        assert pool.submit("gpf", groups, GpfOptions()).result() == expected


def _count(of: int, told: HowFar) -> int:
    for done in range(of):
        told(done, of)
    return of


def test_that_a_worker_tells_how_far_it_is_and_ends_once_nobody_wants_to_know() -> None:
    heard: list[tuple[int, int]] = []

    def until_two(done: int, of: int) -> None:
        heard.append((done, of))
        if done == 2:
            raise CancelledError

    with ScoringPool(workers=1) as pool:
        (ready,) = pool.warm()
        before = ready.result()
        assert pool.call(_count, 4, told=lambda done, of: heard.append((done, of))).result() == 4
        assert heard == [(0, 4), (1, 4), (2, 4), (3, 4)]
        heard.clear()
        with pytest.raises(CancelledError):
            pool.call(_count, 10**9, told=until_two).result()
        assert len(heard) == 3
        (ready,) = pool.warm()
        assert ready.result() != before


def test_that_workers_that_died_while_there_was_nothing_to_do_are_replaced(groups: list[FitGroup]) -> None:
    with ScoringPool() as pool:
        before = [ready.result() for ready in pool.warm()]
        for child in multiprocessing.active_children():
            os.kill(child.pid or 0, signal.SIGKILL)
            child.join()
        assert not set(before) & {ready.result() for ready in pool.warm()}
        assert pool.submit("gpf", groups, GpfOptions()).result() == SCORER.score(groups, GpfOptions())


def test_that_a_chunk_whose_workers_die_twice_ends_with_a_sentence(groups: list[FitGroup]) -> None:
    with ScoringPool(workers=1) as pool:
        outcome = pool.submit("gpf", groups, GpfOptions())
        while wait([outcome], timeout=0.02).not_done:
            for child in multiprocessing.active_children():
                child.kill()
        with pytest.raises(GpfError, match="ended twice"):
            outcome.result()
        assert pool.submit("gpf", groups, GpfOptions()).result() == SCORER.score(groups, GpfOptions())


def test_that_what_a_scorer_raises_reaches_the_caller(groups: list[FitGroup]) -> None:
    with ScoringPool(workers=1) as pool:
        outcome = pool.submit("gpf", groups, None)
        with pytest.raises(AttributeError):
            outcome.result()


def test_that_a_failing_scorer_of_another_maker_is_named(
    groups: list[FitGroup], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "their_scorer.py").write_text(
        "class Theirs:\n    name = 'mood'\n    def score(self, *_): raise KeyError('level')\nSCORER = Theirs()\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(GpfError, match=r"plug-in mood \(their_scorer\) failed \(KeyError\)") as caught:
        _scoring_worker.score("their_scorer", groups, None)
    again = pickle.loads(pickle.dumps(caught.value))
    assert (again.what, again.remedy) == (caught.value.what, caught.value.remedy)


def test_that_closing_cancels_what_has_not_begun_and_later_chunks(groups: list[FitGroup]) -> None:
    pool = ScoringPool(workers=1)
    outcomes = [pool.submit("gpf", groups, GpfOptions()) for _ in range(40)]
    pool.close()
    pool.close()
    assert all(outcome.done() for outcome in outcomes)
    assert outcomes[-1].cancelled()
    assert pool.submit("gpf", groups, GpfOptions()).cancelled()
    assert pool.warm() == []


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")
def test_that_a_worker_knows_no_ctrl_c_from_its_first_moment(capfd: pytest.CaptureFixture[str]) -> None:
    worker = WorkerProcess("worker", ())
    try:
        assert worker._process.pid is not None
        # Python has not begun there yet.
        os.kill(worker._process.pid, signal.SIGINT)
        assert worker.call(int, "4") == 4
    finally:
        worker.end()
    assert capfd.readouterr().err == ""


PROGRAM = """
import os, signal, sys, time
from gpf_desktop.engine.core import _scoring_worker
from gpf_desktop.engine.core.scoring_pool import ScoringPool
pool = ScoringPool()
print([ready.result() for ready in pool.warm()], flush=True)
at_work = [pool.call(time.sleep, 600) for _ in range(pool.workers)]
while not all(call.running() for call in at_work):
    time.sleep(0)
os.kill({whom}, signal.{signal})
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")
@pytest.mark.parametrize("name", ["SIGKILL", "SIGTERM"])
@pytest.mark.parametrize("whom", ["os.getpid()", "0"], ids=["the program", "its group"])
def test_that_a_program_that_is_killed_leaves_no_worker_and_no_words_behind(name: str, whom: str) -> None:
    command = [sys.executable, "-c", PROGRAM.format(whom=whom, signal=name)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, start_new_session=True, **pipes) as run:
        try:
            output, said = run.communicate(timeout=250)  # ends only when every process that holds the pipes has ended
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(run.pid, signal.SIGKILL)
    assert output.startswith(b"[")
    assert said == b""
    assert run.returncode == -getattr(signal, name)


@pytest.mark.parametrize(
    ("cores", "beside", "command"), [(1, 1, 1), (2, 2, 2), (4, 2, 3), (8, 4, 7), (64, 8, 8), (None, 1, 1)]
)
def test_that_scoring_leaves_cores_to_a_window_and_one_to_a_command(
    cores: int | None, beside: int, command: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: cores)
    assert usual_workers(beside_window=True) == beside
    assert usual_workers(beside_window=False) == command
    HERE.set("work.scoring_workers", 3)
    assert usual_workers(beside_window=True) == usual_workers(beside_window=False) == 3
