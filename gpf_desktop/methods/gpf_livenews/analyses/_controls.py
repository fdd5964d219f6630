"""Comparisons behind the control table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gpf_desktop.domain.findings import Estimate
from gpf_desktop.domain.scores import (
    COUNTERFACTUAL_FRAMING,
    NOISE,
    SEMANTIC_DISPERSION,
    SENTIMENT_RANGE_RAREFIED,
    Unavailable,
)
from gpf_desktop.domain.text import tr
from gpf_desktop.methods.gpf_livenews.analyses._means import MeanOptions, interval, mean_estimate, mean_estimates
from gpf_desktop.methods.gpf_livenews.strata import Stratum

if TYPE_CHECKING:
    import pandas as pd

Three = tuple[Estimate, Estimate, Estimate]
"""Main, control, and their difference."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ControlComparison:
    """One control against the main condition."""

    matched: int
    s: Three
    r: Three


def with_control(
    main: pd.DataFrame, control: pd.DataFrame, on: Sequence[str], options: MeanOptions
) -> ControlComparison | None:
    """Means over rows of both that match *on* every coordinate; None where there is no such control."""
    if control.empty:
        return None
    scores = [SEMANTIC_DISPERSION, SENTIMENT_RANGE_RAREFIED]
    # Averaged first: main bundles of all dimensions match one identity-free bundle, and would each count it.
    left = main.groupby(list(on), observed=True)[scores].mean().add_suffix("_main")
    right = control.groupby(list(on), observed=True)[scores].mean().add_suffix("_control")
    both = left.join(right, how="inner").reset_index()
    if both.empty:
        return None
    three = {score: _three(both, f"{score}_main", f"{score}_control", options) for score in scores}
    return ControlComparison(matched=len(both), s=three[SEMANTIC_DISPERSION], r=three[SENTIMENT_RANGE_RAREFIED])


def noise(main: pd.DataFrame, options: MeanOptions) -> ControlComparison | None:
    """S against N over the bundles that were repeated."""
    repeated = main[main[COUNTERFACTUAL_FRAMING].notna()]
    if repeated.empty:
        return None
    none = Estimate(value=None, n=0, articles=0, why=tr("repeats have no range of their own"))
    return ControlComparison(
        matched=len(repeated),
        s=_three(repeated, SEMANTIC_DISPERSION, NOISE, options),
        r=(none, none, none),
    )


def strata(main: pd.DataFrame, options: MeanOptions) -> ControlComparison | None:
    """Relevant news minus neutral news; no row matches, so articles are resampled within each."""
    relevant = main[main["stratum"] == str(Stratum.RELEVANT)]
    neutral = main[main["stratum"] == str(Stratum.NEUTRAL)]
    if relevant.empty or neutral.empty:
        return None
    return ControlComparison(
        matched=len(relevant) + len(neutral),
        s=_unmatched(relevant, neutral, SEMANTIC_DISPERSION, options),
        r=_unmatched(relevant, neutral, SENTIMENT_RANGE_RAREFIED, options),
    )


def _three(frame: pd.DataFrame, main: str, control: str, options: MeanOptions) -> Three:
    import numpy as np

    # A row counts on both sides or on neither, so that Δ is the difference of the two means beside it.
    there = frame[frame[main].notna() & frame[control].notna()]
    if there.empty:
        why = str(Unavailable.FEWER_THAN_M if SENTIMENT_RANGE_RAREFIED in main else Unavailable.TOO_FEW_ANSWERS)
        none = Estimate(value=None, n=0, articles=0, why=why)
        return none, none, none
    there = there.assign(delta=there[main] - there[control])
    found = mean_estimates(there, np.zeros(len(there), np.int64), 1, (main, control, "delta"), options)
    return found[main][0], found[control][0], found["delta"][0]


def _unmatched(first: pd.DataFrame, second: pd.DataFrame, score: str, options: MeanOptions) -> Three:

    from gpf_desktop.stats.article_means import difference_interval

    first, second = first[first[score].notna()], second[second[score].notna()]
    means = [mean_estimate(each, score, options) for each in (first, second)]
    if means[0].value is None or means[1].value is None:
        none = Estimate(value=None, n=0, articles=0, why=str(Unavailable.TOO_FEW_ANSWERS))
        return means[0], means[1], none
    # Articles are of one stratum each: the two sides share none, so that Welch's error may add theirs.
    by_article = [each.groupby("article_id")[score].agg(["sum", "count"]) for each in (first, second)]
    a, b = ((each["sum"].to_numpy(float), each["count"].to_numpy(float)) for each in by_article)
    kind, low, high = difference_interval(a, b)
    articles = (len(by_article[0]), len(by_article[1]))
    delta = Estimate(
        value=means[0].value - means[1].value,
        n=len(first) + len(second),
        articles=sum(articles),
        interval=interval(kind, low, high, articles),
    )
    return means[0], means[1], delta
