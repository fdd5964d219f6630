"""Whether another statistic would name a model of GPF-LiveNews as seldom over a tail to the left, and find more.

One measure of a model alone: readers less made-up labels by article, of six and four repeated bundles. Every statistic
is held against the value that it passes on 4 of 100 windows of the null that the rule was made for, articles that part
by an exponential tail of .05. What it does on other nulls, and what it finds, can then be compared.
"""

from collections.abc import Callable, Mapping
from itertools import product
from typing import Final

import numpy as np

from gpf_desktop.arrays import Floats
from tests.benchmarks.validity_conclusions import ITEM, LABELS, READERS, REST
from tests.benchmarks.validity_sizes import SEED

Draw = np.random.Generator
_ARTICLES: Final = (5, 8, 10)
_WINDOWS: Final = 20
"""Times as many as rounds: each is a few numbers."""
_FOUND: Final = 0.05
_SCALES: Final[Mapping[str, Callable[[Draw, tuple[int, int]], Floats]]] = {
    "exponential": lambda draw, shape: 1 - draw.exponential(1, shape),
    "twice as wide": lambda draw, shape: 2 - 2 * draw.exponential(1, shape),
    "gamma .5": lambda draw, shape: (0.5 - draw.gamma(0.5, 1, shape)) / np.sqrt(0.5),
    "1 of 10 far below": lambda draw, shape: np.where(draw.random(shape) < 0.1, -3.0, 1 / 3),
    "normal": lambda draw, shape: draw.normal(0, 1, shape),
}
"""By how readers and labels part, in .05; the first is the one that each statistic is held to."""


def tails(rounds: int) -> None:
    windows = _WINDOWS * rounds
    print(f"\nReaders less labels over few articles: named, % of {windows} windows, where the first null is at 4.0;")
    print(f"and a framing of {_FOUND} found")
    print(f"{'':32}" + "".join(f"{each:>20}" for each in (*_SCALES, "found")))
    draw = np.random.default_rng(SEED)
    for articles in _ARTICLES:
        shape = (windows, articles)
        nulls = [_statistics(draw, 0.05 * parted(draw, shape)) for parted in _SCALES.values()]
        planted = _statistics(draw, _FOUND + draw.normal(0, ITEM, shape))
        for name in planted:
            critical = np.quantile(nulls[0][name], 0.96)
            said = [100 * float(np.mean(each[name] > critical)) for each in (*nulls, planted)]
            print(f"{f'{articles} articles, {name}':32}" + "".join(f"{each:20.1f}" for each in said), flush=True)


def _statistics(draw: Draw, parted: Floats) -> dict[str, Floats]:
    """(windows,) of each, of (windows, articles) by which readers and labels part."""
    readers, labels = (draw.normal(0, REST, (*parted.shape, bundles)) for bundles in (READERS, LABELS))
    apart = parted + readers.mean(axis=-1) - labels.mean(axis=-1)
    # What bundles of one article vary by is known from them, whatever its articles do.
    chance = (readers.var(axis=-1, ddof=1) / READERS + labels.var(axis=-1, ddof=1) / LABELS).mean(axis=-1)
    n, mean, spread = apart.shape[-1], apart.mean(axis=-1), apart.std(axis=-1, ddof=1)
    t = mean / spread * np.sqrt(n)
    skewness = ((apart - mean[:, None]) ** 3).sum(axis=-1) * n / ((n - 1) * (n - 2) * spread**3)
    ratio = mean / spread
    return {
        "Student's t": t,
        "Johnson's t": t + skewness * (1 + 2 * t**2) / (6 * np.sqrt(n)),
        "Hall's t": np.sqrt(n) * (ratio + skewness * ratio**2 / 3 + skewness**2 * ratio**3 / 27 + skewness / (6 * n)),
        "one more article": _with_one_more(apart),
        "flips of signs": _of_flips(apart),
        "bootstrap-t": _bootstrapped(draw, apart[: len(apart) // _WINDOWS]),
        "t, chance as its least": mean / np.sqrt(np.maximum(spread**2, chance) / n),
    }


def _with_one_more(apart: Floats) -> Floats:
    """As far below the mean as the farthest lies off."""
    mean = apart.mean(axis=-1, keepdims=True)
    beside = np.concatenate([apart, mean - np.abs(apart - mean).max(axis=-1, keepdims=True)], axis=-1)
    found: Floats = beside.mean(axis=-1) / beside.std(axis=-1, ddof=1) * np.sqrt(beside.shape[-1])
    return found


def _of_flips(apart: Floats) -> Floats:
    """Share of all changes of signs that give less, so that more is rarer."""
    signs = np.array(list(product((-1.0, 1.0), repeat=apart.shape[-1])))
    some = apart[: len(apart) // _WINDOWS]
    found: Floats = np.mean(some @ signs.T < some.sum(axis=-1, keepdims=True) - 1e-12, axis=-1)
    return found


def _bootstrapped(draw: Draw, apart: Floats, replicates: int = 499) -> Floats:
    """Share of articles drawn again whose t about their own mean is less."""
    windows, n = apart.shape
    own = apart.mean(axis=-1) / apart.std(axis=-1, ddof=1)
    found = np.empty(windows)
    for at in range(windows):
        drawn = apart[at][draw.integers(0, n, (replicates, n))]
        # A draw of one article alone speaks for chance.
        reached = drawn.mean(axis=1) - apart[at].mean() >= own[at] * drawn.std(axis=1, ddof=1)
        found[at] = 1 - reached.mean()
    return found
