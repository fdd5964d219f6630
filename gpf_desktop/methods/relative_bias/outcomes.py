"""The outcome of each target, with every test of the page counted.

All follows from one interval for the target's difference from the baselines' mean, at 1 − α/m over the m scores and
targets of the page (Bonferroni), by Student's t over themes:

    differs    it lies wholly beyond the margin, and the difference is larger than what one more model of the baselines'
               kind would show: t(k − 1)·σ̂·√(1 + 1/k) at the same level, a prediction interval, for the margin k·σ̂ of a
               few means is itself an estimate
    alike      it lies wholly within the low end of the margin's interval and within the margin without any one baseline
               (from five on), or within a margin that was stated beforehand
    not shown  neither
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from gpf_desktop.methods.relative_bias.comparing import ALPHA, Comparison, StudyScore
from gpf_desktop.methods.relative_bias.theme_tests import on_each_theme
from gpf_desktop.stats.clusters import t_quantile
from gpf_desktop.stats.equivalence import EquivalenceTest, Outcome

ALIKE_FROM: Final = 5
"""Baselines; of fewer the low end of the margin's interval is a guess."""
THEMES_SHARE: Final = 0.2
"""Of the level that one page has, for tests on single themes, beside the whole of it for scores: by simulation all
together name somebody on fewer pages than the level says (`bench_validity targets`)."""
REFUSALS_SHARE: Final = 0.2
"""The same for refusals."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreOutcome:
    """One target by one score."""

    comparison: Comparison
    outcome: Outcome
    level: float
    """Of the interval: 1 − α over all scores and targets."""
    low: float
    high: float
    """Of the difference."""
    p: float
    """That the target is of the baselines' kind and within the margin, times all tests of the page."""
    needed: float
    """The least difference that is more than one more model of the baselines' kind would show."""
    alike_within: float | None
    """The margin that *alike* is held against; None with too few baselines and nothing stated beforehand."""
    hangs_on: tuple[int, ...]
    """Baselines without any one of which the outcome is another."""

    @property
    def beyond_margin(self) -> bool:
        """The whole interval lies beyond the margin, whatever one more model of the baselines' kind would show."""
        margin = self.comparison.margin or 0.0
        return margin > 0 and (self.low > margin or (self.high < -margin and not of_distance(self.comparison.score)))

    @property
    def closer(self) -> bool:
        """Whether the target lies closer to the others than they lie to each other, by more than the margin; only of a
        distance."""
        margin = self.comparison.margin or 0.0
        return margin > 0 and self.high < -margin and of_distance(self.comparison.score)

    @property
    def difference(self) -> float:
        test = self.comparison.paired.test
        assert test is not None  # else there is no outcome
        return test.difference


def outcomes(
    comparisons: Iterable[Sequence[Comparison]], *, k: float, stated: float | None = None, tests: int | None = None
) -> list[ScoreOutcome]:
    """The outcome of every comparison that has a paired test, in the order of *comparisons* (by score, then by target).

    *k*: the margin is so many standard deviations of the baselines' means; *stated*: a margin in levels that was
    registered before the first answer, for scores by judges; *tests*: of the page, where these are only some of them.
    """
    tested = [each for of_score in comparisons for each in of_score if each.paired.test is not None]
    of_page = max(len(tested), 1) if tests is None else tests
    return [_outcome(each, ALPHA / of_page, of_page, k, stated) for each in tested]


def _outcome(comparison: Comparison, alpha: float, tests: int, k: float, stated: float | None) -> ScoreOutcome:
    test = comparison.paired.test
    assert test is not None
    low, high = test.interval(1 - alpha)
    by_judge = not of_distance(comparison.score)
    within = stated if by_judge and stated is not None else _low_end(comparison)
    outcome = held(test, comparison, alpha, k, within)
    return ScoreOutcome(
        comparison=comparison,
        outcome=outcome,
        level=1 - alpha,
        low=low,
        high=high,
        p=min(1.0, tests * max(test.p_beyond, _p_of_prediction(test, comparison, k))),
        needed=prediction_half(comparison.margin or 0.0, k, len(comparison.baselines), alpha),
        alike_within=within,
        hangs_on=_hangs_on(comparison, outcome, alpha, k, stated if by_judge else None),
    )


def of_distance(score: str) -> bool:
    """Whether *score* is how far answers lie from the others', and no mark on a scale of its own."""
    return score.startswith("embedding:")


