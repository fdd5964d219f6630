"""How often each judge gave each model each level."""

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from gpf_desktop.arrays import Ints
from gpf_desktop.domain import columns
from gpf_desktop.domain.analyses import TableAnalysis
from gpf_desktop.domain.figures import Violins
from gpf_desktop.domain.findings import Finding, Row, Value
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.domain.text import Translated, tr
from gpf_desktop.domain.violins import FEWEST
from gpf_desktop.methods.relative_bias.analyses._stored import StoredStudy, judged, stored_study
from gpf_desktop.methods.relative_bias.answers import TOP_LEVEL
from gpf_desktop.methods.relative_bias.sentences import score_title
from gpf_desktop.methods.relative_bias.study import blocked_as


class JudgedLevels(TableAnalysis):
    """The levels of every generation, as first judged."""

    name = "relative_bias_levels"
    version = "2"
    reads_replies = True
    title = Translated("Marks by model")

    def analyse(self, scores: ScoreTables, _options: object) -> Finding:
        stored = stored_study(scores)
        rows = () if stored is None else _rows(stored)
        return self.finding(
            columns=(
                columns.text("score", tr("Score")),
                columns.text("model", tr("Model")),
                columns.count("level", tr("Mark")),
                columns.count("answers", tr("Answers"), tr("Given this mark.")),
            ),
            rows=rows,
            reading=tr("Two models can have one mean and other marks: read the shape beside the mean."),
            notes=(
                tr(
                    "The tick, or the large point of an outline, is the median. Every answer counts once, as "
                    "first marked. Outlines: Gaussian kernel, width by Scott's rule, all equally wide where "
                    "widest; none of fewer than {fewest} marks.",
                    fewest=FEWEST,
                ),
                *judged(stored),
            ),
            figures=(
                Violins(
                    title=self.title,
                    label=("score", "model"),
                    value="level",
                    count="answers",
                    x_title=tr("judge model's mark"),
                    low=1,
                    high=max(stored.tops.values(), default=TOP_LEVEL) if stored else TOP_LEVEL,
                    accent=stored.accent if stored else None,
                ),
            ),
        )


def _given(stored: StoredStudy) -> Iterator[tuple[str, Ints]]:
    """The level (answers,) that each judge gave first, by the name of its score; 0: none."""
    answers = stored.study.answers
    for number, judge in enumerate(answers.judges):
        first = answers.levels[:, number, 0]
        yield judge, first
        top = stored.tops[judge]
        if (named := blocked_as(judge, top)) in stored.study.levels:
            yield named, np.where(answers.blocked, top, first)


@lru_cache(maxsize=2)
def _rows(stored: StoredStudy) -> tuple[Row, ...]:
    answers, rows = stored.study.answers, []
    for score, levels in _given(stored):
        for place, model in enumerate(answers.models):
            given = levels[answers.model == place]
            for level, count in enumerate(np.bincount(given, minlength=TOP_LEVEL + 1).tolist()):
                if level and count:
                    told: dict[str, Value] = {
                        "score": score_title(score),
                        "model": model,
                        "level": level,
                        "answers": count,
                    }
                    rows.append(stored.row(model, told))
    return tuple(rows)


ANALYSIS = JudgedLevels()
