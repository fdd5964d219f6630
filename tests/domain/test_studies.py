"""What a study asks an auditor to choose."""

from dataclasses import dataclass
from typing import Annotated

from annotated_types import Ge, Interval

from gpf_desktop.domain.studies import Number, number_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    repeats: Annotated[int, Interval(ge=2, le=20)] = 3
    items: Annotated[int, Ge(0)] = 0


def test_that_a_number_has_the_bounds_and_the_default_of_its_field() -> None:
    assert number_of(Sizes, "repeats", title="Repeats") == Number(
        name="repeats", title="Repeats", least=2, most=20, default=3
    )
    items = number_of(Sizes, "items", title="Items", none="all")
    assert (items.least, items.most, items.default, items.none) == (0, 10_000, 0, "all")
