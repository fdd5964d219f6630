"""Every two models on the articles and bundles that both have; never a ranking."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING

from gpf_desktop.domain.findings import BundleFilter, Column, Estimate, Finding, Row
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.domain.scores import COUNTERFACTUAL_FRAMING, RELATIVE_FRAMING, TONE_FRAMING, WORDS
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.methods.gpf_livenews.analyses._means import MeanOptions, entering, main_bundles
from gpf_desktop.methods.gpf_livenews.analyses._words import basis, count, estimate, text, unlike_lengths
from gpf_desktop.methods.gpf_livenews.comparing import (
    MARGINS,
    Judged,
    compared,
    judged,
    outcome_words,
    p_words,
    score_words,
    sides_of_shared_models,
)

if TYPE_CHECKING:
    import pandas as pd

_MOST = 12
"""Models of one kind whose pairs are listed; among more, `gpf-desktop compare` takes two."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonOptions(MeanOptions):
    """The margins within which differences are held too small to matter."""

    cfs: float = field(default=MARGINS[COUNTERFACTUAL_FRAMING], metadata={"help": "Margin of CFS."})
    relative: float = field(default=MARGINS[RELATIVE_FRAMING], metadata={"help": "Margin of relative framing."})
    tone: float = field(default=MARGINS[TONE_FRAMING], metadata={"help": "Margin of tone framing."})


class ModelComparison:
    """Paired over questions, articles the unit; pairs with a calibration model are adjusted apart."""

    name = "model_comparison"
    version = "1"
    options = ComparisonOptions

    @property
    def title(self) -> str:
        return tr("Models compared")

    def analyse(self, scores: ScoreTables, options: ComparisonOptions) -> Finding:
        bundles = entering(main_bundles(scores.bundles, options), options)
        synthetic = {str(name): bool(of["synthetic"].any()) for name, of in bundles.groupby("model", observed=True)}
        # Calibration models last, so that the limit on pairs leaves them out first.
        names = sorted(synthetic, key=lambda name: (synthetic[name], name))
        pairs = list(combinations(names[:_MOST], 2))
        # Two families: in one, pairs with a calibration model would make Holm's correction stricter for real ones.
        planted = [pair for pair in pairs if synthetic[pair[0]] or synthetic[pair[1]]]
        real = [pair for pair in pairs if pair not in planted]
        rows = [*_rows(bundles, real, False, options), *_rows(bundles, planted, True, options)]
        left = max(0, len(names) - _MOST)
        return Finding(
            name=self.name,
            title=self.title,
            columns=_columns(),
            rows=tuple(rows),
            reading=_reading(),
            highlights=_differing(rows),
            notes=(
                *_lengths(of for _, of in bundles.groupby("model", observed=True)),
                *_notes(left),
                *basis(bundles, options)[:-1],
            )
            if rows
            else (),
        )


def of_two(first: ScoreTables, second: ScoreTables, sides: tuple[str, str], margins: Mapping[str, float]) -> Finding:
    """Two sides called *sides*, whatever makes them two; scores without a margin in *margins* are left out.

    Of sides of several models, each model that both have is paired with itself; calibration models are left out where
    there are others.
    """
    options = ComparisonOptions()
    one, other = (entering(main_bundles(each.bundles, options), options) for each in (first, second))
    several = max(each["model"].nunique() for each in (one, other)) > 1
    if several:
        one, other = sides_of_shared_models(one, other)
    pairs = [compared(one, other, score, margin, within_models=several) for score, margin in margins.items()]
    return Finding(
        name="comparison",
        title=tr("{first} and {second} compared", first=sides[0], second=sides[1]),
        columns=_columns(),
        rows=tuple(_row(*sides, each, _planted(one, other), options) for each in judged(pairs)),
        reading=_reading(),
        notes=(*_whose(one, other), *_lengths((one, other)), *_notes(0)),
    )


def _planted(one: pd.DataFrame, other: pd.DataFrame) -> bool:
    return bool(one["synthetic"].any() or other["synthetic"].any())


