from statistics import fmean, stdev

import numpy as np
import pytest

from gpf_desktop.numerics.charts import BASELINE, RISK, ChartPoint, ewma

CALM = [0.20, 0.22, 0.19, 0.21, 0.20, 0.18, 0.21, 0.20]


def test_that_nothing_is_said_before_the_limits_are_set():
    for some in (CALM[:1], CALM[:7], CALM):
        assert ewma(some) == [ChartPoint(value=value) for value in some]
    assert ewma([]) == []


def test_that_the_first_eight_batches_set_the_limits_and_are_not_judged():
    points = ewma([0.9, *CALM[1:], 0.2])
    assert [point.signal for point in points] == [None] * 8 + [False]
    assert (points[7].low, points[7].smoothed) == (None, None)
    assert points[8].low is not None


def test_that_a_lasting_shift_signals_and_calm_does_not():
    calm = ewma([*CALM, 0.20, 0.21, 0.19])
    assert [point.signal for point in calm[8:]] == [False] * 3
    signals = [point.signal for point in ewma([*CALM, *[0.26] * 6])[8:]]
    assert signals == sorted(signals)
    assert (signals[0], signals[-1]) == (False, True)


def test_that_smoothing_starts_at_the_centre_and_limits_hold_the_error_of_centre_and_spread():
    points = ewma([*CALM, 0.25, 0.21, 0.23])
    centre, spread, t = fmean(CALM), stdev(CALM), 4.5299
    smoothed = centre
    for k, point in enumerate(points[8:], start=1):
        smoothed = 0.2 * point.value + 0.8 * smoothed
        weights = [0.2 * 0.8 ** (k - i) for i in range(1, k + 1)]
        half = t * spread * np.sqrt(sum(w * w for w in weights) + sum(weights) ** 2 / 8)
        assert point.smoothed == pytest.approx(smoothed)
        assert point.high == pytest.approx(centre + half, abs=1e-5)
        assert point.low == pytest.approx(centre - half, abs=1e-5)


def test_that_a_baseline_without_spread_judges_nothing():
    assert ewma([0.2] * 8 + [0.9])[-1].signal is None
    rounded = [0.3 - 0.1, 0.2, 0.1 + 0.1, 0.5 - 0.3] * 3
    assert ewma(rounded)[-1].signal is None


def test_that_a_series_that_does_not_change_leaves_its_limits_as_rarely_as_is_said():
    """What else leaves them, and how often: `python -m tests.benchmarks.bench_limits`."""
    draw = np.random.default_rng(11)
    series = draw.normal(0.3, 0.02, (4000, BASELINE + 12))
    outside = np.array([[point.signal for point in ewma(each)[BASELINE:]] for each in series.tolist()])
    assert outside.mean() == pytest.approx(RISK, abs=0.0015)
    assert outside.any(axis=1).mean() < 0.025


def test_that_a_shift_of_four_standard_deviations_is_seen_within_four_batches():
    draw = np.random.default_rng(12)
    seen = 0
    for _ in range(400):
        values = draw.normal(0.0, 1.0, BASELINE + 4)
        values[BASELINE:] += 4
        seen += any(point.signal for point in ewma(values.tolist()))
    assert seen > 400 * 0.85
