"""On which themes a target deviates: each theme by itself, of which its questions are the units.

The paired test asks whether a target differs on themes of this kind, which one theme of five can never show. What is
asked here is narrower: whether it differs on further questions of this very theme.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from gpf_desktop.arrays import Floats
from gpf_desktop.methods.relative_bias.comparing import Comparison, K, StudyScore
from gpf_desktop.methods.relative_bias.measures import means
from gpf_desktop.stats.equivalence import EquivalenceTest, margin_of, paired
from gpf_desktop.stats.multiplicity import holm

FEWEST: Final = 5
"""Questions of a theme that is tested: over fewer, levels that happen to be alike pass for certainty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ThemeTest:
    """A target on one theme."""

    target: int
    theme: int
    test: EquivalenceTest
    baselines: Floats
    """Means of the baselines on the theme, in their order; NaN: none."""
    p_beyond: float
    """Of the minimum-effect test, both directions together, by Holm's correction over all targets and themes."""


def on_each_theme(score: StudyScore, comparisons: Sequence[Comparison], *, k: float = K) -> list[ThemeTest]:
    """Each target of *comparisons*, all by *score*, on each theme on which it has values enough.

    The margin is k·σ of the baselines' means on the theme, and never below that over all themes: means of ten questions
    lie close together by chance too.
    """
    found = []
    for each in comparisons:
        among = np.zeros(score.models, bool)
        among[[each.target, *each.baselines]] = True
        values = score.values_among(among)
        theirs = values[:, list(each.baselines)]
        # `means` goes down the first axis: turned over, it gives each question's mean over the baselines.
        differences = values[:, each.target] - means(theirs.T)
        for theme in np.unique(score.theme_of[~np.isnan(differences)]):
            here = np.flatnonzero((score.theme_of == theme) & ~np.isnan(differences))
            of_baselines = means(theirs[here])
            there = of_baselines[~np.isnan(of_baselines)]
            if each.margin is None or len(here) < FEWEST or len(there) < 2:
                continue
            margin = max(margin_of(there, k), each.margin)
            found.append((each.target, int(theme), paired(differences[here], here, margin), of_baselines))
    adjusted = holm([test.p_beyond for _, _, test, _ in found])
    return [
        ThemeTest(target=target, theme=theme, test=test, baselines=of_baselines, p_beyond=p)
        for (target, theme, test, of_baselines), p in zip(found, adjusted, strict=True)
    ]
