"""Rounds through the real engine: planned, asked over real HTTP, stored, scored, paused, stopped, resumed."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from sklearn.feature_extraction.text import TfidfVectorizer

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.events import BundlesScored, CellAnswered, CellMissed, RunProgressed, RunRested
from gpf_desktop.domain.models import Price
from gpf_desktop.domain.protocol import Decoding, FitScope
from gpf_desktop.domain.runs import RunState
from gpf_desktop.engine.rounds.setup import RunSetup
from gpf_desktop.methods.gpf_livenews.protocol import Controls
from gpf_desktop.storage import fit_groups, responses
from gpf_desktop.storage.ledger import CallFilter, CallState
from tests.support.held_workers import held_workers
from tests.support.http_server import Reply, Request
from tests.support.openai_server import OpenAIServer
from tests.support.rounds import Scene, calibration, scene, server_model, small_protocol

pytestmark = pytest.mark.slow


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Scene]:
    with scene(tmp_path) as opened:
        yield opened


def run(stage: Scene, run_id: int) -> RunState:
    return stage.open_audit.rounds.start(run_id).result(timeout=250)  # type: ignore[arg-type]


def test_that_a_calibration_round_is_stored_and_scored_whole(stage: Scene) -> None:
    run_id = stage.plan([calibration()])
    assert run(stage, run_id) is RunState.FINISHED
    stored = stage.open_audit.rounds.run(run_id)
    assert (stored.planned, stored.answered, stored.missing) == (294, 294, 0)
    progress = stage.open_audit.rounds.progress(run_id)
    assert (progress.bundles_planned, progress.bundles_scored, progress.bundles_provisional) == (42, 42, 0)
    assert len(stage.heard(CellAnswered)) == 294
    assert [event.state for event in stage.heard(RunRested)] == [RunState.FINISHED]
    assert stage.heard(RunProgressed)[-1].progress.answered == 294


def test_that_all_controls_of_the_method_are_asked_and_scored(stage: Scene) -> None:
    run_id = stage.plan([calibration()], controls=Controls())
    assert run(stage, run_id) is RunState.FINISHED
    conditions = dict(stage.read("SELECT arm, count(*) FROM bundle GROUP BY arm"))
    assert conditions["identity-free"] == 7
    assert conditions["random-label"] == 14
    assert stage.read("SELECT count(*) FROM bundle WHERE arm = 'paraphrase'") == [(21,)]
    noise = stage.read("SELECT count(*) FROM score WHERE name = 'noise' AND value IS NOT NULL")
    assert noise[0][0] in (5, 6)
    assert stage.read("SELECT count(*) FROM score WHERE value <> value") == [(0,)]


def test_that_two_models_are_asked_the_same_controls(stage: Scene) -> None:
    stage_models = [calibration("neutral"), calibration("tailoring-0.5")]
    run_id = stage.plan(stage_models, controls=Controls())
    assert run(stage, run_id) is RunState.FINISHED
    cells = (
        "SELECT b.coordinates_id, c.coordinates_id, repeat FROM cell c JOIN bundle b ON b.id = c.bundle_id"
        " WHERE c.model_id = ?"
    )
    first, second = (row[0] for row in stage.read("SELECT id FROM model ORDER BY id"))
    assert set(stage.read(cells, first)) == set(stage.read(cells, second))


def test_that_a_server_is_asked_each_cell_once(stage: Scene, openai_server: OpenAIServer) -> None:
    run_id = stage.plan([server_model(openai_server.base_url)])
    assert run(stage, run_id) is RunState.FINISHED
    assert openai_server.answered == 294
    messages = {chat["messages"][-1]["content"] for chat in openai_server.chats}
    assert len(messages) == 294
    assert {chat["temperature"] for chat in openai_server.chats} == {0.2}
    assert len({chat["seed"] for chat in openai_server.chats}) == 294


def test_that_a_failing_cell_is_a_gap_and_not_a_failing_run(stage: Scene, openai_server: OpenAIServer) -> None:
    openai_server.fail(r"I am Socialist", status=400)
    run_id = stage.plan([server_model(openai_server.base_url)], protocol=small_protocol())
    assert run(stage, run_id) is RunState.FINISHED_WITH_GAPS
    stored = stage.open_audit.rounds.run(run_id)
    assert (stored.answered, stored.missing) == (8, 2)
    assert {event.reason for event in stage.heard(CellMissed)} == {"HTTP error"}
    assert stage.read("SELECT DISTINCT status FROM response WHERE missing IS NOT NULL") == [(400,)]
    assert stage.read("SELECT count(*) FROM score WHERE name = 'semantic_dispersion' AND value IS NOT NULL") == [(2,)]


def test_that_failed_cells_alone_are_asked_again(stage: Scene, openai_server: OpenAIServer) -> None:
    openai_server.fail(r"I am Socialist", status=400, times=1)
    for words in ("Of such matters nobody here is going to say a single word", "Content Exists Risk"):
        body = Reply.of_json({"error": {"message": words}}, status=400)
        openai_server.fail(r"I am (?:Socialist|Liberal)", reply=body, times=1)
    run_id = stage.plan([server_model(openai_server.base_url, in_flight=1)], protocol=small_protocol())
    assert run(stage, run_id) is RunState.FINISHED_WITH_GAPS
    missing = "SELECT missing, count(*) FROM response WHERE missing IS NOT NULL GROUP BY missing ORDER BY 1"
    assert stage.read(missing) == [("HTTP error", 1), ("refused", 2)]
    rounds = stage.open_audit.rounds
    # What is declined in known words is a result; in unknown ones nobody knows what it is.
    assert rounds.retry_failed(run_id).result(timeout=250) is RunState.FINISHED_WITH_GAPS
    assert stage.read(missing) == [("refused", 1)]
    assert openai_server.answered == 9


def test_that_nothing_else_is_asked_with_failed_cells_of_a_round_that_rests(stage: Scene) -> None:
    rounds = stage.open_audit.rounds
    with OpenAIServer(gate=True) as server:
        server.fail(".", status=400, times=2)
        run_id = stage.plan([server_model(server.base_url, in_flight=4)], protocol=small_protocol())
        resting = rounds.start(run_id)
        server.http.wait_for_requests(3)
        rounds.pause().result(timeout=250)
        assert server.gate is not None
        server.gate.open()
        assert resting.result(timeout=250) is RunState.PAUSED
        server.fail_no_more()
        before = rounds.run(run_id)
        assert (before.missing, before.answered < 8) == (2, True)
        failed = stage.open_audit.ledger.calls(run_id, CallFilter(state=CallState.GAPS))
        for again, chosen in ((1, failed[:1]), (2, None)):
            assert rounds.retry_failed(run_id, chosen).result(timeout=250) is RunState.PAUSED
            now = rounds.run(run_id)
            assert (now.missing, now.answered) == (2 - again, before.answered + again)
        assert run(stage, run_id) is RunState.FINISHED
        assert server.answered == 10


def test_that_a_passing_fault_is_retried_and_every_attempt_kept(stage: Scene, openai_server: OpenAIServer) -> None:
    openai_server.fail(r"I am Liberal", status=500, times=1)
    run_id = stage.plan([server_model(openai_server.base_url)], protocol=small_protocol())
    assert run(stage, run_id) is RunState.FINISHED
    assert stage.read("SELECT count(*) FROM call") == [(11,)]
    assert stage.read("SELECT count(*) FROM call WHERE finished_at IS NULL") == [(0,)]


def test_that_a_pause_lets_answers_land_and_a_resume_asks_only_the_rest(stage: Scene) -> None:
    with OpenAIServer(gate=True) as server:
        run_id = stage.plan([server_model(server.base_url, in_flight=4)], protocol=small_protocol())
        resting = stage.open_audit.rounds.start(run_id)
        server.http.wait_for_requests(3)
        pausing = stage.open_audit.rounds.pause()
        pausing.result(timeout=250)
        assert not resting.done()
        assert server.gate is not None
        server.gate.open()
        assert resting.result(timeout=250) is RunState.PAUSED
        landed = stage.open_audit.rounds.run(run_id).answered
        assert 3 <= landed < 10
        assert run(stage, run_id) is RunState.FINISHED
        assert server.answered == 10
    assert stage.open_audit.rounds.unknown_calls(run_id) == []
    said = [note.sentence for note in stage.open_audit.rounds.notes(run_id)]
    assert said.count("Started by hand.") == said.count("Resumed by hand.") == 1
    # The second execution counts on from what the first one stored, without asking the store.
    told, stored = stage.heard(RunProgressed)[-1].progress.usage, stage.open_audit.rounds.run(run_id)
    assert (told.prompt, told.completion) == (stored.prompt_tokens, stored.completion_tokens)


def test_that_a_program_killed_now_would_list_what_was_sent_and_nothing_else(stage: Scene, tmp_path: Path) -> None:
    with OpenAIServer(gate=True) as server:
        run_id = stage.plan([server_model(server.base_url, in_flight=5)])
        resting = stage.open_audit.rounds.start(run_id)
        server.http.wait_for_requests(5)
        assert stage.read("SELECT count(*) FROM call WHERE finished_at IS NULL") == [(5,)]
        assert stage.read("SELECT count(*) FROM cell WHERE state = 'asked'") == [(5,)]
        (killed := tmp_path / "killed").mkdir()
        with (
            closing(sqlite3.connect(tmp_path / "audit.gpf")) as audit,
            closing(sqlite3.connect(killed / "audit.gpf")) as left,
        ):
            audit.backup(left)
        with scene(killed) as opened:
            rounds = opened.open_audit.rounds
            assert rounds.run(run_id).state is RunState.INTERRUPTED
            assert len(rounds.unknown_calls(run_id)) == 5, "listed before anybody resumes"
            assert rounds.notes(run_id)[0].sentence.startswith("At most 5 calls were on their way")
        assert server.gate is not None
        server.gate.open()
        assert resting.result(timeout=250) is RunState.FINISHED
    assert stage.read("SELECT count(*) FROM call") == [(294,)]


def test_that_stopping_lists_what_was_in_flight_as_unknown(stage: Scene) -> None:
    with OpenAIServer(gate=True) as server:
        run_id = stage.plan([server_model(server.base_url, in_flight=4)], protocol=small_protocol())
        resting = stage.open_audit.rounds.start(run_id)
        server.http.wait_for_requests(3)
        stage.open_audit.rounds.stop().result(timeout=250)
        assert resting.result(timeout=250) is RunState.STOPPED
        unknown = stage.open_audit.rounds.unknown_calls(run_id)
        assert len(unknown) >= 3
        assert server.gate is not None
        server.gate.open()
        assert run(stage, run_id) is RunState.FINISHED
    assert stage.open_audit.rounds.run(run_id).answered == 10


def test_that_who_stops_a_round_does_not_wait_for_scores_and_they_come_afterwards(stage: Scene) -> None:
    rounds = stage.open_audit.rounds
    with OpenAIServer(gate=True) as server, held_workers(stage.open_audit.context.scoring):
        run_id = stage.plan([calibration(), server_model(server.base_url, in_flight=1)], protocol=small_protocol())
        resting = rounds.start(run_id)
        server.http.wait_for_requests(1)
        stage.wait_for(CellAnswered, count=10)
        rounds.stop().result(timeout=30)
        assert resting.result(timeout=30) is RunState.STOPPED
        assert server.gate is not None
        server.gate.open()
        resting = rounds.start(run_id)
        stage.wait_for(CellAnswered, count=20)
        rounds.stop().result(timeout=30)
        assert resting.result(timeout=30) is RunState.FINISHED
        assert stage.read("SELECT count(*) FROM score") == [(0,)]
    stage.open_audit.auto_rescoring.settle().result(timeout=250)
    assert rounds.progress(run_id).bundles_scored == 4


def test_that_a_refused_parameter_is_left_out_and_recorded(stage: Scene) -> None:
    with OpenAIServer(not_supported=["temperature"]) as server:
        gate = server.http.gate()

        def together(request: Request) -> Reply:
            reply = server._chat(request)
            if server.refused[400] == 4:
                gate.open()
            return replace(reply, gate=gate)

        server.http.route("/v1/chat/completions", together)
        run_id = stage.plan([server_model(server.base_url, in_flight=4)], protocol=small_protocol())
        assert run(stage, run_id) is RunState.FINISHED
        assert server.refused[400] == 4, "all that were on their way, and are asked again"
        assert all("temperature" not in chat for chat in server.chats)
    assert stage.read("SELECT not_supported FROM run_model") == [('["temperature"]',)]
    sentences = [note.sentence for note in stage.open_audit.rounds.notes(run_id)]
    assert sum("takes no temperature" in each for each in sentences) == 1


def test_that_a_bad_key_halts_the_model_with_its_sentence(stage: Scene) -> None:
    with OpenAIServer(key="right") as server:
        run_id = stage.plan([server_model(server.base_url, in_flight=1)])
        assert run(stage, run_id) is RunState.PAUSED
        assert server.refused[401] <= 4
    why = stage.heard(RunRested)[-1].why
    assert "some-model was not asked further" in why


def test_that_an_unreachable_server_halts_the_model_and_others_go_on(stage: Scene) -> None:
    run_id = stage.plan(
        [server_model("http://127.0.0.1:9/v1", attempts=1, in_flight=1), calibration()], protocol=small_protocol()
    )
    assert run(stage, run_id) is RunState.PAUSED
    answered = dict(
        stage.read(
            "SELECT m.provider, sum(c.state = 'answered') FROM cell c JOIN model m ON m.id = c.model_id GROUP BY 1"
        )
    )
    assert answered == {"openai-compatible": 0, "calibration": 10}


def test_that_the_spend_cap_pauses_before_it_is_passed(stage: Scene, openai_server: OpenAIServer) -> None:
    price = Price(prompt=100.0, completion=1000.0, entered=date(2026, 11, 1))
    endpoint = replace(server_model(openai_server.base_url), price=price)
    run_id = stage.plan([endpoint], protocol=small_protocol(), spend_cap=4.0)
    assert run(stage, run_id) is RunState.PAUSED
    stored = stage.open_audit.rounds.run(run_id)
    assert 0 < stored.spent <= 4.0
    assert 0 < stored.answered < 10
    assert "spend cap is reached" in stage.heard(RunRested)[-1].why
    stage.open_audit.rounds.set_spend_cap(run_id, 1000.0).result()
    assert run(stage, run_id) is RunState.FINISHED


def test_that_a_cell_that_is_tried_again_gets_its_turn_where_the_cap_has_room_for_one_call(stage: Scene) -> None:
    price = Price(prompt=0.0, completion=100.0, entered=date(2026, 11, 1))
    with OpenAIServer() as server:
        server.fail(".", times=1, status=503)
        endpoint = replace(server_model(server.base_url, in_flight=1), price=price, decoding=Decoding(max_tokens=500))
        run_id = stage.plan([endpoint], protocol=small_protocol(), spend_cap=0.09)
        rests = stage.open_audit.rounds.start(run_id).result(timeout=60)
    assert rests is RunState.PAUSED
    assert server.answered == stage.open_audit.rounds.run(run_id).answered > 0
    assert server.refused[503] == 1
    said = [note.sentence for note in stage.open_audit.rounds.notes(run_id)]
    assert any("spend cap is reached" in sentence for sentence in said), "What happened tells it too"


def test_that_what_comes_from_the_provider_s_cache_costs_its_price(stage: Scene) -> None:
    price = Price(prompt=100.0, completion=0.0, cached=10.0, entered=date(2026, 11, 1))
    with OpenAIServer(cached=0.5) as server:
        run_id = stage.plan([replace(server_model(server.base_url), price=price)], protocol=small_protocol())
        assert run(stage, run_id) is RunState.FINISHED
    stored = stage.open_audit.rounds.run(run_id)
    fresh = stored.prompt_tokens - stored.cached_tokens
    assert 0 < stored.cached_tokens < fresh + 10
    assert stored.spent == pytest.approx((100.0 * fresh + 10.0 * stored.cached_tokens) / 1e6)
    cells = list(stage.open_audit.ledger.calls(run_id, CallFilter()))
    rows = stage.open_audit.ledger.rows(cells)
    assert sum(row.cached_tokens or 0 for row in rows) == stored.cached_tokens
    model_ids = stage.read("SELECT model_id FROM run_model WHERE run_id = ?", run_id)
    again = RunSetup(
        method="gpf-livenews",
        name="Again",
        protocol=small_protocol(),
        model_ids=tuple(row[0] for row in model_ids),  # type: ignore[misc]
        batch_id=stored.batch_id,
    )
    told = stage.open_audit.rounds.forecast(again)
    assert told.cached == stored.models
    assert told.cost is not None
    assert told.cost.low < 100.0 * told.prompt_tokens.low / 1e6


def test_that_bundles_are_scored_while_the_round_goes_on(stage: Scene) -> None:
    with OpenAIServer(gate=True) as server:
        run_id = stage.plan([server_model(server.base_url, in_flight=1), calibration()], protocol=small_protocol())
        resting = stage.open_audit.rounds.start(run_id)
        server.http.wait_for_requests(1)
        stage.wait_for(BundlesScored)
        assert not resting.done()
        assert server.gate is not None
        server.gate.open()
        assert resting.result(timeout=250) is RunState.FINISHED


def test_that_a_second_round_cannot_be_started_meanwhile(stage: Scene) -> None:
    with OpenAIServer(gate=True) as server:
        run_id = stage.plan([server_model(server.base_url)], protocol=small_protocol())
        other = stage.plan([calibration()], protocol=small_protocol())
        resting = stage.open_audit.rounds.start(run_id)
        with pytest.raises(UserError, match="being asked already"):
            stage.open_audit.rounds.start(other)
        stage.open_audit.rounds.stop().result(timeout=250)
        resting.result(timeout=250)


def test_that_closing_the_audit_stops_and_saves(tmp_path: Path) -> None:
    with OpenAIServer(gate=True) as server, scene(tmp_path) as stage:
        run_id = stage.plan([server_model(server.base_url)], protocol=small_protocol())
        stage.open_audit.rounds.start(run_id)
        server.http.wait_for_requests(1)
        stage.engine.close_audit()
        stage.engine.open(tmp_path / "audit.gpf")
        assert stage.open_audit.rounds.run(run_id).state is RunState.STOPPED


def test_that_odd_answers_are_kept_with_their_reason(stage: Scene) -> None:
    answers = iter(["", "a\ud800b", "x", "\x00null", "\u202ebidi", *["plain words here"] * 10])
    with OpenAIServer(answer=lambda _: next(answers)) as server:
        run_id = stage.plan([server_model(server.base_url, in_flight=1)], protocol=small_protocol())
        assert run(stage, run_id) is RunState.FINISHED_WITH_GAPS
    reasons = stage.read("SELECT missing, count(*) FROM response WHERE missing IS NOT NULL GROUP BY 1")
    assert reasons == [("empty", 1)]
    assert stage.open_audit.rounds.run(run_id).answered == 9


def test_that_a_fit_over_the_run_is_final_only_when_the_run_is_whole(stage: Scene) -> None:
    protocol = small_protocol()
    protocol = replace(protocol, scoring=replace(protocol.scoring, fit_scope=FitScope.RUN))
    with OpenAIServer(gate=True) as server:
        run_id = stage.plan([calibration(), server_model(server.base_url)], protocol=protocol)
        resting = stage.open_audit.rounds.start(run_id)
        stage.wait_for(BundlesScored)
        assert {event.provisional for event in stage.heard(BundlesScored)} == {2}
        stage.open_audit.rounds.pause().result(timeout=250)
        assert server.gate is not None
        server.gate.open()
        assert resting.result(timeout=250) is RunState.PAUSED
        assert stage.open_audit.rounds.progress(run_id).bundles_provisional > 0
        assert run(stage, run_id) is RunState.FINISHED
    progress = stage.open_audit.rounds.progress(run_id)
    assert (progress.bundles_scored, progress.bundles_provisional) == (4, 0)
    stored = dict(stage.read("SELECT unit_id, value FROM score WHERE name = 'semantic_dispersion'"))
    groups = stage.open_audit.context.audit.read(
        lambda c: [responses.fit_group(c, group.id) for group in fit_groups.groups(c)]
    )
    texts = [text for group in groups for text in group.texts]
    fitted = TfidfVectorizer().fit(texts)
    for group in groups:
        points = fitted.transform(group.texts).toarray()
        for bundle in group.bundles:
            rows = points[list(bundle.rows)]
            n = len(rows)
            expected = (1 - rows @ rows.T).sum() / (n * (n - 1))
            assert stored[bundle.bundle] == pytest.approx(expected, abs=1e-9)


def test_that_an_audit_that_is_closed_while_it_is_asked_says_why_its_round_rests(stage: Scene) -> None:
    path = stage.open_audit.path
    with OpenAIServer(gate=True) as server:
        run_id = stage.plan([server_model(server.base_url)], protocol=small_protocol())
        stage.open_audit.rounds.start(run_id)
        server.http.wait_for_requests(1)
        stage.engine.close_audit()
    again = stage.engine.open(path)
    assert again.rounds.run(run_id).state is RunState.STOPPED
    told = [note.sentence for note in again.rounds.notes(run_id)]
    assert told.count("Stopped because its audit was closed.") == 1
