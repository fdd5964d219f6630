"""Round numbers on an axis, for whoever draws one."""

import math


def ticks(low: float, high: float) -> list[float]:
    """Up to eight round numbers that hold both ends."""
    # Ends that are one number get a step of its own size, and of 1 where that number is 0.
    step = step_of(high - low or abs(high) or 1.0, 6)
    # .3 / .1 is a little under 3 in floating point: an end that is a round number must not bring one more.
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    # Two at least: shares along an axis are of its length, which must not be 0.
    return [step * place for place in range(first, max(last, first + 1) + 1)]


def inner_ticks(low: float, high: float, most: int = 4) -> list[float]:
    """Round numbers between both ends, which may themselves be none."""
    step = step_of(high - low or abs(high) or 1.0, most)
    return [step * place for place in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)]


def step_of(reach: float, most: int) -> float:
    """The smallest of 1, 2, 5, 10 … of which *reach* holds no more than *most*."""
    power: float = 10.0 ** math.floor(math.log10(reach / (most - 1)))
    return next(power * each for each in (1, 2, 5, 10) if reach / (power * each) <= most)


def digits_of(step: float) -> int:
    """Decimals that numbers a *step* apart need to be told from each other."""
    # The logarithm of a power of ten may come out a hair too small, which would add a digit.
    return max(0, -math.floor(math.log10(step) + 1e-9))
