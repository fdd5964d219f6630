from dataclasses import replace
from fractions import Fraction
from itertools import product
from statistics import mean, stdev

import numpy as np
import pytest

from gpf_desktop.methods.contextual_stereoset.analyses.mixed import agree
from gpf_desktop.methods.contextual_stereoset.choices import REFUSED_CODE, UNPARSED_CODE, Choices
from gpf_desktop.methods.contextual_stereoset.contrasts import (
    bounds,
    by_group,
    contrast_estimates,
    contrasts_of,
    paired_difference,
)
from gpf_desktop.methods.contextual_stereoset.dispersion import dispersions, permuted_sums
from gpf_desktop.methods.contextual_stereoset.grid import matched_pairs
from gpf_desktop.methods.contextual_stereoset.mixed import mixed_contrasts
from gpf_desktop.methods.contextual_stereoset.position import adjusted_contrasts, letter_shares
from gpf_desktop.methods.contextual_stereoset.shares import coverage, poorly_covered, shares
from gpf_desktop.stats.multiplicity import benjamini_hochberg
from gpf_desktop.stats.sign_flips import FLIPS
from tests.methods.contextual_stereoset.studies import LEVELS, planted, study

FULL = list(product(*LEVELS))


def with_gaps(choices: Choices) -> Choices:
    codes = choices.codes.copy()
    codes[::5, 3:9] = REFUSED_CODE
    codes[1::7, 10:30] = UNPARSED_CODE
    return replace(choices, codes=codes)


def test_that_a_contrast_is_the_mean_over_items_of_their_valid_matched_pairs() -> None:
    choices = with_gaps(study(planted("typical", 3)))
    named = contrasts_of(choices)
    assert [str(each) for each in named] == [
        "1990 – 2030",
        "gossip – direct",
        "formal – direct",
        "dissimilar – similar",
    ]
    found = contrast_estimates(choices, named, seed=1)
    for contrast, estimate in zip(named, found, strict=True):
        pairs = matched_pairs(choices.contexts, choices.place(contrast.factor), contrast.a, contrast.b)
        of_items = []
        for row in choices.codes:
            each = [int(row[a] == 0) - int(row[b] == 0) for a, b in pairs if row[a] >= 0 and row[b] >= 0]
            of_items.append(Fraction(sum(each), len(each)))
        assert estimate.estimate == pytest.approx(float(mean(of_items)), abs=1e-12)
        assert (estimate.items, estimate.pairs) == (40, len(pairs))
        assert estimate.low < estimate.estimate < estimate.high
        # Of the means themselves: items with unlike numbers of valid pairs count alike in them.
        flips = np.random.default_rng(8).choice([-1.0, 1.0], (20_000, 40)) @ np.array(of_items, dtype=np.float64)
        p = float((np.abs(flips) >= abs(float(sum(of_items))) - 1e-9).mean())
        assert estimate.p == pytest.approx(p, abs=4 * (p * (1 - p) / FLIPS + 1 / FLIPS**2) ** 0.5)
    assert [each.q for each in found] == benjamini_hochberg([each.p for each in found])


def test_that_the_largest_effect_has_the_smallest_p() -> None:
    """Whatever the numbers of their valid pairs: one test and one resolution for all contrasts."""
    choices = with_gaps(study(planted("typical", 3), items=400))
    found = sorted(contrast_estimates(choices, contrasts_of(choices), seed=1), key=lambda each: -abs(each.estimate))
    assert found[0].p == 1 / (FLIPS + 1)
    assert [each.p for each in found] == sorted(each.p for each in found)


def test_that_fewer_than_six_items_have_no_interval() -> None:
    choices = study(planted("typical", 3), items=5)
    found = contrast_estimates(choices, contrasts_of(choices), seed=1)
    assert all(np.isnan([each.low, each.high]).all() and each.p >= 1 / 16 for each in found)
    assert all(np.isnan([each.low, each.excess_high]).all() for each in dispersions(choices, seed=1))
    assert all(np.isnan(each.low) for each in shares(choices, seed=1))
    assert all(np.isnan(each.high) for each in adjusted_contrasts(choices, contrasts_of(choices), "S", seed=1))


def test_that_the_interval_is_that_of_items_drawn_one_by_one() -> None:
    choices = study(planted("typical", 3))
    named = contrasts_of(choices)[:1]
    (found,) = contrast_estimates(choices, named, seed=1)
    pairs = matched_pairs(choices.contexts, 1, "1990", "2030")
    of_items = [mean(int(row[a] == 0) - int(row[b] == 0) for a, b in pairs) for row in choices.codes]
    draw = np.random.default_rng(99)
    drawn = [mean(of_items[i] for i in draw.integers(0, 40, 40)) for _ in range(4000)]
    low, high = np.quantile(drawn, [0.025, 0.975])
    assert found.low == pytest.approx(low, abs=0.012)
    assert found.high == pytest.approx(high, abs=0.012)


