"""What a promise of power is worth that rests on a pilot: how much scores vary is then an estimate itself."""

import numpy as np
import pandas as pd

from gpf_desktop.domain.round_planning import Variation
from gpf_desktop.domain.scores import COUNTERFACTUAL_FRAMING
from gpf_desktop.methods.gpf_livenews.planning import assumed
from gpf_desktop.methods.gpf_livenews.variation import variation
from gpf_desktop.stats.power import ClusterSpread, detectable, power
from tests.benchmarks.validity_sizes import SEED

BUNDLES, REPEATED, ARTICLES = 42, 6, 12


def pilots(rounds: int) -> None:
    print(
        f"\nPilots with {REPEATED} repeated bundles of {BUNDLES} an article: chance to find over {ARTICLES} articles"
        " what they promise with 80 %: mean, and what all but the lowest and the highest tenth of pilots give"
    )
    draw = np.random.default_rng(SEED)
    planted = assumed().variation[COUNTERFACTUAL_FRAMING]
    true = _of_article(planted)
    for models in (1, 3):
        for articles in (3, 6, 10, 20):
            found = []
            for _ in range(max(20, rounds // 8)):
                seen = variation(_answers(draw, planted, models, articles), COUNTERFACTUAL_FRAMING)
                assert seen is not None
                smallest = detectable(_of_article(seen), ARTICLES)
                assert smallest is not None
                found.append(100 * power(smallest, true, ARTICLES))
            low, high = np.quantile(found, [0.1, 0.9])
            print(
                f"{models} models, {articles:2} articles: {np.mean(found):3.0f}, from {low:3.0f} to {high:3.0f}",
                flush=True,
            )


def _of_article(varied: Variation) -> float:
    within = varied.residual + varied.question * (1 - REPEATED / BUNDLES)
    return ClusterSpread(between=varied.item, within=within).of_mean(REPEATED)


def _answers(draw: np.random.Generator, varied: Variation, models: int, articles: int) -> pd.DataFrame:
    """The repeated bundles of a pilot, their scores drawn with the planted variances; questions vary for all models."""
    questions = draw.normal(0, np.sqrt(varied.question), BUNDLES)
    rows = []
    for article in range(articles):
        asked = draw.choice(BUNDLES, REPEATED, replace=False)
        for model in range(models):
            own = draw.normal(0, np.sqrt(varied.item))
            for question in asked.tolist():
                value = own + questions[question] + draw.normal(0, np.sqrt(varied.residual))
                rows.append((str(model), article, str(question // 7), str(question % 7), value))
    return pd.DataFrame(rows, columns=["model", "article_id", "dimension", "family", COUNTERFACTUAL_FRAMING])
