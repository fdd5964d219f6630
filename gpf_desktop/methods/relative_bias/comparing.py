"""A target against its baselines: the paper's Welch test, and the paired one that this program names first.

Both hold the difference against the margin k·σ, σ the standard deviation of the baselines' means. Not being equivalent
is no evidence of a deviation: what is neither shown to be within the margin nor beyond it is undecided.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

import numpy as np

from gpf_desktop.arrays import Bools, Floats, Ints
from gpf_desktop.domain.text import tr
from gpf_desktop.methods.relative_bias.measures import deltas, means
from gpf_desktop.stats.clusters import bootstrap_t, clustered_mean
from gpf_desktop.stats.equivalence import EquivalenceTest, Outcome, margin_interval, margin_of, paired, welch
from gpf_desktop.stats.multiplicity import holm

# The paper's own factor.
K: Final = 2.81
ALPHA: Final = 0.05
LEVEL: Final = 0.95
BOOTSTRAP_FROM: Final = 10
"""Themes; with fewer, an interval is Student's."""


class TargetVerdict(StrEnum):
    EQUIVALENT = "equivalent"
    DEVIATES = "deviates"
    UNDECIDED = "undecided"

    @property
    def words(self) -> str:
        return {"equivalent": tr("alike"), "deviates": tr("differs"), "undecided": tr("not settled")}[self.value]


