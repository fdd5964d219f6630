from statistics import fmean, stdev

import numpy as np
import pytest

from gpf_desktop.stats.charts import BASELINE, LAG, MOST, RISK, ChartPoint, ewma
from tests.support.watched_charts import watch

CALM = [0.20, 0.22, 0.19, 0.21, 0.20, 0.18, 0.21, 0.20]


def alone(values: list[float], correlation: float | None = 0.0) -> tuple[ChartPoint, ...]:
    """The chart of one series; its batches are taken for independent unless said otherwise."""
    return ewma([values], correlation=correlation).series[0]


def width(point: ChartPoint) -> float:
    assert point.low is not None
    assert point.high is not None
    return point.high - point.low


def test_that_nothing_is_said_before_the_limits_are_set() -> None:
    for some in (CALM[:1], CALM[:7], CALM, []):
        assert alone(some, None) == tuple(ChartPoint(value=value) for value in some)
    assert ewma([]).series == ()


def test_that_the_first_eight_batches_set_the_limits_and_are_not_judged() -> None:
    points = alone([0.9, *CALM[1:], 0.2])
    assert [point.signal for point in points] == [None] * 8 + [False]
    assert (points[7].low, points[7].smoothed) == (None, None)
    assert points[8].low is not None


def test_that_a_lasting_shift_signals_and_calm_does_not() -> None:
    calm = alone([*CALM, 0.20, 0.21, 0.19])
    assert [point.signal for point in calm[8:]] == [False] * 3
    signals = [point.signal for point in alone([*CALM, *[0.26] * 6])[8:]]
    assert signals == sorted(signals, key=bool)
    assert (signals[0], signals[-1]) == (False, True)


def test_that_smoothing_starts_at_the_centre_and_limits_hold_the_error_of_centre_and_spread() -> None:
    points = alone([*CALM, 0.25, 0.21, 0.23])
    centre, spread, t = fmean(CALM), stdev(CALM), 4.5299
    smoothed = centre
    for k, point in enumerate(points[8:], start=1):
        smoothed = 0.2 * point.value + 0.8 * smoothed
        weights = [0.2 * 0.8 ** (k - i) for i in range(1, k + 1)]
        half = t * spread * np.sqrt(sum(w * w for w in weights) + sum(weights) ** 2 / 8)
        assert point.smoothed == pytest.approx(smoothed)
        assert point.high == pytest.approx(centre + half, abs=1e-5)
        assert point.low == pytest.approx(centre - half, abs=1e-5)


def test_that_a_baseline_without_spread_judges_nothing() -> None:
    assert alone([0.2] * 8 + [0.9], None)[-1].signal is None
    rounded = [0.3 - 0.1, 0.2, 0.1 + 0.1, 0.5 - 0.3] * 3
    assert alone(rounded, None)[-1].signal is None


def test_that_batches_that_are_old_enough_set_limits_too_until_one_is_outside() -> None:
    draw = np.random.default_rng(3)
    calm = draw.normal(0.3, 0.02, 60).tolist()

    def centres(values: list[float]) -> list[float]:
        return [point.low + width(point) / 2 for point in alone(values) if point.low is not None]

    found = centres(calm)
    for place, centre in enumerate(found):
        size = min(MOST, max(BASELINE, BASELINE + place - LAG))
        assert centre == pytest.approx(fmean(calm[:size]))
    jumps = calm[:30] + [value + 0.2 for value in calm[30:]]
    points = alone(jumps)
    first = next(at for at, point in enumerate(points) if point.signal)
    assert 30 <= first < 30 + LAG, "nothing of the shift had set a limit"
    assert {round(centre, 12) for centre in centres(jumps)[first - BASELINE :]} == {
        round(fmean(jumps[: first - LAG]), 12)
    }
    assert all(point.signal for point in points[first:]), "a shift that stays is outside as long as it stays"


