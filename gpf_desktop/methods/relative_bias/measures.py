"""How far each model's answers are from the others', question by question.

Arrays are (questions, models), NaN where a model has no value on a question.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpf_desktop.arrays import Bools, Floats, Ints
from gpf_desktop.numerics.distances import bundle_distances
from gpf_desktop.numerics.tfidf import TermRows, TermTable, weights
from gpf_desktop.numerics.tokens import Numbering, split

AnyFloats = NDArray[np.floating[Any]]

_TEXTS_AT_ONCE = 2048


def tfidf_vectors(texts: Sequence[str]) -> TermRows:
    """Unit vectors of *texts*, fitted on all of them; empty rows for texts without a word."""
    tokens = Numbering()
    table = TermTable(tokens)
    parts = [
        table.counts(split(texts[begin : begin + _TEXTS_AT_ONCE], tokens))
        for begin in range(0, max(len(texts), 1), _TEXTS_AT_ONCE)
    ]
    return weights(table.joined(parts), np.zeros(len(texts), np.int64))


def distances_of_terms(vectors: TermRows, question: Ints, model: Ints, shape: tuple[int, int]) -> Floats:
    """1 − e(j)·e(k) between models on every question: (questions, models, models), from one sparse product.

    *question* and *model* (n,) tell whose each of *vectors* is; answers of one question stand together, and every text
    has a vector. With several generations a pair's distance is the mean over their pairs, and the diagonal the mean
    distance between a model's own: NaN where it has one, as everything is where there is no answer.
    """
    sizes = np.bincount(question, minlength=shape[0])
    squares = bundle_distances(vectors, sizes)
    areas = sizes * sizes
    # One square a question, row by row: a place within it gives the two answers that it is about.
    place = np.arange(len(squares.values)) - np.repeat(squares.offsets, areas)
    of_question = np.repeat(np.arange(shape[0]), areas)
    size, first = sizes[of_question], (np.cumsum(sizes) - sizes)[of_question]
    left, right = first + place // np.maximum(size, 1), first + place % np.maximum(size, 1)
    return _by_model(squares.values, of_question, left, right, model, shape)


def distances_of_vectors(vectors: AnyFloats, question: Ints, model: Ints, shape: tuple[int, int]) -> Floats:
    """The distances of `distances_of_terms` for dense *vectors* (n, d), none of them 0 and of any length: one matrix
    product a question."""
    # Rests on questions that ascend, as those of `StudyAnswers` do.
    bounds = np.searchsorted(question, np.arange(shape[0] + 1))
    blocks = [_units(vectors[begin:end]) for begin, end in pairwise(bounds)]
    values = np.concatenate([(1 - block @ block.T).ravel() for block in blocks] or [np.zeros(0)])
    pairs = [
        np.indices((len(block), len(block))).reshape(2, -1) + begin
        for block, begin in zip(blocks, bounds, strict=False)
    ]
    left, right = np.concatenate(pairs, axis=1) if pairs else np.zeros((2, 0), np.int64)
    # Rounding leaves 1 − cos of equal vectors a hair below 0.
    return _by_model(np.clip(values, 0.0, 2.0), question[left], left, right, model, shape)


def _units(vectors: AnyFloats) -> Floats:
    # Widened first: the square of a large float32 number is more than float32 holds.
    wide = vectors.astype(np.float64)
    units: Floats = wide / np.linalg.norm(wide, axis=1, keepdims=True)
    return units


def _by_model(
    values: Floats, of_question: Ints, left: Ints, right: Ints, model: Ints, shape: tuple[int, int]
) -> Floats:
    questions, models = shape
    # No answer is held against itself: the diagonal is of different generations, or of nothing.
    apart = left != right
    key = ((of_question * models + model[left]) * models + model[right])[apart]
    length = questions * models * models
    counts = np.bincount(key, minlength=length)
    sums = np.bincount(key, weights=values[apart], minlength=length)
    with np.errstate(invalid="ignore"):
        means: Floats = sums / np.where(counts, counts, np.nan)
    return means.reshape(questions, models, models)


def deltas(distances: Floats, among: Bools) -> Floats:
    """δ(q_i, M_j): each model's mean distance to the others of *among* (models,) that answered; NaN for no other."""
    others = among & ~np.eye(len(among), dtype=bool)
    there = ~np.isnan(distances) & others
    counts = there.sum(axis=2)
    sums = np.where(there, distances, 0.0).sum(axis=2)
    # Over NaN in place of 0, which gives NaN as well but without numpy's warning.
    found: Floats = sums / np.where(counts, counts, np.nan)
    return np.where(among, found, np.nan)


def level_means(levels: Ints, question: Ints, model: Ints, shape: tuple[int, int]) -> Floats:
    """A judge's mean level over generations, of *levels* (n,) in which 0 is none."""
    key = (question * shape[1] + model)[levels > 0]
    length = shape[0] * shape[1]
    counts = np.bincount(key, minlength=length)
    sums = np.bincount(key, weights=levels[levels > 0], minlength=length)
    means: Floats = sums / np.where(counts, counts, np.nan)
    return means.reshape(shape)


def signed_deviations(values: Floats) -> Floats:
    """s_i(j) − μ_i(−j): each model's value minus the mean of the others' on the question."""
    there = ~np.isnan(values)
    others = there.sum(axis=1, keepdims=True) - 1
    total = np.nansum(values, axis=1, keepdims=True)
    found: Floats = values - (total - values) / np.where(others > 0, others, np.nan)
    return found


def means(values: Floats) -> Floats:
    """The mean over questions of each model; NaN for a model without any value."""
    counts = (~np.isnan(values)).sum(axis=0)
    found: Floats = np.nansum(values, axis=0) / np.where(counts, counts, np.nan)
    return found
