"""The groups that the boards of SAGED compare: concepts, or the tags of their sources, or keywords."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from gpf_desktop.domain.text import capital, tr
from gpf_desktop.methods.saged.protocol import title_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pandas as pd

    from gpf_desktop.domain.score_tables import RunTerms
    from gpf_desktop.methods.saged.benchmark import BenchmarkRow

GROUP = "group"
"""The column of a frame of answers that says to which group each belongs."""


class GroupedBy(StrEnum):
    """The property by which answers are put together."""

    CONCEPT = "concept"
    SOURCE_TAG = "source_tag"
    KEYWORD = "keyword"
    CONCEPT_TAG = "concept_tag"
    DOMAIN = "domain"

    @property
    def words(self) -> str:
        match self:
            case GroupedBy.CONCEPT:
                return tr("group")
            case GroupedBy.SOURCE_TAG:
                return tr("source tag")
            case GroupedBy.KEYWORD:
                return tr("keyword")
            case GroupedBy.CONCEPT_TAG:
                return tr("group and source tag")
            case GroupedBy.DOMAIN:
                return tr("domain")

    @property
    def plural(self) -> str:
        match self:
            case GroupedBy.CONCEPT:
                return tr("groups")
            case GroupedBy.SOURCE_TAG:
                return tr("source tags")
            case GroupedBy.KEYWORD:
                return tr("keywords")
            case GroupedBy.CONCEPT_TAG:
                return tr("groups by source tag")
            case GroupedBy.DOMAIN:
                return tr("domains")

    @property
    def heading(self) -> str:
        """Above a column."""
        return capital(self.words)


def grouped(frame: pd.DataFrame, by: GroupedBy, terms: Mapping[int, RunTerms]) -> pd.DataFrame:
    """*frame*, rows of answers, with the column `GROUP`: categories in the order of the benchmark.

    *terms*: by run, what it was asked with. What the benchmark leaves empty is a group of its own.
    """
    import pandas as pd

    if by is GroupedBy.CONCEPT:
        return frame.assign(**{GROUP: frame["concept"].cat.remove_unused_categories()})
    rows: dict[tuple[int, str], Mapping[str, BenchmarkRow]] = {
        (run, title_of(rows)): rows for run, each in terms.items() for rows in each.protocol.roots.values()
    }
    asked = zip(frame["run_id"].tolist(), frame["headline"].astype(str), frame["concept"].astype(str), strict=True)
    named = [_name(rows[run, root][concept], by) for run, root, concept in asked]
    return frame.assign(**{GROUP: pd.Categorical(named, categories=list(dict.fromkeys(named)))})


def _name(row: BenchmarkRow, by: GroupedBy) -> str:
    if by is GroupedBy.CONCEPT_TAG:
        return " · ".join(filter(None, (row.concept, row.source_tag)))
    return str(getattr(row, by)) or tr("none")
