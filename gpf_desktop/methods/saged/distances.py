"""How far answers lie from their baselines, and from the middles of clusters of answers, by an encoder's vectors."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from scipy.sparse import csr_array

from gpf_desktop.arrays import Bools, Floats, Ints
from gpf_desktop.domain.ports.scorer import HowFar
from gpf_desktop.methods.saged.metrics import Metric
from gpf_desktop.methods.saged.theme_words import ClusterTheme, themes
from gpf_desktop.numerics.language_models import LanguageModel
from gpf_desktop.numerics.sentence_vectors import unit_vectors
from gpf_desktop.numerics.tfidf import TermRows, weights

if TYPE_CHECKING:
    from sklearn.cluster import KMeans

Rows = tuple[csr_array, Bools]
"""Vectors, a row a text, and whether a text has one."""

CLUSTERS: Final = 3
STARTS: Final = 10


def baseline_distances(answers: TermRows, baselines: TermRows, metric: Metric = Metric.COSINE) -> Floats:
    """The distance from each answer to its own baseline; both are rows of one encoder over the same columns, NaN
    without a term."""
    distances = row_distances(sparse(answers), sparse(baselines), metric)
    empty = (answers.lengths == 0) | (baselines.lengths == 0)
    result: Floats = np.where(empty, np.nan, distances)
    return result


def row_distances(left: csr_array, right: csr_array, metric: Metric) -> Floats:
    """The distance from each row of *left* to the same row of *right*, shape (n,)."""
    if metric is Metric.COSINE:
        norms = np.sqrt((left * left).sum(axis=1) * (right * right).sum(axis=1))
        with np.errstate(divide="ignore", invalid="ignore"):
            cosine: Floats = np.clip(1.0 - (left * right).sum(axis=1) / norms, 0.0, 2.0)
        return cosine
    apart = left - right
    far: Floats = abs(apart).sum(axis=1) if metric is Metric.L1 else np.sqrt((apart * apart).sum(axis=1))
    return far


@dataclass(frozen=True, slots=True)
class Clustering:
    """k-means over answers."""

    distances: Floats
    """(n, k): of each answer to each cluster's centre, NaN without a term."""
    themes: tuple[ClusterTheme, ...]
    """(k,), the largest cluster first."""


def clusters(
    counts: TermRows,
    word: Callable[[int], str],
    *,
    seed: int,
    k: int = CLUSTERS,
    metric: Metric = Metric.L2,
    vectors: Rows | None = None,
) -> Clustering:
    """Cluster the texts of *counts* in *k*, by tf-idf or by their *vectors*; *word* names a column.

    k-means with `STARTS` beginnings from *seed*. Where fewer than k texts differ there are as many clusters as texts
    that do.
    """
    rows, spoken = vectors or (sparse(weights(counts, np.zeros(len(counts), np.int64))), counts.lengths > 0)
    there = np.flatnonzero(spoken)
    found = clustered(rows[there], seed=seed, k=k, metric=metric)
    distances = np.full((len(counts), found.k), np.nan)
    distances[there] = found.distances
    label = np.full(len(counts), -1)
    label[there] = found.label
    return Clustering(distances, themes(counts, word, label, found.k))


@dataclass(frozen=True, slots=True)
class Clustered:
    """k-means over vectors, the largest cluster first."""

    distances: Floats
    """(n, k)"""
    label: Ints
    """(n,), 0 … k − 1."""

    @property
    def k(self) -> int:
        return int(self.distances.shape[1])


def clustered(
    rows: csr_array, *, seed: int, k: int, metric: Metric, told: Callable[[int], object] = lambda _: None
) -> Clustered:
    """*rows* (n, d) in *k* clusters, or in as many as there are rows that differ.

    k-means with `STARTS` beginnings from *seed*; *told* of each that ended.
    """
    n = rows.shape[0]
    # scikit-learn warns where fewer points differ than there are clusters, and cannot fill them.
    k = min(k, _distinct(rows))
    if not k:
        return Clustered(np.empty((n, 0)), np.empty(n, np.int64))
    fitted = _best_of_starts(rows, k, seed, told)
    order = np.argsort(-np.bincount(fitted.labels_, minlength=k), kind="stable")
    rank = np.empty(k, np.int64)
    rank[order] = np.arange(k)
    return Clustered(_to_centres(rows, fitted.cluster_centers_[order], metric), rank[fitted.labels_])


def _best_of_starts(rows: csr_array, k: int, seed: int, told: Callable[[int], object]) -> "KMeans":
    """The clustering of ``KMeans(n_init=STARTS)``, made start by start, so that *told* can tell how far it is."""
    from sklearn.cluster import KMeans

    draw = np.random.RandomState(seed)
    best: KMeans | None = None
    for start in range(STARTS):
        found = KMeans(n_clusters=k, n_init=1, random_state=draw).fit(rows)
        # One clustering has other last digits from each start.
        if best is None or found.inertia_ < best.inertia_ * (1 - 1e-9):
            best = found
        told(start + 1)
    assert best is not None
    return best


def encoder_rows(model: LanguageModel, texts: Sequence[str], told: HowFar = lambda _done, _of: None) -> Rows:
    """Unit vectors of *texts* by *model*, shapes (n, d) and (n,); long texts are read whole, in windows.

    *told* how many of them are read.
    """
    distinct = list(dict.fromkeys(texts))
    vectors = unit_vectors(model, distinct, told=told)
    width = len(next(iter(vectors.values()))) if vectors else 1
    every = np.array([vectors.get(place, np.zeros(width)) for place in range(len(distinct))])
    where = {text: place for place, text in enumerate(distinct)}
    places = np.array([where[text] for text in texts])
    return csr_array(every[places]), np.isin(places, list(vectors))


def _to_centres(rows: csr_array, centres: Floats, metric: Metric) -> Floats:
    if metric is Metric.L1:
        # Row by row: the differences of all answers at once would be a dense array of answers × clusters × words.
        return np.array([np.abs(rows[[row]].toarray() - centres).sum(axis=1) for row in range(rows.shape[0])])
    product = rows @ centres.T
    own = np.asarray((rows * rows).sum(axis=1))[:, None]
    squares = (centres * centres).sum(axis=1)[None]
    if metric is Metric.COSINE:
        cosine: Floats = np.clip(1.0 - product / np.sqrt(own * squares), 0.0, 2.0)
        return cosine
    # The square multiplied out: rounding leaves it a hair below 0 where an answer is the centre.
    apart: Floats = np.sqrt(np.maximum(own + squares - 2 * product, 0.0))
    return apart


def _distinct(rows: csr_array) -> int:
    ends = zip(rows.indptr, rows.indptr[1:], strict=False)
    return len({(rows.indices[begin:end].tobytes(), rows.data[begin:end].tobytes()) for begin, end in ends})


def sparse(rows: TermRows) -> csr_array:
    """The numbers of *rows*, shape (n, columns), as scipy and scikit-learn take them."""
    # scikit-learn takes 32-bit indices only.
    starts = rows.starts.astype(np.int32)
    return csr_array((rows.values.astype(np.float64), rows.terms, starts), shape=(len(rows), rows.width))
