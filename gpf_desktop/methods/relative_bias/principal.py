"""The first two principal components of answers, so that they can be drawn."""

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from gpf_desktop.numerics.tfidf import TermRows

Floats = NDArray[np.float64]

_ITERATIONS = 40
_SPARE = 8


def principal_components(vectors: TermRows) -> tuple[Floats, Floats]:
    """Where each of *vectors* (n) lies on the first two, (n, 2), and their shares of the variance, (2,).

    By subspace iteration from a fixed start, so that the same answers lie in the same places; the entry farthest from 0
    of each component is positive. Absolute places mean nothing.
    """
    n = len(vectors)
    rows = csr_array((vectors.values, vectors.terms, vectors.starts), shape=(n, vectors.width))
    centre = np.asarray(rows.mean(axis=0)).ravel()
    total = float((vectors.values**2).sum() - n * (centre @ centre))
    basis = np.random.default_rng(0).standard_normal((n, min(n, 2 + _SPARE)))
    basis -= basis.mean(axis=0)
    for _ in range(_ITERATIONS):
        # Centred rows times their own transpose, without ever holding the dense centred rows.
        projected = rows.T @ basis - np.outer(centre, basis.sum(axis=0))
        basis, _triangle = np.linalg.qr(rows @ projected - (centre @ projected)[None, :])
    reduced = rows.T @ basis - np.outer(centre, basis.sum(axis=0))
    left, sizes, _right = np.linalg.svd(reduced.T, full_matrices=False)
    places = np.zeros((n, 2))
    shares = np.zeros(2)
    kept = min(2, len(sizes))
    places[:, :kept] = (basis @ left[:, :kept]) * sizes[:kept]
    if total > 0:
        shares[:kept] = sizes[:kept] ** 2 / total
    farthest = np.abs(places).argmax(axis=0)
    places *= np.where(places[farthest, [0, 1]] < 0, -1.0, 1.0)
    return places, shares
