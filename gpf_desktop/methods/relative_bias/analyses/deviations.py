"""How far each model lay from the others, question by question: what D is the mean of."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

import numpy as np

from gpf_desktop.domain import columns
from gpf_desktop.domain.analyses import TableAnalysis
from gpf_desktop.domain.figures import Violins
from gpf_desktop.domain.findings import Finding, Row, Value
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.domain.text import Translated, tr
from gpf_desktop.domain.violins import FEWEST
from gpf_desktop.methods.relative_bias.analyses._stored import StoredStudy, judged, stored_study
from gpf_desktop.methods.relative_bias.sentences import score_title

_OF_DISTANCES: Final = 0.05
_OF_LEVELS: Final = 0.5
"""To which values are rounded, so that a thousand questions are a table that can be read."""


class Deviations(TableAnalysis):
    """A model's distance δ from the others by an embedding; by a judge, its level less their mean, with its sign."""

    name = "relative_bias_deviations"
    version = "2"
    reads_replies = True
    title = Translated("Question by question")

    def analyse(self, scores: ScoreTables, _options: object) -> Finding:
        stored = stored_study(scores)
        rows = () if stored is None else _rows(stored)
        return self.finding(
            columns=(
                columns.text("score", tr("Score")),
                columns.text("model", tr("Model")),
                columns.score(
                    "deviation",
                    tr("How far off"),
                    tr(
                        "By words or meaning the mean distance from the other models; by a judge model its mark less "
                        "theirs."
                    ),
                ),
                columns.count("questions", tr("Questions")),
            ),
            rows=rows,
            reading=tr(
                "One model can lie a little off everywhere and another far off on a few questions, with one "
                "mean. Distances hold for these models and measures only; their size alone means nothing."
            ),
            notes=(
                tr(
                    "The tick, or the large point of an outline, is the median. Distances to the nearest "
                    "{distances}, marks to the nearest {levels}; answers to one question asked again are "
                    "averaged first. Outlines: Gaussian kernel, width by Scott's rule, all equally wide where "
                    "widest; none of fewer than {fewest} questions.",
                    distances=_OF_DISTANCES,
                    levels=_OF_LEVELS,
                    fewest=FEWEST,
                ),
                *judged(stored),
            ),
            figures=_figures(stored, rows) if stored else (),
        )


@lru_cache(maxsize=2)
def _rows(stored: StoredStudy) -> tuple[Row, ...]:
    study, rows = stored.study, []
    for score, (values, signed) in study.values().items():
        by_judge = score in study.levels
        each, step = (signed, _OF_LEVELS) if by_judge else (values, _OF_DISTANCES)
        for place, model in enumerate(study.answers.models):
            mine = each[:, place]
            # Counted as whole steps: twentieths would fall apart by rounding. Below, + 0.0 makes of −0 a plain 0.
            steps, counts = np.unique(np.rint(mine[~np.isnan(mine)] / step), return_counts=True)
            for at, n in zip(steps.tolist(), counts.tolist(), strict=True):
                told: dict[str, Value] = {
                    "score": score_title(score),
                    "model": model,
                    "deviation": round(at * step, 2) + 0.0,
                    "questions": n,
                }
                rows.append(stored.row(model, told))
    return tuple(rows)


def _figures(stored: StoredStudy, rows: tuple[Row, ...]) -> Iterator[Violins]:
    """One for each score: a distance and a difference of levels have no scale in common."""
    ends: dict[str, float] = {}
    for row in rows:
        score, value = str(row.values["score"]), row.values["deviation"]
        assert isinstance(value, float)
        ends[score] = max(ends.get(score, 1.0), abs(value))
    by_judge = {score_title(name): stored.top_of(name) - 1 for name in stored.study.levels}
    for score, furthest in ends.items():
        top = by_judge.get(score)
        yield Violins(
            title=tr("How far from the others: {score}", score=score),
            label=("score", "model"),
            value="deviation",
            count="questions",
            x_title=tr("mean distance from the other models") if top is None else tr("mark less the others' mean"),
            # 1 − cos reaches 2 where vectors may point apart; those of counts of words end at 1.
            low=0.0 if top is None else -top,
            high=top or (1.0 if furthest <= 1 else 2.0),
            where=("score", score),
            accent=stored.accent,
        )


ANALYSIS = Deviations()
