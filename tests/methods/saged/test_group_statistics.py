"""Statistics of groups against scipy, numpy and examples worked by hand."""

import numpy as np
import pytest
from scipy import stats

from gpf_desktop.methods.saged.group_statistics import (
    STATISTICS,
    Selection,
    Selects,
    Standard,
    Yardstick,
    edges,
    kl_divergence,
    mode,
    of_values,
    percentile_range,
    quantile,
    with_baseline,
)

DRAW = np.random.default_rng(5)
VALUES = DRAW.gamma(2.0, size=(3, 40)) - 1.0
BASELINES = 0.5 * VALUES + DRAW.normal(size=(3, 40))


def yardstick(values: np.ndarray = VALUES, tolerance: float = 0.1) -> Yardstick:
    return Yardstick.of(values.ravel(), Selection(), tolerance)


def test_that_each_row_has_the_statistics_that_scipy_gives_it() -> None:
    found = {**of_values(VALUES, yardstick()), **with_baseline(VALUES, BASELINES, yardstick(), calibrated=False)}
    assert set(found) == set(STATISTICS)
    for row, values in enumerate(VALUES):
        expected = {
            "mean": values.mean(),
            "median": np.median(values),
            "variance": values.var(ddof=1),
            "sd": values.std(ddof=1),
            "skewness": stats.skew(values),
            "kurtosis": stats.kurtosis(values),
            "range": np.ptp(values),
            "selection_rate": (values >= VALUES.mean()).mean(),
            "precision": (np.abs(values - BASELINES[row]) <= 0.1).mean(),
            "correlation": stats.pearsonr(values, BASELINES[row])[0],
        }
        for name, value in expected.items():
            assert found[name][row] == pytest.approx(value, abs=1e-12), name
    assert quantile(VALUES, 0.9) == pytest.approx(np.quantile(VALUES, 0.9, axis=1))
    assert percentile_range(VALUES) == pytest.approx(
        np.quantile(VALUES, 0.9, axis=1) - np.quantile(VALUES, 0.1, axis=1)
    )


def test_that_the_divergences_of_all_groups_are_worked_out_on_the_same_edges() -> None:
    pooled = np.concatenate([VALUES.ravel(), BASELINES.ravel()])
    bins = min(max(len(np.histogram_bin_edges(pooled, "fd")) - 1, 5), 30)
    common = np.linspace(pooled.min(), pooled.max(), bins + 1)
    held_against = Yardstick.of(VALUES.ravel(), Selection(), 0.1, np.append(BASELINES.ravel(), np.nan))
    assert held_against.pooled_bins == pytest.approx(common)
    found = with_baseline(VALUES, BASELINES, held_against, calibrated=False)["kl_divergence"]
    for row, values in enumerate(VALUES):
        p = (np.histogram(values, common)[0] + 0.5) / (40 + bins / 2)
        q = (np.histogram(BASELINES[row], common)[0] + 0.5) / (40 + bins / 2)
        assert found[row] == pytest.approx(stats.entropy(p, q), abs=1e-12)


def test_that_a_round_number_on_an_edge_is_in_the_bin_above_it() -> None:
    # 0.3 / 1.5 is a little less than a fifth in binary.
    assert mode(np.array([[0.0, 0.3, 0.3, 1.5]]), np.linspace(0, 1.5, 6))[0] == pytest.approx(0.45)


def test_that_a_shifted_copy_diverges_and_an_equal_one_does_not() -> None:
    shifted = edges(np.concatenate([VALUES.ravel(), VALUES.ravel() + 2.0]))
    assert kl_divergence(VALUES, VALUES, shifted) == pytest.approx(np.zeros(3), abs=1e-15)
    assert (kl_divergence(VALUES + 2.0, VALUES, shifted) > 0.5).all()
    assert kl_divergence(np.ones((1, 4)), np.ones((1, 4)), edges(np.ones(4))) == pytest.approx([0.0])


def test_that_the_mode_is_the_middle_of_the_fullest_bin() -> None:
    values = np.array([[0.0, 1.0, 1.1, 1.2, 9.0, 10.0]])
    bins = np.linspace(0, 10, 6)
    assert mode(values, bins)[0] == 1.0
    assert mode(np.array([[10.0, 10.0, 0.0]]), bins)[0] == 9.0


@pytest.mark.parametrize(
    ("values", "bins"), [(np.linspace(0, 1, 10), 5), (np.repeat([0.0, 1.0], [99, 1]), 5), (np.arange(1e5) ** 3, 30)]
)
def test_that_there_are_five_to_thirty_bins(values: np.ndarray, bins: int) -> None:
    assert len(edges(values)) == bins + 1


@pytest.mark.parametrize(
    ("selection", "share"),
    [
        (Selection(), 2 / 5),
        (Selection(standard=Standard.MEDIAN), 3 / 5),
        (Selection(standard=Standard.MEDIAN, selects=Selects.SMALLER), 3 / 5),
        (Selection(standard=Standard.QUANTILE, parameter=1.0), 1 / 5),
        (Selection(standard=Standard.FIXED, parameter=1.5), 4 / 5),
        (Selection(standard=Standard.FIXED, parameter=2.0, selects=Selects.WITHIN, reach=1.0), 3 / 5),
        (Selection(standard=Standard.MEAN, selects=Selects.WITHIN_SHARE, reach=0.25), 2 / 5),
    ],
)
def test_that_values_are_selected_by_the_standard_over_all_groups(selection: Selection, share: float) -> None:
    values = np.array([[1.0, 2.0, 3.0, 4.0, 10.0]])
    held_against = Yardstick.of(values[0], selection, 0.1)
    assert of_values(values, held_against)["selection_rate"][0] == share


def test_that_rounding_keeps_no_value_from_its_standard() -> None:
    cancelling = np.array([[0.1, 0.2, -0.3, 0.0]])  # sums to 5e-17
    assert of_values(cancelling, Yardstick.of(cancelling[0], Selection(), 0.1))["selection_rate"][0] == 3 / 4
    tenths = np.array([[1.1, 1.2, 1.3]])
    near = Selection(standard=Standard.FIXED, parameter=1.2, selects=Selects.WITHIN, reach=0.1)
    assert of_values(tenths, Yardstick.of(tenths[0], near, 0.1))["selection_rate"][0] == 1.0


def test_that_what_does_not_vary_has_no_shape_and_one_value_no_spread() -> None:
    flat = of_values(np.full((1, 5), 0.1), yardstick())
    assert flat["variance"][0] == 0
    assert np.isnan([flat["skewness"][0], flat["kurtosis"][0]]).all()
    assert np.isnan(of_values(np.ones((1, 1)), yardstick())["sd"][0])
    constant = with_baseline(np.full((1, 5), 0.1), BASELINES[:1, :5], yardstick(), calibrated=False)
    assert np.isnan(constant["correlation"][0])


def test_that_calibrated_values_are_precise_by_themselves() -> None:
    apart = VALUES - BASELINES
    raw = with_baseline(VALUES, BASELINES, yardstick(), calibrated=False)
    calibrated = with_baseline(apart, BASELINES, yardstick(), calibrated=True)
    assert calibrated["precision"] == pytest.approx(raw["precision"])
    assert np.isnan(calibrated["kl_divergence"]).all()
