from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from sklearn.cluster import KMeans
from sklearn.metrics import silhouette_score

from gpf_desktop.stats import two_means

Floats = NDArray[np.float64]


def distances_of(points: Floats) -> Floats:
    return np.sqrt(((points[:, None, :] - points[None, :, :]) ** 2).sum(axis=2))


def by_trying_all(points: Floats) -> float:
    """The highest silhouette of all splits whose inertia is least, one split after the other."""
    splits = [np.array((0, *rest)) for rest in product((0, 1), repeat=len(points) - 1) if any(rest)]

    def inertia(labels: NDArray[np.int_]) -> float:
        parts = [points[labels == label] for label in (0, 1)]
        return float(sum(((part - part.mean(axis=0)) ** 2).sum() for part in parts))

    inertias = [inertia(labels) for labels in splits]
    least = min(inertias)
    best = [labels for labels, each in zip(splits, inertias, strict=True) if each <= least + 1e-12]
    return float(max(silhouette_score(points, labels) for labels in best))


def ours(points: Floats) -> float:
    apart = distances_of(points)[None]
    return float(two_means.best_silhouettes(apart**2, apart)[0])


@pytest.mark.slow
@settings(max_examples=60)
@given(st.integers(3, 7), st.integers(1, 3), st.integers(0, 2**32 - 1))
def test_that_the_best_split_is_found_among_all(n: int, dimensions: int, seed: int) -> None:
    points = np.random.default_rng(seed).normal(size=(n, dimensions)).round(1)
    assume(len(np.unique(points, axis=0)) > 1)
    assert ours(points) == pytest.approx(by_trying_all(points), abs=1e-9)


def test_that_of_equal_splits_the_one_with_the_higher_silhouette_counts() -> None:
    corners = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0], [0.5, 0.5]])
    assert ours(corners) == pytest.approx(by_trying_all(corners), abs=1e-12)
    line = np.array([[0.0], [1.0], [2.0]])
    assert ours(line) == pytest.approx(by_trying_all(line), abs=1e-12)


@pytest.mark.slow
def test_that_twelve_points_are_still_solved_exactly() -> None:
    points = np.random.default_rng(3).normal(size=(12, 2))
    assert len(two_means.splits(12)) == 2**11 - 1
    assert ours(points) == pytest.approx(by_trying_all(points), abs=1e-9)


@settings(max_examples=60)
@given(st.integers(3, 9), st.integers(0, 2**32 - 1))
def test_that_silhouettes_are_scikit_learn_s_with_lone_points_at_zero(n: int, seed: int) -> None:
    draw = np.random.default_rng(seed)
    points = draw.normal(size=(n, 2))
    labels = np.zeros(n, bool)
    labels[: draw.integers(1, n)] = True
    found = two_means.silhouettes(distances_of(points)[None], labels[None])
    assert found[0] == pytest.approx(silhouette_score(points, labels), abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("n", [13, 18])
def test_that_up_to_eighteen_points_no_restart_finds_a_better_split(n: int) -> None:
    draw = np.random.default_rng(n)
    for _ in range(3):
        points = draw.normal(size=(n, 2))
        squared = distances_of(points)[None] ** 2
        inertia = two_means._inertias(squared)[0]
        assert len(inertia) == 2 ** (n - 1) - 1
        fitted = KMeans(n_clusters=2, n_init=30, random_state=1).fit(points)
        assert inertia.min() <= fitted.inertia_ + 1e-9
        least = two_means.splits(n)[inertia.argmin()]
        assert ours(points) == pytest.approx(silhouette_score(points, least), abs=1e-9)


def test_that_both_ways_to_the_sums_of_squares_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    squared = np.stack([distances_of(np.random.default_rng(n).normal(size=(9, 2))) ** 2 for n in range(4)])
    weighed = two_means._inertias(squared)
    monkeypatch.setattr(two_means, "_WEIGHED_UP_TO", 0)
    assert two_means._inertias(squared) == pytest.approx(weighed, abs=1e-9)


def test_that_more_than_eighteen_points_are_clustered_with_restarts() -> None:
    draw = np.random.default_rng(1)
    points = np.concatenate([draw.normal(0, 0.1, (8, 3)), draw.normal(5, 0.1, (12, 3))])
    found = two_means.restarted_silhouette(points, distances_of(points))
    labels = np.arange(20) < 8
    assert found == pytest.approx(silhouette_score(points, labels), abs=1e-9)


def test_that_a_bundle_scores_the_same_bits_alone_and_among_others() -> None:
    draw = np.random.default_rng(2)
    apart = np.stack([distances_of(draw.normal(size=(7, 3))) for _ in range(50)])
    together = two_means.best_silhouettes(apart**2, apart)
    assert [two_means.best_silhouettes(one[None] ** 2, one[None])[0] for one in apart] == together.tolist()
