"""Rounds by half-price batch jobs, through the real engine: submitted, followed, collected, across restarts."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from gpf_desktop.domain.batch_jobs import JobState
from gpf_desktop.domain.events import CellAnswered, RunNoted, RunProgressed, RunRested
from gpf_desktop.domain.models import Endpoint, Limits
from gpf_desktop.domain.runs import RunState
from gpf_desktop.engine.rounds.batch_jobs import FIRST_LOOK, LONGEST_LOOK
from tests.support import http_server as http
from tests.support.batch_servers import BatchServer
from tests.support.patience import Patience
from tests.support.provider_servers import KEY, serve
from tests.support.rounds import Scene, calibration, scene, small_protocol
from tests.support.vendor_jobs import Course

pytestmark = pytest.mark.slow

FULL_PRICE = 10 * (11 * 1.0 + 22 * 2.0) / 1e6
"""Dollars for the ten answers of the small protocol, asked one by one."""


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPF_TEST_KEY", KEY)


@pytest.fixture(params=["anthropic", "gemini", "openai"])
def server(request: pytest.FixtureRequest) -> Iterator[BatchServer]:
    with BatchServer(request.param) as made:
        yield made


@pytest.fixture
def openai() -> Iterator[BatchServer]:
    with BatchServer("openai") as made:
        yield made


def plan(stage: Scene, server: BatchServer, *others: Endpoint, **limits: object) -> int:
    endpoint = replace(server.endpoint, limits=Limits(**limits))  # type: ignore[arg-type]
    return stage.plan([endpoint, *others], protocol=small_protocol(), batch_jobs=True)


def run(stage: Scene, run_id: int) -> RunState:
    return stage.open_audit.rounds.start(run_id).result(timeout=250)  # type: ignore[arg-type]


def states(stage: Scene, run_id: int) -> list[JobState]:
    return [job.state for job in stage.open_audit.rounds.jobs(run_id)]  # type: ignore[arg-type]


def test_that_a_round_by_batch_jobs_is_stored_and_scored_at_half_the_price(tmp_path: Path, server: BatchServer) -> None:
    patience = Patience(server)
    with scene(tmp_path, rest=patience.rest) as stage:
        run_id = plan(stage, server)
        assert run(stage, run_id) is RunState.FINISHED
        stored = stage.open_audit.rounds.run(run_id)  # type: ignore[arg-type]
        assert (stored.answered, stored.missing) == (10, 0)
        assert stored.spent == pytest.approx(FULL_PRICE / 2)
        assert len(stage.heard(CellAnswered)) == 10
        assert stage.read("SELECT count(*) FROM score WHERE name = 'semantic_dispersion' AND value IS NOT NULL") == [
            (2,)
        ]
        assert stage.read("SELECT count(*), count(finished_at) FROM call") == [(10, 10)]
        assert stage.read("SELECT batch_discount, requests, done FROM batch_job") == [(0.5, 10, 10)]
        assert stage.read("SELECT count(*) FROM response WHERE seconds IS NOT NULL") == [(0,)]
        assert states(stage, run_id) == [JobState.COLLECTED]
    assert (server.problems, server.submissions()) == ([], 1)


@pytest.mark.parametrize("words", ["Your credit balance is too low", "Quux is not set up for this tenant"])
def test_that_a_fault_of_the_account_leaves_the_questions_of_a_job_open(
    tmp_path: Path, openai: BatchServer, words: str
) -> None:
    openai.fails[""] = (400, words, "")
    with scene(tmp_path, rest=Patience(openai).rest) as stage:
        run_id = plan(stage, openai)
        assert run(stage, run_id) is RunState.PAUSED
        assert openai.submissions() == 1
        assert words in stage.heard(RunRested)[-1].why
        assert stage.open_audit.rounds.run(run_id).missing == 0  # type: ignore[arg-type]
        openai.fails.clear()
        assert run(stage, run_id) is RunState.FINISHED
        assert stage.open_audit.rounds.run(run_id).answered == 10  # type: ignore[arg-type]


def test_that_looks_grow_rarer_up_to_ten_minutes(tmp_path: Path, openai: BatchServer) -> None:
    openai.course = Course(working=6_000.0)
    patience = Patience(openai)
    with scene(tmp_path, rest=patience.rest) as stage:
        assert run(stage, plan(stage, openai)) is RunState.FINISHED
    assert patience.waited[0] == FIRST_LOOK
    assert patience.waited == sorted(patience.waited)
    assert patience.waited[-1] == LONGEST_LOOK


def test_that_progress_tells_how_far_the_provider_is(tmp_path: Path, openai: BatchServer) -> None:
    openai.course = Course(working=400.0)
    patience = Patience(openai, rests=3)
    with scene(tmp_path, rest=patience.rest) as stage:
        run_id = plan(stage, openai)
        resting = stage.open_audit.rounds.start(run_id)  # type: ignore[arg-type]
        assert patience.stuck.wait(250)
        stage.open_audit.rounds.pause().result(timeout=250)
        assert resting.result(timeout=250) is RunState.PAUSED
        line = stage.open_audit.rounds.progress(run_id).models[0]  # type: ignore[arg-type]
        assert (line.job_requests, line.job_done) == (10, 6)
        announced = stage.heard(RunProgressed)[-1].progress.models[0]
        assert (announced.job_requests, announced.job_done) == (10, 6)


def test_that_other_models_go_on_at_once(tmp_path: Path, openai: BatchServer) -> None:
    with scene(tmp_path, rest=Patience(openai).rest) as stage:
        run_id = plan(stage, openai, calibration())
        assert run(stage, run_id) is RunState.FINISHED
        assert stage.open_audit.rounds.run(run_id).answered == 20  # type: ignore[arg-type]
    assert openai.submissions() == 1


def test_that_a_job_under_way_is_followed_after_a_restart_and_not_submitted_again(
    tmp_path: Path, server: BatchServer
) -> None:
    patience = Patience(server, rests=1)
    with scene(tmp_path, rest=patience.rest) as stage:
        run_id = plan(stage, server)
        stage.open_audit.rounds.start(run_id)  # type: ignore[arg-type]
        assert patience.stuck.wait(250)
        stage.engine.close_audit()
    with scene(tmp_path, rest=Patience(server).rest) as stage:
        stage.engine.keys.allow(server.endpoint)
        assert stage.open_audit.rounds.run(run_id).state is RunState.STOPPED  # type: ignore[arg-type]
        assert states(stage, run_id) == [JobState.WAITING]
        assert run(stage, run_id) is RunState.FINISHED
        assert stage.open_audit.rounds.unknown_calls(run_id) == []  # type: ignore[arg-type]
    assert server.submissions() == 1


def test_that_questions_an_expired_job_did_not_come_to_go_into_the_next(tmp_path: Path, server: BatchServer) -> None:
    server.course = Course(ends="expired", answered=0.6)
    patience = Patience(server)

    async def rest(seconds: float) -> None:
        await patience.rest(seconds)
        if server.jobs[0].stage(server.now) == "expired":
            server.course = Course()

    with scene(tmp_path, rest=rest) as stage:
        run_id = plan(stage, server)
        assert run(stage, run_id) is RunState.FINISHED
        assert [job.requests for job in stage.open_audit.rounds.jobs(run_id)] == [10, 4]  # type: ignore[arg-type]
        assert stage.open_audit.rounds.run(run_id).spent == pytest.approx(FULL_PRICE / 2)  # type: ignore[arg-type]
        assert stage.read("SELECT outcome, count(*) FROM call GROUP BY 1 ORDER BY 1") == [
            ("answered", 10),
            ("timed out", 4),
        ]
        assert stage.open_audit.rounds.unknown_calls(run_id) == []  # type: ignore[arg-type]


def test_that_what_expires_again_and_again_ends_as_a_gap(tmp_path: Path, server: BatchServer) -> None:
    server.course = Course(ends="expired", answered=0.0)
    with scene(tmp_path, rest=Patience(server).rest) as stage:
        run_id = plan(stage, server, attempts=2)
        assert run(stage, run_id) is RunState.FINISHED_WITH_GAPS
        assert stage.open_audit.rounds.progress(run_id).models[0].by_reason == (("timed out", 10),)  # type: ignore[arg-type]
    assert server.submissions() == 2


def test_that_a_failed_question_is_a_gap_with_the_provider_s_words(tmp_path: Path, server: BatchServer) -> None:
    server.fails["I am Socialist"] = (400, "The picture in it cannot be decoded.", "invalid_request_error")
    with scene(tmp_path, rest=Patience(server).rest) as stage:
        run_id = plan(stage, server)
        assert run(stage, run_id) is RunState.FINISHED_WITH_GAPS
        reasons = stage.read("SELECT DISTINCT missing, detail FROM response WHERE missing IS NOT NULL")
        assert reasons == [("HTTP error", "The picture in it cannot be decoded.")]
        assert stage.open_audit.rounds.run(run_id).answered == 8  # type: ignore[arg-type]
    assert server.submissions() == 1


def test_that_a_passing_fault_of_a_question_goes_into_the_next_job(tmp_path: Path, openai: BatchServer) -> None:
    openai.fails["I am Socialist"] = (500, "Something went wrong here.", "server_error")
    patience = Patience(openai)

    async def rest(seconds: float) -> None:
        await patience.rest(seconds)
        if openai.submissions() == 2:
            openai.fails.clear()

    with scene(tmp_path, rest=rest) as stage:
        run_id = plan(stage, openai)
        assert run(stage, run_id) is RunState.FINISHED
        assert [job.requests for job in stage.open_audit.rounds.jobs(run_id)] == [10, 2]  # type: ignore[arg-type]


def test_that_a_refused_parameter_is_left_out_of_the_next_job_and_recorded(tmp_path: Path, openai: BatchServer) -> None:
    words = "Unsupported parameter: 'temperature' is not supported with this model."
    openai.fails['"temperature"'] = (400, words, "unsupported_parameter")
    with scene(tmp_path, rest=Patience(openai).rest) as stage:
        run_id = plan(stage, openai)
        assert run(stage, run_id) is RunState.FINISHED
        assert stage.read("SELECT not_supported FROM run_model") == [('["temperature"]',)]
    assert openai.submissions() == 2
    assert all("temperature" not in body for _, body in openai.jobs[1].requests)


def test_that_a_job_refused_as_a_whole_halts_the_model_and_bills_nothing(tmp_path: Path, openai: BatchServer) -> None:
    openai.course = Course(ends="failed")
    with scene(tmp_path, rest=Patience(openai).rest) as stage:
        run_id = plan(stage, openai)
        assert run(stage, run_id) is RunState.PAUSED
        assert "The file is bad" in stage.heard(RunRested)[-1].why
        assert states(stage, run_id) == [JobState.REFUSED]
        assert stage.read("SELECT count(*) FROM call") == [(0,)]
        openai.course = Course()
        assert run(stage, run_id) is RunState.FINISHED


def test_that_a_bad_key_halts_the_model_with_its_sentence(tmp_path: Path, server: BatchServer) -> None:
    server.key = "another"
    with scene(tmp_path, rest=Patience(server).rest) as stage:
        run_id = plan(stage, server)
        assert run(stage, run_id) is RunState.PAUSED
        assert "some-model was not asked further" in stage.heard(RunRested)[-1].why
        assert stage.read("SELECT state, count(*) FROM cell GROUP BY 1") == [("open", 10)]
    assert not server.jobs


def test_that_a_job_under_way_waits_for_a_network_that_is_gone_for_hours(tmp_path: Path, openai: BatchServer) -> None:
    patience = Patience(openai)
    openai.http.route("/v1/batches/*", http.Reply(mode=http.Mode.RESET))

    async def rest(seconds: float) -> None:
        await patience.rest(seconds)
        if len(patience.waited) == 8:
            openai.route_again()

    with scene(tmp_path, rest=rest) as stage:
        run_id = plan(stage, openai)
        assert run(stage, run_id) is RunState.FINISHED
        assert sum("It is tried again" in note.sentence for note in stage.heard(RunNoted)) == 1
    assert openai.submissions() == 1


def test_that_answers_before_a_broken_download_are_kept_and_counted_once(tmp_path: Path, openai: BatchServer) -> None:
    openai.course = Course(ends="expired", answered=0.6)
    patience = Patience(openai)
    openai.http.route("/v1/files/err-batch_1/content", http.Reply(mode=http.Mode.RESET))

    async def rest(seconds: float) -> None:
        if openai.jobs[0].stage(openai.now) == "expired":
            openai.course = Course()
            openai.route_again()
        await patience.rest(seconds)

    with scene(tmp_path, rest=rest) as stage:
        run_id = plan(stage, openai)
        assert run(stage, run_id) is RunState.FINISHED
        assert len(stage.heard(CellAnswered)) == 10
        assert stage.open_audit.rounds.run(run_id).spent == pytest.approx(FULL_PRICE / 2)  # type: ignore[arg-type]


def test_that_a_busy_provider_is_asked_again_later(tmp_path: Path, server: BatchServer) -> None:
    error = server.dialect.error(529, "Overloaded, try again in 20s")
    server.on_submit = http.Reply.of_json(error[0] if isinstance(error, list) else error, status=429)
    server.forgets = True
    patience = Patience(server)

    async def rest(seconds: float) -> None:
        server.forgets = False
        await patience.rest(seconds)

    with scene(tmp_path, rest=rest) as stage:
        run_id = plan(stage, server)
        assert run(stage, run_id) is RunState.FINISHED
        assert states(stage, run_id) == [JobState.REFUSED, JobState.COLLECTED]


def test_that_a_job_whose_reply_was_lost_is_found_and_not_submitted_again(tmp_path: Path, server: BatchServer) -> None:
    server.on_submit = http.Reply(mode=http.Mode.RESET)
    with scene(tmp_path, rest=Patience(server).rest) as stage:
        run_id = plan(stage, server)
        assert run(stage, run_id) is RunState.FINISHED
        assert stage.open_audit.rounds.unknown_calls(run_id) == []  # type: ignore[arg-type]
        notes = [note.sentence for note in stage.heard(RunNoted)]
        assert any("it is looked for" in sentence for sentence in notes)
    assert server.submissions() == 1


def test_that_a_job_that_the_provider_lists_late_is_found_at_the_second_look(
    tmp_path: Path, server: BatchServer
) -> None:
    server.on_submit = http.Reply(mode=http.Mode.RESET)
    patience, unlisted = Patience(server), []

    async def rest(seconds: float) -> None:
        await patience.rest(seconds)
        if not unlisted:
            unlisted.extend(server.jobs)
            server.jobs.clear()
        elif not server.jobs:
            server.jobs.extend(unlisted)

    with scene(tmp_path, rest=rest) as stage:
        run_id = plan(stage, server)
        assert run(stage, run_id) is RunState.FINISHED
        assert states(stage, run_id) == [JobState.COLLECTED]
        assert stage.open_audit.rounds.unknown_calls(run_id) == []  # type: ignore[arg-type]
    assert server.submissions() == 1


def test_that_a_job_that_is_nowhere_is_listed_as_possibly_billed_and_asked_again(
    tmp_path: Path, server: BatchServer
) -> None:
    server.on_submit, server.forgets = http.Reply(mode=http.Mode.RESET), True
    patience = Patience(server)

    async def rest(seconds: float) -> None:
        server.forgets = False
        await patience.rest(seconds)

    with scene(tmp_path, rest=rest) as stage:
        run_id = plan(stage, server)
        assert run(stage, run_id) is RunState.FINISHED
        assert states(stage, run_id) == [JobState.LOST, JobState.COLLECTED]
        assert len(stage.open_audit.rounds.unknown_calls(run_id)) == 10  # type: ignore[arg-type]
        assert any("possibly billed" in note.sentence for note in stage.heard(RunNoted))


def test_that_another_s_job_of_the_same_size_is_not_taken_for_ours(tmp_path: Path) -> None:
    with BatchServer("anthropic") as server:
        strange = http.Request(method="POST", path="/", query={}, headers={}, body=b"")
        server.on_submit, server.forgets = http.Reply(mode=http.Mode.RESET), True
        patience = Patience(server)

        async def rest(seconds: float) -> None:
            if server.forgets:
                server.forgets = False
                body = {"model": "m", "max_tokens": 1, "messages": [{"role": "user", "content": "?"}]}
                headers = {"x-api-key": KEY, "anthropic-version": "2023-06-01"}
                made = server.make(replace(strange, headers=headers), "", [(f"x-{n}", body) for n in range(10)])
                assert not isinstance(made, http.Reply)
            await patience.rest(seconds)

        with scene(tmp_path, rest=rest) as stage:
            run_id = plan(stage, server)
            assert run(stage, run_id) is RunState.FINISHED
            assert states(stage, run_id) == [JobState.LOST, JobState.COLLECTED]
            assert stage.open_audit.rounds.run(run_id).answered == 10  # type: ignore[arg-type]


def test_that_a_cancelled_job_keeps_its_answers_and_the_rest_is_asked_one_by_one(
    tmp_path: Path, server: BatchServer
) -> None:
    patience = Patience(server, rests=4)
    with scene(tmp_path, rest=patience.rest) as stage:
        run_id = plan(stage, server)
        stage.open_audit.rounds.start(run_id)  # type: ignore[arg-type]
        assert patience.stuck.wait(250)
        kept = server.jobs[0].done(server.now)
        assert 0 < kept < 10
        assert stage.open_audit.rounds.cancel_jobs(run_id).result(timeout=250) is RunState.PAUSED  # type: ignore[arg-type]
        assert "at the ordinary price" in stage.heard(RunRested)[-1].why
        assert stage.open_audit.rounds.run(run_id).answered == kept  # type: ignore[arg-type]
        serve(server.http, server.dialect, http.Reply.of_json(server.dialect.answer("A plain answer.")))
        assert run(stage, run_id) is RunState.FINISHED
        price = kept * FULL_PRICE / 20 + (10 - kept) * FULL_PRICE / 10
        assert stage.open_audit.rounds.run(run_id).spent == pytest.approx(price)  # type: ignore[arg-type]
    assert server.submissions() == 1


def test_that_a_job_of_a_resting_round_can_be_cancelled(tmp_path: Path, openai: BatchServer) -> None:
    patience = Patience(openai, rests=1)
    with scene(tmp_path, rest=patience.rest) as stage:
        openai.course = Course(working=60_000.0)
        # Of one attempt each: that the auditor ended their job is no attempt that failed.
        run_id = plan(stage, openai, attempts=1)
        stage.open_audit.rounds.start(run_id)  # type: ignore[arg-type]
        assert patience.stuck.wait(250)
        stage.engine.close_audit()
    cancelled, (job,) = http.Reply.of_json({"error": {"message": "Overloaded."}}, status=503), openai.jobs

    def busy(request: http.Request) -> http.Reply:
        # Asked to cancel a second time, it does; till then it tells of the job.
        if request.path.endswith("/cancel"):
            openai.route_again()
            return cancelled
        return http.Reply.of_json(
            {"id": job.id, "status": "in_progress", "request_counts": {"total": 10, "completed": 0, "failed": 0}}
        )

    openai.route("/v1/batches/*", busy)
    with scene(tmp_path, rest=Patience(openai).rest) as stage:
        stage.engine.keys.allow(openai.endpoint)
        assert stage.open_audit.rounds.cancel_jobs(run_id).result(timeout=250) is RunState.PAUSED  # type: ignore[arg-type]
        assert openai.jobs[0].cancelled is not None
        assert stage.read("SELECT state, count(*) FROM cell GROUP BY 1") == [("open", 10)]
