"""Encoders in a study: which answers get a vector, how often it is asked for, what D it makes, and what it costs."""

import struct
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.findings import Estimate
from gpf_desktop.domain.ids import ModelId
from gpf_desktop.domain.models import Endpoint, Role, TargetModel
from gpf_desktop.domain.runs import RunState
from gpf_desktop.engine.commands.headless import Headless
from gpf_desktop.engine.commands.run_command import RunSummary, run_plan
from gpf_desktop.engine.open_audit import OpenAudit
from gpf_desktop.engine.reporting.results_filter import ResultsFilter
from gpf_desktop.engine.rounds.planning import check_encoders
from gpf_desktop.engine.rounds.plans import read_plan
from gpf_desktop.storage import run_deletion, vectors
from tests.methods.relative_bias.test_round import MODELS, plan_of
from tests.support.embedding_servers import EMBEDDINGS, serve_vectors, vector_of
from tests.support.http_server import LoopbackServer

ANSWERS = 4 * 6 * 2


class Study:
    """An audit, and a loopback server whose every right call is in *calls*."""

    def __init__(self, headless: Headless, folder: Path, server: LoopbackServer) -> None:
        self.open_audit: OpenAudit = headless.engine.create(folder / "audit.gpf", title="Ferries")
        self.server = server
        self.calls: list[list[str]] = []
        self._headless, self._folder = headless, folder

    def run(
        self,
        *,
        seed: int = 1,
        more: str = "",
        top: str = "",
        longest: int = 8_000,
        models: tuple[str, ...] = MODELS,
        judges: tuple[str, ...] = (),
    ) -> RunSummary:
        self.calls = serve_vectors(self.server, EMBEDDINGS["openai-compatible"], key="", longest=longest)
        encoder = (
            f'[[models]]\nprovider = "openai-compatible"\nmodel = "some-model"\nrole = "embedder"\n'
            f'base_url = "{self.server.url("/v1")}"\n{more}'
        )
        text = f"seed = {seed}\n{top}{plan_of(self._folder, models, judges, encoder)}"
        return run_plan(self._headless, self.open_audit, read_plan(text, where="plan"), beside=self._folder)

    def read(self, sql: str) -> list[Any]:
        return self.open_audit.context.audit.read(lambda connection: connection.execute(sql).fetchall())

    def encoder(self, summary: RunSummary) -> Any:
        assert summary.progress is not None
        return next(each for each in summary.progress.models if "some-model" in each.model)


@pytest.fixture
def study(tmp_path: Path, http_server: LoopbackServer) -> Iterator[Study]:
    with Headless(quiet=True) as headless:
        yield Study(headless, tmp_path, http_server)


@pytest.mark.slow
def test_that_every_text_is_asked_about_once_in_few_calls_and_its_vector_makes_d(study: Study) -> None:
    summary = study.run()
    assert summary.state is RunState.FINISHED
    texts = [text for call in study.calls for text in call]
    stored = {
        text
        for (text,) in study.read("SELECT p.text FROM response p JOIN cell c ON c.id = p.cell_id WHERE c.stage = 0")
    }
    assert sorted(texts) == sorted(stored)
    assert len(study.calls) <= len(texts) // 10
    assert study.encoder(summary).answered == ANSWERS
    rows = study.read("SELECT v.data, v.made_at FROM cell_vector x JOIN vector v ON v.id = x.vector_id")
    assert len(rows) == ANSWERS
    assert {struct.unpack("<8f", data) for data, _ in rows} == {tuple(vector_of(text)) for text in texts}
    assert all(made for _, made in rows)
    check_d(study)


def check_d(study: Study) -> None:
    """D by the encoder is what its vectors say."""
    replies = study.read(
        "SELECT c.item_id, m.model, p.text FROM cell c JOIN response p ON p.cell_id = c.id"
        " JOIN model m ON m.id = c.model_id WHERE c.stage = 0"
    )
    units: dict[tuple[int, str], list[Any]] = {}
    for item, model, text in replies:
        vector = np.array(vector_of(text))
        units.setdefault((item, model), []).append(vector / np.linalg.norm(vector))
    items = sorted({item for item, _ in units})
    expected = np.mean(
        [
            np.mean(
                [np.mean([1 - a @ b for a in units[i, "evasive-0.9"] for b in units[i, other]]) for other in MODELS[1:]]
            )
            for i in items
        ]
    )
    found = study.open_audit.results.findings(ResultsFilter())["relative_bias_models"]
    d = next(
        row.values["d"]
        for row in found.rows
        if (row.values["model"], row.values["score"]) == ("evasive-0.9", "By meaning (some-model)")
    )
    assert isinstance(d, Estimate)
    assert d.value == pytest.approx(expected, rel=1e-12)


