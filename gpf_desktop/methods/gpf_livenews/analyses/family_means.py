"""Mean S and R* by prompt family."""

from gpf_desktop.domain.findings import BundleFilter, Finding
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.domain.text import tr
from gpf_desktop.methods.gpf_livenews.analyses._by_one import means_by
from gpf_desktop.methods.gpf_livenews.analyses._means import MeanOptions


class FamilyMeans:
    """Family means of the method."""

    name = "family_means"
    version = "1"
    options = MeanOptions

    @property
    def title(self) -> str:
        return tr("By prompt family")

    def analyse(self, scores: ScoreTables, options: MeanOptions) -> Finding:
        return means_by(
            "family",
            tr("Family"),
            scores,
            options,
            name=self.name,
            title=self.title,
            bundles=lambda family: BundleFilter(levels=(("family", family),), arm=options.arm),
        )


ANALYSIS = FamilyMeans()
