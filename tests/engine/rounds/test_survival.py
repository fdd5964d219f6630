"""Rounds that meet kills, a full disk and every way in which a server can misbehave."""

import itertools
import json
import multiprocessing
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import wait
from contextlib import closing
from pathlib import Path

import pytest

from gpf_desktop.domain.events import RunRested
from gpf_desktop.domain.ids import RunId
from gpf_desktop.domain.models import Limits, Secret
from gpf_desktop.domain.runs import RunState
from gpf_desktop.settings.keys import KeyRing
from gpf_desktop.storage.writer import Connection
from tests.support.http_server import LoopbackServer, Mode, Reply
from tests.support.openai_server import OpenAIServer
from tests.support.rounds import Scene, calibration, scene, server_model, small_protocol

pytestmark = pytest.mark.slow

CELLS = 294


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Scene]:
    with scene(tmp_path) as opened:
        yield opened


def run(stage: Scene, run_id: RunId) -> RunState:
    return stage.open_audit.rounds.start(run_id).result(timeout=250)


def rows(audit: Path, question: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(audit)) as connection:
        return connection.execute(question).fetchall()


STORED = "SELECT cell_id, text, received_at FROM response"


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_that_a_round_killed_at_random_moments_ends_whole_and_asks_nothing_stored_again(
    tmp_path: Path, openai_server: OpenAIServer
) -> None:
    audit = tmp_path / "audit.gpf"
    kills = 0
    before: set[tuple[object, ...]] = set()
    for seed in itertools.count(100):
        command = [sys.executable, "-m", "tests.support.doomed_round", audit, openai_server.base_url, seed]
        done = subprocess.run([str(word) for word in command], timeout=250, check=False)
        after = set(rows(audit, STORED))
        assert before <= after, "a stored answer was lost, or asked again"
        before = after
        if done.returncode == 0:
            break
        assert done.returncode == -signal.SIGKILL
        kills += 1
    assert kills >= 1
    assert rows(audit, "SELECT state, count(*) FROM cell GROUP BY state") == [("answered", 2 * CELLS)]
    assert rows(audit, "SELECT count(DISTINCT unit_id), sum(provisional) FROM score") == [(84, 0)]
    assert rows(audit, "SELECT count(*) FROM call WHERE finished_at IS NULL") == [(0,)]
    asked = Counter(chat["messages"][-1]["content"] for chat in openai_server.chats)
    assert len(asked) == CELLS
    (unknown,) = rows(audit, "SELECT count(*) FROM call WHERE outcome = 'outcome unknown'")[0]
    assert openai_server.answered - CELLS <= int(str(unknown)), "each call that was made twice is listed"


def allow_pages(stage: Scene, more: int) -> None:
    def limit(connection: Connection) -> None:
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages + more}")

    stage.open_audit.context.audit.write(limit).result()


def test_that_a_full_disk_pauses_with_a_sentence_and_loses_no_answer(stage: Scene, openai_server: OpenAIServer) -> None:
    run_id = stage.plan([server_model(openai_server.base_url, in_flight=8)])
    allow_pages(stage, 12)
    assert run(stage, run_id) is RunState.PAUSED
    why = stage.heard(RunRested)[-1].why
    assert "is full" in why
    assert "Free some space" in why
    assert stage.open_audit.rounds.run(run_id).state.resumable
    assert openai_server.answered < CELLS
    allow_pages(stage, 100_000)
    assert run(stage, run_id) is RunState.FINISHED
    assert stage.open_audit.rounds.run(run_id).answered == CELLS
    assert openai_server.answered == CELLS, "what was received while the disk was full was not asked again"


def test_that_a_disk_that_stays_full_pauses_again_and_keeps_what_was_received(stage: Scene) -> None:
    with OpenAIServer(gate=True) as server:
        run_id = stage.plan([server_model(server.base_url, in_flight=8)])
        resting = stage.open_audit.rounds.start(run_id)
        server.http.wait_for_requests(8)
        allow_pages(stage, 0)
        assert server.gate is not None
        server.gate.open()
        assert resting.result(timeout=250) is RunState.PAUSED
        asked = server.answered
        with pytest.raises(Exception, match="is full"):
            run(stage, run_id)
        assert server.answered == asked
        allow_pages(stage, 100_000)
        assert run(stage, run_id) is RunState.FINISHED
        assert server.answered == CELLS


