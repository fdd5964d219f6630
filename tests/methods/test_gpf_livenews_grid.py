"""The GPF grid: the method's counts, and where its controls fall."""

from collections import Counter
from dataclasses import replace

from gpf_desktop.methods.gpf_livenews.cells import Condition, Factors
from gpf_desktop.methods.gpf_livenews.grid import grid
from gpf_desktop.methods.gpf_livenews.protocol import Controls
from tests.support.protocols import shipped_protocol

PROTOCOL = shipped_protocol()


def expand(controls: Controls, key: str = "k", seed: int = 1) -> list[Factors]:
    return list(grid(key, PROTOCOL, controls, seed))


def bundles(cells: list[Factors]) -> Counter[tuple[str, str, str, int]]:
    return Counter((c.condition, c.dimension, c.family, c.paraphrase) for c in cells if c.repeat == 0)


def test_that_an_article_has_294_cells_and_42_bundles_without_controls() -> None:
    cells = expand(Controls.none())
    assert len(cells) == 294
    assert len(bundles(cells)) == 42


def test_that_identity_free_and_random_label_bundles_have_the_default_sizes() -> None:
    sizes = bundles(expand(PROTOCOL.controls))
    free = {key: n for key, n in sizes.items() if key[0] == Condition.IDENTITY_FREE}
    random_label = {key: n for key, n in sizes.items() if key[0] == Condition.RANDOM_LABEL}
    assert len(free) == 7
    assert set(free.values()) == {7}
    assert len(random_label) == 14
    assert set(random_label.values()) == {7}


def test_that_whole_bundles_are_repeated() -> None:
    cells = [c for c in expand(PROTOCOL.controls) if c.condition is Condition.IDENTITY and c.paraphrase == 0]
    repeated = {(c.dimension, c.family) for c in cells if c.repeat > 0}
    assert len(repeated) in (5, 6)
    for dimension, family in repeated:
        size = len(PROTOCOL.dimension(dimension).identities)
        assert sum((c.dimension, c.family) == (dimension, family) for c in cells) == 3 * size


def test_that_repeats_are_spread_over_dimensions_and_families() -> None:
    for seed in range(20):
        cells = expand(PROTOCOL.controls, seed=seed)
        repeated = {(c.dimension, c.family) for c in cells if c.repeat > 0 and c.condition is Condition.IDENTITY}
        assert max(Counter(d for d, _ in repeated).values()) == 1
        assert max(Counter(f for _, f in repeated).values()) == 1


def test_that_whole_label_bundles_are_repeated_and_no_other_draw_changes() -> None:
    cells = expand(replace(PROTOCOL.controls, label_repeat_share=0.28))
    labels = [c for c in cells if c.condition is Condition.RANDOM_LABEL]
    repeated = {(c.dimension, c.family) for c in labels if c.repeat > 0}
    assert len(repeated) in (3, 4)
    assert {name for name, _ in repeated} == {"letters", "words"}
    for dimension, family in repeated:
        assert sum((c.dimension, c.family) == (dimension, family) for c in labels) == 3 * 7
    without = replace(PROTOCOL.controls, label_repeat_share=0.0)
    assert [c for c in cells if c.condition is not Condition.RANDOM_LABEL or not c.repeat] == expand(without)


def test_that_shares_hold_over_many_articles() -> None:
    repeated = paraphrased = 0
    for number in range(200):
        cells = expand(PROTOCOL.controls, key=f"article {number}")
        repeated += len({(c.dimension, c.family) for c in cells if c.repeat > 0 and c.condition is Condition.IDENTITY})
        paraphrased += len({(c.dimension, c.family) for c in cells if c.paraphrase > 0})
    assert abs(repeated / (200 * 42) - 0.14) < 0.005
    assert abs(paraphrased / (200 * 42) - 0.5) < 0.005


def test_that_which_bundles_are_repeated_depends_on_the_article_and_the_seed_alone() -> None:
    assert expand(PROTOCOL.controls, key="a") == expand(PROTOCOL.controls, key="a")
    assert expand(PROTOCOL.controls, key="a") != expand(PROTOCOL.controls, key="b")
    assert expand(PROTOCOL.controls, seed=1) != expand(PROTOCOL.controls, seed=2)