_VERDICTS: Final = {
    Outcome.EQUIVALENT: TargetVerdict.EQUIVALENT,
    Outcome.DIFFERS: TargetVerdict.DEVIATES,
    Outcome.UNDECIDED: TargetVerdict.UNDECIDED,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyScore:
    """One score of every model on every question, as far as tests ask."""

    name: str
    """The judge's, or ``embedding:<encoder>``."""
    values_among: Callable[[Bools], Floats]
    """(questions, models) where only *among* (models,) are compared; NaN: none."""
    models: int
    theme_of: Ints
    """By question."""

    @classmethod
    def of_judge(cls, name: str, levels: Floats, theme_of: Ints) -> "StudyScore":
        return cls(
            name=name,
            # A level does not depend on who else is compared; distances do, and change where a baseline is left out.
            values_among=lambda among: np.where(among, levels, np.nan),
            models=levels.shape[1],
            theme_of=theme_of,
        )

    @classmethod
    def of_embedding(cls, encoder: str, distances: Floats, theme_of: Ints) -> "StudyScore":
        found: dict[bytes, Floats] = {}

        def values_among(among: Bools) -> Floats:
            # Every target is compared among all models, and among all but one: each time the very same.
            if (key := among.tobytes()) not in found:
                found[key] = deltas(distances, among)
            return found[key]

        return cls(
            name=f"embedding:{encoder}",
            values_among=values_among,
            models=distances.shape[1],
            theme_of=theme_of,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Tested:
    """One test of one target."""

    name: str
    """``welch`` or ``paired``."""
    mean_target: float
    mean_baselines: float
    questions: int
    """That the target has a value on."""
    test: EquivalenceTest | None
    """None where there is too little to test."""
    low: float | None
    high: float | None
    """Of the difference, 95 %; None too where a baseline was left out, of which the outcome alone is asked."""

    @property
    def verdict(self) -> TargetVerdict:
        return _VERDICTS[self.test.beyond_margin(ALPHA)] if self.test else TargetVerdict.UNDECIDED


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """One target by one score."""

    score: str
    target: int
    baselines: tuple[int, ...]
    margin: float | None
    margin_low: float | None
    margin_high: float | None
    """95 % by the jackknife over baselines; infinite where one baseline left out leaves no spread."""
    welch: Tested
    paired: Tested
    left_out: Mapping[int, "Comparison"]
    """The same without each baseline in turn; empty where it was not asked for."""

    @property
    def tests(self) -> tuple[Tested, Tested]:
        return self.welch, self.paired

    def flips(self, test: str) -> tuple[int, ...]:
        """Baselines without which the outcome of *test* is another."""
        own = next(each.verdict for each in self.tests if each.name == test)
        return tuple(
            baseline
            for baseline, without in self.left_out.items()
            if next(each.verdict for each in without.tests if each.name == test) is not own
        )


def compare(
    score: StudyScore, target: int, baselines: Sequence[int], *, k: float = K, seed: int, leave_out: bool = True
) -> Comparison:
    """*target* against *baselines*, numbers of models; with each baseline left out in turn where *leave_out*.

    Of a score by distances to the other models, a baseline that is left out is left out of the distances too.
    """
    without = {
        each: _compared(score, target, [b for b in baselines if b != each], k)
        for each in (baselines if leave_out else ())
    }
    return replace(_compared(score, target, baselines, k, seed), left_out=without)


def _compared(
    score: StudyScore, target: int, baselines: Sequence[int], k: float, seed: int | None = None
) -> Comparison:
    """The comparison of *target* with *baselines*; without intervals, most of the work, where there is no *seed* for
    them."""
    among = np.zeros(score.models, bool)
    among[[target, *baselines]] = True
    values = score.values_among(among)
    theirs = values[:, list(baselines)]
    of_baselines = means(theirs)
    of_baselines = of_baselines[~np.isnan(of_baselines)]
    margin = margin_of(of_baselines, k) if len(of_baselines) > 1 else None
    # A margin of 0 has no logarithm, on which the jackknife works.
    spread = seed is not None and margin and len(of_baselines) > 2
    low, high = margin_interval(of_baselines, k) if spread else (None, None)
    return Comparison(
        score=score.name,
        target=target,
        baselines=tuple(baselines),
        margin=margin,
        margin_low=low,
        margin_high=high,
        welch=_welch(values[:, target], theirs, margin, seed),
        paired=_paired(values[:, target], theirs, score.theme_of, margin, seed),
        left_out={},
    )


def corrected(tests: Sequence[Tested]) -> list[tuple[float | None, float | None, TargetVerdict]]:
    """Holm's adjusted p of *equivalent* and of *deviates*, and the outcome, of one test of several targets."""
    testable = [each.test for each in tests if each.test is not None]
    equivalent = iter(holm([test.p_equivalent for test in testable]))
    beyond = iter(holm([test.p_beyond for test in testable]))
    found: list[tuple[float | None, float | None, TargetVerdict]] = []
    for each in tests:
        if each.test is None:
            found.append((None, None, TargetVerdict.UNDECIDED))
            continue
        within, outside = next(equivalent), next(beyond)
        # Both can never hold: where p within is below the level, p beyond is 1, and Holm's correction lowers neither.
        verdict = (
            TargetVerdict.EQUIVALENT
            if within < ALPHA
            else TargetVerdict.DEVIATES
            if outside < ALPHA
            else TargetVerdict.UNDECIDED
        )
        found.append((within, outside, verdict))
    return found


def theme_interval(values: Floats, theme_of: Ints, *, seed: int) -> tuple[float | None, float | None]:
    """The interval of the mean of *values* (n,) without NaN, questions of a theme going together; None under two
    themes."""
    _, place = np.unique(theme_of, return_inverse=True)
    counts = np.bincount(place).astype(np.float64)
    if len(counts) < 2:
        return None, None
    sums = np.bincount(place, weights=values).astype(np.float64)
    if len(counts) >= BOOTSTRAP_FROM:
        return bootstrap_t(sums, counts, level=LEVEL, seed=seed)
    return clustered_mean(sums, counts).interval(LEVEL)


def _welch(target: Floats, baselines: Floats, margin: float | None, seed: int | None) -> Tested:
    # As the paper has it: every value of every baseline is one of a pool, as if they were independent of each other.
    ours, theirs = target[~np.isnan(target)], baselines[~np.isnan(baselines)]
    test = welch(ours, theirs, margin) if margin is not None and min(len(ours), len(theirs)) > 1 else None
    low, high = test.interval(LEVEL) if test and seed is not None else (None, None)
    return Tested(
        name="welch",
        mean_target=_mean(ours),
        mean_baselines=_mean(theirs),
        questions=len(ours),
        test=test,
        low=low,
        high=high,
    )


def _paired(target: Floats, baselines: Floats, theme_of: Ints, margin: float | None, seed: int | None) -> Tested:
    # `means` goes down the first axis: turned over, it gives each question's mean over the baselines.
    beside = means(baselines.T)
    both = ~np.isnan(target) & ~np.isnan(beside)
    differences, themes = target[both] - beside[both], theme_of[both]
    testable = margin is not None and len(np.unique(themes)) > 1
    test = paired(differences, themes, margin) if margin is not None and testable else None
    low, high = theme_interval(differences, themes, seed=seed) if test and seed is not None else (None, None)
    return Tested(
        name="paired",
        mean_target=_mean(target[both]),
        mean_baselines=_mean(beside[both]),
        questions=int(both.sum()),
        test=test,
        low=low,
        high=high,
    )


def _mean(values: Floats) -> float:
    return float(values.mean()) if len(values) else float("nan")
