"""Data for the lines of the check: stored scores of its rounds, and their means over articles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from gpf_desktop.domain.coordinates import MAIN
from gpf_desktop.domain.findings import Finding
from gpf_desktop.methods.gpf_livenews.protocol import Protocol
from gpf_desktop.storage.cell_outcomes import CellOutcome

if TYPE_CHECKING:
    import pandas as pd

PROVIDER: Final = "calibration"
LEVEL: Final = 0.90
"""Of what is drawn behind intervals; t draws nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """The stored data of the check's rounds."""

    frame: pd.DataFrame
    """Every bundle of the first two rounds with its scores (`domain.score_tables`)."""
    tests: pd.DataFrame
    """Bundles of the first two rounds with repeats, tested against chance."""
    cut: pd.DataFrame
    """Bundles of the round whose answers were cut short; models as in *frame*."""
    findings: Mapping[str, Finding]
    """``coverage`` and ``refusals`` of the first two rounds."""
    once: Mapping[str, Finding]
    """Tables of the round that was asked twice, that round alone."""
    twice: Mapping[str, Finding]
    """The same tables over both times that it was asked."""
    deltas: Sequence[str]
    faint: Sequence[str]
    """Smaller δ, of tailoring alone."""
    bounds: float
    """By how much the bounds of differences are multiplied."""
    middle: str
    """The δ of the round that was cut short, and of that asked twice."""
    protocol: Protocol
    cells: Mapping[str, Sequence[CellOutcome]]
    """Of ``leaky`` and of ``faulty``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mean:
    """A mean over articles with its interval at `LEVEL`."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:+.4f} [{self.low:+.4f}, {self.high:+.4f}]"

    def within(self, bound: float) -> bool:
        """The whole interval lies between −*bound* and *bound*."""
        return self.low > -bound and self.high < bound


def _by_question(frame: pd.DataFrame, model: str, score: str) -> pd.Series[float]:
    main = frame[frame["arm"] == MAIN]
    of_model = main[(main["model"] == f"{PROVIDER}/{model}") & main[score].notna()]
    means: pd.Series[float] = of_model.groupby(["article_id", "dimension", "family"], observed=True)[score].mean()
    return means


def _by_article(values: pd.Series[float]) -> pd.Series[float]:
    return values.dropna().groupby(level="article_id", observed=True).mean()


def mean_of(frame: pd.DataFrame, model: str, score: str) -> Mean:
    """The mean of *score* over a calibration model's main bundles, article by article, with its interval."""
    return _interval(_by_article(_by_question(frame, model, score)))


def difference_of(frame: pd.DataFrame, model: str, other: str, score: str, among: pd.DataFrame | None = None) -> Mean:
    """The mean difference of *score*: *model* in *frame* minus *other* in *among* (None: in *frame* too), article by
    article, over the questions that both have."""
    # Some questions move answers further than others, and rounds may repeat unlike many of them.
    theirs = frame if among is None else among
    return _interval(_by_article(_by_question(frame, model, score) - _by_question(theirs, other, score)))


def _interval(values_by_article: pd.Series[float]) -> Mean:
    import numpy as np

    from gpf_desktop.stats.article_means import ArticleSums, means

    values = np.asarray(values_by_article, np.float64)
    table = ArticleSums(sums=values[None, :], counts=np.ones((1, len(values))))
    found = means(table, level=LEVEL)
    return Mean(value=float(found.value[0]), low=float(found.low[0]), high=float(found.high[0]))


def whole(value: object) -> int:
    """A count in a table."""
    assert isinstance(value, int)
    return value
