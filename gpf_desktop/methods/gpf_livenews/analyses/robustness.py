"""Whether what the primary scores say holds under other settings: the method's robustness table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from gpf_desktop.domain.analyses import TableAnalysis
from gpf_desktop.domain.columns import count, score, text
from gpf_desktop.domain.findings import BundleFilter, Finding, Row, Value
from gpf_desktop.domain.score_tables import OtherScores, ScoreTables
from gpf_desktop.domain.text import Translated, tr, trn
from gpf_desktop.methods.gpf_livenews.analyses._means import (
    SCORE_KEYS,
    MeanOptions,
    counted_bundles,
    real_where_any,
)
from gpf_desktop.methods.gpf_livenews.analyses._words import behind

if TYPE_CHECKING:
    import pandas as pd

TOP: Final = 5
"""Interactions compared."""
_FEWEST: Final = 3
"""Pairs; below, any correlation is 1, −1 or nothing."""


class Robustness(TableAnalysis):
    """One row per other setting and score that it changes, over bundles that both settings scored."""

    name = "robustness"
    options = MeanOptions
    title = Translated("Measured in other ways")

    def analyse(self, scores: ScoreTables, options: MeanOptions) -> Finding:
        bundles = real_where_any(counted_bundles(scores, options))
        rows = [row for other in scores.others for row in _rows(bundles, other, options)]
        return self.finding(
            columns=(
                text("variant", tr("Measured")),
                text("score", tr("Score")),
                count("pairs", tr("Pairs"), tr("Sets that were measured both ways.")),
                score(
                    "pearson",
                    tr("Pearson r"),
                    tr("Linear correlation with the main way of measuring, set by set."),
                    plain=tr("Likeness of values"),
                ),
                score(
                    "spearman",
                    tr("Spearman ρ"),
                    tr("Correlation of ranks with the main way of measuring."),
                    plain=tr("Likeness of order"),
                ),
                text(
                    "family",
                    tr("Top kind of question"),
                    tr("Whether the kind of question with the highest mean is the same."),
                ),
                text(
                    "interactions",
                    tr("Highest means"),
                    tr(
                        "How many of the {n} highest means of a group and kind of question are among the highest "
                        "again. Where there are no more, it says nothing.",
                        n=TOP,
                    ),
                ),
            ),
            rows=rows,
            reading=tr(
                "What holds in every way of measuring does not hang on one choice. Where it does not hold, "
                "say so beside it."
            ),
            notes=(
                *behind(scores.others),
                tr(
                    "Compared over the sets of this window that were measured both ways, first wording, with the "
                    "main way of measuring."
                ),
                tr("A score that stays the same has no row."),
            ),
            empty=behind(scores.others),
        )


def _rows(bundles: pd.DataFrame, other: OtherScores, options: MeanOptions) -> list[Row]:
    both = bundles.merge(other.frame, on="bundle_id", suffixes=("", "_other"))
    titles = {
        "s": tr("how far apart, in words"),
        "r": tr("spread of tone"),
        "r_star": tr("spread of tone, fair to small groups"),
    }
    made = []
    for key, title in titles.items():
        name = SCORE_KEYS[key]
        there = both[both[name].notna() & both[f"{name}_other"].notna()]
        if there.empty or bool((there[name] == there[f"{name}_other"]).all()):
            continue
        values: dict[str, Value] = {
            "variant": other.title,
            "score": title,
            "pairs": len(there),
            "pearson": _correlation(there[name], there[f"{name}_other"]),
            # Ranks with ties averaged: Pearson's r of them is Spearman's ρ.
            "spearman": _correlation(there[name].rank(), there[f"{name}_other"].rank()),
            "family": _top_family(there, name),
            "interactions": _top_interactions(there, name),
        }
        synthetic = bool(there["synthetic"].all())
        made.append(Row(values=values, bundles=BundleFilter(arm=options.arm), synthetic=synthetic))
    return made


def _correlation(first: Any, second: Any) -> float | None:
    """Pearson's r; None below three pairs and where one side is constant."""
    import numpy as np

    if len(first) < _FEWEST or first.nunique() < 2 or second.nunique() < 2:
        return None
    return float(np.corrcoef(first.to_numpy(float), second.to_numpy(float))[0, 1])


def _highest(frame: pd.DataFrame, by: Sequence[str], name: str, most: int) -> list[Any]:
    means: Any = frame.groupby(list(by), observed=True)[name].mean()
    return list(means.sort_values(ascending=False, kind="stable").index[:most])


def _top_family(frame: pd.DataFrame, name: str) -> str:
    (ours,), (theirs,) = (_highest(frame, ["family"], each, 1) for each in (name, f"{name}_other"))
    if ours == theirs:
        return tr("{family}: holds", family=ours)
    return tr("{family} instead of {primary}", family=theirs, primary=ours)


def _top_interactions(frame: pd.DataFrame, name: str) -> str:
    cells = len(frame[["dimension", "family"]].drop_duplicates())
    if cells <= TOP:
        return trn(
            "not compared: {n} mean, and {top} are needed",
            "not compared: {n} means, and {top} are needed",
            cells,
            top=TOP,
        )
    ours, theirs = (_highest(frame, ["dimension", "family"], each, TOP) for each in (name, f"{name}_other"))
    return tr("{n} of {of}", n=len(set(ours) & set(theirs)), of=len(ours))


ANALYSIS = Robustness()
