"""Words that set clusters of texts apart, by class-based tf-idf, without those that are said everywhere."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np

from gpf_desktop.arrays import Bools, Floats, Ints
from gpf_desktop.methods.saged.masking import MASK
from gpf_desktop.numerics.tfidf import TermRows

THEME_WORDS: Final = 8
_EVERYWHERE: Final = 1 / 3
"""A word that so large a share of the texts of every cluster has sets none apart, in whatever language."""
_HALVES: Final = frozenset({"don", "didn", "doesn", "isn", "aren", "wasn", "couldn", "wouldn", "ll", "ve", "re"})
"""What is left of don't and they'll."""
_NOUNS: Final = frozenset({"amount", "bill", "computer", "cry", "fire", "interest", "mill", "system"})
"""In scikit-learn's list, and about something (Nothman, Qin and Yurchak 2018)."""


@dataclass(frozen=True, slots=True)
class ClusterTheme:
    """A cluster of answers by the words that set it apart."""

    words: tuple[str, ...]
    answers: int


def themes(counts: TermRows, word: Callable[[int], str], label: Ints, k: int) -> tuple[ClusterTheme, ...]:
    """The words that set each of *k* clusters of the texts of *counts* apart, with its size; *label* (n,): −1 is in
    none; *word* names a column."""
    sizes = np.bincount(label[label >= 0], minlength=k)
    columns = np.unique(counts.terms)
    stopped = np.zeros(counts.width, np.bool_)
    stopped[columns] = [word(int(column)) in _stop_words() for column in columns]
    return tuple(
        ClusterTheme(tuple(word(column) for column in columns), int(size))
        for columns, size in zip(theme_words(counts, label, k, stopped), sizes, strict=True)
    )


def theme_words(counts: TermRows, label: Ints, k: int, stopped: Bools) -> list[list[int]]:
    """The columns of *counts* that set each cluster apart, by class-based tf-idf (Grootendorst 2022, BERTopic).

    W(t, c) = tf(t, c) · ln(1 + A / f(t)): tf is a term's share of the words of cluster c, f(t) its frequency in all
    clusters, A the mean number of words in a cluster. *label* (n,): −1 is in none; *stopped* (columns,): words that
    are no theme, beside those that are said everywhere.
    """
    owner = np.repeat(label, counts.lengths)
    inside = owner >= 0
    total = np.zeros((k, counts.width))
    np.add.at(total, (owner[inside], counts.terms[inside]), counts.values[inside])
    if k > 1:
        # A text has a row a term: one count for each is how many texts of the cluster say it.
        texts = np.zeros((k, counts.width))
        np.add.at(texts, (owner[inside], counts.terms[inside]), 1)
        sizes = np.bincount(label[label >= 0], minlength=k)[:, None]
        stopped = stopped | (texts > _EVERYWHERE * sizes).all(axis=0)
    total[:, stopped] = 0
    in_cluster = total.sum(axis=1, keepdims=True)
    everywhere = total.sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        weight: Floats = total / in_cluster * np.log1p(in_cluster.mean() / everywhere)
    # Words that a cluster does not say come behind all others, those that were 0 / 0 among them.
    weight = np.where(total > 0, weight, -1.0)
    order = np.argsort(-weight, axis=1, kind="stable")[:, :THEME_WORDS]
    return [[int(column) for column in row if total[cluster, column] > 0] for cluster, row in enumerate(order)]


@cache
def _stop_words() -> frozenset[str]:
    from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

    known: frozenset[str] = ENGLISH_STOP_WORDS
    return (known | _HALVES | {MASK.casefold()}) - _NOUNS
