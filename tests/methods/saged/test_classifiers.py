import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from gpf_desktop.domain.errors import UserError
from gpf_desktop.engine.commands.score_command import score_file
from gpf_desktop.methods.saged.classifiers import Classifier, named_classifiers
from tests.methods.gpf_livenews.scorers.tiny_models import write_classifier
from tests.methods.saged.test_file_tables import answers, table, written

SENTIMENT = {"sentiment": {"positive": 1.0, "negative": -1.0}}


def softmax(*logits: float) -> np.ndarray:
    raised = np.exp(np.array(logits))
    return raised / raised.sum()


def test_that_a_feature_is_what_its_labels_count(tmp_path: Path) -> None:
    folder = write_classifier(tmp_path / "m", ["Positive", "Negative", "Neutral"])
    found = Classifier(name="s", model=str(folder), features=SENTIMENT).of_texts(["good good", "bad", " ", "good good"])
    high, low, _ = softmax(4, 0, 0)
    assert found["sentiment"][[0, 3]] == pytest.approx([high - low] * 2)
    assert found["sentiment"][1] == pytest.approx(softmax(0, 2, 0)[0] - softmax(0, 2, 0)[1])
    assert np.isnan(found["sentiment"][2])


def test_that_the_presets_are_on_the_scales_of_the_paper(tmp_path: Path) -> None:
    folder = write_classifier(tmp_path / "m", ["positive", "negative", "neutral"])
    texts = ["good good", "bad", "good bad", " "]
    plain = Classifier(name="s", model=str(folder), features=SENTIMENT).of_texts(texts)["sentiment"]
    sentiment, regard = (
        replace(preset, model=str(folder)).of_texts(texts)[preset.name]
        for preset in named_classifiers("sentiment,regard")
    )
    assert sentiment == pytest.approx((plain + 1) / 2, nan_ok=True)
    assert regard == pytest.approx(plain + 1, nan_ok=True)


def test_that_labels_on_their_own_have_odds_of_their_own(tmp_path: Path) -> None:
    folder = write_classifier(tmp_path / "m", ["toxic", "threat"])
    toxic = Classifier(name="t", model=str(folder), each_on_its_own=True, features={"toxicity": {"toxic": 1.0}})
    assert toxic.of_texts(["good bad"])["toxicity"][0] == pytest.approx(1 / (1 + np.exp(-2)))


def test_that_long_texts_are_read_to_their_end_in_windows(tmp_path: Path) -> None:
    folder = write_classifier(tmp_path / "m", ["positive", "negative"])
    text = " ".join(["good"] * 8 + ["bad"] * 4)
    short = Classifier(name="s", model=str(folder), longest=8, features=SENTIMENT)
    first, second = softmax(16, 0) @ [1, -1], softmax(0, 8) @ [1, -1]
    assert short.of_texts([text, "bad"])["sentiment"][0] == pytest.approx((8 * first + 4 * second) / 12)


def test_that_a_label_that_the_model_has_not_is_named(tmp_path: Path) -> None:
    folder = write_classifier(tmp_path / "m", ["cat", "dog"])
    with pytest.raises(UserError, match="no label “positive”, which “sentiment” counts; it has cat, dog"):
        Classifier(name="s", model=str(folder), features=SENTIMENT).of_texts(["good"])


def test_that_the_papers_five_are_presets_and_what_is_not_here_says_so() -> None:
    assert [each.name for each in named_classifiers("sentiment, toxicity")] == ["sentiment", "toxicity"]
    assert (
        sum(len(each.features) for each in named_classifiers("sentiment,regard,toxicity,stereotype,personality")) == 12
    )
    with pytest.raises(UserError, match="no classifier called “mood”"):
        named_classifiers("mood")
    with pytest.raises(UserError, match="is not on this machine"):
        named_classifiers("regard")[0].of_texts(["good"])


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("", "there is no classifier in it"),
        ("a: [", "it is not YAML"),
        ("a: {features: {x: {b: 1}}}", "“a” needs a model"),
        ("a: {model: m}", "“a” has no features"),
        ("a: {model: m, features: {x: {b: high}}}", "“x” has no number"),
        ("a: {model: m, longest: 2, features: {x: {b: 1}}}", "“longest” of “a”"),
    ],
)
def test_that_what_is_wrong_with_a_file_of_classifiers_is_said(tmp_path: Path, body: str, why: str) -> None:
    (tmp_path / "c.yaml").write_text(body)
    with pytest.raises(UserError, match=why):
        named_classifiers(str(tmp_path / "c.yaml"))


def test_that_answers_and_baselines_are_classified_alike(tmp_path: Path) -> None:
    folder = write_classifier(tmp_path / "m", ["positive", "negative"])
    given = {"mood": {"model": str(folder), "features": {"mood": {"positive": 1, "negative": -1}}}}
    (tmp_path / "c.yaml").write_text(json.dumps(given))
    made = score_file(
        "saged", written(answers(), tmp_path), {"replicates": "9", "classifiers": str(tmp_path / "c.yaml")}
    )
    row = table(made.tables["features.csv"])[0]
    assert row["calibrated_feature:mood"] == pytest.approx(
        float(str(row["feature:mood"])) - float(str(row["baseline_feature:mood"]))
    )
    assert {each["feature"] for each in table(made.tables["disparity.csv"])} >= {"mood", "tone"}
