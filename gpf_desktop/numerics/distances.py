"""Cosines and distances between the answers of each bundle, and of nothing else, in one sparse product."""

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from gpf_desktop.arrays import Floats, Ints
from gpf_desktop.numerics.tfidf import TermRows


@dataclass(frozen=True, slots=True)
class BundleDistances:
    """One square of distances (or of likenesses) per bundle, all in one array."""

    values: Floats
    offsets: Ints
    """Where each bundle's square begins in *values*."""
    sizes: Ints
    """Rows (and columns) of each square."""

    def square(self, bundle: int) -> Floats:
        """Distances between the rows of one bundle, shape (size, size), 0 on the diagonal."""
        size = int(self.sizes[bundle])
        begin = int(self.offsets[bundle])
        return self.values[begin : begin + size * size].reshape(size, size)

    def squares(self, bundles: Ints, rows: Ints) -> Floats:
        """Distances between chosen rows of bundles of one size.

        *bundles* (b,), *rows* (b, n) positions within each bundle; the result has shape (b, n, n).
        """
        begin = self.offsets[bundles][:, None, None]
        step = self.sizes[bundles][:, None, None]
        chosen: Floats = self.values[begin + rows[:, :, None] * step + rows[:, None, :]]
        return chosen


def bundle_distances(weights: TermRows, sizes: Ints) -> BundleDistances:
    """Distances 1 - cos (0 to 2; by tf-idf 0 to 1) within bundles; the texts stand bundle by bundle, ``sizes[b]`` each.

    Every text has a vector. Each square is divided by its own diagonal's roots: equal answers are then exactly 0 apart.
    """
    like = bundle_likenesses(weights, sizes)
    texts, first = np.arange(int(sizes.sum())), np.cumsum(sizes) - sizes
    bundle = np.repeat(np.arange(len(sizes)), sizes)
    # The very sums that the other entries are made of, so that √(x·x) = x cancels exactly; norms would round otherwise.
    own = like.values[like.offsets[bundle] + (texts - first[bundle]) * (sizes[bundle] + 1)]
    left, right = _pairs(sizes, first)
    distances: Floats = np.clip(1.0 - like.values / np.sqrt(own[left] * own[right]), 0.0, 2.0)
    return BundleDistances(distances, like.offsets, sizes)


def bundle_likenesses(weights: TermRows, sizes: Ints) -> BundleDistances:
    """Products of vectors within bundles, in which the texts stand as for `bundle_distances`.

    Rows of unlike bundles share no column, so the product of the rows with themselves is block-diagonal.
    """
    texts = int(sizes.sum())
    bundle = np.repeat(np.arange(len(sizes)), sizes)
    # 64 bits: bundles times vocabulary outgrow 32.
    columns = np.repeat(bundle.astype(np.int64) * weights.width, weights.lengths)
    columns += weights.terms
    distinct = len(sizes) * weights.width
    # scipy's product keeps a pointer for every column of `rows`, used or not: wide vocabularies are numbered anew.
    if distinct > 8 * len(columns) + 1_000_000:
        used, places = np.unique(columns, return_inverse=True)
        columns, distinct = places, len(used)
    rows = csr_array((weights.values, columns, weights.starts), shape=(texts, distinct))
    product = (rows @ rows.T).tocoo()
    offsets = np.cumsum(sizes * sizes) - sizes * sizes
    first = np.cumsum(sizes) - sizes
    of_row = bundle[product.coords[0]]
    local_row, local_column = (product.coords[axis] - first[of_row] for axis in (0, 1))
    # The product leaves out pairs without a common term: their likeness stays 0.
    likeness = np.zeros(int((sizes * sizes).sum()))
    likeness[offsets[of_row] + local_row * sizes[of_row] + local_column] = product.data
    return BundleDistances(likeness, offsets, sizes)


def _pairs(sizes: Ints, first: Ints) -> tuple[Ints, Ints]:
    """The two rows of every entry of every square, in the order of `BundleDistances.values`."""
    areas = sizes * sizes
    place = np.arange(int(areas.sum())) - np.repeat(np.cumsum(areas) - areas, areas)
    size, begin = np.repeat(sizes, areas), np.repeat(first, areas)
    return begin + place // size, begin + place % size
