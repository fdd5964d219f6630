"""Mean S by prompt family and vendor."""

from gpf_desktop.domain.analyses import TableAnalysis
from gpf_desktop.domain.columns import text
from gpf_desktop.domain.figures import HeatMap
from gpf_desktop.domain.findings import BundleFilter, Finding, Row
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.domain.text import Translated, tr
from gpf_desktop.methods.gpf_livenews.analyses._means import MeanOptions, entering, groups, main_bundles, real_where_any
from gpf_desktop.methods.gpf_livenews.analyses._words import count_columns, notes_of_means, score_columns, score_values


class FamilyByVendor(TableAnalysis):
    """Family × vendor table of the method."""

    name = "family_by_vendor"
    options = MeanOptions
    title = Translated("Family × vendor")

    def analyse(self, scores: ScoreTables, options: MeanOptions) -> Finding:
        every = entering(main_bundles(scores.bundles, options), options)
        some = real_where_any(every)
        found = groups(some, ("family", "vendor"), options)
        return self.finding(
            columns=(
                text("family", tr("Family")),
                text("vendor", tr("Vendor")),
                *score_columns(),
                *count_columns(),
            ),
            rows=tuple(
                Row(
                    values={"family": group.key[0], "vendor": group.key[1], **score_values(group)},
                    bundles=BundleFilter(
                        vendor=group.key[1],
                        levels=(("family", group.key[0]),),
                        arm=options.arm,
                        synthetic=group.synthetic,
                    ),
                    synthetic=group.synthetic,
                )
                for group in found
            ),
            reading=tr("Which questions moved answers apart, by vendor, in this window; not a ranking of vendors."),
            notes=notes_of_means(found, some, options, every),
            figures=tuple(
                HeatMap(title=title, down="family", across="vendor", value=value)
                for value, title in (
                    ("relative", tr("Relative framing by family and vendor")),
                    ("s", tr("S by family and vendor")),
                )
            ),
        )


ANALYSIS = FamilyByVendor()
