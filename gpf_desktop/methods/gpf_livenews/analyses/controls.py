"""The control conditions beside the main one: Δ over matched rows, and news strata against each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gpf_desktop.domain.analyses import TableAnalysis
from gpf_desktop.domain.columns import count, estimate, text
from gpf_desktop.domain.coordinates import MAIN
from gpf_desktop.domain.figures import Intervals
from gpf_desktop.domain.findings import BundleFilter, Estimate, Finding, Row
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.domain.scores import (
    COUNTERFACTUAL_FRAMING,
    NOISE,
    SEMANTIC_DISPERSION,
    SENTIMENT_RANGE_RAREFIED,
    Unavailable,
)
from gpf_desktop.domain.text import Translated, tr
from gpf_desktop.methods.gpf_livenews.analyses._means import (
    MeanOptions,
    entering,
    interval,
    mean_estimate,
    mean_estimates,
)
from gpf_desktop.methods.gpf_livenews.cells import PARAPHRASE_ARM, Condition
from gpf_desktop.methods.gpf_livenews.strata import Stratum

if TYPE_CHECKING:
    import pandas as pd

Three = tuple[Estimate, Estimate, Estimate]
"""Main, control, and their difference."""
_COLUMNS = (
    "run_id",
    *("model", "synthetic", "article_id", "stratum", "arm", "dimension", "family", "coverage"),
    *(SEMANTIC_DISPERSION, NOISE, COUNTERFACTUAL_FRAMING, SENTIMENT_RANGE_RAREFIED),
)


class ControlTable(TableAnalysis):
    """Controls of the method, each for real models together and for each calibration model."""

    name = "controls"
    options = MeanOptions
    title = Translated("Controls")

    def analyse(self, scores: ScoreTables, options: MeanOptions) -> Finding:
        return self.finding(
            columns=(
                text("models", tr("Models")),
                text("control", tr("Control")),
                count("pairs", tr("Matched"), tr("Questions asked both ways: with a reader and as the control asks.")),
                estimate("main_s", tr("S main"), plain=tr("In words, with a reader")),
                estimate("control_s", tr("S control"), plain=tr("In words, control")),
                estimate(
                    "delta_s",
                    tr("ΔS"),
                    tr("With a reader less the control, over what was asked both ways."),
                    plain=tr("In words, difference"),
                ),
                estimate("main_r", tr("R* main"), plain=tr("Tone, with a reader")),
                estimate("control_r", tr("R* control"), plain=tr("Tone, control")),
                estimate(
                    "delta_r",
                    tr("ΔR*"),
                    tr("As if every group had equally many readers, so that sets of any size compare."),
                    plain=tr("Tone, difference"),
                ),
            ),
            rows=rows_of(scores.bundles, options),
            reading=tr(
                "If the reader moves answers, they lie further apart than with no reader named, with made-up "
                "labels or asked again. A range that holds 0 leaves it open."
            ),
            notes=(
                tr(
                    "Each control is held against the same model, article and kind of question, and the same "
                    "group of readers where it has one. Several sets of one question are averaged first. Tone is "
                    "compared over equally many answers on both sides, those of the smallest group or control. "
                    "What was asked again gives the mean of what the reader adds. The two kinds of news share no "
                    "articles: Welch's t."
                ),
                tr("Ranges over articles, each of one row alone, however many there are; none under three articles."),
            ),
            figures=(
                _figure("delta_s", tr("How much further apart, in words, than the control")),
                _figure("delta_r", tr("How much wider a spread of tone than the control")),
            ),
        )


def rows_of(frame: pd.DataFrame, options: MeanOptions) -> list[Row]:
    """The rows of the table over *frame*, bundles as `ScoreTables.bundles` has them."""
    # Fewer columns: each comparison copies the rows that it picks.
    bundles = entering(frame[list(_COLUMNS)], options)
    real = bundles[~bundles["synthetic"]]
    planted = bundles[bundles["synthetic"]]
    rows = _rows(real, tr("all models"), None, options) if len(real) else []
    for model in planted["model"].cat.categories if len(planted) else ():
        of_model = planted[planted["model"] == model]
        if len(of_model):
            rows += _rows(of_model, str(model), str(model), options)
    return rows


def _figure(value: str, title: str) -> Intervals:
    return Intervals(title=title, label=("models", "control"), value=value, x_title=title, zero=True)


def _rows(bundles: pd.DataFrame, models: str, model: str | None, options: MeanOptions) -> list[Row]:
    main = bundles[bundles["arm"] == MAIN]
    free = bundles[bundles["arm"] == str(Condition.IDENTITY_FREE)]
    labels = bundles[bundles["arm"] == str(Condition.RANDOM_LABEL)]
    wording = bundles[bundles["arm"] == PARAPHRASE_ARM]
    by_family = ["model", "article_id", "family"]
    synthetic = model is not None
    made: list[tuple[str, ControlComparison | None, str, str | None]] = [
        (tr("no reader named"), with_control(main, free, by_family, options), Condition.IDENTITY_FREE, None),
        (tr("made-up labels"), with_control(main, labels, by_family, options), Condition.RANDOM_LABEL, None),
        (tr("the same question asked again"), noise(main, options), MAIN, None),
        (tr("other wording"), with_control(main, wording, [*by_family, "dimension"], options), PARAPHRASE_ARM, None),
        (tr("news about these groups, less news about none"), strata(main, options), MAIN, Stratum.RELEVANT),
    ]
    return [
        Row(
            values={
                "models": models,
                "control": control,
                "pairs": comparison.matched,
                **_values("s", comparison.s),
                **_values("r", comparison.r),
            },
            bundles=BundleFilter(model=model, synthetic=synthetic, arm=str(arm), stratum=stratum),
            synthetic=synthetic,
        )
        for control, comparison, arm, stratum in made
        if comparison is not None
    ]


def _values(score: str, three: Three) -> dict[str, Estimate]:
    return dict(zip((f"main_{score}", f"control_{score}", f"delta_{score}"), three, strict=True))


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
    none = Estimate.unavailable(tr("what is asked again has no spread of its own"))
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
        none = Estimate.unavailable(why)
        return none, none, none
    there = there.assign(delta=there[main] - there[control])
    found = mean_estimates(there, np.zeros(len(there), np.int64), 1, (main, control, "delta"), options)
    return found[main][0], found[control][0], found["delta"][0]


def _unmatched(first: pd.DataFrame, second: pd.DataFrame, score: str, options: MeanOptions) -> Three:
    from gpf_desktop.stats.article_means import difference_interval

    first, second = first[first[score].notna()], second[second[score].notna()]
    means = [mean_estimate(each, score, options) for each in (first, second)]
    if means[0].value is None or means[1].value is None:
        none = Estimate.unavailable(str(Unavailable.TOO_FEW_ANSWERS))
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


ANALYSIS = ControlTable()
