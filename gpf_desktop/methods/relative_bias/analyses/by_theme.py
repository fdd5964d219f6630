"""On which themes a model's answers lie apart."""

from collections.abc import Iterator, Mapping
from functools import lru_cache

from gpf_desktop.domain import columns
from gpf_desktop.domain.analyses import TableAnalysis
from gpf_desktop.domain.figures import HeatMap
from gpf_desktop.domain.findings import Estimate, Finding, Row, Value
from gpf_desktop.domain.models import short_names
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.domain.text import Translated, tr
from gpf_desktop.methods.relative_bias.analyses._stored import StoredStudy, estimate, judged, stored_study
from gpf_desktop.methods.relative_bias.sentences import score_title
from gpf_desktop.methods.relative_bias.theme_tests import ThemeTest, on_each_theme


class ByTheme(TableAnalysis):
    """Theme × model: D, and by judges the signed deviation."""

    name = "relative_bias_themes"
    version = "3"
    reads_replies = True
    title = Translated("Themes and models")

    def analyse(self, scores: ScoreTables, _options: object) -> Finding:
        stored = stored_study(scores)
        rows = () if stored is None else _rows(stored)
        return self.finding(
            columns=(
                columns.text("score", tr("Score")),
                columns.text("theme", tr("Theme")),
                columns.text("model", tr("Model")),
                columns.count("questions", tr("Questions")),
                columns.score("mean", tr("Mean")),
                columns.estimate("d", tr("D"), plain=tr("How far from the others")),
                columns.score("signed", tr("Marked higher or lower")),
                columns.estimate(
                    "times",
                    tr("Times the mean"),
                    tr(
                        "Distance over the mean distance of all themes and models by the same measure, so that "
                        "measures compare."
                    ),
                ),
                columns.p_value(
                    "p_deviates",
                    tr("p, deviates"),
                    tr(
                        "Small where a model under study lies beyond the margin on further questions of this theme; "
                        "by Holm's correction over models and themes."
                    ),
                    plain=tr("Differs, by chance alone"),
                ),
            ),
            rows=rows,
            reading=tr(
                "A theme on which one model stands out is a place to read; the answers say why. Distances "
                "hold for these models and measures only; their size alone means nothing."
            ),
            notes=judged(stored),
            figures=_figures(rows),
        )


@lru_cache(maxsize=2)
def theme_tests(stored: StoredStudy) -> Mapping[str, Mapping[tuple[int, int], ThemeTest]]:
    """The test of each single theme, by score, then by the numbers of target and theme."""
    return {
        score.name: {(each.target, each.theme): each for each in on_each_theme(score, of_score, k=stored.k)}
        for score, of_score in zip(stored.study.scores, stored.comparisons, strict=False)
    }


@lru_cache(maxsize=2)
def _rows(stored: StoredStudy) -> tuple[Row, ...]:
    import numpy as np

    answers = stored.study.answers
    deviations, tested = stored.study.deviations(), theme_tests(stored)
    rows = []
    for score, (values, signed) in stored.study.values().items():
        if np.isnan(deviations[score]).all():
            continue
        usual = float(np.nanmean(deviations[score]))
        for number, theme in enumerate(answers.themes):
            here = answers.theme_of == number
            for place, model in enumerate(answers.models):
                there = here & ~np.isnan(values[:, place])
                apart = deviations[score][there, place]
                apart = apart[~np.isnan(apart)]
                if not len(apart):
                    continue
                turned, test = signed[there, place], tested.get(score, {}).get((place, number))
                told: dict[str, Value] = {
                    "score": score_title(score),
                    "theme": theme,
                    "model": model,
                    "questions": int(there.sum()),
                    "mean": float(values[there, place].mean()),
                    "d": estimate(float(apart.mean()), None, None, n=len(apart)),
                    "times": estimate(float(apart.mean()) / usual, None, None, n=len(apart)) if usual else None,
                    "signed": None if np.isnan(turned).all() else float(np.nanmean(turned)),
                    "p_deviates": None if test is None else test.p_beyond,
                }
                rows.append(stored.row(model, told, theme=theme))
    return tuple(rows)


def _figures(rows: tuple[Row, ...]) -> Iterator[HeatMap]:
    """One for each score, so that the names beside their lines are the themes' alone and can be read."""
    names = short_names(str(row.values["model"]) for row in rows)
    for score in dict.fromkeys(str(row.values["score"]) for row in rows):
        title = tr("{score}: how far from the others by theme and model, times the mean", score=score)
        where = ("score", score)
        here = {
            f"{row.values['theme']}, {names[str(row.values['model'])]}": times
            for row in rows
            if row.values["score"] == score
            and isinstance(each := row.values["times"], Estimate)
            and (times := each.value) is not None
        }
        if here:
            title = tr("{field} lay furthest off · {title}", field=max(here, key=here.__getitem__), title=title)
        yield HeatMap(title=title, down="theme", across="model", value="times", high=3.0, where=where)


ANALYSIS = ByTheme()
