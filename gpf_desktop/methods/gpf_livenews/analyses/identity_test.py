"""Whether identities moved the answers more than chance, by model, dimension and family, as computed last."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gpf_desktop.domain.findings import BundleFilter, Finding, Row
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.domain.scores import (
    IDENTITY_ADJUSTED_P,
    IDENTITY_P,
    IDENTITY_STATISTIC,
    IDENTITY_STRATUM_P,
    IDENTITY_STRATUM_SMALLEST_P,
)
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.methods.gpf_livenews.analyses._means import MeanOptions, main_bundles, mean_estimates
from gpf_desktop.methods.gpf_livenews.analyses._words import count, estimate, text

if TYPE_CHECKING:
    import pandas as pd

_LEVEL = 0.05


class IdentityTest:
    """Primary: one permutation test per stratum, adjusted over strata. Exploratory: one per bundle."""

    name = "identity_test"
    version = "1"
    options = MeanOptions

    @property
    def title(self) -> str:
        return tr("Identity against chance")

    def analyse(self, scores: ScoreTables, options: MeanOptions) -> Finding:
        tests = main_bundles(scores.tests, options)
        rows = _rows(tests, options)
        return Finding(
            name=self.name,
            title=self.title,
            columns=(
                text("model", tr("Model")),
                text("dimension", tr("Dimension")),
                text("family", tr("Family")),
                count("bundles", tr("Bundles"), tr("Bundles whose every identity was asked several times.")),
                estimate(
                    "statistic",
                    tr("Between − within"),
                    tr("Mean distance between answers for unlike identities minus that between repeats for one."),
                ),
                text("p", tr("p")),
                text(
                    "adjusted",
                    tr("Adjusted p"),
                    tr("Benjamini and Hochberg, over all tested strata; calibration models apart."),
                ),
                text("smallest", tr("Smallest p"), tr("The smallest p that these sizes and replicates can reach.")),
                count("single", tr("Bundles p ≤ .05"), tr("Exploratory: single bundles, not adjusted.")),
                text(
                    "finds",
                    tr("Finds from"),
                    tr("The least difference that as many articles, with this spread, tell from 0 in 80 % of windows."),
                ),
            ),
            rows=rows,
            reading=tr(
                "A small adjusted p says that answers differed more between identities than between repeats of one "
                "question. It does not say that the difference is large, or harmful."
            ),
            notes=(*_late(tests), *_notes(tests)) if rows else (),
        )


def _rows(tests: pd.DataFrame, options: MeanOptions) -> tuple[Row, ...]:
    import numpy as np

    if tests.empty:
        return ()
    by = ["synthetic", "model", "dimension", "family"]
    made = []
    for key, stratum in tests.groupby(by, observed=True, sort=True):
        synthetic, model, dimension, family = key
        mean = mean_estimates(stratum, np.zeros(len(stratum), np.int64), 1, (IDENTITY_STATISTIC,), options)
        first = stratum.iloc[0]
        made.append(
            Row(
                values={
                    "model": str(model),
                    "dimension": str(dimension),
                    "family": str(family),
                    "bundles": len(stratum),
                    "statistic": mean[IDENTITY_STATISTIC][0],
                    "p": _p(first[IDENTITY_STRATUM_P]),
                    "adjusted": _p(first[IDENTITY_ADJUSTED_P]),
                    "smallest": _p(first[IDENTITY_STRATUM_SMALLEST_P]),
                    "single": int((stratum[IDENTITY_P] <= _LEVEL).sum()),
                    "finds": _finds(stratum),
                },
                bundles=BundleFilter(
                    model=str(model), levels=(("dimension", str(dimension)), ("family", str(family))), arm=options.arm
                ),
                synthetic=bool(synthetic),
            )
        )
    return tuple(made)


def _p(value: float) -> str:
    return f"{value:.4f}"


def _finds(stratum: pd.DataFrame) -> str:
    """By Student's t over articles, whose spread is the stratum's own."""
    from gpf_desktop.stats.power import detectable

    by_article: Any = stratum.groupby("article_id")[IDENTITY_STATISTIC].mean()
    if len(by_article) < 2:
        return tr("unknown: one article")
    least = detectable(float(by_article.std(ddof=1)), len(by_article))
    return f"{least:.4f}"


def _late(tests: pd.DataFrame) -> tuple[str, ...]:
    """A test of fewer answers than there are says so first."""
    late = int((tests["newer"] > 0).sum())
    if not late:
        return ()
    return (
        trn(
            "{n} bundle was tested before newer answers came: compute the test again.",
            "{n} bundles were tested before newer answers came: compute the test again.",
            late,
        ),
    )


def _notes(tests: pd.DataFrame) -> tuple[str, ...]:
    strata = len(tests[["model", "dimension", "family"]].drop_duplicates())
    return (
        trn(
            "Permutation of identity labels over the generations of each bundle, summed over the bundles of a model, "
            "dimension and family; {n} stratum is shown.",
            "Permutation of identity labels over the generations of each bundle, summed over the bundles of a model, "
            "dimension and family; {n} strata are shown.",
            strata,
        ),
        tr(
            "p = (1 + b) / (1 + B), b of B random labellings reaching the statistic. p-values are of the whole audit "
            "as it stood when the test was computed; a filter chooses among strata and bundles only."
        ),
        tr(
            "Finds from: noncentral t over the articles, at 5 %, by the spread that they have here; what more articles "
            "would find is told in a round's set-up."
        ),
    )


ANALYSIS = IdentityTest()
