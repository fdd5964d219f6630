"""Silhouettes of sets of answers, beside those that the paper prints."""

from collections.abc import Iterator, Mapping
from typing import Final

from gpf_desktop.domain.analyses import TableAnalysis
from gpf_desktop.domain.columns import estimate, text
from gpf_desktop.domain.findings import BundleFilter, Estimate, Finding, Interval, Row
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.domain.scores import SEMANTIC_SILHOUETTE, SENTIMENT_SILHOUETTE
from gpf_desktop.domain.text import Translated, tr
from gpf_desktop.methods.gpf_livenews.analyses._means import MeanOptions, counted_bundles, groups
from gpf_desktop.methods.gpf_livenews.analyses._words import basis

_SCORES: Final = {"semantic": SEMANTIC_SILHOUETTE, "sentiment": SENTIMENT_SILHOUETTE}

_PAPER: Final[Mapping[str, tuple[int, tuple[float, float, float], tuple[float, float, float]]]] = {
    "OpenAI": (7, (0.041, 0.032, 0.050), (0.517, 0.497, 0.537)),
    "Anthropic": (9, (0.052, 0.043, 0.061), (0.489, 0.473, 0.505)),
    "Google": (7, (0.056, 0.040, 0.072), (0.541, 0.514, 0.568)),
}
"""By vendor: its models, then mean and 95% interval of meaning and of tone, as the paper's vendor table has them."""


class Silhouettes(TableAnalysis):
    """How clearly answers fall into two groups, by meaning and by tone (method, "Scores of a bundle")."""

    name = "silhouettes"
    options = MeanOptions
    title = Translated("Silhouettes, beside the paper's")

    def analyse(self, scores: ScoreTables, options: MeanOptions) -> Finding:
        bundles = counted_bundles(scores, options)
        columns = {key: score for key, score in _SCORES.items() if score in bundles}
        found = groups(bundles, ("model",), options, tuple(columns.values()))
        found.sort(key=lambda group: group.synthetic)
        none = Estimate.unavailable(tr("this way of measuring gives no silhouettes"))
        rows = tuple(
            Row(
                values={
                    "of": group.key[0],
                    "from": tr("this window"),
                    **{key: group.means[columns[key]] if key in columns else none for key in _SCORES},
                },
                bundles=BundleFilter(model=group.key[0], arm=options.arm),
                synthetic=group.synthetic,
            )
            for group in found
        )
        return self.finding(
            columns=(
                text("of", tr("Model, or vendor in the paper")),
                text("from", tr("Where from")),
                estimate("semantic", tr("By meaning"), tr("1: two groups far apart. 0: no groups. −1: wrong groups.")),
                estimate("sentiment", tr("By tone"), tr("The same of the answers' tone.")),
            ),
            rows=(*rows, *_of_paper()) if rows else (),
            reading=tr(
                "How clearly the answers of a set fall into two groups. The paper asked other models about other "
                "news: its figures are no target."
            ),
            notes=(
                tr(
                    "Each set is parted in two at its best (2-means, k = 2 is our choice, the paper gives none); mean "
                    "silhouette by cosine distance of words, and by distance of tone. None under three answers."
                ),
                tr(
                    "The paper's printed means (near 0.05 by meaning, near 0.5 by tone) look like silhouettes, so "
                    "that they stand here and beside no other score. Its ranges are over models, ours over articles."
                ),
                *basis(bundles, options)[:-1],
            ),
        )


def _of_paper() -> Iterator[Row]:
    for vendor, (models, *printed) in _PAPER.items():
        yield Row(
            values={
                "of": vendor,
                "from": tr("the paper, {n} models", n=models),
                **{key: _printed(models, each) for key, each in zip(_SCORES, printed, strict=True)},
            },
            # No set of answers here stands behind them.
            bundles=BundleFilter(vendor=tr("{vendor} in the paper", vendor=vendor)),
        )


def _printed(models: int, figures: tuple[float, float, float]) -> Estimate:
    value, low, high = figures
    method = tr("t over {n} model means, as printed", n=models)
    return Estimate(value=value, n=models, articles=0, interval=Interval(low=low, high=high, level=0.95, method=method))


ANALYSIS = Silhouettes()
