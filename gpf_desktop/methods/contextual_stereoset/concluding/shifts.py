"""Every named contrast of a model held against no shift at all, over all contrasts of the page together.

An interval for the mean over items at 1 − α/m, m the tests of the page (Bonferroni), by Student's t. A contrast is told
where it leaves 0 out, so that ranges that stand beside each other hold at once and agree with what is said of them.
Where items asked one after another go together (`stats.neighbours`), it is that of as many items as they count.
Corrections for skewness were tried and named a model on 5 to 31 of 100 pages on which nothing moves: so far out in the
tails, the skewness of some dozen items that waver is a guess (`bench_validity contexts`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields

import numpy as np

from gpf_desktop.arrays import Bools, Floats, Ints
from gpf_desktop.methods.contextual_stereoset.choices import Choices
from gpf_desktop.methods.contextual_stereoset.contrasts import differences
from gpf_desktop.methods.contextual_stereoset.grid import Contrast
from gpf_desktop.stats.clusters import t_quantile
from gpf_desktop.stats.neighbours import inflation


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemMean:
    """A mean over items of a difference, with the range that holds for all of the page."""

    value: float
    low: float
    high: float
    p: float
    """Two-sided, times all tests of the page; 1 at most."""
    by_item: Floats
    """(items,); NaN where an item has no valid pair."""
    units: int | None = None
    """As how many items these count where some are nearly alike; None: each counts for itself."""
    widened: float = 1.0
    """Times the variance of independent items, where those asked one after another go together; 1: they do not."""
    times: float = 1.0
    """How many times as wide the range is as a 95 % range of this number alone."""

    @property
    def items(self) -> int:
        """The number of items that have a value; items that are nearly alike count as one."""
        return int((~np.isnan(self.by_item)).sum()) if self.units is None else self.units

    @property
    def told(self) -> bool:
        return self.low > 0 or self.high < 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Shift(ItemMean):
    """How much more often something happens at the first level of a contrast than at the second."""

    contrast: Contrast


def shifts(
    choices: Choices,
    contrasts: Sequence[Contrast],
    chosen: Bools,
    valid: Bools,
    *,
    alpha: float,
    alike: Mapping[str, int] | None = None,
) -> list[Shift]:
    """The shift of each contrast in how often *chosen* (items, contexts) is true, over pairs of cells that are *valid*;
    *alpha* is one test's share of the page's level. Contrasts that fewer than three items have are left out; items with
    one number in *alike* count as one."""
    means = differences(choices, contrasts, chosen, valid).means
    units = np.array([alike.get(item, -1 - at) for at, item in enumerate(choices.items)]) if alike else None
    return [
        _shift(contrast, item_mean(means[:, at], alpha, units))
        for at, contrast in enumerate(contrasts)
        if len(_there(means[:, at], units)) > 2
    ]


def _shift(contrast: Contrast, of: ItemMean) -> Shift:
    return Shift(contrast=contrast, **{each.name: getattr(of, each.name) for each in fields(of)})


def _there(by_item: Floats, units: Ints | None) -> Floats:
    """The values of *by_item* that are not NaN, in their order; items with one number in *units* give one value, their
    mean."""
    known = ~np.isnan(by_item)
    if units is None:
        return by_item[known]
    _, first, unit = np.unique(units[known], return_index=True, return_inverse=True)
    found: Floats = (np.bincount(unit, by_item[known]) / np.bincount(unit))[np.argsort(first)]
    return found


def item_mean(by_item: Floats, alpha: float, units: Ints | None = None) -> ItemMean:
    """The mean of *by_item* over at least three items (NaN: no value), with its range at *alpha*, one test's share of
    the page's level; items with one number in *units* count as one."""
    from scipy.special import stdtr

    there = _there(by_item, units)
    n, value = len(there), float(there.mean())
    widened = inflation(there[:, None])
    error = float(there.std(ddof=1)) * np.sqrt(widened / n)
    freedom = max(n / widened - 1, 1.0)
    half = t_quantile(1 - alpha / 2, freedom) * error
    certain = 0.0 if value else 1.0
    p = float(2 * stdtr(freedom, -abs(value / error))) if error else certain
    return ItemMean(
        value=value,
        low=value - half,
        high=value + half,
        p=min(1.0, p / alpha * 0.05),
        by_item=by_item,
        units=n,
        widened=widened,
        times=float(t_quantile(1 - alpha / 2, freedom) / t_quantile(0.975, freedom)),
    )


def same_way(found: ItemMean, others: Sequence[ItemMean]) -> bool:
    """Whether each of *others*, the same difference with missing choices taken one way and the other, is told too."""
    return all(each.told and np.sign(each.value) == np.sign(found.value) for each in others)
