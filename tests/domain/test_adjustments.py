"""Of several limits that were learnt, those stay that say something of their own."""

import pytest

from gpf_desktop.domain.adjustments import limited, limited_here, renamed, tidied

OF_ALL, LESS, HERE = limited("max_tokens", 2048), limited("max_tokens", 300), limited_here("max_tokens", 300)


@pytest.mark.parametrize(
    ("learnt", "kept"),
    [
        ((OF_ALL, LESS), [LESS]),
        ((OF_ALL, HERE), [OF_ALL, HERE]),
        ((HERE,), [HERE]),
        ((HERE, limited_here("max_tokens", 200)), [limited_here("max_tokens", 200)]),
        ((LESS, HERE), [LESS]),
        ((LESS, limited("top_k", 20)), [LESS, limited("top_k", 20)]),
        (("seed", renamed("max_tokens", "max_completion_tokens")), ["max_tokens as max_completion_tokens", "seed"]),
    ],
)
def test_that_no_limit_is_lost_but_to_a_smaller_one_of_its_kind(learnt: tuple[str, ...], kept: list[str]) -> None:
    assert tidied(learnt) == sorted(kept)
