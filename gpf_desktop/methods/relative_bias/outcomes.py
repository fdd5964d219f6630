"""The outcome of each target, with every test of the page counted.

All follows from one interval for the target's difference from the baselines' mean, at 1 − α/m over the m scores and
targets of the page (Bonferroni), by Student's t over themes:

    differs    it lies wholly beyond the margin, and the difference is larger than what one more model of the baselines'
               kind would show: t(k − 1)·σ̂·√(1 + 1/k) at the same level, a prediction interval, for the margin k·σ̂ of a
               few means is itself an estimate; and farther than models of a population with a tail lie (`SKEWED`)
    alike      it lies wholly within the low end of the margin's interval and within the margin without any one baseline
               (from five on), or within a margin that was stated beforehand
    not shown  neither
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from gpf_desktop.arrays import Floats
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
SKEWED: Final = 1.9
"""Times as far as Student's t says that a model has to lie where each is held against the others in turn: of several
models of a population with a tail one lies far off. Of 5 to 20 exponential means the farthest lies farther than this on
5 of 100 pages, of normal ones farther than once that (docs/relative-bias.md)."""
SKEWED_ALONE: Final = 1.4
"""The same of one target that was named beforehand, for 3 to 8 baselines."""


def skewed(targets: int) -> float:
    """Times as far as Student's t says that each of *targets* has to lie."""
    return SKEWED if targets > 1 else SKEWED_ALONE


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A summary of how far models of the baselines' kind lie apart."""

    deviation: float
    """Standard deviation of their means."""
    freedom: float
    """Degrees of freedom of that."""
    baselines: int

    @property
    def of_one_more(self) -> float:
        """The standard deviation of one more model from the baselines' mean."""
        return self.deviation * float(np.sqrt(1 + 1 / self.baselines))


@dataclass(frozen=True, slots=True, kw_only=True)
class PageLevel:
    """The level that a page asks of each of its intervals."""

    tests: int
    """That share its level alike."""
    share: float = 1.0
    """Of α, for all of them."""
    targets: int = 1

    @property
    def alpha(self) -> float:
        return ALPHA * self.share / self.tests

    def needed(self, kind: Kind) -> float:
        """The least difference that one more model of *kind* would not show."""
        of_normal = t_quantile(1 - self.alpha / 2, kind.freedom)
        of_skewed = skewed(self.targets) * t_quantile(1 - self._of_targets / 2, kind.freedom)
        return max(of_normal, of_skewed) * kind.of_one_more

    def p(self, difference: float, kind: Kind) -> float:
        """That one more model of *kind* would lie so far off, all tests counted; below α where *difference* is more
        than `needed`."""
        from scipy.special import stdtr

        if not kind.deviation:
            return 1.0
        ratio = abs(difference) / kind.of_one_more
        of_normal = 2 * float(stdtr(kind.freedom, -ratio)) / self.alpha
        of_skewed = 2 * float(stdtr(kind.freedom, -ratio / skewed(self.targets))) / self._of_targets
        return min(1.0, ALPHA * max(of_normal, of_skewed))

    @property
    def _of_targets(self) -> float:
        return ALPHA * self.share / self.targets


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreOutcome:
    """One target by one score."""

    comparison: Comparison
    outcome: Outcome
    page: PageLevel
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
    def level(self) -> float:
        """Of the interval: 1 − α over all scores and targets."""
        return 1 - self.page.alpha

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
    comparisons: Iterable[Sequence[Comparison]],
    *,
    k: float,
    stated: float | None = None,
    page: PageLevel | None = None,
) -> list[ScoreOutcome]:
    """The outcome of every comparison that has a paired test, in the order of *comparisons* (by score, then by target).

    *k*: the margin is so many standard deviations of the baselines' means; *stated*: a margin in levels that was
    registered before the first answer, for scores by judges; *page*: where these are only some of it.
    """
    tested = [each for of_score in comparisons for each in of_score if each.paired.test is not None]
    of_page = page or PageLevel(tests=max(len(tested), 1), targets=len({each.target for each in tested}))
    return [_outcome(each, of_page, k, stated) for each in tested]


def _outcome(comparison: Comparison, page: PageLevel, k: float, stated: float | None) -> ScoreOutcome:
    test = comparison.paired.test
    assert test is not None
    low, high = test.interval(1 - page.alpha)
    by_judge = not of_distance(comparison.score)
    within = stated if by_judge and stated is not None else _low_end(comparison)
    outcome = held(test, comparison, page, k, within)
    kind = _kind(comparison, comparison.margin or 0.0, k)
    return ScoreOutcome(
        comparison=comparison,
        outcome=outcome,
        page=page,
        low=low,
        high=high,
        p=min(1.0, max(ALPHA / page.alpha * test.p_beyond, page.p(test.difference, kind))),
        needed=page.needed(kind),
        alike_within=within,
        hangs_on=_hangs_on(comparison, outcome, page, k, stated if by_judge else None),
    )


