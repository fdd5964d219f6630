"""Mean S and R* by prompt family."""

from gpf_desktop.domain.text import Translated
from gpf_desktop.methods.gpf_livenews.analyses._by_one import MeansByOne


class FamilyMeans(MeansByOne):
    """Family means of the method."""

    name = "family_means"
    factor = "family"
    title = Translated("By prompt family")
    factor_title = Translated("Family")


ANALYSIS = FamilyMeans()
