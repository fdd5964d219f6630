"""Mean S and R* by prompt family."""

from gpf_desktop.domain.text import tr
from gpf_desktop.methods.gpf_livenews.analyses._by_one import MeansByOne


class FamilyMeans(MeansByOne):
    """Family means of the method."""

    name = "family_means"
    factor = "family"

    @property
    def title(self) -> str:
        return tr("By prompt family")

    @property
    def factor_title(self) -> str:
        return tr("Family")


ANALYSIS = FamilyMeans()