def test_that_shares_are_counts_over_valid_cells_and_a_low_level_is_warned_of() -> None:
    choices = with_gaps(study(planted("typical", 3)))
    found = {(each.factor, each.level): each for each in shares(choices, seed=1)}
    columns = [at for at, context in enumerate(choices.contexts) if context and context[2] == "gossip"]
    counts = [int((choices.codes[:, columns] == code).sum()) for code in range(3)]
    gossip = found["style", "gossip"]
    assert gossip.ss == pytest.approx(counts[0] / sum(counts))
    assert gossip.of_first_two == pytest.approx(counts[0] / (counts[0] + counts[1]))
    assert sum(gossip.shares) == pytest.approx(1)
    assert gossip.low < gossip.ss < gossip.high
    assert found["none", ""].valid == 40
    cover = {(each.factor, each.level): each for each in coverage(choices)}
    assert cover["style", "gossip"].valid == sum(counts)
    assert cover["all", ""].refused == 8 * 6
    assert cover["all", ""].asked == 40 * 74
    assert "year" in poorly_covered(coverage(choices))
    assert [each.level for each in coverage(choices) if each.factor == "year"] == LEVELS[1]
    assert poorly_covered(coverage(study(planted("typical", 3)))) == frozenset()


def swapped(choices: Choices) -> Choices:
    """Stereotype and anti-stereotype in each other's stead."""
    codes = np.choose(np.maximum(choices.codes, 0), [1, 0, 2]).astype(np.int8)
    return replace(
        choices, codes=np.where(choices.codes < 0, choices.codes, codes), places=choices.places[:, :, [1, 0, 2]]
    )


def test_that_bounds_take_every_invalid_cell_for_a_choice_and_for_none() -> None:
    choices = with_gaps(study(planted("typical", 3)))
    named = contrasts_of(choices)
    as_chosen = contrast_estimates(replace(choices, codes=np.maximum(choices.codes, 0)), named, seed=1)
    as_other = contrast_estimates(replace(choices, codes=np.where(choices.codes < 0, 1, choices.codes)), named, seed=1)
    found = bounds(choices, named)
    assert [each.all_chosen for each in found] == pytest.approx([each.estimate for each in as_chosen])
    assert [each.none_chosen for each in found] == pytest.approx([each.estimate for each in as_other])
    assert bounds(swapped(choices), named, "A") == found


def test_that_sigma_is_over_levels_and_its_excess_leaves_out_what_chance_gives() -> None:
    choices = study(planted("typical", 3), contexts=FULL)
    ss = {(each.factor, each.level): each.ss for each in shares(choices, seed=1)}
    found = {each.factor: each for each in dispersions(choices, seed=1)}
    assert list(found) == ["location", "year", "style", "observer"]
    for factor, levels in zip(found, LEVELS, strict=True):
        assert found[factor].sigma == pytest.approx(stdev(ss[factor, level] for level in levels))
        assert found[factor].sigma_excess <= found[factor].sigma
    assert found["observer"].sigma_excess == pytest.approx(0.13 / 2**0.5, abs=0.02)
    assert found["observer"].p == pytest.approx(1 / 2000)
    assert found["location"].sigma_excess < 0.01
    assert found["location"].p > 0.05


def test_that_another_factors_effect_is_no_excess_of_an_unbalanced_one() -> None:
    contexts = [context for context in FULL if (context[3] == "dissimilar") == (context[0] in LEVELS[0][:6])]
    contexts += [context for context in FULL if context[0] in LEVELS[0][::3] and context not in contexts]
    found = {each.factor: each for each in dispersions(study(planted("typical", 3), contexts=contexts), seed=1)}
    assert found["location"].sigma < 0.05
    assert found["location"].sigma_excess < 0.02
    assert found["location"].p > 0.05


def test_that_sums_drawn_as_normal_have_the_permutations_mean_and_covariance(monkeypatch: pytest.MonkeyPatch) -> None:
    choices = with_gaps(study(planted("typical", 3), contexts=FULL[::30]))
    chosen, valid = choices.chose("S"), choices.valid
    whole = permuted_sums(chosen, valid, seed=1, draws=6000)
    monkeypatch.setattr("gpf_desktop.methods.contextual_stereoset.dispersion.PERMUTED_UP_TO", 0)
    normal = permuted_sums(chosen, valid, seed=2, draws=6000)
    assert normal.mean(axis=0) == pytest.approx(whole.mean(axis=0), abs=0.25)
    assert np.cov(normal.T) == pytest.approx(np.cov(whole.T), abs=0.6)
    assert np.cov(whole.T).trace() == pytest.approx(np.cov(normal.T).trace(), rel=0.03)


