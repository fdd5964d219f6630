"""Mean S by prompt family and vendor."""

from collections.abc import Iterable, Mapping, Sequence

from gpf_desktop.domain.figures import HeatMap
from gpf_desktop.domain.map_titles import title_of_map
from gpf_desktop.domain.scores import RELATIVE_FRAMING, SEMANTIC_DISPERSION
from gpf_desktop.domain.text import Translated, tr
from gpf_desktop.methods.gpf_livenews.analyses._means import Group
from gpf_desktop.methods.gpf_livenews.analyses._means_by import MeansBy


class FamilyByVendor(MeansBy):
    """Family × vendor table of the method."""

    name = "family_by_vendor"
    title = Translated("Kind of question, by vendor")
    reading = Translated("Which questions moved answers apart, by vendor, in this window; not a ranking of vendors.")

    @property
    def factors(self) -> Mapping[str, str]:
        return {"family": tr("Kind of question"), "vendor": tr("Vendor")}

    def figures(self, found: Sequence[Group]) -> Iterable[HeatMap]:
        return (
            HeatMap(
                title=title_of_map(title, {", ".join(group.key): group.means[score] for group in found}),
                down="family",
                across="vendor",
                value=value,
                centred=True,
            )
            for value, score, title in (
                ("relative", RELATIVE_FRAMING, tr("Share the reader adds")),
                ("s", SEMANTIC_DISPERSION, tr("How far apart, in words")),
            )
        )


ANALYSIS = FamilyByVendor()
