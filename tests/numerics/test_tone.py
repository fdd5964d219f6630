from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

from gpf_desktop.numerics import tone
from gpf_desktop.numerics.encoders import Encoders
from gpf_desktop.numerics.spelling import one_spelling
from gpf_desktop.numerics.tokens import Numbering, split
from gpf_desktop.numerics.tone_rules import ToneRule
from gpf_desktop.numerics.tone_trace import trace
from tests.numerics import strategies

LIBRARY = SentimentIntensityAnalyzer()

CASES = [
    "",
    " ",
    "!!!",
    "I am NOT happy about this :(",
    "It isn't bad at all 😀",
    "😀😀😀",
    "x😀y and 💔!",
    "Kind of great, honestly!!!",
    "kind kind of kind",
    "Without doubt a disaster",
    "without any doubt a great plan",
    "The least helpful plan, but hope remains.",
    "least good",
    "at least good",
    "very least good",
    "never so good, never this bad",
    "so very good or this very bad",
    "No good, no real harm or worry, no.",
    "no NO No",
    "GOOD",
    "GOOD GOOD good",
    "yeah right, the bomb went off at the bus stop",
    "It was to die for, a kiss of death, a beating heart.",
    "a bit of a bad ass",
    "just enough good, sort of bad, kind of awful",
    "good bad good but good bad good",
    "but good bad",
    "good 2.0 but 1.0 great",
    "Is it good? Is it? Really??",
    "can't stand the fed up",
    "isn\u2019t good, isn't good, isnt good",
    "ΣΑΣ ſorry ﬁne İ good",
    "good\u2028bad\u00a0great\x1cawful",
    "\ud83d lone \udc00 good",
    ":) :-( ;D XD",
    "EXTREMELY good, HARDLY good, extremely GOOD",
    "good" + "!" * 40 + "?" * 40,
]


def ours(texts: list[str]) -> list[float]:
    tokens = Numbering()
    return list(map(float, tone.Tones(tokens).compounds(split(texts, tokens))))


def library(texts: list[str]) -> list[float]:
    return [float(LIBRARY.polarity_scores(one_spelling(text))["compound"]) for text in texts]


def test_that_every_rule_gives_the_library_s_compound() -> None:
    assert ours(CASES) == library(CASES)


@pytest.mark.slow
def test_that_every_lexicon_word_and_every_emoji_gives_the_library_s_compound() -> None:
    texts = [f"It is {word} BUT very {word} {word.upper()}" for word in [*LIBRARY.lexicon, *LIBRARY.emojis]]
    assert ours(texts) == library(texts)


@pytest.mark.slow
@settings(max_examples=300)
@given(st.lists(strategies.texts, min_size=1, max_size=6))
def test_that_arbitrary_texts_together_get_the_library_s_compounds(texts: list[str]) -> None:
    assert ours(texts) == library(texts)


def test_that_no_texts_and_empty_texts_have_no_tone() -> None:
    assert ours([]) == []
    assert ours(["", "\n"]) == [0.0, 0.0]


@pytest.mark.slow
@settings(max_examples=300)
@given(strategies.texts)
def test_that_a_trace_ends_in_the_library_s_compound_and_adds_up(text: str) -> None:
    traced = trace(text)
    assert traced.compound == library([text])[0]
    assert sum(word.contribution for word in traced.words) + traced.punctuation == pytest.approx(traced.total, abs=1e-9)
    for word in traced.words:
        assert word.valence + sum(effect.amount for effect in word.effects) == pytest.approx(
            word.contribution, abs=1e-9
        )
        assert text[word.start : word.end].split() == [text[word.start : word.end]]


def test_that_a_trace_names_the_rules_and_the_words_that_made_them_act() -> None:
    (happy, sad) = trace("You may NOT be very happy, but it is SAD news!").words
    assert [(effect.rule, effect.by) for effect in happy.effects] == [
        (ToneRule.BOOSTER, "very"),
        (ToneRule.NEGATION, "not"),
        (ToneRule.BUT, "but"),
    ]
    assert [(effect.rule, effect.by) for effect in sad.effects] == [(ToneRule.CAPITALS, ""), (ToneRule.BUT, "but")]
    assert trace("good!").punctuation == pytest.approx(0.292)


@pytest.fixture
def edited_lexicon(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """An installed library whose lexicon differs from the one the fast path has read."""
    from gpf_desktop.numerics import tone_rules

    edited = SentimentIntensityAnalyzer()
    tone_rules.lexicon()
    edited.lexicon = edited.lexicon | {"good": -3.0, "smart": -3.0}
    monkeypatch.setattr(tone_rules, "analyser", lambda: edited)
    tone.agrees_with_library.cache_clear()
    yield
    tone.agrees_with_library.cache_clear()


@pytest.mark.usefixtures("edited_lexicon")
def test_that_a_library_that_scores_otherwise_is_asked_itself() -> None:
    assert not tone.agrees_with_library()
    texts = ["This is good.", "Nothing of note. Good."]
    for by_sentence in (False, True):
        _, tones, _ = Encoders(pairs=False).encode(texts, by_sentence=by_sentence)
        assert tones[0] < 0


def test_that_the_sentence_variant_is_the_mean_over_sentences() -> None:
    text = "This is wonderful news! It is a disaster, sadly.\nThe bus leaves at nine"
    _, tones, _ = Encoders(pairs=False).encode([text, ""], by_sentence=True)
    parts = library(["This is wonderful news!", "It is a disaster, sadly.", "The bus leaves at nine"])
    assert tones.tolist() == pytest.approx([sum(parts) / 3, 0.0])
