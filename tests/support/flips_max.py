"""Max-t by flips of signs, which `stats.bootstrap_max` is held against: of skewed deviations it finds too much.

The largest |t| over all columns in each flip is what the largest of chance would be (Westfall and Young 1993, maxT;
Winkler and others 2014), however the columns hang together: exact for symmetrical deviations.
"""

import numpy as np

from gpf_desktop.arrays import Floats, Ints
from gpf_desktop.stats.bootstrap_max import REPLICATES, MaxT
from gpf_desktop.stats.sign_flips import EVERY_FLIP_UP_TO, every_flip

_TIE = 1e-9


def max_t(values: Floats, *, seed: int, replicates: int = REPLICATES) -> MaxT:
    """Tests the means of *values* (clusters, columns) against 0; NaN: the cluster lacks the column.

    Every flip is tried up to 11 clusters, *replicates* of them are drawn from *seed* above.
    """
    clusters = len(values)
    if clusters <= EVERY_FLIP_UP_TO:
        signs, drawn = every_flip(clusters), False
    else:
        signs = np.random.default_rng((seed, clusters)).choice(np.array([-1.0, 1.0]), (replicates, clusters))
        drawn = True
    there = ~np.isnan(values)
    filled: Floats = np.where(there, values, 0.0)
    n = there.sum(axis=0)
    squares = (filled**2).sum(axis=0)
    sums: Floats = filled.sum(axis=0)
    t = _ratios(sums[None], n, squares)[0]
    observed = np.abs(t)
    flipped = np.abs(_ratios(signs @ filled, n, squares))
    reached = flipped >= observed - _TIE
    # −1 is never the largest: |t| is 0 or more.
    largest = np.nanmax(np.where(np.isnan(flipped), -1.0, flipped), axis=1)
    reached_by_any = largest[:, None] >= observed - _TIE
    # All flips hold the one that changes nothing; drawn ones do not, which counts as one more (Phipson and Smyth 2010).
    extra, of = (1, len(signs) + 1) if drawn else (0, len(signs))
    none = np.isnan(observed)
    return MaxT(
        t=t,
        p=np.where(none, np.nan, (reached.sum(axis=0) + extra) / of),
        adjusted=np.where(none, np.nan, (reached_by_any.sum(axis=0) + extra) / of),
        smallest_p=1 / of,
        draws=len(signs),
    )


def _ratios(sums: Floats, n: Ints, squares: Floats) -> Floats:
    """Student's t of columns with these sums (rows, columns) and sums of squares: flips change the sums alone."""
    with np.errstate(divide="ignore", invalid="ignore"):
        variance = np.maximum(squares - sums**2 / n, 0.0) / (n - 1)
        ratio: Floats = sums / np.sqrt(n * variance)
    # Rounding leaves some spread where there is none: such a column is beyond any flip that leaves one.
    ratio = np.where((variance <= _TIE * squares) & (squares > 0), np.copysign(np.inf, sums), ratio)
    return np.where((n < 2) | (squares == 0), np.nan, ratio)
