import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpf_desktop.domain.protocol import FitScope
from gpf_desktop.domain.scores import BundleAnswers, FitGroup
from gpf_desktop.methods.gpf_livenews.scorers.gpf import SCORER, GpfOptions
from gpf_desktop.numerics.explain import BundleExplanation, explain
from tests.methods.gpf_livenews.scorers.bundles import by_name, group_of, plain
from tests.numerics import strategies

ANSWERS = [
    "The bus lanes may shorten your way to work, which is good news.",
    "For a shop owner on these streets the loss of parking is a real worry.",
    "You may not feel much change, and that is fine.",
    "The plan helps people without a car, and it hurts people who need one.",
]


def explained(group: FitGroup, fit_scope: FitScope = FitScope.ARTICLE) -> BundleExplanation:
    found = explain(group, group.bundles[0], fit_scope=fit_scope)
    assert found is not None
    return found


@pytest.mark.slow
@settings(max_examples=60)
@given(
    st.lists(strategies.sentences, min_size=2, max_size=8),
    st.lists(strategies.sentences, max_size=4),
    st.sampled_from([FitScope.ARTICLE, FitScope.BUNDLE]),
)
def test_that_shares_of_answers_and_of_terms_add_up_to_the_dispersion(
    texts: list[str], others: list[str], scope: FitScope
) -> None:
    group = group_of([plain(texts), plain(others)])
    found = explained(group, scope)
    score = by_name(SCORER.score([group], GpfOptions(fit_scope=scope)))["semantic_dispersion"]
    assert found.dispersion == pytest.approx(score, abs=1e-12)
    assert sum(answer.contribution for answer in found.answers) == pytest.approx(score, abs=1e-12)
    assert sum(term.contribution for term in found.terms) == pytest.approx(score, abs=1e-12)
    if found.dispersion > 1e-9:
        assert sum(answer.share for answer in found.answers) == pytest.approx(1)


def test_that_dispersion_without_an_answer_is_that_of_the_others_in_the_same_fit() -> None:
    group = group_of([plain(ANSWERS)])
    found = explained(group)
    three = BundleAnswers(bundle=0, planned=3, rows=(1, 2, 3), levels=("id1", "id2", "id3"), repeats=(0, 0, 0))
    rest = FitGroup(texts=group.texts, bundles=(three,))
    assert found.answers[0].without == pytest.approx(explained(rest).dispersion, abs=1e-12)
    pair = explained(group_of([plain(ANSWERS[:2])]))
    assert [answer.without for answer in pair.answers] == [None, None]


def test_that_the_terms_that_carry_the_distance_come_first_and_shared_words_last() -> None:
    texts = ["the news is good for students", "the news is good for veterans", "the news is good for seniors"]
    found = explained(group_of([plain(texts)]))
    assert {term.term for term in found.terms[:3]} == {"students", "veterans", "seniors"}
    (students,) = [term for term in found.terms if term.term == "students"]
    assert [weight > 0 for weight in students.weights] == [True, False, False]
    contributions = [term.contribution for term in found.terms]
    assert contributions == sorted(contributions, reverse=True)


def test_that_word_pairs_are_named_by_both_words() -> None:
    group = group_of([plain(["good news today", "bad news today"])])
    found = explain(group, group.bundles[0], word_pairs=True)
    assert found is not None
    assert {"good news", "bad news"} < {term.term for term in found.terms}


def test_that_each_answer_brings_its_tone_word_by_word() -> None:
    found = explained(group_of([plain(ANSWERS)]))
    tones = np.array([answer.tone.compound for answer in found.answers])
    scores = by_name(SCORER.score([group_of([plain(ANSWERS)])], GpfOptions()))
    assert tones.max() - tones.min() == pytest.approx(scores["sentiment_range"])
    assert [word.word for word in found.answers[1].tone.words] == ["loss", "worry"]


def test_that_repeats_and_empty_answers_are_not_explained_and_too_few_give_nothing() -> None:
    group = group_of([[("a", 0, ANSWERS[0]), ("a", 1, ANSWERS[1]), ("b", 0, "!"), ("c", 0, ANSWERS[2])]])
    assert [answer.level for answer in explained(group, FitScope.BUNDLE).answers] == ["a", "c"]
    alone = group_of([plain(ANSWERS[:1])])
    assert explain(alone, alone.bundles[0]) is None
