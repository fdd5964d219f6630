"""Titles of maps say which field stands out, and no more than ranges allow."""

import pytest

from gpf_desktop.domain.findings import Estimate, Interval
from gpf_desktop.domain.map_titles import title_of_map


def field(value: float | None, half: float | None = None) -> Estimate:
    interval = (
        None if half is None or value is None else Interval(low=value - half, high=value + half, level=0.95, method="t")
    )
    return Estimate(value=value, n=4, articles=4, interval=interval)


@pytest.mark.parametrize(
    ("values", "half", "said"),
    [
        ((0.5, 0.5, 0.9), 0.05, "Furthest from the mean: c · Spread"),
        ((0.5, 0.5, 0.52), 0.3, "No field stands out · Spread"),
        ((0.5, 0.1, 0.5), None, "Spread"),
        ((0.5, None, None), 0.1, "Spread"),
    ],
)
def test_that_a_title_names_the_furthest_field_that_its_range_tells_from_the_mean(
    values: tuple[float | None, ...], half: float | None, said: str
) -> None:
    assert title_of_map("Spread", {name: field(each, half) for name, each in zip("abc", values, strict=True)}) == said


def test_that_a_field_of_wide_range_is_not_named_before_one_that_is_told() -> None:
    fields = {"wide": field(0.9, 0.9), "told": field(0.2, 0.05), "usual": field(0.5, 0.05)}
    assert title_of_map("Spread", fields) == "Furthest from the mean: told · Spread"
