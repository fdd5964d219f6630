from math import exp, sqrt
from pathlib import Path

import numpy as np
import pytest

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.scores import VALID, Unavailable
from gpf_desktop.methods.gpf_livenews.scorers.classifier_tone import SCORER as TONE
from gpf_desktop.methods.gpf_livenews.scorers.classifier_tone import ToneClassifierOptions
from gpf_desktop.methods.gpf_livenews.scorers.sentence_encoder import SCORER as ENCODER
from gpf_desktop.methods.gpf_livenews.scorers.sentence_encoder import EncoderOptions, Pooling
from gpf_desktop.numerics.sentence_vectors import unit_vectors
from tests.methods.gpf_livenews.scorers.bundles import by_name, group_of, plain
from tests.methods.gpf_livenews.scorers.tiny_models import write_classifier, write_encoder


def test_that_dispersion_is_that_of_the_model_s_pooled_vectors(tmp_path: Path) -> None:
    folder = write_encoder(tmp_path / "model")
    group = group_of([plain(["good", "news", "good news", " "]), plain(["bad news", "bad news"])])
    scored = ENCODER.score([group], EncoderOptions(model=str(folder)))
    assert {column.name for column in scored.columns} == {
        "semantic_dispersion",
        "noise",
        "counterfactual_framing",
        "semantic_silhouette",
        "relative_framing",
        "direction_framing",
        VALID,
    }
    first = by_name(scored)
    assert first[VALID] == 3
    assert first["semantic_dispersion"] == pytest.approx((1 + 2 * (1 - sqrt(0.5))) / 3, abs=1e-6)
    assert first["noise"] is Unavailable.NO_REPEATS
    assert by_name(scored, 1)["semantic_dispersion"] == 0


def test_that_opposite_vectors_count_as_two_before_the_mean_is_clamped(tmp_path: Path) -> None:
    options = EncoderOptions(model=str(write_encoder(tmp_path)))
    scores = by_name(ENCODER.score([group_of([plain(["good", "good", "bad"])])], options))
    assert scores["semantic_dispersion"] == 1
    half = by_name(ENCODER.score([group_of([plain(["good", "good", "good", "bad"])])], options))
    assert half["semantic_dispersion"] == pytest.approx(1)


def test_that_the_first_token_may_stand_for_the_answer(tmp_path: Path) -> None:
    folder = str(write_encoder(tmp_path))
    group = group_of([plain(["good news", "good house bad"])])
    by_first = by_name(ENCODER.score([group], EncoderOptions(model=folder, pooling=Pooling.FIRST)))
    assert by_first["semantic_dispersion"] == 0
    assert by_name(ENCODER.score([group], EncoderOptions(model=folder)))["semantic_dispersion"] != 0


def test_that_tone_is_positive_minus_negative_probability(tmp_path: Path) -> None:
    folder = write_classifier(tmp_path, ["POSITIVE", "NEGATIVE"])
    group = group_of([plain(["good", "bad", "news"])])
    scored = TONE.score([group], ToneClassifierOptions(model=str(folder), rarefy=2))
    tone = (exp(2) - 1) / (exp(2) + 1)
    scores = by_name(scored)
    assert scores["sentiment_range"] == pytest.approx(2 * tone, abs=1e-6)
    assert scores["sentiment_range_rarefied"] == pytest.approx(4 / 3 * tone, abs=1e-6)
    assert "semantic_dispersion" not in scores


def test_that_an_answer_longer_than_a_window_is_read_whole(tmp_path: Path) -> None:
    encoder = EncoderOptions(model=str(write_encoder(tmp_path / "encoder")), longest=2)
    alike = group_of([plain(["good news", "good news good news"])])
    assert by_name(ENCODER.score([alike], encoder))["semantic_dispersion"] == pytest.approx(0)
    one, other = unit_vectors(encoder.load(), ["good news", "house house"]).values()
    whole = (2 * one + 4 * other) / np.linalg.norm(2 * one + 4 * other)
    longer = group_of([plain(["good news", "good news house house house house"])])
    apart = by_name(ENCODER.score([longer], encoder))["semantic_dispersion"]
    assert apart == pytest.approx(1 - one @ whole, abs=1e-6)
    folder = write_classifier(tmp_path / "classifier", ["POSITIVE", "NEGATIVE"])
    tones = ToneClassifierOptions(model=str(folder), rarefy=2, longest=1)
    mixed = by_name(TONE.score([group_of([plain(["good bad", "bad good"])])], tones))
    assert mixed["sentiment_range"] == pytest.approx(0)


def test_that_a_folder_that_will_not_do_is_refused_in_words(tmp_path: Path) -> None:
    group = group_of([plain(["good", "bad"])])
    with pytest.raises(UserError, match="holds no model"):
        ENCODER.score([group], EncoderOptions(model=str(tmp_path)))
    broken = write_encoder(tmp_path / "broken")
    (broken / "model.onnx").write_bytes(b"not a model")
    with pytest.raises(UserError, match="cannot be loaded"):
        ENCODER.score([group], EncoderOptions(model=str(broken)))
    no_config = write_encoder(tmp_path / "no config")
    with pytest.raises(UserError, match=r"no config\.json"):
        TONE.score([group], ToneClassifierOptions(model=str(no_config)))
    odd = write_classifier(tmp_path / "odd", ["cat", "dog"])
    with pytest.raises(UserError, match="cat, dog"):
        TONE.score([group], ToneClassifierOptions(model=str(odd)))
