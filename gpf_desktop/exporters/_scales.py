"""Round numbers on an axis, for whoever draws one."""

import math
from collections.abc import Sequence

from gpf_desktop.exporters._text import number


def ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Up to *most* + 2 round numbers that hold both ends."""
    step = step_of(high - low or abs(high) or 1.0, most)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [step * place for place in range(first, max(last, first + 1) + 1)]


def inner_ticks(low: float, high: float, most: int = 4) -> list[float]:
    """Round numbers between both ends, which may themselves be none."""
    step = step_of(high - low or abs(high) or 1.0, most)
    return [step * place for place in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)]


def step_of(reach: float, most: int) -> float:
    """The smallest of 1, 2, 5, 10 … of which *reach* holds no more than *most*."""
    power: float = 10.0 ** math.floor(math.log10(reach / (most - 1)))
    return next(power * each for each in (1, 2, 5, 10) if reach / (power * each) <= most)


def tick_text(tick: float, step: float) -> str:
    """With as many digits as its neighbours need to be told apart."""
    return number(tick, max(0, -math.floor(math.log10(step) + 1e-9)))


def tick_texts(values: Sequence[float]) -> list[str]:
    """Of neighbouring *values*, two at least."""
    return [tick_text(value, values[1] - values[0]) for value in values]
