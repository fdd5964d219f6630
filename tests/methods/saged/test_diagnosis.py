"""What chance shows, and what planted differences show beside it."""

import numpy as np
import pytest
from scipy import stats

from gpf_desktop.methods.saged.analyses._series import beside_critical
from gpf_desktop.methods.saged.chance import Matched, at_least
from gpf_desktop.methods.saged.diagnosis import Diagnosis, Disparity, Options, Series, diagnose, intervals
from gpf_desktop.methods.saged.disparities import dixon_critical

ROOTS, CONCEPTS = 20, 8
MATCHED = Matched(np.repeat(np.arange(ROOTS), CONCEPTS), np.tile(np.arange(CONCEPTS), ROOTS), CONCEPTS)


def answers(seed: int, planted: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """(values, baselines) of every root and concept; roots differ, and concept 3 is *planted* below the others."""
    draw = np.random.default_rng(seed)
    baselines = draw.normal(size=ROOTS)[MATCHED.roots]
    values = baselines + draw.normal(scale=0.3, size=len(baselines)) - planted * (MATCHED.concepts == 3)
    return values, baselines


def named(diagnosis: Diagnosis, statistic: str, name: str) -> Disparity:
    return next(each for each in diagnosis.disparities if (each.statistic, each.name) == (statistic, name))


def test_that_a_planted_difference_is_found_with_its_size_and_concept() -> None:
    values, baselines = answers(1, planted=1.0)
    found = named(diagnose(Series(matched=MATCHED, values=values, baselines=baselines), Options()), "mean", "range")
    assert found.value == pytest.approx(1.0, abs=0.35)
    assert found.min_group == 3
    assert found.expected is not None
    assert found.expected < 0.3
    assert found.p == 1 / 500


def test_that_every_disparity_stands_beside_chance_and_dixons_ratio_less_its_critical_value_too() -> None:
    values, baselines = answers(1, planted=1.0)
    values[MATCHED.concepts == 7] = np.nan
    series = Series(matched=MATCHED, values=values, baselines=baselines)
    found, ends = beside_critical(diagnose(series, Options()), intervals(series, Options(replicates=50)))
    there = [each for each in found.disparities if each.value is not None]
    assert len({each.statistic for each in there}) == 12
    assert all(each.expected is not None and each.p is not None for each in there)
    critical = dixon_critical(CONCEPTS - 1)
    assert critical is not None
    whole, less = named(found, "mean", "dixon_low"), named(found, "mean", "dixon_low_less_critical")
    assert whole.value is not None
    assert whole.expected is not None
    assert whole.value - critical > 0 > whole.expected - critical
    assert (less.value, less.expected, less.p) == (whole.value - critical, whole.expected - critical, whole.p)
    assert ends["mean", "dixon_low_less_critical"][1] == ends["mean", "dixon_low"][1] - critical


def test_that_matched_roots_make_a_difference_visible_that_roots_hide() -> None:
    """Roots differ by more than concepts: were concepts permuted over all answers, the difference would drown."""
    values, baselines = answers(2, planted=0.45)
    within = named(diagnose(Series(matched=MATCHED, values=values, baselines=baselines), Options()), "mean", "range")
    one_root = Matched(np.zeros(ROOTS * CONCEPTS, np.int64), MATCHED.concepts, CONCEPTS)
    across = named(diagnose(Series(matched=one_root, values=values, baselines=baselines), Options()), "mean", "range")
    assert within.p is not None
    assert across.p is not None
    assert within.p < 0.02 < 0.2 < across.p


@pytest.mark.slow
def test_that_p_is_uniform_where_nothing_was_planted() -> None:
    p = []
    for seed in range(200):
        values, baselines = answers(seed)
        found = diagnose(
            Series(matched=MATCHED, values=values, baselines=baselines), Options(replicates=99, seed=(seed,))
        )
        p.append([named(found, *of).p or 0.0 for of in (("mean", "range"), ("median", "sd"), ("sd", "min_max_ratio"))])
    for column in np.array(p).T:
        assert (column <= 0.05).mean() == pytest.approx(0.05, abs=0.02)
        assert stats.kstest(column, "uniform").pvalue > 0.01


def test_that_a_seed_gives_the_same_p_and_blocks_add_up(monkeypatch: pytest.MonkeyPatch) -> None:
    values, baselines = answers(3)
    series = Series(matched=MATCHED, values=values, baselines=baselines)
    first = diagnose(series, Options(replicates=50))
    assert diagnose(series, Options(replicates=50)).disparities == first.disparities
    monkeypatch.setattr("gpf_desktop.methods.saged.chance._AT_ONCE", ROOTS * CONCEPTS * 7)
    blocks = [len(block) for block in MATCHED.permuted(50, (0,))]
    assert blocks == [7] * 7 + [1]


def test_that_permutations_keep_every_answer_in_its_root() -> None:
    (which,) = MATCHED.permuted(30, (4,))
    by_concept = MATCHED.by_concept
    assert (MATCHED.roots[which] == MATCHED.roots[by_concept]).all()
    assert (np.sort(which, axis=1) == np.arange(ROOTS * CONCEPTS)).all()
    assert (which != by_concept).any(axis=1).all()


def test_that_answers_without_a_value_or_a_baseline_are_left_out() -> None:
    values, baselines = answers(5)
    values[MATCHED.concepts == 2] = np.nan
    values[0] = np.nan
    baselines[MATCHED.concepts == 1] = np.nan
    found = diagnose(Series(matched=MATCHED, values=values, baselines=baselines), Options(replicates=20))
    assert found.n.tolist() == [19, 20, 0, 20, 20, 20, 20, 20]
    assert found.n_paired.tolist() == [19, 0, 0, 20, 20, 20, 20, 20]
    assert found.statistics["mean"][0] == pytest.approx(np.nanmean(values[MATCHED.concepts == 0]))
    assert np.isnan(found.statistics["mean"][2])
    assert np.isnan(found.statistics["correlation"][1])
    assert not np.isnan(found.statistics["correlation"][3])


def test_that_chance_is_unknown_where_no_root_has_two_concepts() -> None:
    values, baselines = answers(6)
    own = Matched(np.arange(ROOTS * CONCEPTS), MATCHED.concepts, CONCEPTS)
    found = named(diagnose(Series(matched=own, values=values, baselines=baselines), Options()), "mean", "range")
    assert found.value is not None
    assert (found.expected, found.p) == (None, None)


def test_that_what_never_varies_has_p_1_without_permuting() -> None:
    found = named(diagnose(Series(matched=MATCHED, values=np.zeros(ROOTS * CONCEPTS)), Options()), "mean", "range")
    assert (found.value, found.expected, found.p) == (0.0, 0.0, 1.0)


def test_that_ratios_count_small_ones_as_extreme() -> None:
    drawn = np.tile([0.5, 0.6, 0.7, np.nan], (4, 1))
    drawn[3] = np.nan
    expected, p = at_least(drawn, np.array([0.55, 0.55, np.nan, 0.55]), np.array([True, False, False, True]))
    assert expected == pytest.approx([0.6, 0.6, np.nan, np.nan], nan_ok=True)
    assert p == pytest.approx([2 / 4, 3 / 4, np.nan, np.nan], nan_ok=True)


def test_that_intervals_draw_roots_and_hold_what_was_planted() -> None:
    values, baselines = answers(7, planted=1.5)
    series = Series(matched=MATCHED, values=values - baselines, baselines=baselines, calibrated=True)
    low, high = intervals(series, Options(replicates=200))["mean", "range"]
    assert low < 1.5 + 0.25 < high + 0.25
    assert 0.1 < high - low < 1.0


@pytest.mark.parametrize("left_out", [(), (5,), (5, 6, 13)])
def test_that_drawn_roots_come_whole_evenly_or_not(left_out: tuple[int, ...]) -> None:
    some = MATCHED.only(~np.isin(np.arange(ROOTS * CONCEPTS), left_out))
    drawn = {
        (row, group): some.roots[which].tolist()
        for piece in some.roots_drawn(7, (3,))
        for row, group, which in zip(piece.rows.tolist(), piece.groups.tolist(), piece.which, strict=True)
        if (some.concepts[which] == group).all()
    }
    assert len(drawn) == 7 * CONCEPTS
    for row in range(7):
        whole = drawn[row, 1]
        assert len(whole) == ROOTS
        for group in range(CONCEPTS):
            without = {number // CONCEPTS for number in left_out if number % CONCEPTS == group}
            assert drawn[row, group] == [root for root in whole if root not in without]
