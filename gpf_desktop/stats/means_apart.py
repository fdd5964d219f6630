"""How far the means of groups lie apart, with nothing added by members that vary more in one group than in another.

A mean distance between groups less the mean distance within them answers to unlike variability too. These two do not:
their expectation is 0 wherever the groups' means point one way, or are one number, however much the members of each
vary, because every product is of members that are independent of each other (U-statistics, Hoeffding 1948).
"""

import numpy as np

from gpf_desktop.arrays import Floats, Ints


def direction_apart(distances: Floats, groups: Ints) -> float | None:
    """Half the mean squared sine between the groups' mean vectors, times their mean squared length.

    *distances* 1 − cos (k, k) between members, *groups* (k,) the number of each member's group; groups of one member
    are left out. With w_i the mean likeness of two members of group i, and b_ij² the mean product of two likenesses
    between groups i and j that share no member, it is the mean over pairs of w_i w_j − b_ij², over twice the mean of
    w_i. None under two groups, and where members of one group are not alike at all.
    """
    several = np.bincount(groups)[groups] > 1
    groups, alike = _numbered(groups[several]), 1.0 - distances[np.ix_(several, several)]
    sizes = np.bincount(groups)
    count, members = len(sizes), len(groups)
    if count < 2:
        return None
    by_member = _summed(alike, np.arange(members), groups, (members, count))
    sums = _summed(by_member, groups, np.arange(count), (count, count))
    # Row i, column j: products of two likenesses that share the member of group i.
    shared = _summed(by_member**2, groups, np.arange(count), (count, count))
    squares = _summed(alike**2, groups, groups, (count, count))
    pairs = sizes * (sizes - 1)
    # Every member is 1 like itself, which says nothing of two.
    within = (sums.diagonal() - sizes) / pairs
    if within.mean() <= 0:
        return None
    # All products less those that share a member on either side; that takes twice off what shares both.
    between = (sums**2 - shared - shared.T + squares) / np.outer(pairs, pairs)
    areas = np.outer(within, within) - between
    # On its diagonal `between` compares a group with itself and means nothing.
    return float(areas[~np.eye(count, dtype=bool)].mean() / (2 * within.mean()))


def squared_shift(values: Floats, groups: Ints) -> float | None:
    """The mean over pairs of groups of the squared difference of their means; groups of one member are left out.

    *values* (k,), *groups* (k,): twice the variance of the groups' means, less what their members' own variance
    brings of it. None under two groups.
    """
    several = np.bincount(groups)[groups] > 1
    groups, values = _numbered(groups[several]), values[several]
    sizes = np.bincount(groups)
    if len(sizes) < 2:
        return None
    means = np.bincount(groups, weights=values) / sizes
    own = np.bincount(groups, weights=(values - means[groups]) ** 2) / (sizes * (sizes - 1))
    # The mean squared difference of all pairs is twice the variance with ddof 1. It may fall below 0: cut off there,
    # it would expect more than 0 where nothing differs.
    return float(2 * (means.var(ddof=1) - own.mean()))


def _numbered(groups: Ints) -> Ints:
    return np.unique(groups, return_inverse=True)[1]


def _summed(values: Floats, rows: Ints, columns: Ints, shape: tuple[int, int]) -> Floats:
    """*values* added up by the number of their row and column; one by one, so that every machine finds the same."""
    place = rows[:, None] * shape[1] + columns
    found = np.bincount(place.ravel(), weights=values.ravel(), minlength=shape[0] * shape[1])
    return np.asarray(found, np.float64).reshape(shape)
