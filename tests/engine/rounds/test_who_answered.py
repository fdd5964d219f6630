"""Who answered, by the word of a real server: kept call by call, and told wherever its numbers are."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gpf_desktop.cli import main
from gpf_desktop.domain.conclusions.conclusion import CaveatEffect
from gpf_desktop.domain.ids import RunId
from gpf_desktop.domain.runs import RunState
from gpf_desktop.domain.served import ServedKind
from gpf_desktop.engine.commands.artifact_commands import open_artifact, verify_artifact
from gpf_desktop.engine.commands.headless import Headless
from gpf_desktop.engine.commands.import_command import import_tables
from gpf_desktop.engine.exchange.artifact.contents import ArtifactChoices
from gpf_desktop.engine.reporting.compared_sides import SideKind
from gpf_desktop.engine.reporting.results_filter import ResultsFilter
from gpf_desktop.storage import served
from gpf_desktop.storage.audit_file import AuditFile
from tests.support.openai_server import OpenAIServer
from tests.support.rounds import Scene, scene, server_model, small_protocol

Says = Callable[[int], dict[str, Any]]


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Scene]:
    with scene(tmp_path) as opened:
        yield opened


def asked(stage: Scene, server: OpenAIServer) -> RunId:
    run_id = stage.plan([replace(server_model(server.base_url, in_flight=1))], protocol=small_protocol())
    assert stage.open_audit.rounds.start(run_id).result(timeout=250) is RunState.FINISHED
    stage.open_audit.results.forget()
    return run_id


def caveats(stage: Scene) -> list[str]:
    told = stage.open_audit.results.concluding.page(ResultsFilter())
    assert told is not None
    return [
        words
        for each in told.told
        for caveat, words in zip(each.conclusion.caveats, each.weighs, strict=True)
        if caveat.key == "who_answered" and caveat.effect is CaveatEffect.WEAKENS
    ]


def test_that_a_model_swapped_in_mid_round_is_told_wherever_its_numbers_are(stage: Scene, tmp_path: Path) -> None:
    def says(answered: int) -> dict[str, Any]:
        return {"model": "some-model-2026-01-01" if answered <= 4 else "cheap-model", "system_fingerprint": "fp_1"}

    with OpenAIServer(says=says) as server:
        run_id = asked(stage, server)
    kept = stage.read(
        "SELECT v.model, v.fingerprint, count(*) FROM response p JOIN served v ON v.id = p.served_id GROUP BY v.id"
    )
    assert kept == [("some-model-2026-01-01", "fp_1", 4), ("cheap-model", "fp_1", 6)]
    (now,) = [note.sentence for note in stage.open_audit.rounds.notes(run_id) if "the server says" in note.sentence]
    assert now.endswith("the server says that cheap-model answers now, no more some-model-2026-01-01.")
    within, other, version = stage.open_audit.rounds.answered_by(run_id)
    assert "some-model-2026-01-01 (4 answers)" in within.words
    assert "cheap-model (6 answers)" in within.words
    assert other.words == "Asked for some-model, but the server says that cheap-model answered."
    assert version.words == "Asked for some-model, answered by some-model-2026-01-01."
    results = stage.open_audit.results.results(ResultsFilter())
    assert within.sentence in results.findings["stability"].notes
    assert within.sentence in results.findings["streaming"].notes or not results.findings["streaming"].rows
    (said,) = caveats(stage)
    assert said == f"{within.words} 1 more such change stands under Rounds."
    facts = {fact.name: fact.value for fact in stage.open_audit.reports.whole().facts}
    assert facts[f"Who answered for {within.model}"] == (
        "asked for some-model, answered by some-model-2026-01-01, cheap-model; fingerprint fp_1"
    )


def test_that_a_model_swapped_between_rounds_is_told_by_rounds_and_comparisons(stage: Scene) -> None:
    now = "some-model-2026-01-01"
    with OpenAIServer(says=lambda _n: {"model": now}) as server:
        first = asked(stage, server)
        assert [note.weighs for note in stage.open_audit.rounds.answered_by(first)] == [False]
        assert caveats(stage) == []
        now = "some-model-2026-06-01"
        second = asked(stage, server)
    change = (
        f"Between “Round ({first})” and “Round ({second})” the model that answered changed"
        " from some-model-2026-01-01 to some-model-2026-06-01."
    )
    assert change in [note.words for note in stage.open_audit.rounds.answered_by(second)]
    assert [note.weighs for note in stage.open_audit.rounds.answered_by(first)] == [False]
    assert caveats(stage) == [change]
    sides = stage.open_audit.results.sides
    rounds = sides.known(SideKind.ROUNDS, stage.open_audit.results.of_one_method(ResultsFilter()))
    found = sides.compared("gpf-livenews", [(SideKind.ROUNDS, rounds[0], rounds[1])], {}, {})
    assert any(change in note for note in found.notes)


@pytest.mark.parametrize("says", [lambda _n: {"model": None}, lambda _n: {}], ids=["no name", "the name asked for"])
def test_that_nothing_is_said_where_a_server_says_nothing_new(stage: Scene, says: Says) -> None:
    with OpenAIServer(says=says) as server:
        run_id = asked(stage, server)
    assert stage.open_audit.rounds.answered_by(run_id) == ()
    assert caveats(stage) == []
    if says(1):
        assert stage.read("SELECT count(*) FROM served") == [(0,)]
        assert not any(fact.name.startswith("Who answered") for fact in stage.open_audit.reports.whole().facts)


def test_that_an_artifact_carries_who_answered_and_says_so_when_verified(stage: Scene, tmp_path: Path) -> None:
    with OpenAIServer(says=lambda n: {"system_fingerprint": "fp_1" if n <= 4 else "fp_2"}) as server:
        asked(stage, server)
    target = tmp_path / "artifact.zip"
    made = stage.open_audit.artifacts.start(target, ArtifactChoices()).result(timeout=250)
    again = open_artifact(made.path, tmp_path / "again.gpf")
    here = stage.open_audit.context.audit.read(served.by_round)
    audit = AuditFile.open(again)
    assert audit.read(served.by_round) == here
    audit.close()
    found = verify_artifact(made.path)
    assert found.passed, found.sentences()
    (line,) = [line.words for line in found.lines if "who answered" in line.words]
    assert "fingerprint" in line


def test_that_run_says_in_words_and_for_programs_who_answered(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    feed = tmp_path / "news.csv"
    feed.write_text("title,text,url\nCouncil opens a park,A park opened on Monday.,http://a.example/1\n")
    with OpenAIServer(says=lambda n: {"model": "some-model" if n <= 4 else "cheap-model"}) as server:
        plan = tmp_path / "plan.toml"
        plan.write_text(
            f"""articles_per_source = 1
