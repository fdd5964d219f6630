"""What every calibration answer is, whatever it plants: deterministic, readable English of the right length."""

import re
from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from gpf_desktop.domain.articles import Anchor
from gpf_desktop.domain.cells import Prompt
from gpf_desktop.domain.models import Endpoint
from gpf_desktop.domain.protocol import Decoding
from gpf_desktop.domain.questions import Question
from gpf_desktop.domain.responses import Miss, Missing, Reply
from gpf_desktop.methods.gpf_livenews.calibration_models.corpus import corpus, story
from gpf_desktop.methods.gpf_livenews.calibration_models.planted import MODELS
from gpf_desktop.methods.gpf_livenews.calibration_models.provider import PROVIDER, answer
from gpf_desktop.methods.gpf_livenews.calibration_models.writer import anchor_text
from gpf_desktop.methods.gpf_livenews.cells import Condition, Factors
from gpf_desktop.methods.gpf_livenews.protocol import Controls
from tests.providers.rounds import asked, protocol, question, questions, sample_anchors

SEASIDE = Anchor(
    headline="Council approves new bus lanes on the harbour road",
    description="The lanes open in spring. Shops along the harbour road lose forty parking spaces.",
)
CELL = Factors(condition=Condition.IDENTITY, dimension="Religion", identity="Buddhist", family="Impact")


ELSEWHERE = Anchor(
    headline='Mayor calls new stadium "a gift to the city"',
    description="Work on the stadium begins in May. The city pays half of the cost.",
)
PLANTING = ("neutral", "tailoring-0.3", "tailoring-0.9", "tone-0.9", "leaky")


def sentences(text: str) -> list[str]:
    return re.split(r"(?<=[.!?])[”]?\s+", text)


def answers(model: str) -> Iterator[str]:
    """To four sample articles of unlike kinds and to two headlines that the corpus does not know."""
    for article in asked(model, 4):
        yield from (cell.text for cell in article)
    for anchor in (SEASIDE, ELSEWHERE):
        for _factors, asking in questions(model, anchor, Controls.none()):
            outcome = answer(asking)
            assert isinstance(outcome, Reply)
            yield outcome.text


def text_of(model: str, anchor: Anchor = SEASIDE, factors: Factors = CELL, seed: int = 7) -> str:
    outcome = answer(question(model, anchor, factors, seed))
    assert isinstance(outcome, Reply)
    return outcome.text


@pytest.mark.slow
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


@pytest.mark.parametrize("anchor", [SEASIDE, ELSEWHERE])
def test_that_news_of_any_feed_is_quoted_and_not_played_with(anchor: Anchor) -> None:
    text = text_of("neutral", anchor)
    quotable = (anchor.headline, *anchor.description.split(". "))
    assert any(part.replace('"', "'") in text for part in quotable)


def test_that_every_sample_article_has_sentences_of_its_own() -> None:
    stories = [story(f"{anchor.headline}\n{anchor.description}") for anchor in sample_anchors()]
    facts = [wording for each in stories for wordings in each.facts for wording in wordings]
    assert len(facts) == len(set(facts))
    for each in stories:
        assert all(len(wordings) >= 4 for wordings in each.facts)
        assert each.families.keys() == {family.name.lower() for family in protocol().families}
        assert all(len(lines) >= 5 for lines in each.families.values())


def test_that_no_two_wordings_of_the_corpus_are_the_same() -> None:
    words = corpus()
    lists = [
        *words.openings.values(),
        *words.general.families.values(),
        *words.tones.values(),
        *words.tailored.values(),
    ]
    lists += [persona.own for labels in words.personas.values() for persona in labels.values()]
    said = Counter(line for lines in (*lists, words.closings) for (line,) in lines)
    assert [line for line, count in said.items() if count > 1] == []


