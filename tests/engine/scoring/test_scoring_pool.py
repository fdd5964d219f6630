import multiprocessing
import subprocess
import sys
from concurrent.futures import wait

import pytest

from gpf_desktop.domain.errors import GpfError
from gpf_desktop.domain.scores import FitGroup
from gpf_desktop.engine.scoring.scoring_pool import ScoringPool
from gpf_desktop.scorers.gpf import SCORER, GpfOptions
from tests.benchmarks.answers import articles


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


def test_that_closing_cancels_what_has_not_begun_and_later_chunks(groups: list[FitGroup]) -> None:
    pool = ScoringPool(workers=1)
    outcomes = [pool.submit("gpf", groups, GpfOptions()) for _ in range(40)]
    pool.close()
    pool.close()
    assert all(outcome.done() for outcome in outcomes)
    assert outcomes[-1].cancelled()
    assert pool.submit("gpf", groups, GpfOptions()).cancelled()
    assert pool.warm() == []


def test_that_workers_end_with_a_program_that_was_killed() -> None:
    program = (
        "import os, signal\n"
        "from gpf_desktop.engine.scoring.scoring_pool import ScoringPool\n"
        "pool = ScoringPool()\n"
        "print([ready.result() for ready in pool.warm()], flush=True)\n"
        "os.kill(os.getpid(), getattr(signal, 'SIGKILL', signal.SIGTERM))\n"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as run:
        output, _ = run.communicate(timeout=60)  # ends only when every process that holds the pipe has ended
    assert output.startswith(b"[")
    assert run.returncode != 0