protocol = "GPF-LiveNews-v1"
controls = "none"
[[sources]]
file = "{feed}"
[[models]]
provider = "openai-compatible"
model = "some-model"
base_url = "{server.base_url}"
"""
        )
        command = ["run", str(plan), "--audit", str(tmp_path / "a.gpf"), "--json"]
        assert main(command, show_window=lambda _: 99, show_demo=lambda _: 99) == 0
    told = json.loads(capsys.readouterr().out)
    kinds = [each["kind"] for each in told["answered_by"]]
    assert kinds == ["within_round", "other_name"]
    assert all(each["weighs"] for each in told["answered_by"])
    weighs = [each["key"] for one in told["conclusions"]["conclusions"] for each in one["weighs"]]
    assert "who_answered" in weighs


def test_that_an_imported_file_that_names_two_models_for_one_is_told_of(tmp_path: Path) -> None:
    readers = ("Hindu", "Muslim", "Jewish", "Catholic")
    rows = [
        f"gpt-4o,Council opens a park,identity,Religion,{reader},Significance,Of {reader} readers {n} agree.,{name}"
        for n, (reader, name) in enumerate(zip(readers, 2 * ("gpt-4o-2024-08-06", "gpt-4o-mini"), strict=True))
    ]
    table = tmp_path / "answers.csv"
    head = "model,article,condition,dimension,identity,family,response,served_model"
    table.write_text("\n".join((head, *rows)) + "\n")
    with Headless(quiet=True) as headless:
        import_tables(headless, [table], "gpf-livenews", {}, tmp_path / "a.gpf")
        audit = headless.engine.open_audit
        told = audit.rounds.answered_by(audit.rounds.runs()[0].id)
    assert [each.kind for each in told] == [ServedKind.WITHIN_ROUND, ServedKind.OTHER_NAME, ServedKind.VERSION]
    assert told[0].words.endswith(
        "more than one model answered: gpt-4o-2024-08-06 (2 answers), gpt-4o-mini (2 answers)."
    )
    assert told[1].words == "The file names gpt-4o, but its server says that gpt-4o-mini answered."
