from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpf_desktop.stats import spread

compounds = st.lists(st.floats(-1, 1, allow_subnormal=False), min_size=2, max_size=9)


@given(compounds, st.integers(2, 9))
def test_that_the_rarefied_range_is_the_mean_over_all_subsets(values: list[float], m: int) -> None:
    if m > len(values):
        with pytest.raises(ValueError, match="no subset"):
            spread.rarefaction_weights(len(values), m)
        return
    expected = np.mean([max(some) - min(some) for some in combinations(values, m)])
    assert spread.rarefied_ranges(np.array([values]), m)[0] == pytest.approx(expected, abs=1e-12)


@given(compounds)
def test_that_rarefied_to_all_answers_it_is_the_range(values: list[float]) -> None:
    tones = np.array([values])
    assert spread.rarefied_ranges(tones, len(values))[0] == pytest.approx(spread.ranges(tones)[0], abs=1e-15)


def test_that_mad_is_the_mean_distance_to_the_mean() -> None:
    assert spread.mean_absolute_deviations(np.array([[0.0, 1.0, 0.5, 0.5]])).tolist() == [0.25]
