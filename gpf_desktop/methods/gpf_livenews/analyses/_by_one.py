"""Means by one factor of the bundles."""

from gpf_desktop.domain.analyses import TableAnalysis
from gpf_desktop.domain.columns import text
from gpf_desktop.domain.findings import BundleFilter, Finding, Row
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.domain.text import tr
from gpf_desktop.methods.gpf_livenews.analyses._means import MeanOptions, entering, groups, main_bundles, real_where_any
from gpf_desktop.methods.gpf_livenews.analyses._words import (
    count_columns,
    mean_figures,
    notes_of_means,
    score_columns,
    score_values,
)


class MeansByOne(TableAnalysis):
    """A row for each level of one factor, in the protocol's order."""

    options = MeanOptions
    factor: str

    @property
    def factor_title(self) -> str:
        raise NotImplementedError

    def analyse(self, scores: ScoreTables, options: MeanOptions) -> Finding:
        every = entering(main_bundles(scores.bundles, options), options)
        some = real_where_any(every)
        found = groups(some, (self.factor,), options)
        return self.finding(
            columns=(text(self.factor, self.factor_title), *score_columns(), *count_columns()),
            rows=tuple(
                Row(
                    values={self.factor: group.key[0], **score_values(group)},
                    bundles=BundleFilter(
                        levels=((self.factor, group.key[0]),), arm=options.arm, synthetic=group.synthetic
                    ),
                    synthetic=group.synthetic,
                )
                for group in found
            ),
            reading=tr(
                "Where answers moved further apart across identities in this window. "
                "R grows with the number of identities: compare R* between dimensions."
            ),
            notes=notes_of_means(found, some, options, every),
            figures=mean_figures(self.factor, self.factor_title.lower()),
        )
