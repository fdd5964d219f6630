"""Several hypotheses at several looks: bounds, what a finding hands on, and the size over all of it."""

import numpy as np
import pytest

from gpf_desktop.stats.group_sequential import found_at
from gpf_desktop.stats.spending import SpendingFunction, bounds

LOOKS = (1 / 3, 2 / 3, 1.0)


def test_that_one_hypothesis_has_the_bounds_of_its_spending_function() -> None:
    (first, *_), limits = found_at([[3.8]], LOOKS, 0.05, SpendingFunction.OBRIEN_FLEMING)
    assert limits == pytest.approx(bounds(LOOKS, 0.05, SpendingFunction.OBRIEN_FLEMING))
    assert first == 0
    assert found_at([[3.6, 2.4]], LOOKS, 0.05, SpendingFunction.OBRIEN_FLEMING)[0] == [None]


def test_that_what_is_found_hands_its_share_to_the_others() -> None:
    alone = bounds(LOOKS, 0.05, SpendingFunction.POCOCK)[0]
    shared = bounds(LOOKS, 0.025, SpendingFunction.POCOCK)[0]
    between = (alone + shared) / 2
    assert found_at([[between], [0.0]], LOOKS, 0.05, SpendingFunction.POCOCK)[0] == [None, None]
    assert found_at([[between], [5.0]], LOOKS, 0.05, SpendingFunction.POCOCK)[0] == [0, 0]


def test_that_looking_thrice_at_three_hypotheses_finds_something_in_five_of_a_hundred_windows_without_an_effect() -> (
    None
):
    steps = np.random.default_rng(5).normal(0, 1, (4000, 3, 3))
    z = np.cumsum(steps, axis=2) / np.sqrt([1, 2, 3])
    any_found = np.mean(
        [any(each is not None for each in found_at(one, LOOKS, 0.05, SpendingFunction.POCOCK)[0]) for one in z]
    )
    assert 0.035 < any_found < 0.058
