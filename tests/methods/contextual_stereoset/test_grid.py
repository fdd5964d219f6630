from collections import Counter
from itertools import product

import pytest

from gpf_desktop.methods.contextual_stereoset.grid import (
    Contrast,
    budgeted_places,
    matched_pairs,
    named_contrasts,
)
from tests.benchmarks.budget_search import (
    CONTRASTS,
    SIZES,
    WANTED,
    Tally,
    balance,
    matched,
    search,
)
from tests.methods.contextual_stereoset.studies import BUDGETED, FACTORS, LEVELS


def test_that_the_budgeted_contexts_have_every_level_equally_often_within_one() -> None:
    assert len(set(BUDGETED)) == WANTED
    for place, levels in enumerate(LEVELS):
        counts = Counter(context[place] for context in BUDGETED if context)
        assert set(counts) == set(levels)
        assert max(counts.values()) - min(counts.values()) <= 1


def test_that_the_budgeted_contexts_hold_the_matched_pairs_that_are_printed() -> None:
    printed = balance(budgeted_places())
    named = named_contrasts(dict(zip(FACTORS, LEVELS, strict=True)))
    for contrast, line in zip(named, printed[1 + len(SIZES) : -1], strict=True):
        pairs = matched_pairs(BUDGETED, FACTORS.index(contrast.factor), contrast.a, contrast.b)
        assert line.startswith(f"{contrast}: {len(pairs)} matched pairs, over ")
        for a, b in pairs:
            unlike = [(x, y) for x, y in zip(BUDGETED[a], BUDGETED[b], strict=True) if x != y]
            assert unlike == [(contrast.a, contrast.b)]


def test_that_each_contrast_has_pairs_in_many_places_and_no_place_stands_for_a_year() -> None:
    contexts = budgeted_places()
    for contrast, (place, _, _) in CONTRASTS.items():
        pairs = matched(contexts, contrast)
        assert len(pairs) >= 15
        assert len({each[0] for each in pairs}) >= 6
        assert place == 1 or {each[1] for each in pairs} == set(range(SIZES["year"]))
    for place in range(SIZES["location"]):
        assert len({year for its, year, *_ in contexts if its == place}) >= 2
    assert balance(contexts)[-1].startswith("31 of 60 pairs of place and year")


def test_that_the_search_keeps_its_tally_and_gives_the_same_twice() -> None:
    found = search(5, steps=4000, starts=1)
    assert found == search(5, steps=4000, starts=1)
    assert len(set(found)) == WANTED
    there = set(found)
    brute = [
        sum(context[place] == a and (*context[:place], b, *context[place + 1 :]) in there for context in found)
        for place, a, b in CONTRASTS.values()
    ]
    assert Tally(found).pairs == brute
    draws = list(product(*(range(size) for size in SIZES.values())))[:WANTED]
    assert Tally(found).goal() > Tally(draws).goal()


@pytest.mark.parametrize(
    ("factor", "levels", "wanted"),
    [
        ("year", ["2010", "2030", "1990"], [("1990", "2030")]),
        ("style", ["gossip", "direct", "formal report"], [("gossip", "direct"), ("formal report", "direct")]),
        ("observer", ["similar to them", "dissimilar"], [("dissimilar", "similar to them")]),
        ("wording", ["typical", "fair"], [("fair", "typical")]),
        ("location", ["Kenya", "Japan"], []),
        ("style", ["direct"], []),
    ],
)
def test_which_contrasts_a_factor_has(factor: str, levels: list[str], wanted: list[tuple[str, str]]) -> None:
    assert list(named_contrasts({factor: levels})) == [Contrast(factor=factor, a=a, b=b) for a, b in wanted]
