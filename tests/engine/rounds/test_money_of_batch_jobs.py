"""Half-price batch jobs never pass the cap: by jobs of before a restart, by jobs that are lost. The rest of them, over
all dialects, is in test_batch_jobs.py; this is quick."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gpf_desktop.domain.batch_jobs import JobState
from gpf_desktop.domain.events import RunProgressed, RunRested
from gpf_desktop.domain.ids import RunId
from gpf_desktop.domain.runs import RunState
from tests.support import http_server as http
from tests.support.batch_servers import BatchServer
from tests.support.patience import Patience
from tests.support.provider_servers import KEY
from tests.support.rounds import Scene, scene, small_protocol
from tests.support.vendor_jobs import Job

FULL_PRICE = 10 * (11 * 1.0 + 22 * 2.0) / 1e6
"""Dollars for the ten answers of the small protocol, asked one by one."""


@pytest.fixture
def openai(monkeypatch: pytest.MonkeyPatch) -> Iterator[BatchServer]:
    monkeypatch.setenv("GPF_TEST_KEY", KEY)
    with BatchServer("openai") as made:
        yield made


def plan(stage: Scene, server: BatchServer, *, cap: float | None = None) -> RunId:
    return stage.plan([server.endpoint], protocol=small_protocol(), batch_jobs=True, spend_cap=cap)


def run(stage: Scene, run_id: RunId) -> RunState:
    return stage.open_audit.rounds.start(run_id).result(timeout=250)


def test_that_batch_jobs_cost_what_the_list_says_of_them(tmp_path: Path, openai: BatchServer) -> None:
    price = openai.endpoint.price
    assert price is not None
    known = replace(openai.endpoint, price=replace(price, batch_prompt=0.1, batch_completion=0.2))
    with scene(tmp_path, rest=Patience(openai).rest) as stage:
        # The cap holds a job of ten at a tenth of the ordinary price, and not one at half of it.
        run_id = stage.plan([known], protocol=small_protocol(), batch_jobs=True, spend_cap=0.008)
        assert run(stage, run_id) is RunState.FINISHED
        assert [job.requests for job in stage.open_audit.rounds.jobs(run_id)] == [10]
        assert stage.open_audit.rounds.run(run_id).spent == pytest.approx(FULL_PRICE / 10)


def test_that_a_job_is_no_larger_than_the_cap_allows(tmp_path: Path, openai: BatchServer) -> None:
    with scene(tmp_path, rest=Patience(openai).rest) as stage:
        run_id = plan(stage, openai, cap=0.004)
        assert run(stage, run_id) is RunState.FINISHED
        sizes = [job.requests for job in stage.open_audit.rounds.jobs(run_id)]
        assert sum(sizes) == 10
        assert sizes[0] < 10
        assert stage.open_audit.rounds.run(run_id).spent <= 0.004


def test_that_what_a_job_of_before_a_restart_may_cost_is_held_back_before_another_is_made(
    tmp_path: Path, openai: BatchServer
) -> None:
    patience = Patience(openai, rests=1)
    with scene(tmp_path, rest=patience.rest) as stage:
        run_id = plan(stage, openai, cap=0.004)
        stage.open_audit.rounds.start(run_id)
        assert patience.stuck.wait(250)
        first = [job.requests for job in stage.open_audit.rounds.jobs(run_id)]
        assert sum(first) < 10
        stage.engine.close_audit()
    submitted = openai.submissions()
    again = Patience(openai, rests=1)
    with scene(tmp_path, rest=again.rest) as stage:
        stage.engine.keys.allow(openai.endpoint)
        stage.open_audit.rounds.start(run_id)
        assert again.stuck.wait(250)
        # The cap has no room for another beside the one that is still on its way.
        assert [job.requests for job in stage.open_audit.rounds.jobs(run_id)] == first
        stage.engine.close_audit()
    assert openai.submissions() == submitted


def test_that_a_cap_without_room_pauses_before_anything_is_sent(tmp_path: Path, openai: BatchServer) -> None:
    with scene(tmp_path, rest=Patience(openai).rest) as stage:
        run_id = plan(stage, openai, cap=1e-6)
        assert run(stage, run_id) is RunState.PAUSED
        assert "spend cap is reached" in stage.heard(RunRested)[-1].why
    assert openai.submissions() == 0


def test_that_a_lost_job_is_held_at_its_worst_case_now_and_after_a_restart(tmp_path: Path, openai: BatchServer) -> None:
    openai.on_submit, openai.forgets = http.Reply(mode=http.Mode.RESET), True
    with scene(tmp_path, rest=Patience(openai).rest) as stage:
        run_id = plan(stage, openai, cap=0.004)
        assert run(stage, run_id) is RunState.PAUSED
        rounds = stage.open_audit.rounds
        lost = rounds.jobs(run_id)[0]
        assert lost.state is JobState.LOST
        in_doubt = stage.heard(RunProgressed)[-1].progress.in_doubt
        # As much as was held back for it, so that another of its size has no room under the cap.
        assert 0.002 < in_doubt <= 0.004
        assert sum(call.at_most for call in rounds.unknown_calls(run_id)) == pytest.approx(in_doubt)
        assert len(rounds.unknown_calls(run_id)) == lost.requests
    with scene(tmp_path) as again:
        assert again.open_audit.rounds.progress(run_id).in_doubt == pytest.approx(in_doubt)


def test_that_an_answer_of_a_job_that_cannot_be_read_is_held_at_its_worst_case(
    tmp_path: Path, openai: BatchServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = BatchServer.results

    def results(server: BatchServer, job: Job) -> list[tuple[str, int, Any]]:
        (name, status, _), *others = whole(server, job)
        return [(name, status, {"id": "c"}), *others]

    monkeypatch.setattr(BatchServer, "results", results)
    with scene(tmp_path, rest=Patience(openai).rest) as stage:
        run_id = plan(stage, openai)
        assert run(stage, run_id) is RunState.FINISHED_WITH_GAPS
        in_doubt = stage.heard(RunProgressed)[-1].progress.in_doubt
        assert in_doubt > 0
    with scene(tmp_path) as again:
        assert again.open_audit.rounds.progress(run_id).in_doubt == pytest.approx(in_doubt)


def test_that_a_job_that_is_listed_late_is_no_doubt(tmp_path: Path, openai: BatchServer) -> None:
    openai.on_submit = http.Reply(mode=http.Mode.RESET)
    patience, unlisted = Patience(openai), []

    async def rest(seconds: float) -> None:
        await patience.rest(seconds)
        if not unlisted:
            unlisted.extend(openai.jobs)
            openai.jobs.clear()
        elif not openai.jobs:
            openai.jobs.extend(unlisted)

    with scene(tmp_path, rest=rest) as stage:
        run_id = plan(stage, openai)
        assert run(stage, run_id) is RunState.FINISHED
        assert stage.open_audit.rounds.run(run_id).spent == pytest.approx(FULL_PRICE / 2)
        assert stage.open_audit.rounds.progress(run_id).in_doubt == 0.0
    assert openai.submissions() == 1
