"""How often a control chart cries wolf: limits from eight batches, beside the textbook's ±3σ with estimates put in.

    python -m tests.benchmarks.bench_limits
    python -m tests.benchmarks.bench_limits --series 20000

Each line is about series that never change; the last three are about series that the limits were not made for.
"""

import argparse
from collections.abc import Callable
from math import exp, lgamma, sqrt

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from gpf_desktop.stats.charts import BASELINE, RISK, SMOOTHING, ewma

Floats = NDArray[np.float64]
WEEKS = (12, 24, 52)
"""Judged batches by which a series is asked whether it has ever signalled."""


def ours(series: Floats) -> NDArray[np.bool_]:
    """`ewma` for many series at once, shape (series, batches); equal to it, see `main`."""
    quantile = float(stdtrit(BASELINE - 1, 1 - RISK / 2))
    spread = series[:, :BASELINE].std(axis=1, ddof=1)

    def half(k: int) -> Floats:
        faded = (1 - SMOOTHING) ** k
        variance = SMOOTHING / (2 - SMOOTHING) * (1 - faded**2) + (1 - faded) ** 2 / BASELINE
        return np.asarray(quantile * spread * sqrt(variance))

    return _judged(series, series[:, :BASELINE].mean(axis=1), half)


def textbook(series: Floats) -> NDArray[np.bool_]:
    """±3σ, the estimates of centre and σ taken for the truth; smoothing runs through the batches that set them."""
    of_normal = sqrt(2 / (BASELINE - 1)) * exp(lgamma(BASELINE / 2) - lgamma((BASELINE - 1) / 2))
    spread = series[:, :BASELINE].std(axis=1, ddof=1) / of_normal
    smoothed = series[:, :BASELINE].mean(axis=1)
    for at in range(BASELINE):
        smoothed = SMOOTHING * series[:, at] + (1 - SMOOTHING) * smoothed

    def half(k: int) -> Floats:
        faded = (1 - SMOOTHING) ** (k + BASELINE)
        return np.asarray(3 * spread * sqrt(SMOOTHING / (2 - SMOOTHING) * (1 - faded**2)))

    return _judged(series, smoothed, half)


def _judged(series: Floats, smoothed: Floats, half: Callable[[int], Floats]) -> NDArray[np.bool_]:
    centre = series[:, :BASELINE].mean(axis=1)
    outside = []
    for k in range(1, series.shape[1] - BASELINE + 1):
        smoothed = SMOOTHING * series[:, BASELINE + k - 1] + (1 - SMOOTHING) * smoothed
        outside.append(np.abs(smoothed - centre) > half(k))
    return np.stack(outside, axis=1)


def correlated(draw: np.random.Generator, shape: tuple[int, int], rho: float) -> Floats:
    """Each batch remembers the one before."""
    new = draw.standard_normal(shape)
    for at in range(1, shape[1]):
        new[:, at] = rho * new[:, at - 1] + sqrt(1 - rho**2) * new[:, at]
    return new


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--series", type=int, default=100_000)
    count = parser.parse_args().series
    draw = np.random.default_rng(1)
    shape = (count, BASELINE + WEEKS[-1])
    alike = draw.standard_normal(shape)
    assert ours(alike[:50]).tolist() == [[p.signal for p in ewma(each)[BASELINE:]] for each in alike[:50].tolist()]
    smaller = np.where(np.arange(shape[1]) < BASELINE, 1.0, sqrt(5.0))
    print(f"{count} series of {BASELINE} + {WEEKS[-1]} batches; outside: of batches, of series by batch {WEEKS}")
    for name, outside in (
        ("independent, alike: ours", ours(alike)),
        ("independent, alike: ±3σ with estimates", textbook(alike)),
        ("correlated at .2", ours(correlated(draw, shape, 0.2))),
        ("correlated at .5", ours(correlated(draw, shape, 0.5))),
        ("baseline of five times the articles", ours(draw.standard_normal(shape) * smaller)),
    ):
        by = "  ".join(f"{100 * outside[:, :k].any(axis=1).mean():5.1f} %" for k in WEEKS)
        print(f"{name:40} {100 * outside.mean():6.2f} %   {by}")


if __name__ == "__main__":
    main()
