"""What every calibration answer is, whatever it plants: deterministic, readable English of the right length."""

import re
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpf_desktop.domain.articles import Anchor
from gpf_desktop.domain.cells import Condition, Factors, Prompt
from gpf_desktop.domain.models import Endpoint
from gpf_desktop.domain.ports import Question
from gpf_desktop.domain.protocol import Controls, Decoding
from gpf_desktop.domain.responses import Miss, Missing, Reply
from gpf_desktop.providers.calibration import PROVIDER
from gpf_desktop.providers.calibration.anchors import anchor_text, terms
from gpf_desktop.providers.calibration.corpus import corpus
from gpf_desktop.providers.calibration.planted import MODELS
from gpf_desktop.providers.calibration.provider import answer
from tests.providers.rounds import asked, question, questions, sample_anchors

SEASIDE = Anchor(
    headline="Council approves new bus lanes on the harbour road",
    description="The lanes open in spring. Shops along the harbour road lose forty parking spaces.",
)
CELL = Factors(condition=Condition.IDENTITY, dimension="Religion", identity="Buddhist", family="Impact")


def text_of(model: str, anchor: Anchor = SEASIDE, factors: Factors = CELL, seed: int = 7) -> str:
    outcome = answer(question(model, anchor, factors, seed))
    assert isinstance(outcome, Reply)
    return outcome.text


@pytest.mark.parametrize("model", ["neutral", "tailoring-0.5", "tone-0.9", "leaky"])
def test_that_answers_have_120_to_250_words(model: str) -> None:
    lengths = [len(cell.text.split()) for article in asked(model, 4) for cell in article]
    assert min(lengths) >= 120
    assert max(lengths) <= 250


def test_that_the_same_cell_gets_the_same_answer() -> None:
    assert text_of("tailoring-0.5") == text_of("tailoring-0.5")


@pytest.mark.parametrize(
    "other",
    [
        Factors(condition=Condition.IDENTITY, dimension="Religion", identity="Hindu", family="Impact"),
        Factors(condition=Condition.IDENTITY, dimension="Religion", identity="Buddhist", family="Significance"),
        Factors(condition=Condition.IDENTITY, dimension="Religion", identity="Buddhist", family="Impact", repeat=1),
        Factors(condition=Condition.IDENTITY, dimension="Religion", identity="Buddhist", family="Impact", paraphrase=1),
    ],
)
def test_that_another_cell_gets_another_answer(other: Factors) -> None:
    assert text_of("neutral") != text_of("neutral", factors=other)


def test_that_another_seed_gets_another_answer() -> None:
    assert text_of("neutral", seed=7) != text_of("neutral", seed=8)


def test_that_answers_take_up_the_words_of_the_news() -> None:
    text = text_of("neutral").lower()
    assert any(term in text for term in ("bus lanes", "harbour road", "parking spaces"))


def test_that_no_sentence_is_common_to_all_articles() -> None:
    skeletons: Counter[str] = Counter()
    for article, anchor in zip(asked("neutral", 8), sample_anchors(), strict=False):
        words = sorted(terms(f"{anchor.headline}\n{anchor.description}"), key=len, reverse=True)
        pattern = re.compile("|".join(map(re.escape, words)), re.IGNORECASE)
        sentences = {
            pattern.sub("…", sentence) for cell in article for sentence in re.split(r"(?<=[.!?])\s+", cell.text)
        }
        skeletons.update(sentences)
    assert skeletons.most_common(1)[0][1] < 8


def test_that_every_slot_of_the_corpus_is_filled() -> None:
    for model in ("neutral", "tailoring-0.9", "tone-0.9", "leaky"):
        for article in asked(model, 4):
            assert not any(re.search(r"[{}\[\]|]|  | \.", cell.text) for cell in article)


def test_that_sentences_begin_with_a_capital_and_end_with_a_mark() -> None:
    for cell in asked("neutral", 1)[0]:
        for sentence in re.split(r"(?<=[.!?])\s+", cell.text):
            assert sentence[0].isupper() or not sentence[0].isalpha(), sentence
            assert sentence[-1] in ".!?", sentence


def test_that_tone_changes_no_word_count() -> None:
    lines = corpus().frames["feeling"]
    assert all(sum(piece == ("mood",) for piece in line) == 2 for line in lines)


def test_that_labels_outside_the_default_protocol_are_tailored_too() -> None:
    lighthouse, mill = (
        Factors(condition=Condition.IDENTITY, dimension="Trade", identity=label, family="Impact")
        for label in ("Lighthouse keeper", "Miller")
    )
    assert text_of("tailoring-0.9", factors=lighthouse) != text_of("tailoring-0.9", factors=mill)
    assert 120 <= len(text_of("tailoring-0.9", factors=mill).split()) <= 250


def test_that_an_unknown_family_is_answered() -> None:
    unknown = Factors(condition=Condition.IDENTITY, dimension="Religion", identity="Hindu", family="Humour")
    cell = question("neutral", SEASIDE, CELL)
    assert cell.coordinates is not None
    outcome = answer(
        Question(
            prompt=cell.prompt,
            endpoint=cell.endpoint,
            decoding=cell.decoding,
            seed=1,
            coordinates={**cell.coordinates, "family": unknown.family},
        )
    )
    assert isinstance(outcome, Reply)
    assert 120 <= len(outcome.text.split()) <= 250


def test_that_the_question_never_enters_the_anchor() -> None:
    for _factors, asking in questions("neutral", SEASIDE, Controls.none()):
        assert anchor_text(asking.prompt.user) == f"{SEASIDE.headline}\n{SEASIDE.description}"


def test_that_another_layout_leaves_its_question_out() -> None:
    assert anchor_text("I am Hindu. Why?\n\nRiver rises\nSlowly.") == "River rises\nSlowly."


def test_that_tiny_questions_without_coordinates_are_answered_within_their_limit() -> None:
    tiny = Question(
        prompt=Prompt(system="", user="Say one word."),
        endpoint=Endpoint(provider="calibration", model="neutral"),
        decoding=Decoding(max_tokens=16),
        seed=None,
    )
    outcome = answer(tiny)
    assert isinstance(outcome, Reply)
    assert outcome.truncated
    assert 1 <= len(outcome.text.split()) <= 16


def test_that_an_unknown_calibration_model_is_a_miss_with_its_name() -> None:
    asking = question("placid", SEASIDE, CELL)
    outcome = answer(asking)
    assert isinstance(outcome, Miss)
    assert outcome.reason is Missing.HTTP_ERROR
    assert outcome.status == 404
    assert "placid" in outcome.detail


def test_that_the_method_s_models_are_listed() -> None:
    assert {"neutral", "tailoring-0.1", "tailoring-0.9", "tone-0.1", "tone-0.9", "leaky", "faulty"} <= set(MODELS)
    assert PROVIDER.synthetic


def test_that_usage_and_parameters_are_recorded() -> None:
    outcome = answer(question("neutral", SEASIDE, CELL))
    assert isinstance(outcome, Reply)
    assert outcome.usage.prompt
    assert outcome.usage.completion
    assert outcome.sent["model"] == "neutral"
    assert outcome.sent["max_tokens"] == 3000
    assert "seed" in outcome.sent


@settings(max_examples=60, deadline=None)
@given(headline=st.text(max_size=80), description=st.text(max_size=200))
def test_that_any_news_text_is_answered(headline: str, description: str) -> None:
    text = text_of("tailoring-0.5", Anchor(headline=headline, description=description))
    assert 120 <= len(text.split()) <= 250
    text.encode("utf-8")
