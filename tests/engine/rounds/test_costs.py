"""The cost of one call by what its server counts, and where that makes no sense or is not there."""

from datetime import date

import pytest

from gpf_desktop.domain.models import Price
from gpf_desktop.domain.responses import Reply, Usage
from gpf_desktop.engine.rounds.model_task import cost_of

PRICE = Price(prompt=2.0, completion=3.0, cached=0.5, entered=date(2026, 11, 1))


@pytest.mark.parametrize(
    ("usage", "text", "microdollars"),
    [
        (Usage(prompt=10, completion=4, cached=6), "x", 2 * 4 + 0.5 * 6 + 3 * 4),
        # More of it in the cache than there was.
        (Usage(prompt=10, completion=4, cached=60), "x", 0.5 * 10 + 3 * 4),
        # An answer of which nobody says what it took: its question cost something too.
        (Usage(), "x" * 9, 2 * 100 + 3 * 3),
        (Usage(prompt=10), "x" * 9, 2 * 10 + 3 * 3),
    ],
)
def test_that_a_call_costs_what_it_took_and_never_less_than_nothing(
    usage: Usage, text: str, microdollars: float
) -> None:
    assert cost_of(PRICE, Reply(text=text, usage=usage), sent=100) == pytest.approx(microdollars)
