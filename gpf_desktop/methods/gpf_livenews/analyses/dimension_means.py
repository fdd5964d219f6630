"""Mean S and R* by demographic dimension."""

from collections.abc import Mapping

from gpf_desktop.domain.text import Translated, tr
from gpf_desktop.methods.gpf_livenews.analyses._means_by import MeansBy


class DimensionMeans(MeansBy):
    """Dimension means of the method."""

    name = "dimension_means"
    title = Translated("By group of readers")

    @property
    def factors(self) -> Mapping[str, str]:
        return {"dimension": tr("Group of readers")}


ANALYSIS = DimensionMeans()
