"""Shares of the cells that a model decided, with intervals by article."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from gpf_desktop.domain.findings import Estimate, Interval
from gpf_desktop.domain.text import tr
from gpf_desktop.methods.gpf_livenews.cells import Condition

if TYPE_CHECKING:
    import pandas as pd

    from gpf_desktop.arrays import Ints

LEVEL: Final = 0.95
_SET: Final = ["model", "article_id", "dimension", "family", "paraphrase"]
"""What tells the sets of answers of one condition apart."""


def where_named(cells: pd.DataFrame) -> pd.DataFrame:
    """The cells of the identity condition, repeats and paraphrases included."""
    return cells[cells["condition"] == str(Condition.IDENTITY)]


def where_answered(sets: pd.DataFrame, cells: pd.DataFrame) -> pd.DataFrame:
    """The *sets* of answers of which none was declined, by a provider or in words, among *cells*."""
    declined = cells[cells["refused"] + cells["worded_refusals"] > 0]
    some = set(declined[_SET].astype(str).itertuples(index=False, name=None))
    return sets[[each not in some for each in sets[_SET].astype(str).itertuples(index=False, name=None)]]


def share_of(part: int, whole: int) -> Estimate:
    """*part* of *whole* cells, no interval: what was counted is all there is; unavailable where there are none."""
    return Estimate(
        value=part / whole if whole else None, n=whole, articles=0, why="" if whole else tr("nothing asked")
    )


def rate(events: Ints, decided: Ints) -> Estimate:
    """Share of the cells *decided* (articles,) that are *events* (articles,), with articles as the unit."""
    from gpf_desktop.stats.rates import rate_interval

    # Articles of which nothing was decided tell nothing about refusals, and would count as clusters.
    there = decided > 0
    cells, articles = int(decided.sum()), int(there.sum())
    if not cells:
        return Estimate.unavailable(tr("no question was answered or declined"))
    ends = None
    if articles > 1:
        low, high = rate_interval(events[there], decided[there], LEVEL)
        ends = Interval(
            low=low, high=high, level=LEVEL, method=tr("Wilson and beta-binomial over {n} articles", n=articles)
        )
    return Estimate(value=float(events.sum()) / cells, n=cells, articles=articles, interval=ends)


def refused_by_model(decided: pd.DataFrame) -> Callable[[str], Estimate]:
    """A function of a model's name: the share of the identity cells that it decided that were refused or blocked."""
    counts: Any = decided.groupby(["model", "article_id"], observed=True)[["refused", "decided"]].sum()
    of_model = {str(model): some.to_numpy(int) for model, some in counts.groupby(level="model", observed=True)}

    def refused(model: str) -> Estimate:
        some = of_model.get(model, counts.iloc[:0].to_numpy(int))
        return rate(some[:, 0], some[:, 1])

    return refused
