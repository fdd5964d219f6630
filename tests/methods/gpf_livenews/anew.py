"""What docs/method.md, docs/cues.md and docs/second-turns.md say of their tables, written out once more in plain code.

Nothing of the program is used here: means over clusters by matrices, the prior of variances by bisection, tf-idf word
by word. `test_anew.py` holds the program to it.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations
from math import log, sqrt
from statistics import mean

import numpy as np
from scipy import stats
from scipy.special import digamma, polygamma

LEAST_BATCHES = 7


def mean_over_clusters(values: Sequence[float], batches: Sequence[int]) -> tuple[float, float, float]:
    """(mean, standard error, degrees of freedom) of articles' *values*; from seven batches on a batch is a cluster.

    CR2 with clusters' means of one variance as the working model (Bell and McCaffrey 2002).
    """
    of = list(batches) if len(set(batches)) >= LEAST_BATCHES else list(range(len(values)))
    names = sorted(set(of))
    sums = np.array([sum(v for v, b in zip(values, of, strict=True) if b == name) for name in names])
    counts = np.array([float(of.count(name)) for name in names])
    shares = counts / counts.sum()
    left = np.eye(len(names)) - np.outer(shares, np.ones(len(names)))
    working = left @ np.diag(counts**2) @ left.T
    adjusting = np.diag(counts / np.sqrt(np.diag(working)))
    residuals = adjusting @ left @ sums / counts.sum()
    spread = adjusting @ working @ adjusting.T
    freedom = np.trace(spread) ** 2 / np.trace(spread @ spread)
    return float(sums.sum() / counts.sum()), float(np.sqrt(residuals @ residuals)), float(freedom)


def hall(values: Sequence[float]) -> float:
    """|t| of a mean of 0 once skewness is taken off (Hall 1992)."""
    n, spread = len(values), np.std(values, ddof=1)
    far, skewed = np.mean(values) / spread, float(stats.skew(values))
    return float(abs(sqrt(n) * (far + skewed * far**2 / 3 + skewed**2 * far**3 / 27 + skewed / (6 * n))))


def prior(variances: Sequence[float], freedoms: Sequence[float]) -> tuple[float, float]:
    """(variance, degrees of freedom) of the page (Smyth 2004): no more freedom than all models but one have."""
    of_mean = mean(variances)
    logs = [log(v / of_mean) - digamma(f / 2) + log(f / 2) for v, f in zip(variances, freedoms, strict=True)]
    unlike = np.var(logs, ddof=1) - mean(float(polygamma(1, f / 2)) for f in freedoms)
    most = sum(freedoms) * (1 - 1 / len(freedoms))
    weighed = sum(v * f for v, f in zip(variances, freedoms, strict=True)) / sum(freedoms)
    if unlike <= 0:
        return weighed, most
    low, high = 1e-9, 1e9
    for _ in range(200):
        middle = sqrt(low * high)
        low, high = (middle, high) if polygamma(1, middle) > unlike else (low, middle)
    return weighed, min(2 * low, most)


def what_reader_adds(moves: Sequence[Sequence[float]]) -> float:
    """Mean |difference| of moves between readers less that between generations of one reader."""
    across = [mean(abs(a - b) for a in one for b in other) for one, other in combinations(moves, 2)]
    again = [mean(abs(a - b) for a, b in combinations(each, 2)) for each in moves if len(each) > 1]
    return mean(across) - mean(again)


Articles = dict[tuple[int, int], float]
"""By (batch, article)."""


def second_turns(
    readers: dict[str, Articles], labels: dict[str, Articles], tests: int
) -> dict[str, tuple[float, float, float, bool]]:
    """By model of one turn: the mean that readers add, its range, whether it differs; *tests* of the whole table."""
    level = 0.025 / tests
    found, apart = {}, {}
    for model, by in readers.items():
        pairs = sorted(labels[model].keys() & by.keys())
        values = [by[key] - labels[model][key] for key in pairs]
        apart[model] = (*mean_over_clusters(values, [batch for batch, _ in pairs]), len(values))
    several = len(apart) > 1
    shared, weight = (
        prior([e**2 * n for _, e, _, n in apart.values()], [f for _, _, f, _ in apart.values()])
        if several
        else (0.0, 0.0)
    )
    for model, by in readers.items():
        value, error, freedom = mean_over_clusters(list(by.values()), [batch for batch, _ in by])
        half = stats.t.isf(level, freedom) * error
        beyond, own, own_freedom, n = apart[model]
        drawn = (weight * shared + own_freedom * own**2 * n) / (weight + own_freedom)
        # The page is counted as if it had two models more.
        strict = stats.t.isf(level / (1 + 2 / len(apart)), min(weight + own_freedom, 1.5 * own_freedom))
        moved = value - half > 0 and beyond - strict * sqrt(drawn / n) > 0
        found[model] = (value, value - half, value + half, bool(moved))
    return found


def distances(pairs: Sequence[tuple[str, str]], names: Iterable[str]) -> list[float]:
    """1 − cos of the second text of each pair and the first, by tf-idf of all of them, *names* taken out."""
    out = re.compile("|".join(rf"\b{re.escape(name)}s?\b" for name in names), re.IGNORECASE)
    counted = [Counter(re.findall(r"\b\w\w+\b", out.sub(" ", text).lower())) for pair in pairs for text in pair]
    having = Counter(word for each in counted for word in each)
    idf = {word: log((1 + len(counted)) / (1 + n)) + 1 for word, n in having.items()}
    weighed = [{word: n * idf[word] for word, n in each.items()} for each in counted]
    norms = [sqrt(sum(v * v for v in each.values())) for each in weighed]
    near = [
        sum(v * weighed[at + 1].get(word, 0.0) for word, v in weighed[at].items()) / (norms[at] * norms[at + 1])
        for at in range(0, len(weighed), 2)
    ]
    return [1 - each for each in near]
