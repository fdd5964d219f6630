"""2-means solved to its optimum, and the mean silhouette of the best split, for many small bundles at once."""

from functools import cache
from typing import Final

import numpy as np

from gpf_desktop.arrays import Bools, Floats
from gpf_desktop.stats.sums import ordered_means, ordered_sums

Labels = Bools

EVERY_SPLIT_UP_TO: Final = 18
_WEIGHED_UP_TO: Final = 12
"""Points up to which the weights of all splits are held and many bundles share one product."""
TIE: Final = 1e-12
COINCIDE: Final = 1e-12
"""Points nearer than this are one point; identical answers differ by rounding at most."""
RESTARTS: Final = 50
SEED: Final = 42


@cache
def splits(n: int) -> Labels:
    """Every way to split n points in two non-empty parts, once each: shape (2^(n-1) - 1, n)."""
    # The last point never has a bit: a split and its mirror are one.
    numbers = np.arange(1, 2 ** (n - 1))
    labels: Labels = (numbers[:, None] >> np.arange(n)) & 1 == 1
    return labels


@cache
def _pair_weights(n: int) -> Floats:
    """For each split, what each pair's squared distance adds to the within-cluster sum of squares: (pairs, splits).

    A cluster's sum of squares about its mean is the sum of squared distances of its pairs over its size.
    """
    labels = splits(n)
    i, j = np.triu_indices(n, 1)
    ones = labels.sum(axis=1)
    together = labels[:, i] & labels[:, j]
    apart = ~labels[:, i] & ~labels[:, j]
    weights: Floats = np.ascontiguousarray((together / ones[:, None] + apart / (n - ones)[:, None]).T)
    return weights


def coincide(distances: Floats) -> Bools:
    """Whether all points of a bundle are one, for each of *distances* (b, n, n)."""
    same: Bools = distances.max(axis=(1, 2), initial=0.0) <= COINCIDE
    return same


def best_silhouettes(squared: Floats, distances: Floats) -> Floats:
    """Mean silhouette of the optimal split of each bundle; 3 ≤ n ≤ 18 points, not all coinciding.

    *squared* (b, n, n): squared Euclidean distances, which 2-means minimises. *distances* (b, n, n): what the
    silhouette is measured with. Of splits equal within 1e-12 the highest mean silhouette counts.
    """
    count, n = squared.shape[:2]
    # 16 MB of sums of squares at a time, and 115 MB of distances: where points coincide in part, many splits tie.
    step = max(1, 2_000_000 // (2 ** (n - 1) - 1))
    best = np.full(count, -np.inf)
    rows = max(1, 14_400_000 // (n * n))
    for begin in range(0, count, step):
        inertia = _inertias(squared[begin : begin + step])
        # Sums of squares round by how many bundles share the product; looking at all splits within `TIE` undoes that.
        bundle, split = np.nonzero(inertia <= inertia.min(axis=1, keepdims=True) + TIE)
        bundle += begin
        for low in range(0, len(bundle), rows):
            some = slice(low, low + rows)
            np.maximum.at(best, bundle[some], silhouettes(distances[bundle[some]], splits(n)[split[some]]))
    return best


def _inertias(squared: Floats) -> Floats:
    """Within-cluster sums of squares of every split, in the order of `splits`: (b, n, n) to (b, splits)."""
    n = squared.shape[1]
    if n <= _WEIGHED_UP_TO:
        i, j = np.triu_indices(n, 1)
        weighed: Floats = squared[:, i, j] @ _pair_weights(n)
        return weighed
    ones = splits(n).sum(axis=1)
    inside, rows = _sums_of_subsets(squared)
    # Rows count the set's inner pairs twice: what touches the set is rows − inside, and the rest lies outside.
    outside = squared.sum(axis=(1, 2))[:, None] / 2 - rows + inside
    # Set 0 is empty, which is no split; the others are numbered as in `splits`.
    spread: Floats = inside[:, 1:] / ones + outside[:, 1:] / (n - ones)
    return spread


def _sums_of_subsets(squared: Floats) -> tuple[Floats, Floats]:
    """For every set of the first n − 1 points, numbered by its bits: the sum over its pairs, and over its rows.

    A point added to a set adds its distances to the set's points, so that all 2^(n−1) sets cost one sum each.
    """
    inside = rows = np.zeros((len(squared), 1))
    for new in range(squared.shape[1] - 1):
        to_set = np.zeros((len(squared), 1))
        for old in range(new):
            to_set = np.concatenate([to_set, to_set + squared[:, old, new, None]], axis=1)
        inside = np.concatenate([inside, inside + to_set], axis=1)
        rows = np.concatenate([rows, rows + squared[:, new].sum(axis=1)[:, None]], axis=1)
    return inside, rows


def silhouettes(distances: Floats, labels: Labels) -> Floats:
    """Mean silhouette of each row: *distances* (b, n, n), *labels* (b, n), two clusters each.

    As scikit-learn's ``silhouette_score``: a point alone in its cluster has 0.
    """
    n = labels.shape[1]
    ones = labels.sum(axis=1, keepdims=True)
    to_ones = ordered_sums(np.where(labels[:, None, :], distances, 0.0))
    to_zeros = ordered_sums(np.where(labels[:, None, :], 0.0, distances))
    own_size = np.where(labels, ones, n - ones)
    own = np.where(labels, to_ones, to_zeros) / np.maximum(own_size - 1, 1)
    other = np.where(labels, to_zeros, to_ones) / (n - own_size)
    larger = np.maximum(own, other)
    each = np.where((own_size > 1) & (larger > 0), (other - own) / np.where(larger > 0, larger, 1.0), 0.0)
    return ordered_means(each)


def restarted_silhouette(points: Floats, distances: Floats) -> float:
    """The mean silhouette of one bundle of more than 18 points (n, d), split by scikit-learn's KMeans: 50 restarts,
    seed 42."""
    from sklearn.cluster import KMeans

    labels = KMeans(n_clusters=2, n_init=RESTARTS, random_state=SEED).fit_predict(points)
    return float(silhouettes(distances[None], labels[None] == 1)[0])