def test_that_a_liking_for_a_letter_is_seen_and_taken_out_of_a_contrast() -> None:
    def first_where_dissimilar(item: str, context: tuple[str, ...], order: str) -> str:
        return "A" if order[0] != "U" else "B"

    choices = study(first_where_dissimilar, items=60)
    codes, places = choices.codes.copy(), choices.places.copy()
    dissimilar = np.array([bool(context) and context[3] == "dissimilar" for context in choices.contexts])
    stereotype_first = np.array([0, 1, 2], dtype=np.int8)
    places[:, dissimilar] = stereotype_first
    codes[:, dissimilar] = 0
    choices = replace(choices, codes=codes, places=places)
    letters = {each.letter: each for each in letter_shares(choices, seed=1)}
    assert letters["A"].low > 1 / 3 > letters["C"].high
    named = [each for each in contrasts_of(choices) if each.factor == "observer"]
    (raw,) = contrast_estimates(choices, named, seed=1)
    (adjusted,) = adjusted_contrasts(choices, named, "S", seed=1)
    assert raw.estimate > 0.4
    assert abs(adjusted.estimate) < 0.05
    assert adjusted_contrasts(swapped(choices), named, "A", seed=1) == [adjusted]
    always = places.copy()
    always[:, ~dissimilar] = stereotype_first[[1, 0, 2]]
    (inseparable,) = adjusted_contrasts(replace(choices, places=always), named, "S", seed=1)
    assert np.isnan(inseparable.estimate), "the place changes with the observer, and nothing tells them apart"


def test_that_an_effect_in_one_type_alone_is_an_interaction() -> None:
    codes = study(planted("steady", 4), contexts=FULL[::3]).codes.copy()
    choices = study(planted("steady", 4), contexts=FULL[::3])
    dissimilar = np.array([bool(context) and context[3] == "dissimilar" for context in choices.contexts])
    of_gender = np.array([group == "gender" for group in choices.groups])
    codes[np.ix_(of_gender, dissimilar)] = 0
    full = study(planted("steady", 4), contexts=FULL)
    codes = full.codes.copy()
    dissimilar = np.array([bool(context) and context[3] == "dissimilar" for context in full.contexts])
    codes[np.ix_(of_gender, dissimilar)] = 0
    named = contrasts_of(full)
    found = by_group(replace(full, codes=codes), named, seed=1)
    gender = next(each for each in found if each.group == "gender" and each.estimate.contrast.factor == "observer")
    race = next(each for each in found if each.group == "race" and each.estimate.contrast.factor == "observer")
    assert gender.estimate.estimate > 0.4
    assert abs(race.estimate.estimate) < 0.1
    assert gender.interaction_p == race.interaction_p == pytest.approx(1 / 2000)
    year = next(each for each in found if each.estimate.contrast.factor == "year")
    assert year.interaction_p > 0.01


def test_that_bounds_of_a_type_rest_on_its_own_invalid_cells() -> None:
    choices = study(planted("steady", 4), items=8)
    codes = choices.codes.copy()
    gossip = choices.at("style", "gossip")
    codes[np.ix_(np.array([group == "gender" for group in choices.groups]), gossip)] = UNPARSED_CODE
    named = [each for each in contrasts_of(choices) if each.a == "gossip"]
    found = {each.group: each for each in by_group(replace(choices, codes=codes), named, seed=1)}
    gender, race = found["gender"].bounds, found["race"]
    assert gender.all_chosen == pytest.approx(gender.none_chosen + 1)
    assert race.bounds.all_chosen == race.bounds.none_chosen == pytest.approx(race.estimate.estimate)


def test_that_a_mixed_model_agrees_with_matched_pairs_where_items_move_alike() -> None:
    choices = study(planted("typical", 1))
    found = contrast_estimates(choices, contrasts_of(choices), seed=1)
    fit = mixed_contrasts(choices, [each.contrast for each in found])
    assert fit is not None
    assert all(agree(*pair) for pair in zip(found, fit.contrasts, strict=True))
    # Planted: .09, .05, 0 and .13 more.
    held = [
        low <= wanted <= high
        for (low, high), wanted in zip(
            ((each.low, each.high) for each in fit.contrasts), (0.09, 0.05, 0.0, 0.13), strict=True
        )
    ]
    assert held == [True] * 4
    assert [each.odds > 1 for each in fit.contrasts if abs(each.estimate) > 0.05] == [True] * 3
    assert mixed_contrasts(replace(choices, codes=np.full_like(choices.codes, REFUSED_CODE)), []) is None
    # Of two items matched pairs have no range, so nothing agrees with it.
    two = choices.some(range(2))
    few = contrast_estimates(two, [each.contrast for each in found], seed=1)
    of_few = mixed_contrasts(two, [each.contrast for each in found])
    assert of_few is not None
    assert [agree(*pair) for pair in zip(few, of_few.contrasts, strict=True)] == [None] * 4
    assert np.isnan([[each.low, each.high] for each in of_few.contrasts]).all()


def test_that_two_models_are_compared_on_what_both_were_asked() -> None:
    first, second = study(planted("typical", 3), model="x"), study(planted("steady", 3), model="y")
    fewer = second.some(range(5, 40))
    named = contrasts_of(first)
    found = paired_difference(first, fewer, named, seed=1)
    alone = contrast_estimates(first.some(range(5, 40)), named, seed=1), contrast_estimates(fewer, named, seed=1)
    assert [each.items for each in found] == [35] * 4
    assert [each.estimate for each in found] == pytest.approx(
        [x.estimate - y.estimate for x, y in zip(*alone, strict=True)]
    )