@pytest.mark.skipif(sys.platform == "win32", reason="Windows refuses to delete a file that is open")
def test_that_a_folder_deleted_in_mid_round_pauses_and_what_was_received_can_be_saved_elsewhere(tmp_path: Path) -> None:
    folder, copy = tmp_path / "audits", tmp_path / "saved.gpf"
    folder.mkdir()
    with OpenAIServer(gate=True) as server, scene(folder) as stage:
        run_id = stage.plan([server_model(server.base_url, in_flight=8)])
        resting = stage.open_audit.rounds.start(run_id)
        server.http.wait_for_requests(8)
        shutil.rmtree(folder)
        assert server.gate is not None
        server.gate.open()
        assert resting.result(timeout=250) is RunState.PAUSED
        why = stage.heard(RunRested)[-1].why
        assert "deleted, moved or replaced" in why
        assert "Save a copy" in why
        stage.open_audit.save_copy(copy)
        received = server.answered
    assert 8 <= received < CELLS
    assert rows(copy, "SELECT count(*) FROM response") == [(received,)]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux lets a program have a small disk of its own")
def test_that_a_disk_filled_in_mid_round_takes_what_was_received_and_nothing_is_asked_again(tmp_path: Path) -> None:
    namespace = ["--mount"] if os.geteuid() == 0 else ["--map-root-user", "--mount"]
    command = ["unshare", *namespace, sys.executable, "-m", "tests.support.small_disk", str(tmp_path)]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert ended.returncode == 0, ended.stderr
    answered, stored, why = json.loads(ended.stdout)
    assert "is full" in why
    assert answered >= 8
    assert stored == answered


@pytest.mark.parametrize("status", [429, 500, 503, 529])
def test_that_a_storm_of_refusals_passes(status: int, stage: Scene, openai_server: OpenAIServer) -> None:
    openai_server.fail(".", status=status, times=6, retry_after=0.05)
    run_id = stage.plan([server_model(openai_server.base_url, attempts=10)], protocol=small_protocol())
    assert run(stage, run_id) is RunState.FINISHED
    assert openai_server.answered == 10
    assert stage.read("SELECT count(*) FROM call WHERE status = ?", status) == [(6,)]


@pytest.mark.parametrize("status", [429, 503])
def test_that_a_wait_of_hours_halts_the_model_with_the_time_and_others_go_on(
    status: int, stage: Scene, openai_server: OpenAIServer
) -> None:
    openai_server.fail(".", status=status, retry_after=7200, times=4)
    models = [server_model(openai_server.base_url), calibration()]
    run_id = stage.plan(models, protocol=small_protocol())
    assert run(stage, run_id) is RunState.PAUSED
    assert "asks to wait until" in stage.heard(RunRested)[-1].why
    stored = stage.open_audit.rounds.run(run_id)
    assert (stored.answered, stored.missing) == (10, 0)
    openai_server.fail_no_more()
    assert run(stage, run_id) is RunState.FINISHED
    assert openai_server.answered == 10


def test_that_a_wait_of_seconds_is_told_and_shown(stage: Scene, openai_server: OpenAIServer) -> None:
    openai_server.fail(".", status=429, retry_after=1.2, times=4)
    run_id = stage.plan([server_model(openai_server.base_url)], protocol=small_protocol())
    assert run(stage, run_id) is RunState.FINISHED
    assert any("asks to wait 1 s" in note.sentence for note in stage.open_audit.rounds.notes(run_id))


def completion(text: str) -> Reply:
    body = {"choices": [{"message": {"role": "assistant", "content": text}, "finish_reason": "stop"}]}
    return Reply.of_json(body)


ODD = {
    "html": (Reply(body="<html>Sign in</html>", headers={"Content-Type": "text/html"}), "unreadable"),
    "error under 200": (Reply.of_json({"error": {"message": "no", "code": "bad"}}), "HTTP error"),
    "no choices": (Reply.of_json({"choices": []}), "empty"),
    "half a body": (Reply(body=completion("Half " * 50).body, mode=Mode.TRUNCATED), "unreadable"),
    "no JSON": (Reply(body="{", headers={"Content-Type": "application/json"}), "unreadable"),
}


@pytest.mark.parametrize("kind", ODD)
def test_that_an_odd_reply_is_a_gap_with_its_reason_and_the_round_goes_on(
    kind: str, stage: Scene, openai_server: OpenAIServer
) -> None:
    reply, reason = ODD[kind]
    openai_server.fail("I am Socialist", reply=reply)
    model = server_model(openai_server.base_url, attempts=1)
    run_id = stage.plan([model], protocol=small_protocol())
    assert run(stage, run_id) is RunState.FINISHED_WITH_GAPS
    assert stage.read("SELECT missing, count(*) FROM response WHERE missing IS NOT NULL GROUP BY 1") == [(reason, 2)]
    assert stage.open_audit.rounds.run(run_id).answered == 8


