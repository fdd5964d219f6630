"""Seeds of cells."""

from hypothesis import given
from hypothesis import strategies as st

from gpf_desktop.domain.cells import cell_seed, seed_text, seeds_of

WORDS = st.text(max_size=20) | st.integers()


@given(st.integers(), st.lists(WORDS, max_size=4), st.lists(WORDS, min_size=1, max_size=4))
def test_that_a_seed_is_the_same_wherever_its_coordinates_are_cut(
    run: int, begin: list[str | int], end: list[str | int]
) -> None:
    assert seeds_of(seed_text(run, *begin))(seed_text(*end)) == cell_seed(run, *begin, *end)


def test_that_seeds_of_earlier_versions_are_drawn_again() -> None:
    assert cell_seed(7, "openai/gpt", "an item", 0) == 2_015_402_857
