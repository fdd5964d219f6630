"""The effect that missing answers could have on a measure: its worst case both ways, and the point
from which it turns."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from gpf_desktop.arrays import Floats
from gpf_desktop.methods.relative_bias.comparing import StudyScore
from gpf_desktop.methods.relative_bias.measures import means
from gpf_desktop.methods.relative_bias.outcomes import ScoreOutcome, held
from gpf_desktop.stats.equivalence import EquivalenceTest, Outcome, paired

_STEPS: Final = 90
"""In which the turning point is looked for, from one end of the scale to the other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """The effect that missing answers could have on one target by one score."""

    mine: int
    """Answers of the target that have no value."""
    theirs: int
    """The same of all models that it is held against."""
    low: float
    """The difference had all of its lain at the lower end, and all of theirs at the upper."""
    high: float
    """The other way round."""
    same: bool
    """The outcome is the same both ways."""
    tip: float | None
    """Where its own would have to lie for another outcome, as near to those that came as can be; None: nowhere."""


def reach(each: ScoreOutcome, score: StudyScore, scale: tuple[float, float], *, k: float) -> Reach | None:
    """None where nothing lacks. *scale*: the ends of *score*; the margin stays that of the answers that came, and
    questions of which no model has a value were not asked."""
    comparison = each.comparison
    among = np.zeros(score.models, bool)
    among[[comparison.target, *comparison.baselines]] = True
    values = score.values_among(among)
    asked = ~np.isnan(values[:, among]).all(axis=1)
    mine, theirs = values[asked, comparison.target], values[asked][:, list(comparison.baselines)]
    lacking, of_theirs = np.isnan(mine), int(np.isnan(theirs).sum())
    margin = comparison.margin
    if not margin or not (lacking.any() or of_theirs):
        return None
    themes, (low, high) = score.theme_of[asked], scale

    def with_(own: float, other: float) -> EquivalenceTest:
        beside = means(np.where(np.isnan(theirs), other, theirs).T)
        apart: Floats = np.where(lacking, own, mine) - beside
        there = ~np.isnan(apart)
        return paired(apart[there], themes[there], margin)

    def outcome(test: EquivalenceTest) -> Outcome:
        return held(test, comparison, each.page, k, each.alike_within)

    ends = with_(low, high), with_(high, low)
    return Reach(
        mine=int(lacking.sum()),
        theirs=of_theirs,
        low=ends[0].difference,
        high=ends[1].difference,
        same=all(outcome(test) is each.outcome for test in ends),
        tip=_tip(each.outcome, lambda own: outcome(with_(own, np.nan)), mine, scale) if lacking.any() else None,
    )


def _tip(own: Outcome, outcome: Callable[[float], Outcome], mine: Floats, scale: tuple[float, float]) -> float | None:
    """The place on *scale* nearest to the mean of *mine* at which another outcome than *own* follows; None: there is
    none."""
    there = mine[~np.isnan(mine)]
    middle = float(there.mean()) if len(there) else sum(scale) / 2
    places = np.linspace(*scale, _STEPS + 1)
    for at in places[np.argsort(np.abs(places - middle), kind="stable")]:
        if outcome(float(at)) is not own:
            return float(at)
    return None
