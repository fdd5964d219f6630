"""Each batch of news in its turn, by vendor."""

from gpf_desktop.domain.analyses import TableAnalysis
from gpf_desktop.domain.columns import count, text
from gpf_desktop.domain.figures import SeriesChart, Track
from gpf_desktop.domain.findings import BundleFilter, Finding, Row
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.domain.text import Translated, tr
from gpf_desktop.methods.gpf_livenews.analyses._means import MeanOptions, counted_bundles, groups
from gpf_desktop.methods.gpf_livenews.analyses._words import count_columns, notes_of_means, score_columns, score_values


class BatchView(TableAnalysis):
    """Batch view of the method: batch × vendor."""

    name = "batch_view"
    options = MeanOptions
    title = Translated("One batch of news after another")

    def analyse(self, scores: ScoreTables, options: MeanOptions) -> Finding:
        bundles = counted_bundles(scores, options)
        found = groups(bundles, ("batch", "vendor"), options)
        models = bundles.groupby(["batch", "vendor"], observed=True)["model"].nunique()
        ids = bundles.groupby("batch", observed=True)["batch_id"].first()
        return self.finding(
            columns=(
                text("batch", tr("Batch of news")),
                text("vendor", tr("Vendor")),
                count("models", tr("Models")),
                *score_columns(),
                *count_columns(),
            ),
            rows=tuple(
                Row(
                    values={
                        "batch": group.key[0],
                        "vendor": group.key[1],
                        "models": int(models[group.key]),
                        **score_values(group),
                    },
                    bundles=BundleFilter(vendor=group.key[1], batch_id=int(ids[group.key[0]]), arm=options.arm),
                    synthetic=group.synthetic,
                )
                for group in found
            ),
            reading=tr("Other news, other numbers: a difference between batches may be the news and not the model."),
            notes=notes_of_means(found, bundles, options),
            figures=(
                SeriesChart(
                    title=tr("One batch of news after another, by vendor"),
                    along="batch",
                    places=tuple(dict.fromkeys(group.key[0] for group in found)),
                    line="vendor",
                    tracks=tuple(
                        Track(title=title, value=value)
                        for value, title in (
                            ("relative", tr("share the reader adds, mean")),
                            ("s", tr("how far apart, in words, mean")),
                            ("r_star", tr("spread of tone, fair to small groups, mean")),
                        )
                    ),
                    together=True,
                ),
            ),
        )


ANALYSIS = BatchView()
