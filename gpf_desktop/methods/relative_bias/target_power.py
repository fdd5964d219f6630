"""How often a study calls a target different that lies so far from the other models: power of `outcomes`, simulated.

The margin and the prediction interval rest on the standard deviation of a few baselines' means, an estimate which no
formula of the paired test alone accounts for: promised by that, 80 of 100 were 41 to 67.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from gpf_desktop.arrays import Floats
from gpf_desktop.methods.relative_bias.comparing import ALPHA, K
from gpf_desktop.methods.relative_bias.outcomes import prediction_half
from gpf_desktop.stats.clusters import t_quantile

_DRAWS: Final = 8000
_STEPS: Final = 40


@dataclass(frozen=True, kw_only=True)
class TargetPower:
    """A study as far as its power goes; distances in the score's unit."""

    baselines: int
    themes: int
    apart: float
    """Standard deviation of models' own means."""
    spread: float
    """Standard deviation of a theme's mean difference of one model."""
    tests: int = 1
    """Scores and targets of the page."""
    k: float = K
    seed: int = 1

    def found(self, distance: float) -> float:
        """The chance that a target so far from the mean of all models of the baselines' kind is called different."""
        noise, half, reach = self._drawn
        differences = distance + noise
        return float(np.mean((differences - half > reach[0]) & (differences > reach[1])))

    def smallest(self, wanted: float) -> float:
        """The least distance found with the chance *wanted*."""
        high = self.apart + self.spread
        while self.found(high) < wanted:
            high *= 2
        low = 0.0
        for _ in range(_STEPS):
            middle = (low + high) / 2
            low, high = (low, middle) if self.found(middle) >= wanted else (middle, high)
        return high

    @cached_property
    def _drawn(self) -> tuple[Floats, Floats, tuple[Floats, Floats]]:
        """Of each draw the error of the difference, half its interval, the margin and what one more model may show."""
        draw = np.random.default_rng(self.seed)
        alpha, freedom = ALPHA / self.tests, self.themes - 1
        error = self.spread / np.sqrt(self.themes)
        means = draw.normal(0, self.apart, (_DRAWS, self.baselines))
        means += draw.normal(0, error, (_DRAWS, self.baselines))
        deviation = means.std(axis=1, ddof=1)
        estimated = error * np.sqrt((1 + 1 / self.baselines) * draw.chisquare(freedom, _DRAWS) / freedom)
        half = t_quantile(1 - alpha / 2, freedom) * estimated
        reach = self.k * deviation, prediction_half(self.k, self.k, self.baselines, alpha) * deviation
        return draw.normal(0, error, _DRAWS) - means.mean(axis=1), half, reach
