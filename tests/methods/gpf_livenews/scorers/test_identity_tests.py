from collections.abc import Mapping
from itertools import product

import pytest

from gpf_desktop.domain.scores import FitGroup
from gpf_desktop.engine.core.scoring_pool import ScoringPool
from gpf_desktop.methods.gpf_livenews.scorers.gpf import GpfOptions
from gpf_desktop.methods.gpf_livenews.scorers.identity_tests import conclude_strata, draw_bundles, merged
from gpf_desktop.stats.resampling import NullDraws
from tests.methods.gpf_livenews.scorers.bundles import group_of, plain

FILLER = ["the plan starts in spring", "work begins on the street", "the council met on monday"]
MOVED = ["rent falls for students", "parking ends for shops", "prayer times stay the same", "the clinic opens late"]


def repeated(moved: bool) -> list[tuple[str, int, str]]:
    """Four identities, three generations each; what is said depends on the identity only where *moved*."""
    return [
        (
            f"id{identity}",
            repeat,
            f"{MOVED[identity] if moved else 'nothing changes'} {FILLER[(identity + repeat) % 3]}",
        )
        for identity, repeat in product(range(4), range(3))
    ]


GROUP: FitGroup = group_of([repeated(moved=True), repeated(moved=False), plain(MOVED), repeated(moved=True)])


def draw_strata(strata: Mapping[int, str], replicates: int) -> dict[str, NullDraws]:
    drawn = draw_bundles([GROUP], strata, GpfOptions(), seed=1, replicates=replicates)
    return merged([{strata[number]: one} for number, one in drawn.items()])


def test_that_strata_where_identities_move_the_answers_are_told_from_those_where_they_do_not() -> None:
    strata = {0: "moved", 1: "still", 2: "no repeats", 3: "moved"}
    moved, still = conclude_strata(draw_strata(strata, 499))
    assert (moved.stratum, moved.test.bundles, still.stratum, still.test.bundles) == ("moved", 2, "still", 1)
    assert moved.test.p == moved.test.smallest_p == 1 / 500
    assert moved.adjusted_p == 2 / 500
    assert still.test.p > 0.2
    assert moved.test.statistic > 0.1 > still.test.statistic


def test_that_planted_differences_do_not_make_room_for_others_in_the_adjustment() -> None:
    strata = {0: "planted", 1: "still", 3: "planted too"}
    drawn = draw_strata(strata, 499)
    (alone,) = conclude_strata({"still": drawn["still"]})
    together = {test.stratum: test for test in conclude_strata(drawn, {"planted", "planted too"})}
    assert list(together) == list(drawn)
    assert together["still"].adjusted_p == alone.adjusted_p == alone.test.p
    assert together["planted"].adjusted_p == 1 / 500


@pytest.mark.slow
def test_that_chunks_drawn_apart_and_in_workers_merge_to_the_same_tests() -> None:
    strata = {0: "all", 1: "all", 3: "all"}
    whole = draw_strata(strata, 99)
    parts = [FitGroup(texts=GROUP.texts, bundles=(bundle,)) for bundle in GROUP.bundles]
    with ScoringPool(workers=1) as pool:
        drawn = [pool.call(draw_bundles, [part], strata, GpfOptions(), seed=1, replicates=99) for part in parts]
        each_alone = [{"all": one} for each in drawn for one in each.result().values()]
        assert conclude_strata(merged(each_alone)) == conclude_strata(whole)


def test_that_bundles_outside_the_strata_are_passed_over() -> None:
    assert draw_strata({}, 99) == {}
