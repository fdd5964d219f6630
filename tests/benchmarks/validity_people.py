"""Whether verdicts on a stratified sample tell what all verdicts would have: AUC and P(harmful) with their weights."""

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from gpf_desktop.stats.probability import discrimination, probability_curve
from tests.benchmarks.validity_sizes import SEED

Floats = NDArray[np.float64]
Draw = np.random.Generator

_AT = np.array([-1.0, 0.0, 1.0])
_BUNDLES = 60
"""Of an article; half of those with a score above 1 are read, and a tenth of the others."""


def people(rounds: int) -> None:
    """Verdicts of one article go together; the bundles with high scores are read five times as often."""
    print("\nVerdicts against scores by weighted samples: AUC, and the share of 95 % intervals that hold the pool's")
    draw = np.random.default_rng(SEED)
    for middle in (-1.0, -3.0):
        _, numbers, yes = _verdicts(draw, 4000, middle)
        whole = discrimination(numbers, yes, np.ones(len(yes)), np.arange(len(yes)))
        assert whole is not None
        chances = np.array([yes[np.abs(numbers - at) < 0.1].mean() for at in _AT])
        for articles in (12, 30):
            # Where a verdict is rare, some samples have none of it: no AUC is told of them.
            tried = (_sampled(draw, articles, middle, whole.auc, chances) for _ in range(rounds // 2))
            found = [each for each in tried if each is not None]
            mean = np.mean(found, axis=0)
            print(
                f"{articles:3} articles, {mean[0]:.0f} of {mean[1]:.0f} read have the verdict: AUC {whole.auc:.3f},"
                f" weighted {mean[2]:.3f}, unweighted {mean[3]:.3f}; held {100 * mean[4]:.1f};"
                f" band at -1, 0, 1: {', '.join(f'{100 * each:.1f}' for each in mean[5:])}"
            )


def _verdicts(draw: Draw, articles: int, middle: float) -> tuple[NDArray[np.int64], Floats, NDArray[np.bool_]]:
    article = np.repeat(np.arange(articles), _BUNDLES)
    numbers = draw.normal(0, 1, len(article))
    chance = expit(middle + 1.2 * numbers + draw.normal(0, 0.5, articles)[article])
    return article, numbers, draw.random(len(article)) < chance


def _sampled(draw: Draw, articles: int, middle: float, auc: float, chances: Floats) -> list[float] | None:
    """How many have the verdict, of how many; AUC with weights and without; whether its interval holds *auc*, and the
    band each of *chances*. None under five with the verdict, as in the program's table."""
    article, numbers, yes = _verdicts(draw, articles, middle)
    weights = np.zeros(len(yes))
    for stratum, share in ((numbers > 1, 0.5), (numbers <= 1, 0.1)):
        places = np.flatnonzero(stratum)
        size = max(1, round(share * len(places)))
        weights[draw.choice(places, size, replace=False)] = len(places) / size
    read = weights > 0
    given = numbers[read], yes[read], weights[read], article[read]
    if given[1].sum() < 5:
        return None
    weighted, plain = discrimination(*given), discrimination(given[0], given[1], np.ones(read.sum()), given[3])
    band = probability_curve(*given, _AT)
    assert weighted is not None
    assert plain is not None
    assert band is not None
    held = [float(low <= chance <= high) for low, chance, high in zip(band.low, chances, band.high, strict=True)]
    read_yes, every = float(given[1].sum()), float(len(given[1]))
    return [read_yes, every, weighted.auc, plain.auc, float(weighted.low <= auc <= weighted.high), *held]
