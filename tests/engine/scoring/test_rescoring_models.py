"""Rescoring with a model that the auditor has in a folder, where the extra is installed."""

import re
from pathlib import Path

import pytest

from gpf_desktop.domain.events import Event, TaskProgressed
from gpf_desktop.domain.scores import SEMANTIC_DISPERSION, SENTIMENT_RANGE
from gpf_desktop.engine.engine import Engine
from gpf_desktop.engine.reporting.results_filter import ResultsFilter
from gpf_desktop.engine.scoring.rescoring import RESCORE_TASK, Rescoring
from gpf_desktop.methods.gpf_livenews.scorers.classifier_tone import ToneClassifierOptions
from gpf_desktop.methods.gpf_livenews.scorers.sentence_encoder import EncoderOptions
from gpf_desktop.storage import fit_groups, scores
from tests.methods.gpf_livenews.scorers.tiny_models import write_classifier, write_encoder
from tests.support.filled_audit import fill
from tests.support.stored_scores import bundle_values

pytestmark = pytest.mark.slow


def test_that_scores_of_ones_own_models_stand_beside_the_primary_ones_in_robustness(tmp_path: Path) -> None:
    engine = Engine(lambda _event: None)
    try:
        open_audit = engine.create(tmp_path / "audit.gpf", title="Audit")
        fill(open_audit.context.audit, items=2, dimensions=("Religion", "Political"))
        rescoring: Rescoring = open_audit.rescoring
        encoder = EncoderOptions(model=str(write_encoder(tmp_path / "encoder")))
        tone = ToneClassifierOptions(model=str(write_classifier(tmp_path / "tone", ["positive", "negative"])))
        by_meaning = rescoring.start("sentence-encoder", encoder, method="gpf-livenews").result(timeout=250)
        by_tone = rescoring.start("classifier-tone", tone, method="gpf-livenews").result(timeout=250)
        read = open_audit.context.audit.read
        assert any(
            value is not None for _, value in read(lambda c: bundle_values(c, by_meaning, (SEMANTIC_DISPERSION,)))
        )
        assert all(value is None for _, value in read(lambda c: bundle_values(c, by_meaning, (SENTIMENT_RANGE,))))
        assert any(value is not None for _, value in read(lambda c: bundle_values(c, by_tone, (SENTIMENT_RANGE,))))
        finding = open_audit.results.findings(ResultsFilter(), ("robustness",))["robustness"]
        weights = ", (?:encoder|tone) weights"
        scored_with = {(re.split(weights, str(row.values["variant"]))[0], row.values["score"]) for row in finding.rows}
        assert ("How far apart, by meaning (a sentence encoder)", "how far apart, in words") in scored_with
        assert ("Tone by a sentiment classifier", "spread of tone") in scored_with
        assert ("Tone by a sentiment classifier", "how far apart, in words") not in scored_with
        (kept,) = [each for each in read(scores.settings) if each.id == by_meaning]
        digest = str(kept.options["weights"])
        assert re.fullmatch("[0-9a-f]{64}", digest)
        named = f"How far apart, by meaning (a sentence encoder), encoder weights {digest[:12]}"
        assert named in {row.values["variant"] for row in finding.rows}
        other = open_audit.results.results(ResultsFilter(setting_id=by_tone), ("model_table",))
        said = " ".join(other.findings["model_table"].notes)
        assert re.search(r"Scores: classifier-tone \d+, Tone by a sentiment classifier, tone weights", said)
        assert "tf-idf" not in said
        row = other.findings["model_table"].rows[0]
        assert getattr(row.values["s"], "value", 0) is None
        assert getattr(row.values["r"], "value", None) is not None
    finally:
        engine.close()


def test_that_an_encoder_tells_how_far_it_is_within_the_answers_to_one_item(tmp_path: Path) -> None:
    heard: list[Event] = []
    engine = Engine(heard.append)
    try:
        open_audit = engine.create(tmp_path / "audit.gpf", title="Audit")
        fill(open_audit.context.audit, items=1)
        groups = open_audit.context.audit.read(fit_groups.groups)
        encoder = EncoderOptions(model=str(write_encoder(tmp_path / "encoder")))
        open_audit.rescoring.start("sentence-encoder", encoder, method="gpf-livenews").result(timeout=250)
        far = [event.done for event in heard if isinstance(event, TaskProgressed) and event.task == RESCORE_TASK]
        assert far == sorted(far)
        assert (far[0], far[-1]) == (0, sum(group.bundles for group in groups))
        assert len(far) > 3 * len(groups)
    finally:
        engine.close()


def test_that_a_folder_without_a_model_ends_with_a_sentence(tmp_path: Path) -> None:
    engine = Engine(lambda _event: None)
    try:
        open_audit = engine.create(tmp_path / "audit.gpf", title="Audit")
        fill(open_audit.context.audit, dimensions=("Political",))
        future = open_audit.rescoring.start(
            "sentence-encoder", EncoderOptions(model=str(tmp_path)), method="gpf-livenews"
        )
        with pytest.raises(Exception, match=r"model\.onnx"):
            future.result(timeout=250)
        assert open_audit.rescoring.start(
            "gpf", open_audit.rescoring.variants("gpf-livenews")[0].options, method="gpf-livenews"
        ).result(timeout=250)
    finally:
        engine.close()
