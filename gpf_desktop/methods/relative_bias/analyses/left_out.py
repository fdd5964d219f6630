"""The table of outcomes with each baseline left out in turn."""

from gpf_desktop.domain.analyses import TableAnalysis
from gpf_desktop.domain.columns import score, text
from gpf_desktop.domain.findings import Column, Finding, Row, Value
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.domain.text import Translated, tr
from gpf_desktop.methods.relative_bias.analyses._stored import StoredStudy, judged, stored_study
from gpf_desktop.methods.relative_bias.analyses.tests_of_targets import TESTS
from gpf_desktop.methods.relative_bias.comparing import Comparison, Tested
from gpf_desktop.methods.relative_bias.sentences import score_title


class WithoutEach(TableAnalysis):
    """Difference, margin and outcome of every test with one baseline left out; of distances it is left out too."""

    name = "relative_bias_left_out"
    reads_replies = True
    title = Translated("Without each model compared")

    def analyse(self, scores: ScoreTables, _options: object) -> Finding:
        stored = stored_study(scores)
        return self.finding(
            columns=_columns(),
            rows=() if stored is None else _rows(stored),
            reading=tr("A conclusion that is another without one of the models compared hangs on that model."),
            notes=(
                tr("Here each measure of each model under study is counted alone."),
                *judged(stored),
            ),
        )


def _columns() -> tuple[Column, ...]:
    return (
        text("score", tr("Score")),
        text("target", tr("Model under study")),
        text("test", tr("Test")),
        text("without", tr("Without")),
        score("difference", tr("Difference")),
        score("margin", tr("Too small to matter")),
        text("outcome", tr("Outcome")),
        text("flips", tr("Another conclusion")),
    )


def _rows(stored: StoredStudy) -> list[Row]:
    return [
        _row(stored, comparison, left_out, without, tested)
        for of_score in stored.comparisons
        for comparison in of_score
        for left_out, without in comparison.left_out.items()
        for tested in without.tests
    ]


def _row(stored: StoredStudy, whole: Comparison, left_out: int, without: Comparison, tested: Tested) -> Row:
    models = stored.study.answers.models
    target = models[whole.target]
    values: dict[str, Value] = {
        "score": score_title(whole.score),
        "target": target,
        "test": TESTS[tested.name],
        "without": models[left_out],
        "difference": tested.test.difference if tested.test else None,
        "margin": without.margin,
        "outcome": tested.verdict.words,
        "flips": tr("yes") if left_out in whole.flips(tested.name) else tr("no"),
    }
    return stored.row(target, values)


ANALYSIS = WithoutEach()
