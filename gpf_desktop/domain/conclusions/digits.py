"""The digits in which a number is told: a few, and as many more as show on which side of its null or margin it lies.

One rule for window, brief, annex, files and the command line: 1.002 beside a null of 1 is not told as 1.00. What one of
a column needs, all of them have. Ranges are rounded outwards, and so is the range that chance gives.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Final

from gpf_desktop.domain.conclusions.conclusion import Conclusion, MeasureReading
from gpf_desktop.domain.text import decimal, downward, range_ends, tr, upward

FEW: Final = 2
"""On screens and in the brief."""
_MOST: Final = 8
_Rounds = Callable[[float, int], float]
_SAME: Final = 1e-9
"""Numbers that lie no further apart are one number."""


def digits(values: Iterable[float], marks: Iterable[float], *, least: int = FEW) -> int:
    """The number of decimals with which each of *values*, as told, lies on the same side of each of *marks* as it
    does."""
    return _digits(values, marks, least)


def _digits(
    values: Iterable[float], marks: Iterable[float], least: int, of: _Rounds = round, to: _Rounds = round
) -> int:
    """`digits` where values are rounded as *of* does, and marks as *to* does."""
    marks = tuple(marks)
    pairs = [(value, mark) for value in values for mark in marks if abs(value - mark) > _SAME]
    return next((n for n in range(least, _MOST) if all(_apart(*pair, n, of, to) for pair in pairs)), _MOST)


def told(values: Sequence[float], marks: Iterable[float], *, least: int = FEW) -> tuple[str, ...]:
    """The *values* as texts, in the digits that all of them need."""
    n = digits(tuple(values), tuple(marks), least=least)
    return tuple(decimal(each, n) for each in values)


def exact(value: float, *, least: int = FEW) -> str:
    """A number that somebody stated, in all of its decimals; one that has no last one was computed: in *least*."""
    n = next((n for n in range(least, _MOST + 1) if abs(round(value, n) - value) <= _SAME), least)
    return decimal(value, n)


def measure_number(one: MeasureReading, *, factor: float = 1.0, least: int = FEW) -> Callable[[float], str]:
    """A function that tells numbers of *one*, times *factor*, in the decimals of `decimals_of`."""
    n = decimals_of(one, factor=factor, least=least)
    return lambda value: decimal(factor * value, n)


def decimals_of(one: MeasureReading, *, factor: float = 1.0, least: int = FEW) -> int:
    """In how many decimals numbers of *one*, times *factor*, are told: its range beside 0, its null and its margin, its
    value beside a null that is itself a range."""
    return _needed(one, factor, max(least, one.decimals - round(math.log10(factor))))


def even(conclusions: Sequence[Conclusion]) -> tuple[Conclusion, ...]:
    """*conclusions* of a page, every measure in as many decimals as any of them needs: they stand in one column."""
    n = max((_needed(one, 1.0, 0) for each in conclusions for one in each.measures), default=0)
    return tuple(
        replace(each, measures=tuple(replace(one, decimals=n) for one in each.measures)) for each in conclusions
    )


def _needed(one: MeasureReading, factor: float, least: int) -> int:
    null = one.null or ()
    marks = [factor * each for each in (0.0, *null, *_margins(one, factor, max(least, FEW)))]
    n = least
    for end, way in ((one.low, downward), (one.high, upward)):
        n = n if end is None else _digits([factor * end], marks, n, way)
    if one.value is not None and len(set(null)) > 1:
        for end, way in zip(null, (downward, upward), strict=True):
            n = _digits([factor * one.value], [factor * end], n, to=way)
    return n


def _margins(one: MeasureReading, factor: float, n: int) -> tuple[float, ...]:
    """The ends of the margin of *one*; none where its range holds 0 and one end of it, told in *n* decimals, lies
    beyond: on which side of the margin the other end lies decides nothing then."""
    if one.margin is None:
        return ()
    if one.low is not None and one.high is not None and one.low < 0 < one.high:
        widest, margin = factor * max(-one.low, one.high), factor * one.margin
        if widest > margin and _apart(widest, margin, n):
            return ()
    return -one.margin, one.margin


def with_range(one: MeasureReading, *, factor: float = 1.0, least: int = FEW) -> str:
    """0.69 (0.67 to 0.71); empty: not measured."""
    if one.value is None:
        return ""
    value = measure_number(one, factor=factor, least=least)(one.value)
    if one.low is None or one.high is None:
        return value
    low, high = range_ends(factor * one.low, factor * one.high, decimals_of(one, factor=factor, least=least))
    return tr("{value} ({low} to {high})", value=value, low=low, high=high)


def range_alone(one: MeasureReading, *, factor: float = 1.0, least: int = FEW) -> str:
    """0.67 to 0.71; empty: there is none."""
    if one.value is None or one.low is None or one.high is None:
        return ""
    low, high = range_ends(factor * one.low, factor * one.high, decimals_of(one, factor=factor, least=least))
    return tr("{low} to {high}", low=low, high=high)


def _apart(value: float, mark: float, n: int, of: _Rounds = round, to: _Rounds = round) -> bool:
    return (of(value, n) > to(mark, n)) if value > mark else (of(value, n) < to(mark, n))
