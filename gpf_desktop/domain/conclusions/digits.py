"""The digits in which a number is told: a few, and as many more as show on which side of its null or margin it lies.

One rule for window, brief, annex, files and the command line: 1.002 beside a null of 1 is not told as 1.00. What one of
a column needs, all of them have.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Final

from gpf_desktop.domain.conclusions.conclusion import Conclusion, MeasureReading
from gpf_desktop.domain.text import decimal, tr

FEW: Final = 2
"""On screens and in the brief."""
_MOST: Final = 8
_SAME: Final = 1e-9
"""Numbers that lie no further apart are one number."""


def digits(values: Iterable[float], marks: Iterable[float], *, least: int = FEW) -> int:
    """The number of decimals with which each of *values*, as told, lies on the same side of each of *marks* as it
    does."""
    pairs = [(value, mark) for mark in marks for value in values if abs(value - mark) > _SAME]
    return next((n for n in range(least, _MOST) if all(_apart(*pair, n) for pair in pairs)), _MOST)


def told(values: Sequence[float], marks: Iterable[float], *, least: int = FEW) -> tuple[str, ...]:
    """The *values* as texts, in the digits that all of them need."""
    n = digits(tuple(values), tuple(marks), least=least)
    return tuple(decimal(each, n) for each in values)


def exact(value: float, *, least: int = FEW) -> str:
    """A number that somebody stated, in all of its decimals; one that has no last one was computed: in *least*."""
    n = next((n for n in range(least, _MOST + 1) if abs(round(value, n) - value) <= _SAME), least)
    return decimal(value, n)


def measure_number(one: MeasureReading, *, factor: float = 1.0, least: int = FEW) -> Callable[[float], str]:
    """A function that tells numbers of *one*, times *factor*: its range beside 0, its null and its margin, its value
    beside a null that is itself a range."""
    n = _needed(one, factor, max(least, one.decimals - round(math.log10(factor))))
    return lambda value: decimal(factor * value, n)


def even(conclusions: Sequence[Conclusion]) -> tuple[Conclusion, ...]:
    """*conclusions* of a page, every measure in as many decimals as any of them needs: they stand in one column."""
    n = max((_needed(one, 1.0, 0) for each in conclusions for one in each.measures), default=0)
    return tuple(
        replace(each, measures=tuple(replace(one, decimals=n) for one in each.measures)) for each in conclusions
    )


def _needed(one: MeasureReading, factor: float, least: int) -> int:
    null = one.null or ()
    marks = [factor * each for each in (0.0, *null, *_margins(one, factor, max(least, FEW)))]
    bounds = [factor * each for each in (one.low, one.high) if each is not None]
    n = digits(bounds, marks, least=least)
    if one.value is not None and len(set(null)) > 1:
        n = digits([factor * one.value], [factor * each for each in null], least=n)
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
    number = measure_number(one, factor=factor, least=least)
    if one.low is None or one.high is None:
        return number(one.value)
    return tr("{value} ({low} to {high})", value=number(one.value), low=number(one.low), high=number(one.high))


def range_alone(one: MeasureReading, *, factor: float = 1.0, least: int = FEW) -> str:
    """0.67 to 0.71; empty: there is none."""
    if one.value is None or one.low is None or one.high is None:
        return ""
    number = measure_number(one, factor=factor, least=least)
    return tr("{low} to {high}", low=number(one.low), high=number(one.high))


def _apart(value: float, mark: float, n: int) -> bool:
    return (round(value, n) > round(mark, n)) if value > mark else (round(value, n) < round(mark, n))