def test_that_paid_text_before_a_cut_is_kept(stage: Scene, openai_server: OpenAIServer) -> None:
    openai_server.fail("I am Socialist", reply=ODD["half a body"][0])
    run_id = stage.plan([server_model(openai_server.base_url, attempts=1)], protocol=small_protocol())
    assert run(stage, run_id) is RunState.FINISHED_WITH_GAPS
    texts = [str(text) for (text,) in stage.read("SELECT text FROM response WHERE missing = 'unreadable'")]
    assert all(text.startswith("Half Half") for text in texts)


def test_that_a_round_whose_scores_fail_is_finished_and_scored_once_they_can_be(
    stage: Scene, openai_server: OpenAIServer
) -> None:
    run_id = stage.plan([server_model(openai_server.base_url)], protocol=small_protocol())
    resting = stage.open_audit.rounds.start(run_id)
    # As where memory is short, or the program is replaced while it runs: each worker ends as it starts.
    while not wait([resting], timeout=0.02).done:
        for child in multiprocessing.active_children():
            child.kill()
    assert resting.result(timeout=250) is RunState.FINISHED
    assert "ended twice" in " ".join(note.sentence for note in stage.open_audit.rounds.notes(run_id))
    stage.open_audit.auto_rescoring.look()
    stage.open_audit.auto_rescoring.settle().result(timeout=250)
    assert stage.read("SELECT count(*) FROM score") != [(0,)]


def test_that_a_reset_connection_is_asked_again_and_listed_as_unknown(
    stage: Scene, openai_server: OpenAIServer
) -> None:
    openai_server.fail("I am Liberal", reply=Reply(mode=Mode.RESET), times=2)
    run_id = stage.plan([server_model(openai_server.base_url)], protocol=small_protocol())
    assert run(stage, run_id) is RunState.FINISHED
    assert len(stage.open_audit.rounds.unknown_calls(run_id)) == 2


def test_that_a_redirect_is_not_followed_and_no_header_leaks(
    stage: Scene, openai_server: OpenAIServer, http_server: LoopbackServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GPF_TEST_KEY", "sk-canary-elsewhere")
    openai_server.fail(".", reply=Reply(status=307, headers={"Location": http_server.url("/v1/chat/completions")}))
    run_id = stage.plan([server_model(openai_server.base_url)], protocol=small_protocol())
    assert run(stage, run_id) is RunState.PAUSED
    assert http_server.requests == []


def test_that_limits_can_be_changed_while_a_round_is_asked(stage: Scene) -> None:
    with OpenAIServer(gate=True) as server:
        model = server_model(server.base_url, in_flight=1)
        run_id = stage.plan([model], protocol=small_protocol())
        resting = stage.open_audit.rounds.start(run_id)
        server.http.wait_for_requests(1)
        stage.open_audit.rounds.set_limits(run_id, model.account, Limits(in_flight=5)).result(timeout=250)
        server.http.wait_for_requests(5)
        assert server.gate is not None
        server.gate.open()
        assert resting.result(timeout=250) is RunState.FINISHED
    assert "limits were changed by hand" in " ".join(n.sentence for n in stage.open_audit.rounds.notes(run_id))
    assert stage.read("SELECT json_extract(endpoint, '$.limits.in_flight') FROM run_model") == [(5,)]


def test_that_all_that_is_asked_while_a_round_waits_for_its_key_is_done(
    stage: Scene, openai_server: OpenAIServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = threading.Event()
    monkeypatch.setattr(KeyRing, "find", lambda _ring, _endpoint: Secret("sk-canary") if given.wait(60) else None)
    model = server_model(openai_server.base_url)
    run_id = stage.plan([model], protocol=small_protocol())
    resting = stage.open_audit.rounds.start(run_id)
    stage.open_audit.rounds.pause().result(timeout=250)
    stage.open_audit.rounds.set_limits(run_id, model.account, Limits(in_flight=5)).result(timeout=250)
    given.set()
    assert resting.result(timeout=250) is RunState.PAUSED
    assert openai_server.answered == 0


def test_that_a_quota_that_is_used_up_is_waited_out_before_any_refusal(
    stage: Scene, openai_server: OpenAIServer
) -> None:
    openai_server.tell_quota(4, seconds=0.4)
    run_id = stage.plan([server_model(openai_server.base_url)], protocol=small_protocol())
    assert run(stage, run_id) is RunState.FINISHED
    assert openai_server.refused[429] == 0


def test_that_calls_that_timed_out_are_listed_as_possibly_billed(stage: Scene, openai_server: OpenAIServer) -> None:
    openai_server.fail("I am Socialist", reply=Reply(mode=Mode.HANG))
    model = server_model(openai_server.base_url, attempts=1, timeout=0.5)
    run_id = stage.plan([model], protocol=small_protocol())
    assert run(stage, run_id) is RunState.FINISHED_WITH_GAPS
    listed = stage.open_audit.rounds.unknown_calls(run_id)
    assert {call.coordinates["identity"] for call in listed} >= {"Socialist"}
