"""Columns and notes that several tables share, said in one way everywhere."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from gpf_desktop.domain.columns import count, estimate
from gpf_desktop.domain.coordinates import MAIN
from gpf_desktop.domain.coverage import Coverage
from gpf_desktop.domain.figures import Intervals
from gpf_desktop.domain.findings import Column, Estimate, Value
from gpf_desktop.domain.score_tables import OtherScores
from gpf_desktop.domain.scores import (
    WORDS,
)
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.methods.gpf_livenews.analyses._means import SCORE_KEYS, Group, MeanOptions
from gpf_desktop.methods.gpf_livenews.cells import Condition

if TYPE_CHECKING:
    import pandas as pd

_UNLIKE: Final = 1.25
"""Times as many words from which S is said not to compare."""


def score_columns() -> tuple[Column, ...]:
    """One for each of `SCORE_KEYS`."""
    return (
        estimate(
            "cfs",
            tr("CFS"),
            tr("Counterfactual framing, S − N: how far apart answers lie, less what asking again explains."),
            plain=tr("What the reader adds"),
        ),
        estimate(
            "relative",
            tr("Relative"),
            tr(
                "Relative framing, (S − N)/(1 − N): what the reader adds, of all that asking again left "
                "free. Length hardly moves it."
            ),
            plain=tr("Share the reader adds"),
        ),
        estimate(
            "tone",
            tr("Tone framing"),
            tr("Mean difference of tone between readers, less that between answers to one question asked again."),
            plain=tr("Tone the reader adds"),
        ),
        estimate(
            "s",
            tr("S"),
            tr("Semantic dispersion, mean. 0: the same words. 1: not one in common."),
            plain=tr("How far apart, in words"),
        ),
        estimate(
            "words",
            tr("Words"),
            tr("Mean words of an answer. Longer answers lie less far apart: compare what the reader adds."),
        ),
        estimate(
            "r",
            tr("R"),
            tr("Warmest answer of a set less the coldest, by VADER: 0 to 2. It grows with the number of readers."),
            plain=tr("Spread of tone"),
        ),
        estimate(
            "r_star",
            tr("R*"),
            tr("As if every group had equally many readers, so that sets of any size compare: 0 to 2."),
            plain=tr("Spread of tone, fair to small groups"),
        ),
    )


def count_columns() -> tuple[Column, ...]:
    return (
        count("bundles", tr("Sets"), tr("Sets of answers that enter the means of this row.")),
        count("pairs", tr("Whole"), tr("Whole sets: every answer came, with a score of words and of tone.")),
    )


def score_values(group: Group) -> dict[str, Value]:
    """The values for `score_columns` and `count_columns`."""
    means: dict[str, Value] = {key: group.means[score] for key, score in SCORE_KEYS.items()}
    return {**means, "bundles": group.bundles, "pairs": group.pairs}


def mean_figures(factor: str, by: str) -> tuple[Intervals, ...]:
    """Means by *factor*, whose title within a sentence is *by*: dots with intervals."""
    return (
        Intervals(
            title=tr("Share the reader adds, by {factor}", factor=by),
            label=(factor,),
            value="relative",
            x_title=tr("share the reader adds, mean"),
            zero=True,
        ),
        Intervals(
            title=tr("Tone the reader adds, by {factor}", factor=by),
            label=(factor,),
            value="tone",
            x_title=tr("tone the reader adds, mean"),
            zero=True,
        ),
        Intervals(
            title=tr("How far apart, in words, by {factor}", factor=by),
            label=(factor,),
            value="s",
            x_title=tr("how far apart, in words, mean"),
        ),
        Intervals(
            title=tr("Spread of tone, fair to small groups, by {factor}", factor=by),
            label=(factor,),
            value="r_star",
            x_title=tr("spread of tone, fair to small groups, mean"),
        ),
    )


def notes_of_means(
    found: Iterable[Group], bundles: pd.DataFrame, options: MeanOptions, before: pd.DataFrame | None = None
) -> tuple[str, ...]:
    """The notes under a table of the means *found* in *bundles*; *before*: the bundles from which these were taken, if
    any."""
    lengths = unlike_lengths(group.means[WORDS] for group in found)
    return (*lengths, *basis(bundles, options), *(() if before is None else left_out(before, bundles)))


def basis(bundles: pd.DataFrame, options: MeanOptions) -> tuple[str, ...]:
    """Notes that say what *bundles*, the basis of the means, consist of, and how the intervals were made."""
    from gpf_desktop.stats.article_means import LEVEL, T_FROM, TRANSFORMED_FROM

    partial = int((bundles["coverage"] == str(Coverage.PARTIAL)).sum())
    lacking = tr("some answers missing in {n:,}", n=partial) if partial else ""
    left = lacking if options.partial else tr("only whole ones")
    notes = [
        tr(
            "Means over {bundles}, {articles} and {models}, asked {condition}, first wording.",
            bundles=trn("{n:,} set of answers", "{n:,} sets of answers", len(bundles)) + (f" ({left})" if left else ""),
            articles=trn("{n} article", "{n} articles", bundles["article_id"].nunique()),
            models=trn("{n} model", "{n} models", bundles["model"].nunique()),
            condition=Condition.IDENTITY if options.arm == MAIN else options.arm,
        )
    ]
    provisional = int(bundles["provisional"].sum())
    if provisional:
        notes.append(
            trn(
                "{n} set counts until all answers of its article are in.",
                "{n:,} sets count until all answers of their article are in.",
                provisional,
            )
        )
    if len(bundles) and bool(bundles["synthetic"].all()):
        notes.append(tr("Synthetic: every model here is a built-in test model; its answers are made up."))
    if options.skewed:
        notes.append(
            tr(
                "Ranges of {level}%, over articles: Hall's transformed t with cluster-robust (CR2) errors "
                "from {many} articles on. From {few} articles they are by t; below there are none. "
                "Simulated, the former hold 93% or more of normal and lopsided scores, 90 to 93% of very "
                "lopsided ones.",
                level=round(100 * LEVEL),
                many=TRANSFORMED_FROM,
                few=T_FROM,
            )
        )
    else:
        notes.append(
            tr(
                "Ranges of {level}%, over articles: t with cluster-robust (CR2) errors from {few} articles "
                "on; below there are none. Simulated, they hold 94% or more of normal scores, 91 to 94% of "
                "lopsided ones, 82 to 88% of very lopsided ones. From {many} articles on, “ranges for "
                "lopsided scores” hold more.",
                level=round(100 * LEVEL),
                few=T_FROM,
                many=TRANSFORMED_FROM,
            )
        )
    return tuple(notes)


def unlike_lengths(words: Iterable[Estimate]) -> tuple[str, ...]:
    """Says that S does not compare, where mean *words* of what stands side by side differ by more than a quarter."""
    known = [each.value for each in words if each.value]
    if not known or max(known) <= _UNLIKE * min(known):
        return ()
    return (
        tr(
            "Mean answers have from {low:.0f} to {high:.0f} words. Longer answers lie less far apart, so "
            "that distances in words do not compare here. What the reader adds in words does better; "
            "spread of tone and the tone the reader adds do not.",
            low=min(known),
            high=max(known),
        ),
    )


def left_out(before: pd.DataFrame, after: pd.DataFrame) -> tuple[str, ...]:
    """Says which calibration models *after* leaves out of *before*."""
    models = before["model"].nunique() - after["model"].nunique()
    if not models:
        return ()
    return (
        trn(
            "{n} built-in test model is left out of these means: its behaviour is planted.",
            "{n} built-in test models are left out of these means: their behaviour is planted.",
            models,
        ),
    )


def behind(others: Iterable[OtherScores]) -> tuple[str, ...]:
    """Notes on the sets left out of a comparison between settings, because one side knows fewer
    answers than the other."""
    return tuple(
        trn(
            "“{setting}”: {n} set is left out until it is measured again: newer answers came since.",
            "“{setting}”: {n:,} sets are left out until they are measured again: newer answers came since.",
            other.behind,
            setting=other.title,
        )
        for other in others
        if other.behind
    )
