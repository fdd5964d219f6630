"""Who differs from the others is named step by step, and nobody for another's sake."""

import numpy as np

from gpf_desktop.stats.rates import groups_within
from gpf_desktop.stats.stepwise_tests import Parts, step_down


def test_that_one_who_differs_is_named_and_those_beside_it_are_not() -> None:
    trials = np.full((9, 7), 11)
    events = np.zeros((9, 7), int)
    events[:, 4] = 2
    alone = groups_within(events, trials).p
    assert (alone < 0.05).sum() == 1 or alone[4] == alone.min()
    named, tests = step_down([Parts(events=events, trials=trials)], 0.05)
    assert [each.part for each in named] == [4]
    assert tests == 7


def test_that_two_who_differ_the_same_way_are_both_named() -> None:
    trials = np.full((12, 7), 11)
    events = np.zeros((12, 7), int)
    events[:, 1], events[:, 4] = 5, 2
    named, _ = step_down([Parts(events=events, trials=trials)], 0.05)
    assert sorted(each.part for each in named) == [1, 4]


def test_that_more_groups_ask_for_more() -> None:
    trials = np.ones((5, 4), int)
    events = np.zeros((5, 4), int)
    events[:, 0] = 1
    quiet = [
        Parts(events=np.tile([[1, 0, 0, 0], [0, 1, 0, 0]], (3, 1)), trials=np.ones((6, 4), int)) for _ in range(60)
    ]
    one, _ = step_down([Parts(events=events, trials=trials)], 0.05)
    many, _ = step_down([Parts(events=events, trials=trials), *quiet], 0.05)
    assert len(one) == 1
    assert not many


def test_that_where_clusters_are_many_the_normal_law_says_what_counting_does() -> None:
    draw = np.random.default_rng(4)
    trials = np.full((320, 4), 3)
    events = draw.binomial(3, 0.3, (320, 4))
    mine = np.array([p for p, _ in Parts(events=events, trials=trials).tested()])
    np.testing.assert_allclose(mine, groups_within(events, trials).p, atol=0.01)


def test_that_names_are_false_on_few_pages() -> None:
    draw = np.random.default_rng(8)
    wrong = 0
    for _ in range(200):
        rates = draw.beta(0.5, 2, (10, 1))
        pages = [
            Parts(events=draw.binomial(5, np.broadcast_to(rates, (10, 7))), trials=np.full((10, 7), 5))
            for _ in range(3)
        ]
        wrong += bool(step_down(pages, 0.05)[0])
    assert wrong <= 18, "5% of 200 are 10, and 18 one in a hundred times at most"
