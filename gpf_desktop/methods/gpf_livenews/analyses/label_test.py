"""Identities against arbitrary labels, by model and dimension: framing beyond noise of the ones minus the others', and
the same of means alone, which unlike variability leaves at 0."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from gpf_desktop.domain.analyses import TableAnalysis
from gpf_desktop.domain.columns import estimate, p_value, text
from gpf_desktop.domain.coordinates import MAIN
from gpf_desktop.domain.findings import BundleFilter, Estimate, Finding, Row
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.domain.scores import (
    COUNTERFACTUAL_FRAMING,
    DIRECTION_FRAMING,
    MEANS_ALONE,
    TONE_FRAMING,
    TONE_SHIFT,
)
from gpf_desktop.domain.text import Translated, tr
from gpf_desktop.methods.gpf_livenews.analyses._means import entering, mean_estimate
from gpf_desktop.methods.gpf_livenews.analyses.model_comparison import ComparisonOptions, stated
from gpf_desktop.methods.gpf_livenews.cells import Condition
from gpf_desktop.methods.gpf_livenews.comparing import (
    Judged,
    compared,
    judged,
    listed,
    outcome_words,
    score_words,
    shown,
)

if TYPE_CHECKING:
    import pandas as pd

_SCORES: Final = (COUNTERFACTUAL_FRAMING, DIRECTION_FRAMING, TONE_FRAMING, TONE_SHIFT)
"""Of meaning and then of tone: framing, and what means alone have of it."""


class LabelTest(TableAnalysis):
    """Paired by article; a score's rows with a calibration model are adjusted apart."""

    name = "label_test"
    version = "2"
    options = ComparisonOptions
    title = Translated("Identity against random labels")

    def analyse(self, scores: ScoreTables, options: ComparisonOptions) -> Finding:
        repeated = entering(scores.bundles, options)
        # One set of bundles for all scores: a row's framing and its means alone speak of the same answers.
        repeated = repeated[repeated[COUNTERFACTUAL_FRAMING].notna()]
        rows = tuple(
            row for synthetic in (False, True) for row in _rows(repeated[repeated["synthetic"] == synthetic], options)
        )
        own = {name: each for name, each in options.margins.items() if name in _SCORES}
        return self.finding(
            columns=(
                text("model", tr("Model")),
                text("dimension", tr("Dimension")),
                text("score", tr("Score")),
                estimate("identities", tr("Identities"), tr("Mean over the repeated bundles of the dimension.")),
                estimate("labels", tr("Random labels"), tr("Mean over the repeated bundles of random labels.")),
                estimate("difference", tr("Difference"), tr("Article by article, identities minus random labels.")),
                p_value("p", tr("Adjusted p"), tr("Of no difference; Holm, calibration models apart.")),
                text("outcome", tr("Outcome"), tr("Equivalent: within the margins of “Models compared”.")),
            ),
            rows=rows,
            reading=" ".join((_reading(), *stated(own))),
            highlights=_differing(rows),
            notes=(
                *_unmeasured(repeated),
                tr(
                    "The null of arbitrary labels: framing beyond noise where a label stands in the identity's place "
                    "and means nothing. Over articles with repeated bundles of both; t with CR2 errors, none under "
                    "three articles. Direction framing is as CFS where identities vary alike; squared tone shift is "
                    "the mean squared difference of identities' mean tones; its margin is the square of tone framing's."
                ),
            ),
            empty=(tr("No random-label bundle was asked several times: a protocol's controls say how many are."),)
            if len(repeated)
            else (),
        )


def _reading() -> str:
    return tr(
        "Whether naming people moves answers more than naming groups that do not exist. Direction framing and "
        "squared tone shift ask about means alone: where two of seven identities merely vary twice as much, "
        "4 to 5% of windows differ in them, no more than by chance. CFS and tone framing answer to that too, "
        "in 15% and 7% of windows of 30 articles: what they alone show may be unlike variability."
    )


def _measured(repeated: pd.DataFrame) -> list[str]:
    return [score for score in _SCORES if score in repeated and repeated[score].notna().any()]


def _unmeasured(repeated: pd.DataFrame) -> tuple[str, ...]:
    """Scores of a version that had no measures of means alone say how to have them."""
    if set(MEANS_ALONE) <= set(_measured(repeated)):
        return ()
    return (
        tr(
            "Direction framing and squared tone shift were not measured with these scores, which an earlier version "
            "made: “Rescore …” measures them."
        ),
    )


def _rows(repeated: pd.DataFrame, options: ComparisonOptions) -> list[Row]:
    labels = repeated[repeated["arm"] == str(Condition.RANDOM_LABEL)]
    main = repeated[repeated["arm"] == MAIN]
    sides = [
        (str(model), str(dimension), of, labels[labels["model"] == model])
        for (model, dimension), of in main.groupby(["model", "dimension"], observed=True)
    ]
    measured = _measured(repeated)
    margins = dict(zip(_SCORES, (options.cfs, options.cfs, options.tone, options.tone**2), strict=True))
    asked = [(score, *side) for side in sides if len(side[-1]) for score in measured]
    # All rows of a kind together, since Holm's correction is over the table.
    tested = judged(
        [
            compared(_by_article(of, score), _by_article(its, score), score, margins[score])
            for score, _, _, of, its in asked
        ]
    )
    return [
        _row(
            model,
            dimension,
            bool(of["synthetic"].all()),
            (mean_estimate(of, score, options), mean_estimate(its, score, options)),
            each,
        )
        for (score, model, dimension, of, its), each in zip(asked, tested, strict=True)
    ]


def _row(model: str, dimension: str, synthetic: bool, means: tuple[Estimate, Estimate], each: Judged) -> Row:
    one = each.compared
    difference = one.difference if one.difference.n else replace(one.difference, why=tr("no article with both"))
    return Row(
        values={
            "model": model,
            "dimension": dimension,
            "score": score_words(one.score),
            "identities": means[0],
            "labels": means[1],
            "difference": difference,
            "p": each.p,
            "outcome": outcome_words(each.outcome),
        },
        bundles=BundleFilter(model=model, levels=(("dimension", dimension),), arm=MAIN),
        synthetic=synthetic,
    )


def _by_article(frame: pd.DataFrame, score: str) -> pd.DataFrame:
    """One row per article, which is the question here: families of both sides are drawn article by article."""
    means = frame.groupby("article_id")[score].mean().reset_index()
    # `compared` pairs by question: with both left empty the article is the question.
    return means.assign(dimension="", family="")


def _differing(rows: tuple[Row, ...]) -> tuple[str, ...]:
    real = [row for row in rows if not row.synthetic and row.values["p"] is not None]
    if not real:
        return ()
    found = [row for row in real if shown(row.values["p"])]
    who = [f"{row.values['dimension']}, {row.values['score']} ({row.values['model']})" for row in found]
    return (
        tr(
            "Identities against random labels: adjusted p ≤ .05 in {n} of {all} comparisons{who}.",
            n=len(found),
            all=len(real),
            who=listed(who),
        ),
    )


ANALYSIS = LabelTest()
