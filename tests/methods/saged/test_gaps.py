"""The widest gap, beside what chance alone gives."""

import numpy as np
import pytest

from gpf_desktop.methods.saged.gaps import ALPHA, by_root_and_concept, comparable, draws_for, wider, widest_gap


def table(
    gap: float = 0.0, *, roots: int = 20, k: int = 8, seed: int = 1
) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    draw = np.random.default_rng(seed)
    cells = draw.normal(0, 0.3, (roots, 1)) + draw.normal(0, 0.2, (roots, k))
    cells[:, 2] += gap
    return cells


def test_that_answers_are_put_in_a_table_of_roots_and_concepts() -> None:
    found = by_root_and_concept(np.array([7, 7, 9, 7]), np.array([0, 1, 1, 1]), np.array([1.0, 2.0, np.nan, 4.0]), 2)
    np.testing.assert_allclose(found, [[1.0, 3.0], [np.nan, np.nan]])


def test_that_a_planted_concept_is_found_and_its_range_holds_the_gap() -> None:
    found = widest_gap(table(0.6), tests=5, seed=(1,))
    assert found is not None
    assert found.told
    assert found.high == 2
    assert found.p <= ALPHA
    assert found.lower <= 0.6 <= (found.upper or 0)
    assert found.value - found.chance == pytest.approx(found.lower)


def test_that_a_model_that_no_concept_moves_has_a_gap_and_does_not_look_as_if_it_had_one() -> None:
    """Of eight concepts two always lie furthest apart: held against 0, every model would differ."""
    for seed in range(8):
        found = widest_gap(table(seed=seed), tests=5, seed=(seed,))
        assert found is not None
        assert 0 < found.value < found.chance
        assert (found.told, found.lower) == (False, 0.0)


def test_that_more_tests_make_chance_give_more_and_the_seed_the_same() -> None:
    gaps = [widest_gap(table(0.3), tests=tests, seed=(1,)) for tests in (1, 5, 40)]
    assert [each for each in gaps if each is None] == []
    chances = [each.chance for each in gaps if each]
    assert chances == sorted(chances)
    assert chances[0] < chances[-1]
    again = widest_gap(table(0.3), tests=5, seed=(1,))
    assert again is not None
    assert again.chance == chances[1]
    assert draws_for(1) < draws_for(400)


def test_that_what_never_varies_is_flat_and_a_difference_in_every_root_is_told() -> None:
    cells = np.repeat(np.random.default_rng(1).normal(0, 1, (20, 1)), 8, axis=1)
    flat = widest_gap(cells, tests=1, seed=(1,))
    assert flat is not None
    assert (flat.value, flat.chance, flat.told, flat.flat) == (0.0, 0.0, False, True)
    cells[:, 3] += 0.2
    sure = widest_gap(cells, tests=1, seed=(1,))
    assert sure is not None
    assert (sure.told, sure.high, sure.flat) == (True, 3, False)


def test_that_concepts_without_roots_in_common_are_not_compared() -> None:
    cells = np.full((20, 2), np.nan)
    cells[:10, 0], cells[10:, 1] = 0.1, 0.9
    assert not comparable(cells)
    assert widest_gap(cells, tests=1, seed=(1,)) is None
    cells[10:, 0] = 0.2
    assert comparable(cells)


def test_that_one_of_missing_answers_is_found_as_well() -> None:
    cells = table(0.8, roots=30)
    cells[np.random.default_rng(3).random(cells.shape) < 0.2] = np.nan
    found = widest_gap(cells, tests=5, seed=(1,))
    assert found is not None
    assert found.told
    assert found.high == 2
    assert found.roots < 30


def test_that_of_two_hundred_pages_without_a_difference_few_are_told() -> None:
    told = [widest_gap(table(roots=12, k=4, seed=seed), tests=1, seed=(seed,)) for seed in range(200)]
    assert sum(each is not None and each.told for each in told) <= 16


def test_that_pairs_with_fewer_roots_than_a_range_needs_are_not_tested() -> None:
    """Two concepts with thirty roots in common, and a third that has seven and lies far off."""
    cells = np.random.default_rng(4).normal(0, 0.1, (30, 3))
    cells[:, 2] += 3.0
    cells[7:, 2] = np.nan
    found = widest_gap(cells, tests=1, seed=(1,))
    assert found is not None
    assert 2 not in (found.high, found.low)
    assert not found.told
    assert found.uncompared == (2,), "nothing is known of it: all concepts are not alike"
    whole = widest_gap(cells[:, :2], tests=1, seed=(1,))
    assert whole is not None
    assert whole.uncompared == ()


@pytest.mark.parametrize("of_twelve", [11, 12])
def test_that_what_happens_nearly_always_about_one_concept_alone_is_told(of_twelve: int) -> None:
    cells = np.zeros((12, 8))
    cells[:of_twelve, 2] = 1
    found = widest_gap(cells, tests=20, seed=(1,))
    assert found is not None
    assert found.told
    assert found.high == 2


def test_that_roots_that_go_together_count_as_few_degrees_of_freedom_too() -> None:
    assert wider(1.0, roots=8, pairs=28, tests=5) == 1.0
    few, many = (wider(2.0, roots=roots, pairs=28, tests=5) for roots in (8, 200))
    assert few > 1.1 * many > 1.1 * np.sqrt(2)
