from itertools import permutations, product

import numpy as np
import pytest
from numpy.typing import NDArray

from gpf_desktop.stats.means_apart import direction_apart, squared_shift

GROUPS = np.array([0, 0, 0, 1, 1, 2, 2, 2, 3])
"""The last has one member, which tells nothing of how its group varies."""


def vectors(seed: int, spread: NDArray[np.float64]) -> NDArray[np.float64]:
    """Unit vectors about one direction, the members of each group as wide as *spread* says."""
    draw = np.random.default_rng(seed)
    found = np.eye(1, 30) * 3 + draw.normal(0, 1, (len(spread), 30)) * spread[:, None]
    unit: NDArray[np.float64] = found / np.linalg.norm(found, axis=1, keepdims=True)
    return unit


def test_that_direction_is_a_mean_over_all_products_that_share_no_member() -> None:
    said = vectors(1, np.full(len(GROUPS), 0.3))
    alike = said @ said.T
    own = [np.flatnonzero(group == GROUPS) for group in range(3)]
    within = [np.mean([alike[a, b] for a, b in permutations(its, 2)]) for its in own]
    apart = [
        within[i] * within[j]
        - np.mean(
            [alike[a, c] * alike[b, d] for (a, b), (c, d) in product(permutations(own[i], 2), permutations(own[j], 2))]
        )
        for i, j in permutations(range(3), 2)
    ]
    assert direction_apart(1 - alike, GROUPS) == pytest.approx(np.mean(apart) / (2 * np.mean(within)), abs=1e-12)


def test_that_members_who_vary_more_turn_no_group_elsewhere() -> None:
    groups = np.repeat(np.arange(7), 3)
    wide = np.where(groups < 2, 0.6, 0.3)
    found = []
    for seed in range(400):
        apart = 1 - (said := vectors(seed, wide)) @ said.T
        between = apart[groups[:, None] != groups].mean()
        within = apart[(groups[:, None] == groups) & ~np.eye(21, dtype=bool)].mean()
        found.append((direction_apart(apart, groups), between - within))
    direction, framing = (np.array(each, np.float64) for each in zip(*found, strict=True))
    assert abs(direction.mean()) < 3 * direction.std() / 20
    assert framing.mean() > 10 * framing.std() / 20


def test_that_squared_shift_expects_nothing_of_equal_means_and_the_square_of_others() -> None:
    groups = np.array([0, 0, 1, 1])
    for shift in (0.0, 0.5):
        every = [
            squared_shift(np.array([*one, *other]) + shift * groups, groups)
            for one in product((-1.0, 1.0), repeat=2)
            for other in product((-0.1, 0.1), repeat=2)
        ]
        assert np.mean([each for each in every if each is not None]) == pytest.approx(shift**2)


def test_that_one_group_with_several_members_is_too_few() -> None:
    assert direction_apart(np.zeros((3, 3)), np.array([0, 0, 1])) is None
    assert squared_shift(np.zeros(3), np.array([0, 0, 1])) is None


def test_that_generations_with_no_word_in_common_have_no_direction() -> None:
    assert direction_apart(1 - np.eye(4), np.array([0, 0, 1, 1])) is None
