"""What a sample holds: the same for everybody, equally many of each stratum, larger ones around smaller ones."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.queue_samples import at_random, stratified

SIZES = st.integers(min_value=0, max_value=60)
STRATA = st.dictionaries(
    st.integers(min_value=1, max_value=10_000).map(BundleId),
    st.tuples(st.sampled_from(["x", "y", "z"]), st.sampled_from(["Impact", "Bias Check"])),
    max_size=50,
)


@given(strata=STRATA, size=SIZES, seed=st.integers(0, 1000))
def test_that_strata_give_equally_many_as_far_as_they_have_them(
    strata: dict[BundleId, tuple[str, ...]], size: int, seed: int
) -> None:
    drawn = stratified(strata, size, seed)
    assert len(drawn) == len(set(drawn)) == min(size, len(strata))
    held, given_ = Counter(strata.values()), Counter(strata[bundle] for bundle in drawn)
    most = max(given_.values(), default=0)
    for stratum, n in held.items():
        assert given_[stratum] == n or given_[stratum] >= most - 1


@given(strata=STRATA, size=SIZES, seed=st.integers(0, 1000))
def test_that_a_larger_sample_holds_a_smaller_one(
    strata: dict[BundleId, tuple[str, ...]], size: int, seed: int
) -> None:
    assert stratified(strata, size + 7, seed)[: min(size, len(strata))] == stratified(strata, size, seed)
    bundles = list(strata)
    assert at_random(bundles, size + 7, seed)[: min(size, len(strata))] == at_random(bundles, size, seed)


@given(strata=STRATA, size=SIZES, seed=st.integers(0, 1000))
def test_that_the_order_in_which_bundles_come_does_not_matter(
    strata: dict[BundleId, tuple[str, ...]], size: int, seed: int
) -> None:
    backwards = dict(reversed(strata.items()))
    assert stratified(strata, size, seed) == stratified(backwards, size, seed)
    assert at_random(list(strata), size, seed) == at_random(list(backwards), size, seed)


def test_that_another_seed_draws_another_sample() -> None:
    bundles = [BundleId(number) for number in range(1, 200)]
    strata = {bundle: ("x" if bundle % 3 else "y",) for bundle in bundles}
    assert at_random(bundles, 20, 1) != at_random(bundles, 20, 2)
    assert stratified(strata, 20, 1) != stratified(strata, 20, 2)