@pytest.mark.slow
def test_that_an_audit_s_vectors_are_not_asked_for_again_and_go_with_their_last_round(study: Study) -> None:
    study.run()
    first = study.read("SELECT count(*) FROM vector")
    again = study.run(more='vendor = "another plan"\n')
    assert again.state is RunState.FINISHED
    assert study.calls == []
    assert study.encoder(again).answered == ANSWERS
    assert study.read("SELECT count(*) FROM vector") == first
    told = study.run(more='vendor = "told"\noptions = { instruction = "Represent the answer:" }\n')
    assert told.state is RunState.FINISHED
    assert all(text.startswith("Represent the answer: ") for call in study.calls for text in call)
    audit = study.open_audit.context.audit
    for run, left in ((1, 2 * first[0][0]), (2, first[0][0]), (3, 0)):
        audit.write(lambda connection, run=run: run_deletion.delete(connection, run)).result()  # type: ignore[misc]
        assert study.read("SELECT count(*) FROM vector") == [(left,)]


@pytest.mark.slow
def test_that_a_second_round_s_encoder_and_target_stand_in_the_tables_beside_those_of_the_first(study: Study) -> None:
    study.run()
    study.run(more='options = { instruction = "Represent the answer." }\n')
    found = study.open_audit.results.findings(ResultsFilter())["relative_bias_tests"]
    assert {str(row.values["score"]) for row in found.rows} == {
        "By words",
        "By meaning (some-model)",
        "By meaning (some-model · “Represent the answer.”)",
    }
    assert not any("set aside" in note for note in found.notes), "vectors are no second asking of what they are about"
    study.run(models=("plain-d", "plain-e", "plain-f", "plain-g"), judges=("judge-1.0",))
    found = study.open_audit.results.findings(ResultsFilter())["relative_bias_tests"]
    targets = {str(row.values["score"]): set[str]() for row in found.rows}
    for row in found.rows:
        targets[str(row.values["score"])].add(str(row.values["target"]))
    assert targets["By words"] == {"evasive-0.9", "plain-d"}
    assert targets["Judge model judge-1.0"] == {"plain-d"}, "the judge rated no answer of the other target"


@pytest.mark.slow
def test_that_a_text_that_is_too_long_is_a_gap_and_the_others_have_theirs(study: Study) -> None:
    texts = [text for (text,) in _texts(study)]
    longest = sorted(map(len, texts))[-2]
    summary = study.run(longest=longest)
    assert summary.state is RunState.FINISHED_WITH_GAPS
    encoder = study.encoder(summary)
    too_long = sum(len(text) > longest for text in texts)
    assert (encoder.answered, encoder.missing) == (ANSWERS - too_long, too_long)


@pytest.mark.slow
def test_that_a_call_s_tokens_are_paid_once_and_the_cap_holds(study: Study) -> None:
    priced = "price = { prompt = 1000.0, completion = 0.0 }\n"
    summary = study.run(more=priced, top="spend_cap = 1.0\n")
    assert summary.state is RunState.PAUSED
    assert study.calls == []
    assert "spend cap" in summary.why
    study.open_audit.rounds.set_spend_cap(study.open_audit.rounds.runs()[0].id, 1e6).result()
    run_id = study.open_audit.rounds.runs()[0].id
    assert study.open_audit.rounds.start(run_id).result() is RunState.FINISHED
    tokens = sum(len(text.split()) for call in study.calls for text in call)
    assert study.open_audit.rounds.run(run_id).spent == pytest.approx(tokens * 1000.0 / 1e6)
    kept = study.open_audit.context.audit.read(lambda c: vectors.of_method(c, "relative-bias"))
    assert len(kept) == ANSWERS


def test_that_only_a_provider_of_vectors_can_be_an_encoder() -> None:
    endpoint = Endpoint(provider="anthropic", model="claude")
    claude = TargetModel(id=ModelId(1), endpoint=endpoint, synthetic=False, label="claude", role=Role.EMBEDDER)
    with pytest.raises(UserError, match="no models that give vectors"):
        check_encoders([claude])
    check_encoders([replace(claude, endpoint=replace(endpoint, provider="gemini"))])


def _texts(study: Study) -> list[Any]:
    """Of the answers that a round will get: those of a round without an encoder."""
    run_plan(
        study._headless,
        study.open_audit,
        read_plan(f"seed = 1\n{plan_of(study._folder, MODELS, ())}", where="plan"),
        beside=study._folder,
    )
    return study.read("SELECT p.text FROM response p JOIN cell c ON c.id = p.cell_id WHERE c.stage = 0")
