"""`gpf-desktop rate`: judges and encoders that join a round whose answers are there."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from gpf_desktop import cli
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.models import Role
from gpf_desktop.engine.commands.headless import Headless
from gpf_desktop.engine.commands.rate_command import RatingWish, rate
from gpf_desktop.engine.commands.run_command import run_plan
from gpf_desktop.engine.open_audit import OpenAudit
from gpf_desktop.engine.reporting.results_filter import ResultsFilter
from gpf_desktop.engine.rounds.plans import read_plan
from gpf_desktop.storage import models
from tests.methods.relative_bias.test_round import JUDGES, MODELS, OWN, plan_of
from tests.support.embedding_servers import EMBEDDINGS, serve_vectors
from tests.support.http_server import LoopbackServer

pytestmark = pytest.mark.slow

JUDGE = f"{OWN}/{JUDGES[0]}"
OTHER = f"{OWN}/{JUDGES[1]}"


def command(*arguments: object) -> int:
    return cli.main(list(map(str, arguments)), show_window=lambda _: 1, show_demo=lambda _: 1)


def judgements(open_audit: OpenAudit) -> list[Any]:
    """What judges were asked and said, in no order: question, answer, order, judging, text."""
    return sorted(
        open_audit.context.audit.read(
            lambda c: c.execute(
                "SELECT a.title, m.label, y.text, c.repeat, b.arm, c.seed, p.text FROM cell c"
                " JOIN bundle b ON b.id = c.bundle_id JOIN model m ON m.id = c.model_id JOIN item a ON a.id = c.item_id"
                " JOIN coordinate_set y ON y.id = c.coordinates_id JOIN response p ON p.cell_id = c.id"
                " WHERE c.stage = 1"
            ).fetchall()
        )
    )


def wish(**told: Any) -> RatingWish:
    plain: dict[str, Any] = {"judges": (), "encoders": (), "round": None, "protocol": None}
    return RatingWish(**{**plain, "base_url": "", "key_env": "", "spend_cap": None, **told})


def test_that_judges_who_join_later_are_asked_what_they_would_have_been_from_the_start(tmp_path: Path) -> None:
    with Headless(quiet=True) as headless:
        from_start = headless.engine.create(tmp_path / "start.gpf", title="From the start")
        run_plan(headless, from_start, read_plan(plan_of(tmp_path), where="plan"), beside=tmp_path)
        expected, marks = judgements(from_start), from_start.results.findings(ResultsFilter())["relative_bias_levels"]
        later = headless.engine.create(tmp_path / "later.gpf", title="Later")
        run_plan(headless, later, read_plan(plan_of(tmp_path, MODELS, ()), where="plan"), beside=tmp_path)
        assert judgements(later) == []
        first = rate(headless, later, wish(judges=(JUDGE,)), beside=tmp_path)
        assert first.done
        assert not first.gaps
        assert [each.endswith(" times.") for each in first.notes] == [True]
        second = rate(headless, later, wish(judges=(OTHER, JUDGE)), beside=tmp_path)
        assert second.notes[1] == f"{JUDGE} has rated every answer."
        assert judgements(later) == expected
        assert later.results.findings(ResultsFilter())["relative_bias_levels"].rows == marks.rows
        notes = [note.sentence for note in later.rounds.notes(later.rounds.runs()[0].id)]
        assert f"Asked afterwards to rate the answers: {JUDGE}." in notes
        with pytest.raises(UserError, match="is a target of this round"):
            rate(headless, later, wish(judges=(f"{OWN}/{MODELS[1]}",)), beside=tmp_path)


def test_that_imported_answers_are_rated_and_embedded_by_one_command_each(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], http_server: LoopbackServer
) -> None:
    table, audit = tmp_path / "answers.csv", tmp_path / "answers.gpf"
    with table.open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(["model", "theme", "question", "response"])
        for theme in ("Air", "Money"):
            for question in ("Are ferries loud?", "Who pays for ferries?", "Who works there?"):
                for at, model in enumerate("abcd"):
                    rows.writerow([model, theme, f"{theme}: {question}", f"About {question} it is {at} of 9."])
    assert command("import", table, "--method", "relative-bias", "-o", audit) == 0
    assert command("rate", audit, "--judge", JUDGE) == 2
    said = capsys.readouterr().err
    assert "Judge models need a sentence that says what counts as bias" in said
    assert "(--protocol)" in said
    study = tmp_path / "ferries.yaml"
    plan_of(tmp_path)
    assert command("rate", audit, "--judge", JUDGE, "--protocol", study, "--plan", "--json") == 0
    planned = json.loads(capsys.readouterr().out)
    assert command("rate", audit, "--judge", JUDGE, "--protocol", study, "--json") == 0
    told = json.loads(capsys.readouterr().out)
    (judge,) = (each for each in told["models"] if each["model"] == JUDGE)
    assert judge["planned"] == judge["answered"] == planned["calls"][JUDGE] > 24
    calls = serve_vectors(http_server, EMBEDDINGS["openai-compatible"], key="")
    encoder = ("--encoder", "openai-compatible/some-model", "--base-url", http_server.url("/v1"))
    for _ in range(2):
        assert command("rate", audit, *encoder, "--json") == 0
    assert sorted(text for call in calls for text in call) == sorted(
        f"About {question} it is {at} of 9."
        for question in ("Are ferries loud?", "Who pays for ferries?", "Who works there?")
        for at in range(4)
    ), "no text twice"
    artifact = tmp_path / "answers.zip"
    assert command("artifact", audit, "-o", artifact) == 0
    assert command("verify", artifact) == 0
    with Headless(quiet=True) as headless:
        open_audit = headless.enter(audit, to_read=True)
        levels = open_audit.results.findings(ResultsFilter())["relative_bias_levels"]
        assert {row.values["score"] for row in levels.rows} >= {"Judge model judge-1.0"}
        roles = open_audit.context.audit.read(lambda c: [each.role for each in models.of_run(c, 1)])
        assert roles == [Role.TARGET] * 4 + [Role.JUDGE, Role.EMBEDDER]
