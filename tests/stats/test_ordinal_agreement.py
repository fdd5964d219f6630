import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from gpf_desktop.stats import agreement, ordinal_agreement

DRAW = np.random.default_rng(4)
TRUE = DRAW.integers(1, 11, 120)
LEVELS = np.clip(TRUE[:, None] + DRAW.integers(-2, 3, (120, 3)), 1, 10) * (DRAW.random((120, 3)) > 0.2)


def units(levels: np.ndarray) -> list[list[int | None]]:
    return [[int(level) or None for level in case] for case in levels]


def test_that_alpha_is_krippendorff_s() -> None:
    found = ordinal_agreement.alpha(LEVELS, np.arange(120), scale=10, seed=1)
    assert found.value == pytest.approx(agreement.alpha_ordinal(units(LEVELS)), abs=1e-12)
    assert found.cases == sum(sum(level is not None for level in unit) > 1 for unit in units(LEVELS))
    assert found.low is not None
    assert found.high is not None
    assert found.low < found.value < found.high < 1


def test_that_kappa_is_cohen_s_with_squared_weights() -> None:
    both = LEVELS[(LEVELS[:, :2] > 0).all(axis=1)][:, :2]
    found = ordinal_agreement.kappa(LEVELS[:, :2], np.arange(120), scale=10, seed=1)
    wanted = cohen_kappa_score(both[:, 0], both[:, 1], weights="quadratic", labels=list(range(1, 11)))
    assert found.value == pytest.approx(wanted, abs=1e-12)
    assert found.cases == len(both)


def test_that_where_nothing_varies_there_is_no_agreement_beyond_chance() -> None:
    same = np.full((20, 2), 3)
    for statistic in (ordinal_agreement.alpha, ordinal_agreement.kappa):
        found = statistic(same, np.arange(20), scale=10, seed=1)
        assert (found.value, found.low, found.cases) == (None, None, 20)


def test_that_an_interval_is_over_clusters_and_needs_ten() -> None:
    def width(clusters: np.ndarray) -> float:
        found = ordinal_agreement.alpha(np.repeat(LEVELS, 4, axis=0), clusters, scale=10, seed=1)
        assert found.low is not None
        assert found.high is not None
        return found.high - found.low

    assert width(np.repeat(np.arange(120), 4)) > 1.5 * width(np.arange(480))
    assert ordinal_agreement.alpha(LEVELS, np.arange(120) % 9, scale=10, seed=1).low is None
