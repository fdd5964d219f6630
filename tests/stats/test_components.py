import numpy as np
import pytest

from gpf_desktop.stats.components import RESIDUAL, variance_components

DYESTUFF = [
    *(1545, 1440, 1440, 1520, 1580),
    *(1540, 1555, 1490, 1560, 1495),
    *(1595, 1550, 1605, 1510, 1560),
    *(1445, 1440, 1595, 1465, 1545),
    *(1595, 1630, 1515, 1635, 1625),
    *(1520, 1455, 1450, 1480, 1445),
]
"""Yield of six batches of dyestuff, five samples each (Davies and Goldsmith 1972), as in lme4's Dyestuff."""


@pytest.mark.slow
def test_that_dyestuff_has_the_components_that_lme4_prints() -> None:
    found = variance_components(np.array(DYESTUFF, float), {"batch": np.repeat(np.arange(6), 5)})
    assert found.mean == pytest.approx(1527.5)
    assert found.standard_error == pytest.approx(19.38, abs=0.01)
    assert found.variance("batch") == pytest.approx(1764.05, rel=1e-3)
    assert found.variance(RESIDUAL) == pytest.approx(2451.25, rel=1e-3)
    batch, residual = found.parts
    assert (batch.low < 1764 < batch.high, residual.low < 2451 < residual.high) == (True, True)
    assert np.sqrt([residual.low, residual.high]) == pytest.approx([38.23, 67.66], rel=0.03)


def test_that_crossed_factors_have_the_components_of_the_analysis_of_variance() -> None:
    """Balanced and all above 0, REML is the classical solution of the mean squares (Searle and others 1992)."""
    draw = np.random.default_rng(1)
    articles, models, repeats = 12, 5, 4
    table = (
        draw.normal(0, 0.1, (articles, 1, 1))
        + draw.normal(0, 0.05, (1, models, 1))
        + draw.normal(0, 0.08, (articles, models, repeats))
    )
    whole, by_article, by_model = table.mean(), table.mean(axis=(1, 2)), table.mean(axis=(0, 2))
    of_article = models * repeats * ((by_article - whole) ** 2).sum() / (articles - 1)
    of_model = articles * repeats * ((by_model - whole) ** 2).sum() / (models - 1)
    left = table - by_article[:, None, None] - by_model[None, :, None] + whole
    of_rest = (left**2).sum() / (table.size - articles - models + 1)
    article, model, _ = np.indices(table.shape)
    found = variance_components(table.ravel(), {"article": article.ravel(), "model": model.ravel()}, intervals=False)
    assert found.variance(RESIDUAL) == pytest.approx(of_rest, rel=2e-3)
    assert found.variance("article") == pytest.approx((of_article - of_rest) / (models * repeats), rel=2e-3)
    assert found.variance("model") == pytest.approx((of_model - of_rest) / (articles * repeats), rel=2e-3)
    assert sum(part.share for part in found.parts) == pytest.approx(1)


@pytest.mark.slow
def test_that_intervals_of_unbalanced_and_nested_data_hold_what_was_planted() -> None:
    held = 0
    for seed in range(4):
        draw = np.random.default_rng(seed)
        article = np.repeat(np.arange(40), draw.integers(2, 9, 40))
        batch = article // 4
        values = draw.normal(0, 0.06, 10)[batch] + draw.normal(0, 0.1, 40)[article] + draw.normal(0, 0.05, len(article))
        found = variance_components(values, {"article": article, "batch": batch})
        held += sum(
            part.low <= planted <= part.high for part, planted in zip(found.parts, (0.01, 0.0036, 0.0025), strict=True)
        )
    assert held >= 10


def test_that_a_factor_that_changes_nothing_has_an_interval_down_to_nothing() -> None:
    draw = np.random.default_rng(3)
    found = variance_components(draw.normal(0, 1, 200), {"article": np.repeat(np.arange(20), 10)})
    assert found.parts[0].low < 0.001
    assert found.parts[0].variance < 0.1


def test_that_one_level_cannot_vary() -> None:
    with pytest.raises(ValueError, match="two levels"):
        variance_components(np.arange(5.0), {"model": np.zeros(5, int)})
