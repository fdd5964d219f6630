"""How much one model's scores vary between articles, between questions and beyond both."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gpf_desktop.domain.round_planning import Variation

if TYPE_CHECKING:
    import pandas as pd

LEAST_ARTICLES: Final = 3
"""Under three articles no interval is made, so nothing is found."""
_LEAST_BUNDLES: Final = 12
"""Of a model, under which it tells too little."""
_OF_GENERATIONS: Final = 0.7
"""A bundle's variance with K generations goes as 1 + .7 / (K − 1): .67 (CFS) and .77 (tone) were measured on
calibration/tailoring-0.3 at K = 2, 3, 5."""


def of_generations(number: int) -> float:
    """The factor that a bundle's variance beyond article and question goes as, with *number* generations, 2 or more."""
    return 1 + _OF_GENERATIONS / (number - 1)


def variation(bundles: pd.DataFrame, score: str) -> Variation | None:
    """The models' mean variances; None where no model has three articles and bundles enough."""
    import numpy as np

    from gpf_desktop.stats.components import RESIDUAL, variance_components

    found = []
    scored = bundles[bundles[score].notna()]
    for _, of_model in scored.groupby("model", observed=True):
        articles = of_model["article_id"].to_numpy()
        if len(of_model) < _LEAST_BUNDLES or len(np.unique(articles)) < LEAST_ARTICLES:
            continue
        # A question is a pair: by dimension and family alone, what is peculiar to a pair would pass for the rest.
        asked = of_model["dimension"].astype(str) + "\n" + of_model["family"].astype(str)
        _, question = np.unique(asked.to_numpy(), return_inverse=True)
        parts = variance_components(
            of_model[score].to_numpy(float), {"item": articles, "question": question}, intervals=False
        )
        found.append([parts.variance(name) for name in ("item", "question", RESIDUAL)])
    if not found:
        return None
    # Models weigh alike, however many bundles each has.
    item, question_, residual = np.mean(found, axis=0).tolist()
    return Variation(item=item, question=question_, residual=residual, generations=3)
