"""Dollars in as many digits as a spend cap has."""

from math import ceil
from typing import Final

MOST_DOLLARS: Final = 1e9
"""Of a spend cap, and of a price for a million tokens: more is a slip, and thousands of it are no number any more."""
MOST_DIGITS: Final = 6


def digits_of(cap: float | None) -> int:
    """Decimals that *cap* needs to be shown as it is: two at least."""
    return next(
        (digits for digits in range(2, MOST_DIGITS) if cap is None or abs(round(cap, digits) - cap) < 1e-9), MOST_DIGITS
    )


def rounded_up(dollars: float, digits: int) -> float:
    """Never less than *dollars*; what only looks like more because of floats stays as it is."""
    unit = 10.0**digits
    return ceil(round(dollars * unit, 6)) / unit


def exact(dollars: float, digits: int | None = None) -> str:
    """$1.83, with *digits* decimals, or as many as it needs up to a hundredth of a cent; what is little is not called
    nothing."""
    digits = min(digits_of(dollars), 2 if dollars >= 1.0 else 4) if digits is None else digits
    # What would round to nothing has the digits of its first figure.
    while 0 < dollars < 0.5 * 10.0**-digits and digits < MOST_DIGITS:
        digits += 1
    return f"${dollars:,.{digits}f}"
