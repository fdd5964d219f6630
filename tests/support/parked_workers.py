"""Scoring workers are handed from test to test: each would take half a second to start, in hundreds of tests.

A pool that is closed parks the workers that have nothing to do, as long as they live, and the next pool takes them
from there. Tests of the workers' own life ask for ``own_workers``.
"""

from collections.abc import Iterator
from typing import Any

import pytest

from gpf_desktop.engine.core import scoring_pool
from gpf_desktop.engine.core.scoring_pool import ScoringPool
from gpf_desktop.engine.core.worker_process import WorkerProcess

_CLOSE = ScoringPool.close
_parked: list[WorkerProcess] = []


def parked() -> set[Any]:
    """The processes of workers that wait for the next pool."""
    return {worker._process for worker in _parked}


def _take(name: str, modules: tuple[str, ...]) -> WorkerProcess:
    while _parked:
        worker = _parked.pop()
        if worker.alive:
            return worker
        worker.end()
    return WorkerProcess(name, modules)


def _park(pool: ScoringPool) -> None:
    pool._closed = True
    pool._threads.shutdown(cancel_futures=True)
    with pool._lock:
        idle, pool._idle = pool._idle, []
    _parked.extend(idle)


@pytest.fixture(scope="session", autouse=True)
def park_workers() -> Iterator[None]:
    """Parks and hands on for the whole session, and ends the parked ones with it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scoring_pool, "WorkerProcess", _take)
        patch.setattr(ScoringPool, "close", _park)
        yield
    _end_parked()


@pytest.fixture
def own_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pools that start and end workers of their own, as in the program, and no other worker about."""
    _end_parked()
    monkeypatch.setattr(scoring_pool, "WorkerProcess", WorkerProcess)
    monkeypatch.setattr(ScoringPool, "close", _CLOSE)


def _end_parked() -> None:
    while _parked:
        _parked.pop().end()
