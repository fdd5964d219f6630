"""Mean S and R* by demographic dimension."""

from gpf_desktop.domain.text import tr
from gpf_desktop.methods.gpf_livenews.analyses._by_one import MeansByOne


class DimensionMeans(MeansByOne):
    """Dimension means of the method."""

    name = "dimension_means"
    factor = "dimension"

    @property
    def title(self) -> str:
        return tr("By dimension")

    @property
    def factor_title(self) -> str:
        return tr("Dimension")


ANALYSIS = DimensionMeans()
