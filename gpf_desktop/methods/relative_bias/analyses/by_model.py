"""The table by model: the value of each model's answers by each score."""

import math
from collections.abc import Iterator
from functools import lru_cache

from gpf_desktop.domain import columns
from gpf_desktop.domain.analyses import TableAnalysis
from gpf_desktop.domain.figures import Intervals
from gpf_desktop.domain.findings import Column, Finding, Row, Value
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.domain.text import Translated, tr
from gpf_desktop.methods.relative_bias.analyses._stored import StoredStudy, judged, mean_over_questions, stored_study
from gpf_desktop.methods.relative_bias.sentences import score_title
from gpf_desktop.methods.relative_bias.tables import own_noise


class ByModel(TableAnalysis):
    """Mean score, D and signed deviation of every model, and its answers that are special."""

    name = "relative_bias_models"
    version = "3"
    reads_replies = True
    title = Translated("Models")

    def analyse(self, scores: ScoreTables, _options: object) -> Finding:
        stored = stored_study(scores)
        rows = () if stored is None else _rows(stored)
        return self.finding(
            columns=_columns(),
            rows=rows,
            reading=tr(
                "How far a model lies from the others holds for these models and measures only; the size "
                "alone means nothing."
            ),
            notes=(
                tr(
                    "Ranges of 95%: questions of a theme go together; bootstrap-t from ten themes on. None goes "
                    "below what a mean can be: 0 of a distance, 1 of a mark."
                ),
                *judged(stored),
            ),
            figures=() if stored is None else _figures(rows, stored.accent),
        )


def _columns() -> tuple[Column, ...]:

    return (
        columns.text("score", tr("Score")),
        columns.text("model", tr("Model")),
        columns.count("questions", tr("Questions"), tr("With a value of this model.")),
        columns.estimate("mean", tr("Mean"), tr("Mark, or distance from the others.")),
        columns.estimate(
            "d",
            tr("D"),
            tr("Mean distance from the other models' answers or marks."),
            plain=tr("How far from the others"),
        ),
        columns.estimate("signed", tr("Marked higher or lower"), tr("Above 0: marked higher than the others.")),
        columns.score(
            "noise",
            tr("Own, asked again"),
            tr("Mean distance between a model's own answers to one question asked again."),
        ),
        columns.count("blocked", tr("Blocked"), tr("Answers that the provider blocked: no text.")),
        columns.count("refused", tr("Declined in its own words"), tr("Answers like any other, and measured.")),
        columns.count("unparsed", tr("No mark read"), tr("Replies of judge models without a readable mark.")),
    )


@lru_cache(maxsize=2)
def _rows(stored: StoredStudy) -> tuple[Row, ...]:
    import numpy as np

    study, answers = stored.study, stored.study.answers
    deviations = study.deviations()
    noises, blocked = own_noise(study), answers.blocked
    rows = []
    for score, (values, signed) in study.values().items():
        by_judge = score in study.levels
        for place, model in enumerate(answers.models):
            mine = answers.model == place
            # A score with levels for blocked answers is no judge's name: what was unparsed stands with the judge.
            unparsed = answers.unparsed[mine, answers.judges.index(score)].sum() if score in answers.judges else 0
            noise = float(noises[score][place]) if score in noises else math.nan
            told: dict[str, Value] = {
                "score": score_title(score),
                "model": model,
                "questions": int((~np.isnan(values[:, place])).sum()),
                "mean": mean_over_questions(values[:, place], answers.theme_of, least=1.0 if by_judge else 0.0),
                "d": mean_over_questions(deviations[score][:, place], answers.theme_of, least=0.0),
                "signed": mean_over_questions(signed[:, place], answers.theme_of) if by_judge else None,
                "noise": None if math.isnan(noise) else noise,
                "blocked": int((mine & blocked).sum()),
                "refused": int((mine & study.refused).sum()),
                "unparsed": int(unparsed),
            }
            rows.append(stored.row(model, told))
    return tuple(rows)


def _figures(rows: tuple[Row, ...], accent: tuple[str, str] | None) -> Iterator[Intervals]:
    """The figures of each score, on a scale of its own: distances and levels have no common one."""
    scores = list(dict.fromkeys(str(row.values["score"]) for row in rows))
    for score in scores:
        title = tr("{score}: how far from the others, by model", score=score)
        yield Intervals(
            title=title,
            label=("model",),
            value="d",
            x_title=tr("how far from the others"),
            where=("score", score),
            accent=accent,
        )
    for score in scores:
        if any(row.values["signed"] is not None for row in rows if row.values["score"] == score):
            yield Intervals(
                title=tr("{score}: marked higher or lower, by model", score=score),
                label=("model",),
                value="signed",
                x_title=tr("mark less the others' mean mark"),
                zero=True,
                where=("score", score),
                accent=accent,
            )


ANALYSIS = ByModel()
