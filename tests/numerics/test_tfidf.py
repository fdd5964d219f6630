import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.feature_extraction.text import TfidfVectorizer

from gpf_desktop.numerics.distances import bundle_distances, bundle_likenesses
from gpf_desktop.numerics.encoders import Encoders
from gpf_desktop.numerics.spelling import one_spelling
from gpf_desktop.numerics.tfidf import TermRows, TermTable, weights
from gpf_desktop.numerics.tokens import Numbering, split
from tests.numerics import strategies

TEXTS = [
    "The bus lanes may shorten your way to work, which is good news.",
    "It's the café's well-being: naïve_words, 3.14 and x2 — don’t!",
    "ΣΑΣ ΣΑΣ. Σ İstanbul straße ﬁne",
    "a b c I",
    "",
    "bus bus bus news",
    "日本語の文章 日本語",
    "tab\tnew\nline\u2028sep\u00a0nbsp under_score",
]


def encoded(texts: list[str], *, pairs: bool = False) -> tuple[TermRows, TermTable]:
    tokens = Numbering()
    table = TermTable(tokens, pairs=pairs)
    return table.counts(split(texts, tokens)), table


def vectors(texts: list[str], *, pairs: bool = False) -> list[dict[str, float]]:
    """Weights by term, every text in one fit."""
    counts, table = encoded(texts, pairs=pairs)
    fitted = weights(counts, [0] * len(texts))
    return [
        {
            table.term(fitted.names[term]): float(value)
            for term, value in zip(fitted.terms[begin:end], fitted.values[begin:end], strict=True)
        }
        for begin, end in zip(fitted.starts[:-1], fitted.starts[1:], strict=True)
    ]


def library_vectors(texts: list[str], *, pairs: bool = False) -> list[dict[str, float]]:
    """The same by scikit-learn, of texts in the one spelling that is scored, fitted on those that have terms."""
    texts = [" ".join(map(one_spelling, text.split())) for text in texts]
    vectorizer = TfidfVectorizer(ngram_range=(1, 2 if pairs else 1))
    analyse = vectorizer.build_analyzer()
    kept = [text for text in texts if analyse(text)]
    if not kept:
        return [{} for _ in texts]
    matrix = vectorizer.fit_transform(kept)
    names = vectorizer.get_feature_names_out()
    rows = iter(matrix)
    found = []
    for text in texts:
        row = next(rows) if analyse(text) else None
        found.append({} if row is None else {names[c]: v for c, v in zip(row.indices, row.data, strict=True)})
    return found


def assert_same(ours: list[dict[str, float]], theirs: list[dict[str, float]]) -> None:
    for own, their in zip(ours, theirs, strict=True):
        assert own.keys() == their.keys()
        assert all(abs(own[term] - their[term]) <= 1e-12 for term in own)


@pytest.mark.parametrize("pairs", [False, True])
def test_that_vectors_are_scikit_learn_s(pairs: bool) -> None:
    assert_same(vectors(TEXTS, pairs=pairs), library_vectors(TEXTS, pairs=pairs))


@pytest.mark.slow
@settings(max_examples=150)
@given(st.lists(strategies.texts, min_size=1, max_size=6), st.booleans())
def test_that_vectors_of_arbitrary_texts_are_scikit_learn_s(texts: list[str], pairs: bool) -> None:
    assert_same(vectors(texts, pairs=pairs), library_vectors(texts, pairs=pairs))


def test_that_fits_in_one_pass_are_those_of_each_group_alone() -> None:
    counts, _ = encoded(TEXTS)
    groups = [0, 0, 1, 1, 0, 2, 1, 2]
    together = weights(counts, groups)
    for group in range(3):
        own = np.array([place for place, other in enumerate(groups) if other == group])
        alone = weights(counts.of_texts(own), [0] * len(own))
        assert np.array_equal(together.of_texts(own).values, alone.values)


def test_that_weights_are_the_same_bits_whatever_was_read_before() -> None:
    fresh, _ = encoded(TEXTS)
    tokens = Numbering()
    table = TermTable(tokens)
    table.counts(split(["news way zebra work bus aardvark lanes"], tokens))
    later = table.counts(split(TEXTS, tokens))
    assert np.array_equal(fresh.terms, later.terms)
    assert np.array_equal(weights(fresh, [0] * len(TEXTS)).values, weights(later, [0] * len(TEXTS)).values)


@pytest.mark.parametrize("pairs", [False, True])
def test_that_counting_in_pieces_changes_nothing(pairs: bool) -> None:
    tokens = Numbering()
    table = TermTable(tokens, pairs=pairs)
    pieces = [table.counts(split(TEXTS[begin : begin + 3], tokens)) for begin in range(0, len(TEXTS), 3)]
    whole, joined = table.counts(split(TEXTS, tokens)), table.joined(pieces)
    for name in ("terms", "values", "starts", "names"):
        assert np.array_equal(getattr(whole, name), getattr(joined, name)), name


@pytest.mark.slow
def test_that_what_is_known_of_tokens_is_forgotten_before_it_grows_without_bound() -> None:
    kept = Encoders.of_this_thread(pairs=False)
    kept.encode(["a text"], by_sentence=False)
    assert Encoders.of_this_thread(pairs=False) is kept
    kept.encode(["x" * 17_000_000], by_sentence=False)
    assert Encoders.of_this_thread(pairs=False) is not kept


def test_that_texts_outside_of_a_fit_weigh_as_the_one_more_and_change_nothing_inside() -> None:
    counts, _ = encoded([*TEXTS[:3], TEXTS[5], TEXTS[0] + " bus"])
    fitted = np.array([True, True, True, False, False])
    found = weights(counts, [0] * 5, fitted)
    inside = weights(counts.of_texts(np.arange(3)), [0] * 3)
    assert found.of_texts(np.arange(3)).values == pytest.approx(inside.values, abs=1e-15)
    for outside in (3, 4):
        with_it = weights(counts.of_texts(np.array([0, 1, 2, outside])), [0] * 4)
        assert found.of_texts(np.array([outside])).values == pytest.approx(
            with_it.of_texts(np.array([3])).values, abs=1e-15
        )
    none = weights(counts, [0] * 5, np.zeros(5, bool))
    assert none.values == pytest.approx(weights(counts, [0] * 5).values, abs=1e-15)


def test_that_answers_of_one_bundle_are_held_against_each_other_as_all_of_them_are_against_all():
    texts = ["bus news today", "bus lanes", "bus news today", "lanes and news", "something else", "else bus lanes"]
    fitted = weights(encoded(texts)[0], [0] * len(texts))
    whole = fitted.dense() @ fitted.dense().T
    sizes = np.array([3, 1, 2])
    like, apart = bundle_likenesses(fitted, sizes), bundle_distances(fitted, sizes)
    for bundle, (begin, end) in enumerate(((0, 3), (3, 4), (4, 6))):
        assert like.square(bundle) == pytest.approx(whole[begin:end, begin:end])
        assert apart.square(bundle) == pytest.approx(1 - whole[begin:end, begin:end], abs=1e-12)
    # Equal answers are not nearly equal.
    assert apart.square(0)[0, 2] == 0.0
    assert not bundle_likenesses(fitted.of_texts(np.zeros(0, np.int64)), np.zeros(0, np.int64)).values.size
