"""Relative Bias: how often a study names a target of the baselines' kind, or calls alike one that lies at the margin.

And how often it finds what is planted. Every model has a mean of its own, deviations by theme, and noise by question.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from gpf_desktop.methods.relative_bias.comparing import Comparison, K, StudyScore, compare
from gpf_desktop.methods.relative_bias.outcomes import ScoreOutcome, on_themes, outcomes
from gpf_desktop.stats.equivalence import Outcome
from tests.benchmarks.validity_sizes import SEED

QUESTIONS: Final = 10
_FAR: Final = 2.0
_APART: Final = 0.2
"""Standard deviation of models' means where nothing is planted; of a theme's own deviation .15, of an answer 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Population:
    """What studies are drawn from."""

    models: int
    themes: int = 5
    scores: int = 2
    apart: float = _APART
    own_theme: float = 0.15
    answer: float = 1.0
    skewed: bool = False
    """Models' means are exponential: most alike, few far off."""
    target: float = 0.0
    """Shift of the first model."""
    outlier: float = 0.0
    """Shift of the last one, a baseline."""

    def draw(self, draw: np.random.Generator) -> list[StudyScore]:
        theme_of = np.repeat(np.arange(self.themes), QUESTIONS)
        found = []
        for number in range(self.scores):
            own = draw.exponential(1, self.models) - 1 if self.skewed else draw.normal(0, 1, self.models)
            means = self.apart * own
            means[0] += self.target
            means[-1] += self.outlier
            of_theme = draw.normal(0, self.own_theme, (self.themes, self.models))[theme_of]
            of_question = draw.normal(0, 0.5, (len(theme_of), 1))
            noise = draw.normal(0, self.answer, (len(theme_of), self.models))
            found.append(StudyScore.of_judge(f"judge {number}", means + of_theme + of_question + noise, theme_of))
        return found


NULLS: Final[Mapping[str, Mapping[str, Any]]] = {
    "all of one kind": {},
    "means skewed": {"skewed": True},
    "models hardly differ": {"apart": 0.02},
    "themes differ much": {"own_theme": 0.5},
    "one baseline far off": {"outlier": _FAR},
}


def targets(rounds: int) -> None:
    print("\nStudies of 5 themes with 10 questions, 2 scores. Nothing planted: per cent of pages that name a target,")
    print("that name a theme of one, and that say alike, with one target · each model in turn (no outlier there)")
    for title, kind in NULLS.items():
        for baselines in (3, 4, 5, 8):
            one = _pages(Population(models=baselines + 1, **kind), rounds)
            # In turn the outlier is a target too, and one that does differ.
            turn = "" if "outlier" in kind else _pages(Population(models=baselines + 1, **kind), rounds // 4, True)
            print(f"{title:22} {baselines} baselines  {one}  ·  {turn}", flush=True)
    print("Target at the margin (2.81 σ): per cent called differs, a theme, alike; the same beside a baseline 2 off")
    for baselines in (3, 4, 5, 8):
        alone = Population(models=baselines + 1, scores=1, target=K * _APART)
        # The far baseline draws the mean that the target is held against after it.
        beside = replace(alone, outlier=_FAR, target=alone.target + _FAR / baselines)
        print(f"{baselines} baselines  {_pages(alone, rounds)}  ·  {_pages(beside, rounds)}", flush=True)
    print("Planted: target off by so many levels, per cent called differs, a theme, alike; last: alike in 10 themes")
    for baselines in (3, 4, 5, 8):
        found = "  ·  ".join(
            str(_pages(Population(models=baselines + 1, target=shift), rounds // 2)) for shift in (0.5, 1, 2, 4)
        )
        alike = _pages(Population(models=baselines + 1, themes=10, own_theme=0.02, answer=0.5), rounds // 2)
        print(f"{baselines} baselines  {found}  ·  {alike}", flush=True)


def _pages(population: Population, rounds: int, in_turn: bool = False) -> str:
    draw = np.random.default_rng((SEED, population.models))
    said = np.zeros(3)
    of = range(population.models) if in_turn else (0,)
    for _ in range(rounds):
        scores = population.draw(draw)
        comparisons = [_compared(score, of) for score in scores]
        found = outcomes(comparisons, k=K)
        themes, _ = on_themes(scores, comparisons, found, K)
        said += (_any(found, Outcome.DIFFERS), any(each.told for each in themes), _any(found, Outcome.EQUIVALENT))
    return " ".join(f"{each:5.1f}" for each in 100 * said / rounds)


def _compared(score: StudyScore, of: Sequence[int]) -> list[Comparison]:
    everyone = range(score.models)
    return [compare(score, target, [b for b in everyone if b != target], seed=1) for target in of]


def _any(found: Sequence[ScoreOutcome], outcome: Outcome) -> bool:
    return any(each.outcome is outcome for each in found)
