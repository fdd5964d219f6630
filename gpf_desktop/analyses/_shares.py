"""Shares of cells, with Wilson's interval."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from gpf_desktop.domain.cells import Condition
from gpf_desktop.domain.findings import Estimate, Interval
from gpf_desktop.domain.responses import Missing
from gpf_desktop.domain.text import tr

if TYPE_CHECKING:
    import pandas as pd


def ended(cells: pd.DataFrame) -> pd.DataFrame:
    """Cells of the identity condition that have their answer or their reason."""
    return cells[(cells["reason"] != str(Missing.NOT_RUN)) & (cells["condition"] == str(Condition.IDENTITY))]


def share_of(part: int, whole: int) -> Estimate:
    """*part* of *whole* cells; unavailable where there are none."""
    from gpf_desktop.numerics.article_means import LEVEL, wilson

    if not whole:
        return Estimate(value=None, n=0, articles=0, why=tr("nothing asked"))
    low, high = wilson(part, whole)
    return Estimate(
        value=part / whole,
        n=whole,
        articles=0,
        interval=Interval(low=low, high=high, level=LEVEL, method=tr("Wilson over {n} cells", n=whole)),
    )


def refused_by_model(cells: pd.DataFrame) -> Callable[[str], Estimate]:
    """For a model, the share of its ended identity cells that were refused or blocked."""
    asked = ended(cells)
    whole = asked.groupby("model", observed=True)["n"].sum()
    part = asked[asked["reason"] == str(Missing.REFUSED)].groupby("model", observed=True)["n"].sum()
    return lambda model: share_of(int(part.get(model, 0)), int(whole.get(model, 0)))
