"""Means by some factors of the bundles."""

from collections.abc import Iterable, Mapping, Sequence

from gpf_desktop.domain.analyses import TableAnalysis
from gpf_desktop.domain.columns import text
from gpf_desktop.domain.figures import Figure
from gpf_desktop.domain.findings import BundleFilter, Finding, Row
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.domain.text import tr
from gpf_desktop.methods.gpf_livenews.analyses._means import Group, MeanOptions, counted_bundles, groups, real_where_any
from gpf_desktop.methods.gpf_livenews.analyses._words import (
    count_columns,
    mean_figures,
    notes_of_means,
    score_columns,
    score_values,
)


class MeansBy(TableAnalysis, declares=True):
    """A row for each combination of levels, in the protocol's order."""

    options = MeanOptions

    @property
    def factors(self) -> Mapping[str, str]:
        """The titles of the factors that bundles are grouped by, by name; ``vendor`` may be one."""
        raise NotImplementedError

    @property
    def reading(self) -> str:
        return tr(
            "Where answers moved further apart across readers in this window. Spread of tone grows with "
            "the number of readers: compare the one that is fair to small groups."
        )

    def figures(self, found: Sequence[Group]) -> Iterable[Figure]:  # noqa: ARG002 - others draw what they find
        ((factor, title),) = self.factors.items()
        return mean_figures(factor, title.lower())

    def highlights(self, found: Sequence[Group]) -> Sequence[str]:  # noqa: ARG002 - others name what they find
        return ()

    def in_order(self, found: list[Group]) -> list[Group]:
        return found

    def analyse(self, scores: ScoreTables, options: MeanOptions) -> Finding:
        every = counted_bundles(scores, options)
        some = real_where_any(every)
        found = self.in_order(groups(some, tuple(self.factors), options))
        return self.finding(
            columns=(*(text(*factor) for factor in self.factors.items()), *score_columns(), *count_columns()),
            rows=[self._row(group, options.arm) for group in found],
            reading=self.reading,
            highlights=self.highlights(found),
            notes=notes_of_means(found, some, options, every),
            figures=self.figures(found),
        )

    def _row(self, group: Group, arm: str) -> Row:
        levels = dict(zip(self.factors, group.key, strict=True))
        return Row(
            values={**levels, **score_values(group)},
            bundles=BundleFilter(
                vendor=levels.get("vendor"),
                levels=tuple(each for each in levels.items() if each[0] != "vendor"),
                arm=arm,
                synthetic=group.synthetic,
            ),
            synthetic=group.synthetic,
        )
