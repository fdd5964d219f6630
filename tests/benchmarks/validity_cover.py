"""How often intervals of a mean hold it, of scores that are normal, skewed, and skewed as bounded scores can be."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from gpf_desktop.domain.scores import (
    COUNTERFACTUAL_FRAMING,
    NOISE,
    RELATIVE_FRAMING,
    SEMANTIC_DISPERSION,
    SENTIMENT_RANGE_RAREFIED,
    TONE_FRAMING,
)
from gpf_desktop.stats.clusters import bootstrap_t, clustered_means, degrees_of_freedom, skewness, transformed_bounds
from tests.benchmarks.planted_answers import scores
from tests.benchmarks.validity_sizes import SCORES, SEED

Floats = NDArray[np.float64]
Drawn = Callable[[np.random.Generator, tuple[int, ...]], Floats]

ARTICLES = (3, 5, 8, 10, 12, 30)
COUNTS = ("equal", "uneven", "one big")
_TABLED = (
    SEMANTIC_DISPERSION,
    NOISE,
    COUNTERFACTUAL_FRAMING,
    RELATIVE_FRAMING,
    TONE_FRAMING,
    SENTIMENT_RANGE_RAREFIED,
)
_MEAN = 0.05
"""Of a bounded score, 0 to 1: what CFS of a model that tailors a twentieth of its sentences is."""
_PRECISION = {1: 65.1, 2: 14.0, 3: 4.4}
"""By its skewness, a + b of the beta distribution of that mean."""
_RARE = (0.2, 0.1, 0.05)


def counts_of(kind: str, articles: int) -> Floats:
    """Bundles per article: all 42; half of them; or from 6 to 42 in even steps."""
    match kind:
        case "equal":
            return np.full(articles, 42.0)
        case "uneven":
            return np.rint(np.linspace(6, 42, articles))
        case _:
            return np.array([42.0, *[6.0] * (articles - 1)])


def windows(drawn: Drawn, kind: str, articles: int, rounds: int) -> tuple[Floats, Floats]:
    """Sums and counts by article (rounds, articles): articles' means vary by 1, bundles within one by as much again."""
    draw = np.random.default_rng((SEED, articles))
    counts = counts_of(kind, articles)
    of_articles = drawn(draw, (rounds, articles)) + draw.normal(0, 1, (rounds, articles)) / np.sqrt(counts)
    return of_articles * counts, np.broadcast_to(counts, of_articles.shape)


def held(sums: Floats, counts: Floats) -> tuple[float, float]:
    """Share of windows whose interval by t, and by Hall's transformed t, holds 0."""
    value, error, freedom = clustered_means(sums, counts)
    reach = stdtrit(freedom, 0.975)
    bent = skewness(sums, counts) / np.sqrt(sums.shape[1])
    least, most = transformed_bounds(value, error, bent, reach)
    return float(np.mean(np.abs(value) <= reach * error)), float(np.mean((least <= 0) & (most >= 0)))


def cover(rounds: int) -> None:
    print("\n95 % intervals of a mean over bundles: share that hold it (promised 95; 93 to 97 asked for)")
    print(f"{'scores':10} {'bundles':8} {'articles':>8} {'t, CR2':>8} {'Hall':>8} {'boot-t':>8} {'freedom':>8}")
    for score, drawn in SCORES.items():
        for kind in COUNTS:
            for articles in ARTICLES:
                sums, counts = windows(drawn, kind, articles, rounds)
                by_t, by_hall = held(sums, counts)
                own = counts[0]
                some = [bootstrap_t(row, own, level=0.95, seed=SEED, replicates=999) for row in sums[: rounds // 2]]
                by_bootstrap = np.mean([low <= 0 <= high for low, high in some])
                print(
                    f"{score:10} {kind:8} {articles:8} {100 * by_t:8.1f} {100 * by_hall:8.1f} {100 * by_bootstrap:8.1f}"
                    f" {degrees_of_freedom(own):8.1f}"
                )


def bounded(rounds: int) -> None:
    """Scores between 0 and 1: how skewed articles' means are, and what intervals hold of such."""
    print("\nSkewness of articles' means, 60 articles of calibration models (standard error .3)")
    for model in ("neutral", "tailoring-0.05", "tailoring-0.3", "tone-0.5"):
        found = scores(model, articles=min(60, max(12, rounds // 26)), share=0.14)
        means = {name: np.nanmean(found[name], axis=1) for name in _TABLED}
        bent = {name: float(skewness(each[None], np.ones((1, len(each))))[0]) for name, each in means.items()}
        print(f"{model:16} " + ", ".join(f"{name} {value:+.1f}" for name, value in bent.items()), flush=True)
    print("\nShare of 95 % intervals that hold the mean of a bounded score: t, Hall's; bundles equal, uneven, one big")
    kinds = {f"beta, skewness {bent}": _beta(precision) for bent, precision in _PRECISION.items()}
    kinds |= {f"framed in {rare:.0%} of articles": _rarely(rare) for rare in _RARE}
    for name, drawn in kinds.items():
        for articles in ARTICLES:
            said = []
            for kind in COUNTS:
                by_t, by_hall = held(*windows(drawn, kind, articles, 4 * rounds))
                said.append(f"{100 * by_t:5.1f} {100 * by_hall:5.1f}")
            print(f"{name:24} {articles:3} articles  " + "   ".join(said), flush=True)


def _beta(precision: float) -> Drawn:
    """Of mean 0 and standard deviation 1, shaped as a beta distribution over 0 to 1."""
    spread = np.sqrt(_MEAN * (1 - _MEAN) / (precision + 1))
    return lambda draw, shape: (draw.beta(_MEAN * precision, (1 - _MEAN) * precision, shape) - _MEAN) / spread


def _rarely(rare: float) -> Drawn:
    """Nothing in most articles, all there is in a share *rare* of them; of mean 0 and standard deviation 1."""
    return lambda draw, shape: ((draw.random(shape) < rare) - rare) / np.sqrt(rare * (1 - rare))
