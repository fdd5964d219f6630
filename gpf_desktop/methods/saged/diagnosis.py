"""D of SAGED: statistics of each concept, and how unequal they are, for one feature of one model × role."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from gpf_desktop.arrays import Floats, Ints
from gpf_desktop.methods.saged.chance import Matched, Piece, at_least
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
_OF_PAIRS: Final = frozenset(WITH_BASELINE)
_AT_ONCE: Final = 1 << 17
"""Values of which statistics are made in one step: some 1 MB, which a processor's cache holds."""


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
    """The result of `diagnose`; a group is a concept by its number."""

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
    # Where every value has a baseline, one set of permutations serves all statistics; else pairs are permuted alone.
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
        disparities=_compared(observed, drawn),
    )


def intervals(
    series: Series, options: Options, *, level: float = 0.95
) -> Mapping[tuple[str, str], tuple[float, float]]:
    """The percentile interval of a bootstrap over roots (Efron 1979) for each (statistic, disparity).

    A maximum over noisy groups is biased upwards, and so are its draws: read it beside what chance shows.
    """
    part = _Part(series, ~np.isnan(series.values), options)
    drawn = part.roots_drawn()
    found: dict[tuple[str, str], tuple[float, float]] = {}
    for statistic, its in disparities(drawn).items():
        for name, draws in its.items():
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
        self._all_paired = self._baselines is not None and not bool(np.isnan(self._baselines).any())
        self._calibrated = series.calibrated
        self._options = options
        self._yardstick = (
            Yardstick.of(self._values, options.selection, options.tolerance, self._baselines)
            if len(self._values)
            else None
        )

    def observed(self) -> Mapping[str, Floats]:
        # As one more permutation, by the same steps: a labelling that changes nothing then shows the same numbers.
        return self._of(self._matched.pieces(self._matched.by_concept[None]), 1, STATISTICS)

    def permuted(self) -> Mapping[str, Floats]:
        """Empty where no root has answers of two concepts."""
        if not self._matched.exchangeable or not self._options.replicates:
            return {}
        if self._flat():
            seen = self.observed()
            return {name: np.repeat(seen[name], self._options.replicates, axis=0) for name in self._options.drawn}
        dealt = self._matched.permuted(self._options.replicates, self._options.seed)
        parts = [self._of(self._matched.pieces(which), len(which), self._options.drawn) for which in dealt]
        return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}

    def _flat(self) -> bool:
        """Whether every permutation shows what is there: a count that is 0 everywhere, say."""
        return all(
            numbers is None or bool((numbers == numbers[0]).all()) or bool(np.isnan(numbers).all())
            for numbers in (self._values, self._baselines)
        )

    def roots_drawn(self) -> Mapping[str, Floats]:
        if not len(self._values) or not self._options.replicates:
            return {}
        drawn = self._matched.roots_drawn(self._options.replicates, self._options.seed)
        return self._of(drawn, self._options.replicates, self._options.drawn)

    def _of(self, pieces: Iterable[Piece], rows: int, wanted: Sequence[str]) -> Mapping[str, Floats]:
        """The *wanted* statistics of the groups in *pieces*, by name (rows, k); NaN: none."""
        result = {name: np.full((rows, self._matched.k), np.nan) for name in wanted}
        for piece in pieces:
            step = max(1, _AT_ONCE // piece.which.shape[1])
            for begin in range(0, len(piece.which), step):
                part = slice(begin, begin + step)
                for name, found in self._statistics(piece.which[part], wanted).items():
                    if name in result:
                        result[name][piece.rows[part], piece.groups[part]] = found
        return result

    def _statistics(self, which: Ints, wanted: Sequence[str]) -> Mapping[str, Floats]:
        """The statistics *wanted*, by name, of each row of *which* (r, n); shape (r,)."""
        assert self._yardstick is not None, "there are answers"
        values = self._values[which]
        found = of_values(values, self._yardstick, wanted)
        if self._baselines is None or not self._all_paired or not _OF_PAIRS.intersection(wanted):
            return found
        its = self._baselines[which]
        return {
            **found,
            **with_baseline(values, its, self._yardstick, calibrated=self._calibrated, wanted=wanted),
        }


def _fill(observed: dict[str, Floats], drawn: dict[str, Floats], part: _Part, names: Sequence[str]) -> None:
    seen, permuted = part.observed(), part.permuted()
    for name in names:
        observed[name] = seen[name]
        if name in permuted:
            drawn[name] = permuted[name]


def _compared(observed: Mapping[str, Floats], drawn: Mapping[str, Floats]) -> list[Disparity]:
    found = disparities(observed)
    by_chance = _by_chance(found, disparities(drawn))
    result = []
    for statistic, its in found.items():
        values = observed[statistic][0]
        there = not bool(np.isnan(values).all())
        # numpy refuses to look for the largest where all are NaN.
        top = int(np.nanargmax(values)) if there else None
        bottom = int(np.nanargmin(values)) if there else None
        for name in DISPARITIES:
            expected, p = by_chance.get((statistic, name), (float("nan"), float("nan")))
            result.append(
                Disparity(
                    statistic=statistic,
                    name=name,
                    value=_known(float(its[name][0])),
                    expected=_known(expected),
                    p=_known(p),
                    max_group=top,
                    min_group=bottom,
                )
            )
    return result


def _by_chance(
    found: Mapping[str, Mapping[str, Floats]], drawn: Mapping[str, Mapping[str, Floats]]
) -> Mapping[tuple[str, str], tuple[float, float]]:
    """The mean that permutations show, and p, for each (statistic, disparity); NaN: not known."""
    keys = [(statistic, name) for statistic in drawn for name in DISPARITIES]
    if not keys:
        return {}
    observed = np.array([found[statistic][name][0] for statistic, name in keys])
    draws = np.stack([drawn[statistic][name] for statistic, name in keys])
    expected, p = at_least(draws, observed, np.array([name in SMALLER_IS_MORE for _, name in keys]))
    return dict(zip(keys, zip(expected.tolist(), p.tolist(), strict=True), strict=True))


def _known(value: float) -> float | None:
    return None if np.isnan(value) else value
