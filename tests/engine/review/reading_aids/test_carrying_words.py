"""The words that carry the score, and how much of it."""

import pytest

from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.scores import BundleAnswers, FitGroup
from gpf_desktop.engine.review.reading_aids.carrying_words import AMOUNTS, carried
from gpf_desktop.engine.review.reading_aids.function_words import tells
from gpf_desktop.numerics.explain import BundleExplanation, explain
from tests.support.long_answers import long_answers


@pytest.fixture(scope="module")
def explanation() -> BundleExplanation:
    texts = long_answers()
    names = tuple(str(number) for number in range(9))
    rows = tuple(range(9))
    answers = BundleAnswers(bundle=BundleId(1), rows=rows, levels=names, repeats=(0,) * 9, planned=9)
    found = explain(FitGroup(texts=texts, bundles=(answers,)), answers)
    assert found is not None
    return found


def test_that_parts_of_all_answers_add_up_to_the_score(explanation: BundleExplanation) -> None:
    for term in explanation.terms[:20]:
        whole, squares, n = sum(term.weights), sum(w * w for w in term.weights), 9
        parts = [(n * w * w - 2 * w * whole + squares) / (2 * n * (n - 1)) for w in term.weights]
        assert sum(parts) == pytest.approx(term.contribution)


def test_that_more_is_marked_as_more_is_asked_for_and_never_a_function_word(explanation: BundleExplanation) -> None:
    sizes = []
    for amount in range(len(AMOUNTS)):
        marked = carried(explanation.terms, 9, amount)
        assert all(tells(word) for words in marked for word in words)
        sizes.append(sum(map(len, marked)))
    assert sizes == sorted(set(sizes))
    assert sizes[0] > 0


def test_that_the_words_that_carry_most_are_the_strongest(explanation: BundleExplanation) -> None:
    marked = carried(explanation.terms, 9, 2)
    parts = [
        [each.part for words in marked for each in words.values() if each.strength == strength] for strength in range(3)
    ]
    assert min(parts[0]) >= max(parts[1]) >= min(parts[1]) >= max(parts[2])
    assert "service" in marked[3]
    assert "the" not in marked[3]
