from statistics import fmean, stdev

import numpy as np
import pytest

from gpf_desktop.stats.charts import BASELINE, RISK, ChartPoint, autocorrelation, ewma, watch

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


def test_that_limits_of_a_correlated_series_approach_those_of_an_independent_one() -> None:
    values = [0.1, 0.3, 0.2, 0.25, 0.15, 0.35, 0.2, 0.22, 0.3, 0.1, 0.4]
    plain, nearly = ewma(values), ewma(values, correlation=1e-9)
    for one, other in zip(plain, nearly, strict=True):
        assert other.low == pytest.approx(one.low, abs=1e-6)
    wide = ewma(values, correlation=0.3)
    assert all(w.high > p.high for w, p in zip(wide[8:], plain[8:], strict=True))  # type: ignore[operator]


def test_that_limits_that_know_the_correlation_keep_false_alarms_near_those_promised() -> None:
    blind = watch(0, correlation=0.3, assumed=0.0).false_alarms
    known = watch(0, correlation=0.3, assumed=0.3).false_alarms
    assert blind > 2 * RISK > known


def test_that_limits_that_estimate_a_correlation_are_left_in_fewer_than_five_of_a_thousand_batches() -> None:
    found = watch(0, correlation=0.3, together=4, batches=60, replicates=2000)
    assert found.false_alarms < 0.005
    assert found.false_alarms > 0.001


def test_that_a_larger_shift_is_found_sooner_and_oftener() -> None:
    small, large = watch(1.5, assumed=0.0), watch(4, assumed=0.0)
    assert large.found[4] > small.found[4]
    assert large.half_found_after is not None
    assert list(small.found) == sorted(small.found)
    assert watch(0, assumed=0.0).half_found_after is None


def test_that_autocorrelation_is_estimated_without_its_lean() -> None:
    draw = np.random.default_rng(5)
    for planted in (0.3, 0.6):
        series = [draw.normal()]
        for _ in range(4000):
            series.append(planted * series[-1] + draw.normal(0, (1 - planted**2) ** 0.5))
        assert autocorrelation(series) == pytest.approx(planted, abs=0.06)
    assert autocorrelation([0.2] * 8) == 0.0
    assert autocorrelation([0.0, 1.0] * 6) == 0.0


def test_that_series_of_one_news_give_one_correlation_each_counting_as_much_as_another() -> None:
    waves, wiggles = [1.0] * 4 + [-1.0] * 4, [0.01, -0.01] * 4
    assert autocorrelation(wiggles) == 0.0
    assert 0 < autocorrelation(waves, waves, wiggles) < autocorrelation(waves)
    assert autocorrelation(waves, [1.0] * 8) == autocorrelation(waves)