def test_that_limits_never_rest_on_what_came_later() -> None:
    values = np.random.default_rng(4).normal(0.3, 0.02, (3, 40)).tolist()
    whole = ewma(values).series
    for count in (9, 17, 30):
        assert ewma([each[:count] for each in values]).series == tuple(each[:count] for each in whole)


def test_that_a_shorter_series_has_the_chart_that_it_has_beside_others_as_long() -> None:
    values = np.random.default_rng(6).normal(0.3, 0.02, (2, 30)).tolist()
    longer, shorter = ewma([values[0], values[1][:12]]).series
    assert (len(longer), len(shorter)) == (30, 12)
    assert shorter == ewma([each[:12] for each in values]).series[1]
    beside_a_start = ewma([values[0], values[1][:8]]).series
    assert beside_a_start[0] == alone(values[0], None)
    assert all(point.low is None for point in beside_a_start[1])


def test_that_independent_series_leave_limits_that_know_it_as_rarely_as_is_said() -> None:
    """What else leaves them, and how often: `python -m tests.benchmarks.bench_validity charts`."""
    calm = watch(0, assumed=0.0, batches=12, replicates=4000)
    assert calm.false_alarms(12) == pytest.approx(RISK, abs=0.0015)
    assert calm.signalled[-1] < 0.025


def test_that_limits_are_wider_the_more_a_batch_is_like_the_one_before() -> None:
    values = [0.1, 0.3, 0.2, 0.25, 0.15, 0.35, 0.2, 0.22, 0.3, 0.1, 0.4]
    widths = [[width(point) for point in alone(values, each)[8:]] for each in (0.0, 0.3, 0.6)]
    assert widths[0] < widths[1] < widths[2]
    assert all(one < other for one, other in zip(widths[0], widths[2], strict=True))


@pytest.mark.parametrize("correlation", [0.3, 0.6])
def test_that_estimated_limits_cry_wolf_far_less_than_limits_for_independent_batches(correlation: float) -> None:
    how = {"correlation": correlation, "batches": 30, "replicates": 1200, "models": 4, "news": 0.8}
    blind = watch(0, assumed=0.0, **how).false_alarms(30)  # type: ignore[arg-type]
    kept = watch(0, **how).false_alarms(30)  # type: ignore[arg-type]
    assert kept < 0.006
    assert blind > 5 * kept


def test_that_a_shift_is_found_the_more_often_the_larger_and_the_later_it_is() -> None:
    early, late = (watch(4, after=after, batches=12, replicates=800).signalled for after in (8, 20))
    small = watch(2, after=20, batches=12, replicates=800).signalled
    assert late[-1] > 0.9
    assert late[-1] > early[-1]
    assert late[-1] > small[-1]
    assert list(late) == sorted(late)


def test_that_the_correlation_is_estimated_on_the_high_side_and_nearer_with_more_series() -> None:
    draw = np.random.default_rng(5)
    for planted in (0.3, 0.6):
        series = np.zeros((12, 60))
        series[:, 0] = draw.normal(size=12)
        for at in range(1, 60):
            series[:, at] = planted * series[:, at - 1] + draw.normal(0, (1 - planted**2) ** 0.5, 12)
        together = ewma(series.tolist(), independent=12).correlation
        assert planted - 0.02 < together < planted + 0.2
        assert ewma(series.tolist()).correlation > together, "of one news they tell as much as one"
    assert ewma([[0.0, 1.0] * 6]).correlation == 0


def test_that_each_series_counts_as_much_as_another_whatever_its_spread() -> None:
    waves, wiggles = [1.0] * 4 + [-1.0] * 4 + [0.0], [0.01, -0.01] * 4 + [0.0]
    both, mixed = ewma([waves, waves]).correlation, ewma([waves, wiggles]).correlation
    assert mixed < both
    assert ewma([waves, [1.0] * 9]).correlation == ewma([waves]).correlation
