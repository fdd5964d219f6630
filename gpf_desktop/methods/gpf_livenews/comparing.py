"""Two sides on the questions that both answered: *differs*, *equivalent* within a margin, or *undecided* (method,
"Comparing")."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from gpf_desktop.domain.findings import Estimate, Interval, Value
from gpf_desktop.domain.scores import (
    COUNTERFACTUAL_FRAMING,
    DIRECTION_FRAMING,
    RELATIVE_FRAMING,
    SEMANTIC_DISPERSION,
    TONE_FRAMING,
    TONE_SHIFT,
)
from gpf_desktop.domain.text import tr, trn

if TYPE_CHECKING:
    import pandas as pd

    from gpf_desktop.stats.equivalence import EquivalenceTest, Outcome

ALPHA: Final = 0.05
LEAST_ARTICLES: Final = 3
MARGINS: Final = {COUNTERFACTUAL_FRAMING: 0.02, RELATIVE_FRAMING: 0.03, TONE_FRAMING: 0.1}
"""Differences that are held too small to matter, unless the auditor states others."""
QUESTION: Final = ["article_id", "dimension", "family"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """One score of two sides."""

    score: str
    margin: float
    difference: Estimate
    """First minus second, over the bundles that both have."""
    test: EquivalenceTest | None
    """None under three articles."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """One score of two sides among others, with p adjusted over all of them."""

    compared: Compared
    p: float | None
    """Holm's, of no difference."""
    p_equivalent: float | None
    """Holm's, of a difference as large as the margin."""
    outcome: Outcome


def sides_of_shared_models(first: pd.DataFrame, second: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The bundles of models that both frames have, without calibration models unless there is nothing else."""
    shared = set(first["model"].unique()) & set(second["model"].unique())
    real = set(first.loc[~first["synthetic"], "model"].unique()) & shared
    one, other = (each[each["model"].isin(real or shared)] for each in (first, second))
    return one, other


def compared(
    first: pd.DataFrame, second: pd.DataFrame, score: str, margin: float, *, within_models: bool = False
) -> Compared:
    """Bundle frames of the two sides, one arm each; several bundles of one question on a side are averaged.

    *within_models*: a model's bundles are paired with its own, so that which models a side has is no difference.
    """
    means = [question_means(each, score, within_models=within_models) for each in (first, second)]
    return compared_means(means[0], means[1], score, margin)


def question_means(bundles: pd.DataFrame, score: str, *, within_models: bool = False) -> pd.Series[float]:
    """The mean score of each question that a side's *bundles* have one for."""
    by = ["model", *QUESTION] if within_models else QUESTION
    return bundles.groupby(by, observed=True)[score].mean().dropna()


def compared_means(first: pd.Series[float], second: pd.Series[float], score: str, margin: float) -> Compared:
    """`compared` of sides whose `question_means` are known: those of many pairs have each side many times."""
    from gpf_desktop.stats.equivalence import paired

    both = first.to_frame("first").join(second.rename("second"), how="inner")
    articles = both.index.get_level_values("article_id").to_numpy()
    differences = (both["first"] - both["second"]).to_numpy(float)
    number = len(set(articles.tolist()))
    test = paired(differences, articles, margin) if number >= LEAST_ARTICLES else None
    if not len(both):
        none = Estimate.unavailable(tr("no question that both have a score for"))
        return Compared(score=score, margin=margin, difference=none, test=None)
    interval = None
    if test is not None:
        low, high = test.interval()
        words = trn("paired t over {n} article", "paired t over {n} articles", number)
        interval = Interval(low=low, high=high, level=0.95, method=words)
    return Compared(
        score=score,
        margin=margin,
        difference=Estimate(value=float(differences.mean()), n=len(both), articles=number, interval=interval),
        test=test,
    )


def judged(every: Sequence[Compared]) -> list[Judged]:
    """The three outcomes at 5 %, both kinds of p adjusted by Holm over *every* comparison that has a test.

    A difference that is shown to lie within the margin is equivalent, even where it is shown not to be 0.
    """
    from gpf_desktop.stats.equivalence import Outcome
    from gpf_desktop.stats.multiplicity import holm

    tests = [each.test for each in every if each.test is not None]
    # Two families, of unlike claims: that there is a difference, and that there is none that matters.
    zero, within = (iter(holm([getattr(test, name) for test in tests])) for name in ("p_zero", "p_equivalent"))
    found = []
    for each in every:
        if each.test is None:
            found.append(Judged(compared=each, p=None, p_equivalent=None, outcome=Outcome.UNDECIDED))
            continue
        p, p_equivalent = next(zero), next(within)
        outcome = Outcome.EQUIVALENT if p_equivalent < ALPHA else Outcome.DIFFERS if p < ALPHA else Outcome.UNDECIDED
        found.append(Judged(compared=each, p=p, p_equivalent=p_equivalent, outcome=outcome))
    return found


def shown(p: Value) -> bool:
    """Whether *p*, of a column of its kind, is at the level; not where there is none."""
    return isinstance(p, float) and p <= ALPHA


def listed(who: Sequence[str], most: int | None = None) -> str:
    """ ": a; b …", at most *most* of them, to stand behind how many they are; nothing of none."""
    some = who[:most]
    return tr(": ") + "; ".join(some) + (" …" if len(some) < len(who) else "") if who else ""


def by_family(families: int) -> str:
    """A sentence on the false findings to expect where p is adjusted within each of *families*; empty for a single
    family."""
    if families < 2:
        return ""
    return tr(
        " Comparisons are counted together within each group of readers of each model. Of these {n}, "
        "{expected} would show something by chance.",
        n=families,
        expected=tr("less than one") if ALPHA * families < 1 else tr("up to {n}", n=round(ALPHA * families)),
    )


def outcome_words(outcome: Outcome) -> str:
    return {"differs": tr("differs"), "equivalent": tr("alike"), "undecided": tr("not settled")}[str(outcome)]


def score_words(score: str) -> str:
    return {
        COUNTERFACTUAL_FRAMING: tr("what the reader adds"),
        RELATIVE_FRAMING: tr("share the reader adds"),
        TONE_FRAMING: tr("tone the reader adds"),
        DIRECTION_FRAMING: tr("direction in words"),
        TONE_SHIFT: tr("direction in tone"),
        SEMANTIC_DISPERSION: tr("how far apart, in words"),
    }[score]
