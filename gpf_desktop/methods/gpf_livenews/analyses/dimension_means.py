"""Mean S and R* by demographic dimension."""

from gpf_desktop.domain.text import Translated
from gpf_desktop.methods.gpf_livenews.analyses._by_one import MeansByOne


class DimensionMeans(MeansByOne):
    """Dimension means of the method."""

    name = "dimension_means"
    factor = "dimension"
    title = Translated("By dimension")
    factor_title = Translated("Dimension")


ANALYSIS = DimensionMeans()