def prediction_half(margin: float, k: float, baselines: int, alpha: float = ALPHA) -> float:
    """Half the width of the prediction interval for the mean of one more model; the standard deviation of the means of
    *baselines* is *margin* / *k*."""
    return t_quantile(1 - alpha / 2, baselines - 1) * margin / k * float(np.sqrt(1 + 1 / baselines))


def _low_end(comparison: Comparison) -> float | None:
    """The low end of the margin's interval, and no more than the margin without any one baseline: one that lies far off
    makes a wide margin by itself, which the jackknife over few means sees too late."""
    if len(comparison.baselines) < ALIKE_FROM or comparison.margin_low is None:
        return None
    return min([comparison.margin_low, *(each.margin or 0.0 for each in comparison.left_out.values())])


def held(test: EquivalenceTest, comparison: Comparison, alpha: float, k: float, within: float | None) -> Outcome:
    """*Differs* from baselines that do not vary is never said: nothing tells how far one more of them would lie. Of a
    distance only a larger one is a difference: who lies closer to the others than they do to each other is like all."""
    low, high = test.interval(1 - alpha)
    if within is not None and -within < low and high < within:
        return Outcome.EQUIVALENT
    if not test.margin:
        return Outcome.UNDECIDED
    beyond = low > test.margin or (high < -test.margin and not of_distance(comparison.score))
    needed = prediction_half(test.margin, k, len(comparison.baselines), alpha)
    return Outcome.DIFFERS if beyond and abs(test.difference) > needed else Outcome.UNDECIDED


def _p_of_prediction(test: EquivalenceTest, comparison: Comparison, k: float) -> float:
    from scipy.special import stdtr

    baselines = len(comparison.baselines)
    if not test.margin:
        return 1.0
    return float(2 * stdtr(baselines - 1, -abs(test.difference) / (test.margin / k * np.sqrt(1 + 1 / baselines))))


def _hangs_on(
    comparison: Comparison, outcome: Outcome, alpha: float, k: float, stated: float | None
) -> tuple[int, ...]:
    """*Alike* without one is held against the margin of those that are left: their own low end is that of one fewer,
    so that every outcome would seem to hang on each."""
    if outcome is Outcome.UNDECIDED:
        return ()
    found = []
    for left_out, without in comparison.left_out.items():
        test = without.paired.test
        within = stated if stated is not None else without.margin
        if test is None or held(test, without, alpha, k, within) is not outcome:
            found.append(left_out)
    return tuple(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class ThemeOutcome:
    """One target on one theme by one score."""

    score: str
    target: int
    theme: int
    value: float
    """Its difference, and the range of that at the level of the page, in margins."""
    low: float
    high: float
    p: float
    """Of all such tests of the page, held against its level."""
    differs: bool
    """All of its range lies beyond the margin."""
    told: bool
    """It differs there, and not over all."""


def on_themes(
    scores: Sequence[StudyScore],
    comparisons: Sequence[Sequence[Comparison]],
    found: Sequence[ScoreOutcome],
    k: float,
) -> tuple[list[ThemeOutcome], int]:
    """Each theme by its own questions, and of how many tests: one interval each, all of them at a fifth of the page's
    level together (Bonferroni), so that they add little to what chance says, and that lies wholly beyond the margin
    where it differs. Without those that have no margin."""
    said = {(each.comparison.score, each.comparison.target) for each in found if each.outcome is Outcome.DIFFERS}
    tested = [
        (score.name, each)
        for score, of_score in zip(scores, comparisons, strict=True)
        for each in on_each_theme(score, of_score, k=k)
    ]
    counted = max(len(tested), 1) / THEMES_SHARE
    level = 1 - ALPHA / counted
    themes = []
    for name, each in tested:
        low, high = each.test.interval(level)
        margin = each.test.margin
        beyond = low > margin or (high < -margin and not of_distance(name))
        if margin:
            value, low, high = (number / margin for number in (each.test.difference, low, high))
            themes.append(
                ThemeOutcome(
                    score=name,
                    target=each.target,
                    theme=each.theme,
                    value=value,
                    low=low,
                    high=high,
                    p=min(1.0, counted * each.test.p_beyond),
                    differs=beyond,
                    told=beyond and (name, each.target) not in said,
                )
            )
    return themes, len(tested)
