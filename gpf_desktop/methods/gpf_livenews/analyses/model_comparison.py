"""Every two models on the articles and bundles that both have; never a ranking."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Annotated

from gpf_desktop.domain.analyses import TableAnalysis
from gpf_desktop.domain.columns import count, estimate, p_value, score, text
from gpf_desktop.domain.findings import BundleFilter, Column, Estimate, Finding, Row
from gpf_desktop.domain.options import Shown
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.domain.scores import COUNTERFACTUAL_FRAMING, RELATIVE_FRAMING, TONE_FRAMING, WORDS
from gpf_desktop.domain.text import Translated, tr, trn
from gpf_desktop.methods.gpf_livenews.analyses._means import MeanOptions, counted_bundles
from gpf_desktop.methods.gpf_livenews.analyses._words import basis, unlike_lengths
from gpf_desktop.methods.gpf_livenews.comparing import (
    MARGINS,
    Judged,
    compared_means,
    judged,
    outcome_words,
    question_means,
    score_words,
)

if TYPE_CHECKING:
    import pandas as pd

_MOST = 12
"""Models of one kind whose pairs are listed; among more, `gpf-desktop compare` takes two."""


def _margin(label: str) -> Shown:
    return Shown(label=label, help="Smaller differences are held not to matter.", hidden=True, choice=float)


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonOptions(MeanOptions):
    """The margins within which differences are held too small to matter."""

    cfs: Annotated[float, _margin("what the reader adds")] = MARGINS[COUNTERFACTUAL_FRAMING]
    relative: Annotated[float, _margin("share the reader adds")] = MARGINS[RELATIVE_FRAMING]
    tone: Annotated[float, _margin("tone the reader adds")] = MARGINS[TONE_FRAMING]

    @property
    def margins(self) -> dict[str, float]:
        """The margins by the name of a score."""
        return {COUNTERFACTUAL_FRAMING: self.cfs, RELATIVE_FRAMING: self.relative, TONE_FRAMING: self.tone}


class ModelComparison(TableAnalysis):
    """Paired over questions, articles the unit; pairs with a calibration model are adjusted apart."""

    name = "model_comparison"
    version = "2"
    options = ComparisonOptions
    title = Translated("Models compared")

    def analyse(self, scores: ScoreTables, options: ComparisonOptions) -> Finding:
        bundles = counted_bundles(scores, options)
        synthetic = {str(name): bool(of["synthetic"].any()) for name, of in bundles.groupby("model", observed=True)}
        # Calibration models last, so that the limit on pairs leaves them out first.
        names = sorted(synthetic, key=lambda name: (synthetic[name], name))
        pairs = list(combinations(names[:_MOST], 2))
        # Two families: in one, pairs with a calibration model would make Holm's correction stricter for real ones.
        planted = [pair for pair in pairs if synthetic[pair[0]] or synthetic[pair[1]]]
        real = [pair for pair in pairs if pair not in planted]
        rows = [*_rows(bundles, real, False, options), *_rows(bundles, planted, True, options)]
        left = max(0, len(names) - _MOST)
        return self.finding(
            columns=columns(),
            rows=rows,
            reading=" ".join((reading(), *stated(options.margins))),
            highlights=counted(rows),
            notes=(
                *lengths(of for _, of in bundles.groupby("model", observed=True)),
                *notes(left),
                *basis(bundles, options)[:-1],
            ),
        )


def lengths(sides: Iterable[pd.DataFrame]) -> tuple[str, ...]:
    """Says where mean lengths of answers are unlike."""
    known = (each[WORDS].dropna() for each in sides if WORDS in each)
    return unlike_lengths(Estimate(value=float(of.mean()), n=len(of), articles=0) for of in known if len(of))


def columns() -> tuple[Column, ...]:
    """The columns of every table that compares two sides."""
    return (
        text("first", tr("First")),
        text("second", tr("Second")),
        text("score", tr("Score")),
        estimate("difference", tr("First − second"), tr("Over the questions that both have a score for.")),
        count("pairs", tr("Pairs"), tr("Pairs of sets, one of either side, of one question.")),
        count("articles", tr("Articles"), tr("Over which the range and the test are.")),
        score(
            "margin", tr("± margin"), tr("A smaller difference is held not to matter."), plain=tr("Too small to matter")
        ),
        p_value(
            "p",
            tr("Adjusted p"),
            tr("Of no difference; Holm, pairs with a built-in test model apart."),
            plain=tr("By chance alone, all counted"),
        ),
        text("outcome", tr("Outcome")),
    )


def reading() -> str:
    """The one line that a comparison supports."""
    return tr(
        "Whether answers of the two moved differently on the same questions. Not shown does not mean "
        "alike, and no order follows from it."
    )


def _rows(
    bundles: pd.DataFrame, pairs: list[tuple[str, str]], synthetic: bool, options: ComparisonOptions
) -> list[Row]:
    margins = options.margins
    of_model = {name: bundles[bundles["model"] == name] for pair in pairs for name in pair}
    asked = [(pair, score) for pair in pairs for score in margins]
    means = {(name, score): question_means(its, score) for name, its in of_model.items() for score in margins}
    found = judged(
        [compared_means(means[one, score], means[other, score], score, margins[score]) for (one, other), score in asked]
    )
    return [
        row_of(pair, each, BundleFilter(compared=pair, score=score, arm=options.arm), synthetic)
        for (pair, score), each in zip(asked, found, strict=True)
    ]


def row_of(names: tuple[str, str], each: Judged, behind: BundleFilter, synthetic: bool) -> Row:
    """One score of two sides called *names*, whose bundles are *behind*."""
    return Row(
        values={
            "first": names[0],
            "second": names[1],
            "score": score_words(each.compared.score),
            "difference": each.compared.difference,
            "pairs": each.compared.difference.n,
            "articles": each.compared.difference.articles,
            "margin": each.compared.margin,
            "p": each.p,
            "outcome": outcome_words(each.outcome),
        },
        bundles=behind,
        synthetic=synthetic,
    )


def counted(rows: Sequence[Row]) -> tuple[str, ...]:
    """How many comparisons came to which outcome, without those of calibration models."""
    real = [row for row in rows if not row.synthetic]
    if not real:
        return ()
    counts = Counter(row.values["outcome"] for row in real)
    return (
        tr(
            "Of {n} comparisons, {differs} differ, {equivalent} are alike, {undecided} are not settled.",
            n=len(real),
            differs=counts[tr("differs")],
            equivalent=counts[tr("alike")],
            undecided=counts[tr("not settled")],
        ),
    )


def stated(margins: Mapping[str, float]) -> tuple[str, ...]:
    """Says which *margins* are the auditor's own."""
    own = [
        tr("{score} below {margin:g} (else {usual:g})", score=score_words(score), margin=margin, usual=MARGINS[score])
        for score, margin in margins.items()
        if margin != MARGINS[score]
    ]
    if not own:
        return ()
    return (
        tr(
            "What this audit holds too small to matter, with what holds otherwise: {own}. Said after the "
            "differences were seen, it shows nothing.",
            own=", ".join(own),
        ),
    )


def notes(left: int) -> tuple[str, ...]:
    """How two sides are compared, and how many models are *left* out of the table."""
    said = tr(
        "Paired over article, group of readers and kind of question; t over articles with CR2 "
        "errors, none under three articles. Two one-sided tests (TOST) speak for “alike”. All "
        "comparisons are counted (Holm), at 5%. Each range is of one comparison alone."
    )
    if not left:
        return (said,)
    more = trn("{n} further model is not listed.", "{n} further models are not listed.", left)
    return (said, more)


ANALYSIS = ModelComparison()
