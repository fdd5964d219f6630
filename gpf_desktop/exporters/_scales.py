"""The words of round numbers on an axis."""

import math
from collections.abc import Sequence

from gpf_desktop.exporters._text import number


def tick_text(tick: float, step: float) -> str:
    """With as many digits as its neighbours need to be told apart."""
    # The logarithm of a power of ten may come out a hair too small, which would add a digit.
    return number(tick, max(0, -math.floor(math.log10(step) + 1e-9)))


def tick_texts(values: Sequence[float]) -> list[str]:
    """Of neighbouring *values*, two at least."""
    return [tick_text(value, values[1] - values[0]) for value in values]