def _whose(one: pd.DataFrame, other: pd.DataFrame) -> tuple[str, ...]:
    """Of which models the sides are."""
    names = [
        ", ".join(sorted(map(str, each["model"].unique()))) or tr("no model that both have") for each in (one, other)
    ]
    if names[0] == names[1]:
        return (tr("Each model is paired with itself. Both sides are of: {models}.", models=names[0]),)
    return (tr("The first side is of {first}, the second of {second}.", first=names[0], second=names[1]),)


def _lengths(sides: Iterable[pd.DataFrame]) -> tuple[str, ...]:
    known = (each[WORDS].dropna() for each in sides if WORDS in each)
    return unlike_lengths(Estimate(value=float(of.mean()), n=len(of), articles=0) for of in known if len(of))


def _columns() -> tuple[Column, ...]:
    return (
        text("first", tr("First")),
        text("second", tr("Second")),
        text("score", tr("Score")),
        estimate("difference", tr("First − second"), tr("Over the questions that both have a score for.")),
        count("pairs", tr("Pairs"), tr("Pairs of bundles, one of either side, of one question.")),
        count("articles", tr("Articles"), tr("Over which the interval and p are.")),
        text("margin", tr("Margin"), tr("A smaller difference is held not to matter.")),
        text("p", tr("Adjusted p"), tr("Of no difference; Holm, pairs with a calibration model apart.")),
        text("outcome", tr("Outcome")),
    )


def _reading() -> str:
    return tr(
        "Whether answers of the two moved differently on the same questions. Undecided is no evidence of being alike, "
        "and no order follows from it."
    )


def _rows(
    bundles: pd.DataFrame, pairs: list[tuple[str, str]], synthetic: bool, options: ComparisonOptions
) -> list[Row]:
    margins = {COUNTERFACTUAL_FRAMING: options.cfs, RELATIVE_FRAMING: options.relative, TONE_FRAMING: options.tone}
    of_model = {name: bundles[bundles["model"] == name] for pair in pairs for name in pair}
    asked = [(one, other, score) for one, other in pairs for score in margins]
    found = judged([compared(of_model[one], of_model[other], score, margins[score]) for one, other, score in asked])
    return [_row(one, other, each, synthetic, options) for (one, other, _), each in zip(asked, found, strict=True)]


def _row(one: str, other: str, each: Judged, synthetic: bool, options: ComparisonOptions) -> Row:
    return Row(
        values={
            "first": one,
            "second": other,
            "score": score_words(each.compared.score),
            "difference": each.compared.difference,
            "pairs": each.compared.difference.n,
            "articles": each.compared.difference.articles,
            "margin": f"± {each.compared.margin:g}",
            "p": p_words(each.p),
            "outcome": outcome_words(each.outcome),
        },
        bundles=BundleFilter(compared=(one, other), score=each.compared.score, arm=options.arm),
        synthetic=synthetic,
    )


def _differing(rows: list[Row]) -> tuple[str, ...]:
    real = [row for row in rows if not row.synthetic]
    if not real:
        return ()
    counts = [sum(row.values["outcome"] == outcome for row in real) for outcome in _outcomes()]
    return (
        tr(
            "Of {n} comparisons {differs} differ, {equivalent} are equivalent within their margin, {undecided} are "
            "undecided.",
            n=len(real),
            differs=counts[0],
            equivalent=counts[1],
            undecided=counts[2],
        ),
    )


def _outcomes() -> tuple[str, str, str]:
    return tr("differs"), tr("equivalent"), tr("undecided")


def _notes(left: int) -> tuple[str, ...]:
    said = tr(
        "Paired over article, dimension and family; t over articles with CR2 errors, none under three articles. Two "
        "one-sided tests speak for “equivalent”; both kinds of p are adjusted by Holm and held against 5 %; the "
        "intervals are of one comparison each, and not adjusted."
    )
    if not left:
        return (said,)
    more = trn("{n} further model is not listed.", "{n} further models are not listed.", left)
    return (said, more)


ANALYSIS = ModelComparison()
