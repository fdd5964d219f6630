"""Mean S and R* by demographic dimension."""

from gpf_desktop.domain.findings import BundleFilter, Finding
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.domain.text import tr
from gpf_desktop.methods.gpf_livenews.analyses._by_one import means_by
from gpf_desktop.methods.gpf_livenews.analyses._means import MeanOptions


class DimensionMeans:
    """Dimension means of the method."""

    name = "dimension_means"
    version = "1"
    options = MeanOptions

    @property
    def title(self) -> str:
        return tr("By dimension")

    def analyse(self, scores: ScoreTables, options: MeanOptions) -> Finding:
        return means_by(
            "dimension",
            tr("Dimension"),
            scores,
            options,
            name=self.name,
            title=self.title,
            bundles=lambda dimension: BundleFilter(levels=(("dimension", dimension),), arm=options.arm),
        )


ANALYSIS = DimensionMeans()
