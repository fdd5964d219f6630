"""D of SAGED: statistics of each concept, and how unequal they are, for one feature of one model × role."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from gpf_desktop.methods.saged.chance import Floats, Ints, Matched, at_least
from gpf_desktop.methods.saged.disparities import DISPARITIES, SMALLER_IS_MORE, disparities
from gpf_desktop.methods.saged.group_statistics import (
    OF_VALUES,
    STATISTICS,
    WITH_BASELINE,
    Selection,
    Yardstick,
    of_values,
    with_baseline,
)

REPLICATES: Final = 499


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """One feature of one model × role, answer by answer."""

    matched: Matched
    values: Floats
    """(n,); NaN: unavailable."""
    baselines: Floats | None = None
    """(n,), the same feature of each answer's own baseline; NaN: none."""
    calibrated: bool = False
    """*values* are distances from *baselines*."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How a series is diagnosed."""

    selection: Selection = field(default_factory=Selection)
    tolerance: float = 0.1
    replicates: int = REPLICATES
    seed: Sequence[int] = (0,)
    drawn: tuple[str, ...] = STATISTICS
    """Statistics of which chance and intervals are asked; of the others there is neither."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Disparity:
    """One number over the groups, beside what chance alone shows."""

    statistic: str
    name: str
    value: float | None
    expected: float | None
    """Its mean when concepts are permuted within their roots; None: they cannot be."""
    p: float | None
    max_group: int | None
    min_group: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosis:
    """What `diagnose` finds; a group is a concept by its number."""

    statistics: Mapping[str, Floats]
    """By name, one number per group (k,), NaN: not available."""
    n: Ints
    """Values of each group (k,)."""
    n_paired: Ints
    """Of those, the ones with a baseline."""
    disparities: Sequence[Disparity]


def diagnose(series: Series, options: Options) -> Diagnosis:
    """Statistics and disparities of *series*, every `STATISTICS` × `DISPARITIES` in order."""
    k = series.matched.k
    there = ~np.isnan(series.values)
    paired = there if series.baselines is None else there & ~np.isnan(series.baselines)
    has_baseline = series.baselines is not None and bool(paired.any())
    observed = {name: np.full((1, k), np.nan) for name in STATISTICS}
    drawn: dict[str, Floats] = {}
    whole = _Part(series, there, options)
    if has_baseline and bool((paired == there).all()):
        _fill(observed, drawn, whole, STATISTICS)
    else:
        _fill(observed, drawn, whole, OF_VALUES)
        if has_baseline:
            _fill(observed, drawn, _Part(series, paired, options), WITH_BASELINE)
    count = np.bincount(series.matched.concepts[there], minlength=k)
    count_paired = np.bincount(series.matched.concepts[paired], minlength=k)
    return Diagnosis(
        statistics={name: values[0] for name, values in observed.items()},
        n=count,
        n_paired=count_paired if has_baseline else np.zeros(k, np.int64),
        disparities=[each for name in STATISTICS for each in _compared(name, observed[name], drawn.get(name))],
    )


def intervals(
    series: Series, options: Options, *, level: float = 0.95
) -> Mapping[tuple[str, str], tuple[float, float]]:
    """Of each (statistic, disparity), the percentile interval of a bootstrap over roots (Efron 1979).

    A maximum over noisy groups is biased upwards, and so are its draws: read it beside what chance shows.
    """
    part = _Part(series, ~np.isnan(series.values), options)
    drawn = part.roots_drawn()
    found: dict[tuple[str, str], tuple[float, float]] = {}
    for statistic, values in drawn.items():
        for name, draws in disparities(values, statistic).items():
            there = draws[~np.isnan(draws)]
            if len(there):
                low, high = np.quantile(there, [(1 - level) / 2, (1 + level) / 2]).tolist()
                found[statistic, name] = low, high
    return found


class _Part:
    """The answers of a series that a set of statistics can use."""

    def __init__(self, series: Series, which: "np.ndarray[tuple[int], np.dtype[np.bool_]]", options: Options) -> None:
        self._matched = series.matched.only(which)
        self._values = series.values[which]
        self._baselines = None if series.baselines is None else series.baselines[which]
        self._calibrated = series.calibrated
        self._options = options
        self._yardstick = (
            Yardstick.of(self._values, options.selection, options.tolerance) if len(self._values) else None
        )

    def observed(self) -> Mapping[str, Floats]:
        return self._of(self._matched.by_concept[None], self._matched.starts, STATISTICS)

    def permuted(self) -> Mapping[str, Floats]:
        """Empty where no root has answers of two concepts."""
        if not self._matched.exchangeable or not self._options.replicates:
            return {}
        if self._flat():
            return {name: values for name, values in self.observed().items() if name in self._options.drawn}
        starts = self._matched.starts
        dealt = self._matched.permuted(self._options.replicates, self._options.seed)
        parts = [self._of(which, starts, self._options.drawn) for which in dealt]
        return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}

    def _flat(self) -> bool:
        """Whether every permutation shows what is there: a count that is 0 everywhere, say."""
        return all(
            numbers is None or bool((numbers == numbers[0]).all()) or bool(np.isnan(numbers).all())
            for numbers in (self._values, self._baselines)
        )

    def roots_drawn(self) -> Mapping[str, Floats]:
        if not len(self._values):
            return {}
        drawn = self._matched.roots_drawn(self._options.replicates, self._options.seed)
        parts = [self._of(which, starts, self._options.drawn) for which, starts in drawn]
        return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]} if parts else {}

    def _of(self, which: Ints, starts: Ints, wanted: Sequence[str]) -> Mapping[str, Floats]:
        """The *wanted* statistics of the groups of *which* (b, n), group g at places ``starts[g]:starts[g + 1]``."""
        result = {name: np.full((len(which), self._matched.k), np.nan) for name in wanted}
        yardstick = self._yardstick
        if yardstick is None:
            return result
        values = self._values[which]
        baselines = None if self._baselines is None else self._baselines[which]
        for group, (low, high) in enumerate(zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True)):
            if low == high:
                continue
            found = dict(of_values(values[:, low:high], yardstick, wanted))
            if baselines is not None and not np.isnan(baselines[:1]).any():
                its = baselines[:, low:high]
                found |= with_baseline(values[:, low:high], its, yardstick, calibrated=self._calibrated, wanted=wanted)
            for name in result.keys() & found.keys():
                result[name][:, group] = found[name]
        return result


def _fill(observed: dict[str, Floats], drawn: dict[str, Floats], part: _Part, names: Sequence[str]) -> None:
    seen, permuted = part.observed(), part.permuted()
    for name in names:
        observed[name] = seen[name]
        if name in permuted:
            drawn[name] = permuted[name]


def _compared(statistic: str, observed: Floats, drawn: Floats | None) -> list[Disparity]:
    found = disparities(observed, statistic)
    by_chance = {} if drawn is None else disparities(drawn, statistic)
    there = not bool(np.isnan(observed[0]).all())
    top = int(np.nanargmax(observed[0])) if there else None
    bottom = int(np.nanargmin(observed[0])) if there else None
    result = []
    for name in DISPARITIES:
        value = float(found[name][0])
        expected, p = (
            at_least(by_chance[name], value, smaller_is_more=name in SMALLER_IS_MORE) if by_chance else (None, None)
        )
        result.append(
            Disparity(
                statistic=statistic,
                name=name,
                value=None if np.isnan(value) else value,
                expected=expected,
                p=p,
                max_group=top,
                min_group=bottom,
            )
        )
    return result