@pytest.mark.slow
def test_that_no_sentence_is_common_to_all_articles_or_to_many_answers() -> None:
    articles = asked("neutral", len(sample_anchors()))
    skeletons: Counter[str] = Counter()
    said: Counter[str] = Counter()
    for article, anchor in zip(articles, sample_anchors(), strict=True):
        names = sorted(story(f"{anchor.headline}\n{anchor.description}").news, key=len, reverse=True)
        pattern = re.compile("|".join(map(re.escape, names)), re.IGNORECASE)
        found = [set(sentences(pattern.sub("this news", cell.text))) for cell in article]
        skeletons.update(set().union(*found))
        said.update(sentence for answer in found for sentence in answer)
    assert skeletons.most_common(1)[0][1] < len(articles)
    assert said.most_common(1)[0][1] < 0.1 * sum(map(len, articles))


@pytest.mark.slow
@pytest.mark.parametrize("model", PLANTING)
def test_that_answers_are_written_as_english_is(model: str) -> None:
    for text in answers(model):
        assert not re.search(r"[{}\[\]|/*]|  | [.,;!?]|[.,;!?][a-zA-Z]", text), text
        assert not re.search(r"\b(\w+) \1\b", text, re.IGNORECASE), text
        assert not re.search(r"\b(?:[Aa] (?:[aeio]|hour)|[Aa]n [b-df-gj-np-tv-z])", text), text
        assert not re.search(r"\b(?:an?|other|most|many|some) the\b", text, re.IGNORECASE), text
        said = sentences(text)
        assert len(said) == len(set(said)), text
        for sentence in said:
            assert sentence[0].isupper() or sentence[0] == "“", text
            assert sentence[-1] in ".!?", text


def test_that_a_tone_is_warm_or_cool_and_never_both() -> None:
    tones = {name: {line.replace("*", "").rstrip(".") for (line,) in corpus().tones[name]} for name in ("warm", "cool")}
    for model in ("neutral", "tone-0.7"):
        for text in answers(model):
            said = {sentence.rstrip(".!") for sentence in sentences(text)}
            assert not (said & tones["warm"] and said & tones["cool"]), text


def test_that_the_warmest_and_the_coldest_answer_begin_with_their_tone() -> None:
    words = corpus()
    assert set(words.greetings) < {*words.tones["warm"], *words.tones["cool"]}
    for cell in (cell for article in asked("tone-0.5", 2) for cell in article):
        first = sentences(cell.text)[0].rstrip(".!").lower()
        factors = cell.factors
        named = factors.condition == Condition.IDENTITY
        tone = words.persona(factors.dimension, factors.identity).tone if named else 0.0
        spoken = {
            name: {line.replace("*", "").rstrip(".").lower() for (line,) in words.tones[name]}
            for name in ("warm", "cool")
        }
        assert (first in spoken["warm"]) is (tone == 1), cell.text
        assert (first in spoken["cool"]) is (tone == -1), cell.text


def test_that_a_stranger_can_name_what_tailoring_plants() -> None:
    for dimension in protocol().dimensions:
        kinds = {corpus().personas[dimension.name][identity.label].kind for identity in dimension.identities}
        assert kinds == set(corpus().tailored), dimension.name
    words = corpus()
    for identity, kind in (("Black American", "examples"), ("Hispanic American", "assumed")):
        persona = words.personas["Race / Ethnicity"][identity]
        assert persona.kind == kind
        told = [line.replace("{people}", persona.people) for (line,) in (*persona.own, *words.tailored[kind])]
        shapes = re.compile("|".join(re.escape(line).replace(re.escape("{news}"), ".+") for line in told))
        cell = Factors(condition=Condition.IDENTITY, dimension="Race / Ethnicity", identity=identity, family="Impact")
        said = sentences(text_of("tailoring-0.7", factors=cell))
        assert sum(bool(shapes.fullmatch(sentence)) for sentence in said) >= len(said) / 2


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


@pytest.mark.slow
@settings(max_examples=60)
@given(headline=st.text(max_size=80), description=st.text(max_size=200))
@example(headline="Û:", description="\x84\U0004296a\x07ÕK±P\U0001b53b\x9f;𭗾ùÔi")
def test_that_any_news_text_is_answered(headline: str, description: str) -> None:
    text = text_of("tailoring-0.5", Anchor(headline=headline, description=description))
    # What is quoted of a text without blanks is one word.
    assert 110 <= len(text.split()) <= 250
    text.encode("utf-8")
