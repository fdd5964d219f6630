from statistics import fmean, stdev

import numpy as np
import pytest

from gpf_desktop.numerics.charts import ewma

CALM = [0.20, 0.22, 0.19, 0.21, 0.20, 0.18, 0.21, 0.20]


def test_that_nothing_is_said_before_eight_batches() -> None:
    points = ewma(CALM[:7])
    assert [(point.low, point.high, point.signal) for point in points] == [(None, None, None)] * 7
    assert ewma([]) == []


def test_that_the_first_eight_batches_set_limits_and_do_not_signal() -> None:
    points = ewma([0.9, *CALM[1:], 0.2])
    assert [point.signal for point in points[:8]] == [None] * 8
    assert all(point.low is not None and point.high is not None and point.low < point.high for point in points)


def test_that_a_lasting_shift_signals_and_calm_does_not() -> None:
    calm = ewma([*CALM, 0.20, 0.21, 0.19])
    assert [point.signal for point in calm[8:]] == [False] * 3
    shifted = ewma([*CALM, *[0.24] * 6])
    assert shifted[-1].signal is True
    assert [point.signal for point in shifted] == sorted(
        [point.signal for point in shifted], key=lambda signal: -1 if signal is None else int(signal)
    )


def test_that_series_and_limits_follow_the_textbook() -> None:
    points = ewma([*CALM, 0.25])
    centre, sigma = fmean(CALM), stdev(CALM) / 0.9650
    smoothed = centre
    for t, point in enumerate(points, start=1):
        smoothed = 0.2 * point.value + 0.8 * smoothed
        half = 3 * sigma * np.sqrt(0.2 / 1.8 * (1 - 0.8 ** (2 * t)))
        assert point.smoothed == pytest.approx(smoothed)
        assert point.high == pytest.approx(centre + half, abs=1e-5)
        assert point.low == pytest.approx(centre - half, abs=1e-5)


def test_that_a_baseline_without_spread_judges_nothing() -> None:
    assert ewma([0.2] * 8 + [0.9])[-1].signal is None


def test_that_false_alarms_are_rare_on_a_series_that_does_not_change() -> None:
    draw = np.random.default_rng(11)
    alarmed = sum(any(point.signal for point in ewma(draw.normal(0.3, 0.02, 16).tolist())) for _ in range(400))
    assert alarmed < 400 * 0.2
