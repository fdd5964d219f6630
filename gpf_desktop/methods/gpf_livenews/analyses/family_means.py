"""Mean S and R* by prompt family."""

from collections.abc import Mapping

from gpf_desktop.domain.text import Translated, tr
from gpf_desktop.methods.gpf_livenews.analyses._means_by import MeansBy


class FamilyMeans(MeansBy):
    """Family means of the method."""

    name = "family_means"
    title = Translated("By kind of question")

    @property
    def factors(self) -> Mapping[str, str]:
        return {"family": tr("Kind of question")}


ANALYSIS = FamilyMeans()
