"""The book of rounds over the real engine: who started what, what went over the wire, copies, deletion."""

from pathlib import Path

import pytest

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.models import Secret
from gpf_desktop.domain.reviews import Judgement, Verdict
from gpf_desktop.domain.runs import NoteKind, RunState, Starter
from gpf_desktop.engine.rounds.ledger import curl
from gpf_desktop.storage import batch_jobs
from gpf_desktop.storage.ledger import CallFilter, CallState
from tests.support.openai_server import OpenAIServer
from tests.support.rounds import calibration, scene, server_model, small_protocol

KEY = "sk-quite-secret-0123456789"


def test_that_what_went_over_the_wire_is_kept_without_the_key(tmp_path: Path) -> None:
    with (
        OpenAIServer(key=KEY, answer=lambda _: f"I was sent {KEY} and “{{json}}”.") as server,
        scene(tmp_path) as stage,
    ):
        server.fail("Democrat", status=429, times=1, retry_after=0.01)
        endpoint = server_model(server.base_url)
        stage.engine.keys.save(stage.engine.keys.name_of(endpoint), Secret(KEY))
        run_id = stage.plan([endpoint], protocol=small_protocol())
        assert stage.open_audit.rounds.start(run_id).result() is RunState.FINISHED
        ledger = stage.open_audit.ledger
        again = ledger.calls(run_id, CallFilter(state=CallState.AGAIN))
        assert len(again) == 1
        details = ledger.details(again[0])  # type: ignore[arg-type]
        assert details is not None
        first, second = details.exchanges[1], details.exchanges[2]
        assert (first.status, second.status) == (429, 200)
        assert "planned failure" in first.reply
        assert "Democrat" in second.body
        assert "“{json}”" in second.reply or "\\u201c{json}\\u201d" in second.reply
        command = curl(second)
        assert '-H "Authorization: Bearer $API_KEY"' in command
        stage.engine.close()
        assert KEY.encode() not in (tmp_path / "audit.gpf").read_bytes()


def test_that_a_round_tells_who_started_it_what_it_asked_and_what_it_came_to(tmp_path: Path) -> None:
    with OpenAIServer() as server, scene(tmp_path) as stage:
        server.fail("Democrat", status=400)
        run_id = stage.plan([server_model(server.base_url)], protocol=small_protocol())
        stage.open_audit.rounds.start(run_id, Starter.SCHEDULE).result()
        run = stage.open_audit.rounds.run(run_id)
        assert (run.started_by, run.articles, run.models) == (
            Starter.SCHEDULE, 1, ("openai-compatible/some-model",)
        )  # fmt: skip
        assert run.protocol.startswith("Small, version")
        assert run.prompt_tokens > 0
        assert run.completion_tokens > 0
        told = [note.sentence for note in stage.open_audit.rounds.notes(run_id) if note.kind is NoteKind.PLAIN]
        assert told[0] == "Finished with gaps: 8 answers, 2 failed at the provider."
        assert told[-1] == "A batch of 1 article was taken."
        failed = stage.open_audit.ledger.calls(run_id, CallFilter(state=CallState.GAPS))
        server.fail_no_more()
        stage.open_audit.rounds.retry_failed(run_id, failed[:1]).result()
        assert stage.open_audit.rounds.run(run_id).answered == 9
        with pytest.raises(UserError, match="None of the chosen calls failed"):
            stage.open_audit.rounds.retry_failed(run_id, failed[:1])


def test_that_a_copy_asks_the_same_and_that_deleting_one_leaves_the_other(tmp_path: Path) -> None:
    with scene(tmp_path) as stage:
        run_id = stage.plan([calibration()], protocol=small_protocol())
        stage.open_audit.rounds.start(run_id).result()
        ledger, rounds = stage.open_audit.ledger, stage.open_audit.rounds
        copy = ledger.duplicate(run_id)
        ledger.rename(copy, " Second ")
        ledger.archive(run_id, archived=True)
        first, second = rounds.run(run_id), rounds.run(copy)
        assert (second.name, second.state, first.archived) == ("Second", RunState.DRAFT, True)
        assert (second.batch_id, second.planned, second.seed, second.protocol) == (
            first.batch_id, first.planned, first.seed, first.protocol
        )  # fmt: skip
        ledger.delete(run_id)
        assert [run.name for run in rounds.runs()] == ["Second"]
        assert rounds.start(copy).result() is RunState.FINISHED


def test_that_a_round_whose_bundles_were_read_is_not_deleted(tmp_path: Path) -> None:
    with scene(tmp_path) as stage:
        run_id = stage.plan([calibration()], protocol=small_protocol())
        stage.open_audit.rounds.start(run_id).result()
        bundle = stage.read("SELECT min(id) FROM bundle")[0][0]
        stage.open_audit.reviews.submit(bundle, Judgement(verdict=Verdict.LEGITIMATE)).result()  # type: ignore[arg-type]
        with pytest.raises(UserError, match="1 set of answers of the round was read"):
            stage.open_audit.ledger.delete(run_id)


def test_that_a_round_whose_questions_are_with_a_provider_is_not_deleted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with scene(tmp_path) as stage:
        run_id = stage.plan([calibration("neutral")], protocol=small_protocol())
        monkeypatch.setattr(batch_jobs, "live", lambda *_: [object()])
        with pytest.raises(UserError, match="with a provider in batch jobs"):
            stage.open_audit.ledger.delete(run_id)
        monkeypatch.undo()
        assert [run.id for run in stage.open_audit.rounds.runs()] == [run_id]
