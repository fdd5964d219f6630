"""The words of round numbers on an axis."""

from collections.abc import Sequence

from gpf_desktop.exporters._text import number
from gpf_desktop.numerics.axis_ticks import digits_of


def tick_text(tick: float, step: float) -> str:
    """With as many digits as its neighbours need to be told apart."""
    return number(tick, digits_of(step))


def tick_texts(values: Sequence[float]) -> list[str]:
    """Of neighbouring *values*, two at least."""
    return [tick_text(value, values[1] - values[0]) for value in values]
