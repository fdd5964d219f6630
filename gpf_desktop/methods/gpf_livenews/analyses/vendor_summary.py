"""Each vendor's mean over its models' means, with a t-interval over models."""

from collections.abc import Sequence

from gpf_desktop.domain.analyses import TableAnalysis
from gpf_desktop.domain.columns import count, text
from gpf_desktop.domain.findings import BundleFilter, Estimate, Finding, Interval, Row
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.domain.scores import WORDS
from gpf_desktop.domain.text import Translated, tr, trn
from gpf_desktop.methods.gpf_livenews.analyses._means import (
    SCORE_KEYS,
    Group,
    counted_bundles,
    groups,
    main_bundles,
)
from gpf_desktop.methods.gpf_livenews.analyses._words import basis, mean_figures, score_columns, unlike_lengths
from gpf_desktop.methods.gpf_livenews.analyses.model_table import ModelTableOptions, read_apart


class VendorSummary(TableAnalysis):
    """Vendor summary of the method: mean ± t(0.975, k−1)·sd/√k over the k model means."""

    name = "vendor_summary"
    version = "2"
    options = ModelTableOptions
    title = Translated("By vendor")

    def analyse(self, scores: ScoreTables, options: ModelTableOptions) -> Finding:
        every = counted_bundles(scores, options)
        scalars = groups(main_bundles(scores.bundles, options), ("vendor", "model"), options, ())
        aside = read_apart(scalars, options)
        bundles = every[~every["model"].isin([model for _, model in aside])]
        models = groups(bundles, ("vendor", "model"), options)
        articles = bundles.groupby("vendor", observed=True)["article_id"].nunique()
        vendors: dict[str, list[Group]] = {}
        for group in sorted(models, key=lambda group: group.synthetic):
            vendors.setdefault(group.key[0], []).append(group)
        return self.finding(
            columns=(
                text("vendor", tr("Vendor")),
                count("models", tr("Models")),
                *score_columns(),
                count("bundles", tr("Sets")),
                count("pairs", tr("Whole"), tr("Whole sets: every answer came, with a score of words and of tone.")),
            ),
            rows=tuple(_row(vendor, members, int(articles[vendor]), options) for vendor, members in vendors.items()),
            reading=tr(
                "Mean over models, so that every model counts once. How far answers moved apart in this "
                "window. It shows of no vendor whether that is harmful."
            ),
            notes=(
                tr("Ranges here: 95%, by t·sd/√k over the k model means; none for a single model."),
                *unlike_lengths(group.means[WORDS] for group in models),
                *_left_aside(scalars, aside, options),
                *basis(bundles, options)[:-1],
            ),
            figures=mean_figures("vendor", tr("vendor")),
        )


def _left_aside(
    scalars: Sequence[Group], aside: frozenset[tuple[str, ...]], options: ModelTableOptions
) -> tuple[str, ...]:
    few = [f"{group.key[1]} ({group.scalars})" for group in scalars if group.key in aside]
    if not few:
        return ()
    return (
        tr(
            "Not in these means, as fewer than {least} of their scores came: {models}. They stand apart in the table "
            "of models.",
            least=options.high_coverage,
            models=", ".join(few),
        ),
    )


def _row(vendor: str, members: Sequence[Group], articles: int, options: ModelTableOptions) -> Row:
    return Row(
        values={
            "vendor": vendor,
            "models": len(members),
            **{
                key: over_models([group.means[score].value for group in members], articles)
                for key, score in SCORE_KEYS.items()
            },
            "bundles": sum(group.bundles for group in members),
            "pairs": sum(group.pairs for group in members),
        },
        bundles=BundleFilter(vendor=vendor, arm=options.arm),
        synthetic=all(group.synthetic for group in members),
    )


def over_models(means: Sequence[float | None], articles: int) -> Estimate:
    """The mean over model-level *means* and its t-interval; n is the number of models that have one."""
    import numpy as np

    from gpf_desktop.stats.article_means import LEVEL, t_interval

    # Models as the unit, not bundles: a vendor's next model is what the interval is about.
    there = np.array([mean for mean in means if mean is not None])
    if not len(there):
        return Estimate(value=None, n=0, articles=articles, why=tr("no model has a score"))
    interval = None
    if len(there) > 1:
        low, high = t_interval(there)
        method = trn("t over {n} model mean", "t over {n} model means", len(there))
        interval = Interval(low=low, high=high, level=LEVEL, method=method)
    return Estimate(value=float(np.mean(there)), n=len(there), articles=articles, interval=interval)


ANALYSIS = VendorSummary()
