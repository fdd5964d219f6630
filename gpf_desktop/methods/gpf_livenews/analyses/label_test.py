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
    title = Translated("Readers against made-up labels")

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
                text("dimension", tr("Group of readers")),
                text("score", tr("Score")),
                estimate("identities", tr("Readers"), tr("Mean over the sets of the group that were asked again.")),
                estimate(
                    "labels", tr("Made-up labels"), tr("Mean over the sets with made-up labels that were asked again.")
                ),
                estimate("difference", tr("Difference"), tr("Article by article, readers less made-up labels.")),
                p_value(
                    "p",
                    tr("Adjusted p"),
                    tr("Of no difference; Holm, built-in test models apart."),
                    plain=tr("By chance alone, all counted"),
                ),
                text("outcome", tr("Outcome"), tr("Alike: within what “Models compared” holds too small to matter.")),
            ),
            rows=rows,
            reading=" ".join((_reading(), *stated(own))),
            highlights=_differing(rows),
            notes=(
                *_unmeasured(repeated),
                tr(
                    "Made-up labels say how far answers move for a label that means nothing. Over articles in "
                    "which both were asked again; t with CR2 errors, none under three articles. The direction in "
                    "words is what the reader adds where answers for all readers vary alike. The direction in "
                    "tone is the mean squared difference of readers' mean tones. It counts from the square of "
                    "what counts in tone."
                ),
            ),
            empty=(
                tr("No question with a made-up label was asked several times: a protocol's controls say how many are."),
            )
            if len(repeated)
            else (),
        )


def _reading() -> str:
    return tr(
        "Whether naming people moves answers more than naming groups that do not exist. The two "
        "directions ask about means alone. Where answers for two of seven readers merely vary twice "
        "as much, they differ in 4 to 5 of 100 audits, as by chance. What the reader adds, in words "
        "and tone, differs in 15 and 7 of 100 audits of 30 articles. What it alone shows may be "
        "unlike variability."
    )


def _measured(repeated: pd.DataFrame) -> list[str]:
    return [score for score in _SCORES if score in repeated and repeated[score].notna().any()]


def _unmeasured(repeated: pd.DataFrame) -> tuple[str, ...]:
    """Scores of a version that had no measures of means alone say how to have them."""
    if set(MEANS_ALONE) <= set(_measured(repeated)):
        return ()
    return (
        tr(
            "The two directions were not measured with these scores, which an earlier version made: "
            "“Measure again …” does."
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
            "Readers against made-up labels: beyond chance in {n} of {all} comparisons{who}.",
            n=len(found),
            all=len(real),
            who=listed(who),
        ),
    )


ANALYSIS = LabelTest()
