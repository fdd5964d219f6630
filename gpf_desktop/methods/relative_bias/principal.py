"""The first two principal components of answers, so that they can be drawn."""

import numpy as np
from scipy.sparse import csr_array

from gpf_desktop.arrays import Float32, Floats
from gpf_desktop.numerics.tfidf import TermRows

_DENSE_UP_TO = 50
"""Answers for which the whole decomposition costs nothing."""


def principal_components(vectors: TermRows | Float32) -> tuple[Floats, Floats]:
    """The places (n, 2) of *vectors* (n) on their first two principal components, and these components' shares of the
    variance (2,).

    By Lanczos iteration from a fixed start on the centred rows, which are never held, so that the same answers lie in
    the same places; the entry farthest from 0 of each component is positive. Absolute places mean nothing.
    """
    n = len(vectors)
    if isinstance(vectors, TermRows):
        rows: csr_array | Floats = csr_array((vectors.values, vectors.terms, vectors.starts), shape=(n, vectors.width))
        squares = float((vectors.values**2).sum())
    else:
        rows = vectors / np.linalg.norm(vectors.astype(np.float64), axis=1, keepdims=True)
        squares = float(n)
    centre = np.asarray(rows.mean(axis=0)).ravel()
    # The trace of the covariance times n, by sums alone: centred rows would be dense.
    total = squares - n * float(centre @ centre)
    places, shares = np.zeros((n, 2)), np.zeros(2)
    # All answers alike: what is left of their variance is rounding.
    if total < 1e-12:
        return places, shares
    left, sizes = _largest(rows, centre)
    kept = len(sizes)
    places[:, :kept], shares[:kept] = left * sizes, sizes**2 / total
    farthest = np.abs(places).argmax(axis=0)
    places *= np.where(places[farthest, [0, 1]] < 0, -1.0, 1.0)
    return places, shares


def _largest(rows: csr_array | Floats, centre: Floats) -> tuple[Floats, Floats]:
    """The left singular vectors (n, 2) of *rows* less *centre* and their sizes, the larger first."""
    n, width = rows.shape
    if min(n, width) <= _DENSE_UP_TO:
        dense = rows if isinstance(rows, np.ndarray) else rows.toarray()
        left, sizes, _ = np.linalg.svd(dense - centre, full_matrices=False)
        return left[:, :2], sizes[:2]
    from scipy.sparse.linalg import LinearOperator, svds

    # Vectors come as columns too, (n, 1).
    centred = LinearOperator(
        (n, width),
        matvec=lambda x: rows @ x.ravel() - centre @ x.ravel(),
        rmatvec=lambda y: rows.T @ y.ravel() - centre * y.sum(),
        dtype=np.float64,
    )
    start = np.random.default_rng(0).standard_normal(min(n, width))
    left, sizes, _ = svds(centred, k=2, v0=start)
    # ARPACK gives the smaller of the two first.
    return left[:, ::-1], sizes[::-1]