def of_distance(score: str) -> bool:
    """Whether *score* is how far answers lie from the others', and no mark on a scale of its own."""
    return score.startswith("embedding:")


def _low_end(comparison: Comparison) -> float | None:
    """The low end of the margin's interval, and no more than the margin without any one baseline: one that lies far off
    makes a wide margin by itself, which the jackknife over few means sees too late."""
    if len(comparison.baselines) < ALIKE_FROM or comparison.margin_low is None:
        return None
    return min([comparison.margin_low, *(each.margin or 0.0 for each in comparison.left_out.values())])


def held(test: EquivalenceTest, comparison: Comparison, page: PageLevel, k: float, within: float | None) -> Outcome:
    """*Differs* from baselines that do not vary is never said: nothing tells how far one more of them would lie. Of a
    distance only a larger one is a difference: who lies closer to the others than they do to each other is like all."""
    low, high = test.interval(1 - page.alpha)
    if within is not None and -within < low and high < within:
        return Outcome.EQUIVALENT
    if not test.margin:
        return Outcome.UNDECIDED
    beyond = low > test.margin or (high < -test.margin and not of_distance(comparison.score))
    needed = page.needed(_kind(comparison, test.margin, k))
    return Outcome.DIFFERS if beyond and abs(test.difference) > needed else Outcome.UNDECIDED


def _kind(comparison: Comparison, margin: float, k: float) -> Kind:
    baselines = len(comparison.baselines)
    return Kind(deviation=margin / k, freedom=baselines - 1, baselines=baselines)


def _hangs_on(
    comparison: Comparison, outcome: Outcome, page: PageLevel, k: float, stated: float | None
) -> tuple[int, ...]:
    """*Alike* without one is held against the margin of those that are left: their own low end is that of one fewer,
    so that every outcome would seem to hang on each."""
    if outcome is Outcome.UNDECIDED:
        return ()
    found = []
    for left_out, without in comparison.left_out.items():
        test = without.paired.test
        within = stated if stated is not None else without.margin
        if test is None or held(test, without, page, k, within) is not outcome:
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
    """All of its range lies beyond the margin, and it lies further off than one more model of the baselines' kind
    would on some theme."""
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
    where it differs; there the target has to lie further off too than one more model of the baselines' kind would, by
    what their means vary by on all themes together. Without those that have no margin."""
    said = {(each.comparison.score, each.comparison.target) for each in found if each.outcome is Outcome.DIFFERS}
    tested = [
        (score.name, each)
        for score, of_score in zip(scores, comparisons, strict=True)
        for each in on_each_theme(score, of_score, k=k)
    ]
    page = PageLevel(tests=max(len(tested), 1), share=THEMES_SHARE, targets=len({each.target for _, each in tested}))
    kinds = {
        key: _kind_on_themes([each.baselines for name, each in tested if (name, each.target) == key])
        for key in {(name, each.target) for name, each in tested}
    }
    themes = []
    for name, each in tested:
        low, high = each.test.interval(1 - page.alpha)
        margin, kind = each.test.margin, kinds[name, each.target]
        beyond = low > margin or (high < -margin and not of_distance(name))
        beyond = beyond and abs(each.test.difference) > page.needed(kind)
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
                    p=min(1.0, max(ALPHA / page.alpha * each.test.p_beyond, page.p(each.test.difference, kind))),
                    differs=beyond,
                    told=beyond and (name, each.target) not in said,
                )
            )
    return themes, len(tested)


def _kind_on_themes(of_baselines: Sequence[Floats]) -> Kind:
    """How far models lie apart on one theme, by their means on all of *of_baselines* (themes, baselines) together.

    A model's means have its own place in common and vary by theme besides: two mean squares of unlike degrees of
    freedom, whose weighted sum has Satterthwaite's. Where some mean lacks, those of one theme.
    """
    by_theme = np.array(of_baselines)
    by_theme = by_theme[:, ~np.isnan(by_theme).any(axis=0)]
    themes, baselines = by_theme.shape
    freedom = baselines - 1
    if freedom < 1:
        return Kind(deviation=np.inf, freedom=1.0, baselines=1)
    between = themes * float(by_theme.mean(axis=0).var(ddof=1))
    left = by_theme - by_theme.mean(axis=0) - by_theme.mean(axis=1, keepdims=True) + by_theme.mean()
    within = float((left**2).sum()) / (freedom * max(themes - 1, 1))
    parts = np.array([between, (themes - 1) * within]) / themes
    freedoms = np.array([freedom, freedom * max(themes - 1, 1)])
    variance, spread = float(parts.sum()), float((parts**2 / freedoms).sum())
    return Kind(deviation=variance**0.5, freedom=variance**2 / spread if spread else freedom, baselines=baselines)
