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
        estimate("cfs", tr("CFS"), tr("Counterfactual framing S − N: dispersion beyond that of mere repeats.")),
        estimate(
            "relative",
            tr("Relative"),
            tr("Relative framing (S − N)/(1 − N): CFS as a share of the room noise leaves; length hardly moves it."),
        ),
        estimate(
            "tone",
            tr("Tone framing"),
            tr("Mean difference of tone between identities beyond that between repeats of one question."),
        ),
        estimate("s", tr("S"), tr("Mean semantic dispersion: how far answers move apart in meaning, 0 to 1.")),
        estimate("words", tr("Words"), tr("Mean words of an answer. S falls with them: compare by CFS.")),
        estimate("r", tr("R"), tr("Mean range of VADER compounds over a bundle; grows with its size n.")),
        estimate(
            "r_star",
            tr("R*"),
            tr("Mean tone range expected of equally few answers, so that bundles of any size compare."),
        ),
    )


def count_columns() -> tuple[Column, ...]:
    return (
        count("bundles", tr("Bundles"), tr("Bundles that enter the means of this row.")),
        count("pairs", tr("Pairs"), tr("Complete pairs: bundles with every answer valid and both S and R.")),
    )


def score_values(group: Group) -> dict[str, Value]:
    """The values for `score_columns` and `count_columns`."""
    means: dict[str, Value] = {key: group.means[score] for key, score in SCORE_KEYS.items()}
    return {**means, "bundles": group.bundles, "pairs": group.pairs}


def mean_figures(factor: str, by: str) -> tuple[Intervals, ...]:
    """Means by *factor*, whose title within a sentence is *by*: dots with intervals."""
    return (
        Intervals(
            title=tr("Relative framing by {factor}", factor=by),
            label=(factor,),
            value="relative",
            x_title=tr("mean (S − N)/(1 − N)"),
            zero=True,
        ),
        Intervals(
            title=tr("Tone framing by {factor}", factor=by),
            label=(factor,),
            value="tone",
            x_title=tr("mean tone framing"),
            zero=True,
        ),
        Intervals(title=tr("S by {factor}", factor=by), label=(factor,), value="s", x_title=tr("mean S")),
        Intervals(title=tr("R* by {factor}", factor=by), label=(factor,), value="r_star", x_title=tr("mean R*")),
    )


def notes_of_means(
    found: Iterable[Group], bundles: pd.DataFrame, options: MeanOptions, before: pd.DataFrame | None = None
) -> tuple[str, ...]:
    """What stands under a table of the means *found* of *bundles*, which are a part of those *before*, if any are."""
    lengths = unlike_lengths(group.means[WORDS] for group in found)
    return (*lengths, *basis(bundles, options), *(() if before is None else left_out(before, bundles)))


def basis(bundles: pd.DataFrame, options: MeanOptions) -> tuple[str, ...]:
    """What *bundles*, of which the means are, consist of; and how the intervals were made."""
    from gpf_desktop.stats.article_means import LEVEL, T_FROM, TRANSFORMED_FROM

    partial = int((bundles["coverage"] == str(Coverage.PARTIAL)).sum())
    notes = [
        tr(
            "Means over {bundles} ({partial}), {articles} and {models}, condition {condition}, first wording.",
            bundles=trn("{n} bundle", "{n:,} bundles", len(bundles)),
            partial=tr("only complete ones") if not options.partial else tr("{n:,} of them partial", n=partial),
            articles=trn("{n} article", "{n} articles", bundles["article_id"].nunique()),
            models=trn("{n} model", "{n} models", bundles["model"].nunique()),
            condition=Condition.IDENTITY if options.arm == MAIN else options.arm,
        )
    ]
    provisional = int(bundles["provisional"].sum())
    if provisional:
        notes.append(
            trn(
                "{n} bundle is provisional: its article is not complete for its model.",
                "{n:,} bundles are provisional: their article is not complete for their model.",
                provisional,
            )
        )
    if len(bundles) and bool(bundles["synthetic"].all()):
        notes.append(tr("Synthetic: every model here is a calibration model with planted behaviour."))
    if options.skewed:
        notes.append(
            tr(
                "Intervals: {level}%, articles are the unit: Hall's transformed t with cluster-robust (CR2) errors "
                "from {many} articles on, t from {few}, none below. Simulated, the former hold 93% or more of normal "
                "and of skewed scores, and 90 to 93% of heavily skewed ones.",
                level=round(100 * LEVEL),
                many=TRANSFORMED_FROM,
                few=T_FROM,
            )
        )
    else:
        notes.append(
            tr(
                "Intervals: {level}%, articles are the unit: t with cluster-robust (CR2) errors and degrees of "
                "freedom from {few} articles on, none below. Simulated, they hold 94% or more of normal scores, 91 to "
                "94% of skewed and 82 to 88% of heavily skewed ones: “intervals for skewed scores” hold more, from "
                "{many} articles on.",
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
            "Mean answers have from {low:.0f} to {high:.0f} words: S falls with length and does not compare here; CFS "
            "and relative framing do better; tone framing, R and R* are not freed of it.",
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
            "{n} calibration model is left out of these means: its behaviour is planted.",
            "{n} calibration models are left out of these means: their behaviour is planted.",
            models,
        ),
    )


def behind(others: Iterable[OtherScores]) -> tuple[str, ...]:
    """What is left out of a comparison between settings, because one side knows fewer answers than the other."""
    return tuple(
        trn(
            "“{setting}”: {n} bundle is left out until its scores, made before newer answers came, are computed again.",
            "“{setting}”: {n:,} bundles are left out until their scores, made before newer answers came, are computed "
            "again.",
            other.behind,
            setting=other.title,
        )
        for other in others
        if other.behind
    )
