"""How much each model's mean moves from one batch of news to the next."""

from typing import Final

from gpf_desktop.domain.analyses import TableAnalysis
from gpf_desktop.domain.columns import estimate, text
from gpf_desktop.domain.figures import Scatter
from gpf_desktop.domain.findings import BundleFilter, Finding, Row
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.domain.scores import (
    COUNTERFACTUAL_FRAMING,
    RELATIVE_FRAMING,
    SEMANTIC_DISPERSION,
    SENTIMENT_RANGE_RAREFIED,
)
from gpf_desktop.domain.text import Translated, tr
from gpf_desktop.methods.gpf_livenews.analyses._means import (
    MeanOptions,
    counted_bundles,
    groups,
    spread_over_batches,
)
from gpf_desktop.methods.gpf_livenews.analyses._words import count_columns, notes_of_means, score_columns, score_values

_SPREADS: Final = {
    "sigma_cfs": COUNTERFACTUAL_FRAMING,
    "sigma_relative": RELATIVE_FRAMING,
    "sigma_s": SEMANTIC_DISPERSION,
    "sigma_r": SENTIMENT_RANGE_RAREFIED,
}


class Stability(TableAnalysis):
    """σ_news of the method: the standard deviation (ddof 1) over batches of a model's batch means."""

    name = "stability"
    version = "2"
    options = MeanOptions
    title = Translated("From one batch of news to the next")

    def analyse(self, scores: ScoreTables, options: MeanOptions) -> Finding:
        bundles = counted_bundles(scores, options)
        found = groups(bundles, ("model",), options)
        found.sort(key=lambda group: group.synthetic)
        spreads = {key: spread_over_batches(bundles, score) for key, score in _SPREADS.items()}
        of_batches = tr("Standard deviation of the batches' means; n counts batches of news.")
        return self.finding(
            columns=(
                text("model", tr("Model")),
                *score_columns(),
                estimate("sigma_cfs", tr("σ news of CFS"), of_batches, plain=tr("What the reader adds, by batch")),
                estimate(
                    "sigma_relative",
                    tr("σ news of relative framing"),
                    of_batches,
                    plain=tr("Share the reader adds, by batch"),
                ),
                estimate("sigma_s", tr("σ news of S"), of_batches, plain=tr("How far apart, by batch")),
                estimate("sigma_r", tr("σ news of R*"), of_batches, plain=tr("Spread of tone, by batch")),
                *count_columns(),
            ),
            rows=tuple(
                Row(
                    values={
                        "model": group.key[0],
                        **score_values(group),
                        **{key: spread(group.key[0]) for key, spread in spreads.items()},
                    },
                    bundles=BundleFilter(model=group.key[0], arm=options.arm),
                    synthetic=group.synthetic,
                )
                for group in found
            ),
            reading=tr(
                "A model far up moved from one batch of news to the next, with the news or by chance. Its mean "
                "says little about other days. Triangles are built-in test models (synthetic)."
            ),
            notes=notes_of_means(found, bundles, options),
            figures=(
                _over_batches(
                    tr("Share the reader adds, from one batch of news to the next"),
                    "relative",
                    tr("share the reader adds, mean"),
                ),
                _over_batches(
                    tr("How far apart, in words, from one batch of news to the next"),
                    "s",
                    tr("how far apart, in words, mean"),
                ),
            ),
        )


def _over_batches(title: str, key: str, x_title: str) -> Scatter:
    y_title = tr("standard deviation over batches of news")
    return Scatter(title=title, x=key, y=f"sigma_{key}", label="model", x_title=x_title, y_title=y_title)


ANALYSIS = Stability()
