"""The reliability of judges' levels: agreement with themselves and with each other."""

from gpf_desktop.domain.analyses import TableAnalysis
from gpf_desktop.domain.findings import Finding, Row
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.domain.text import Translated, tr
from gpf_desktop.methods.relative_bias.analyses._stored import StoredStudy, stored_study
from gpf_desktop.methods.relative_bias.judging import JUDGED
from gpf_desktop.stats.judge_agreement import low_agreement
from gpf_desktop.stats.judge_table import judge_columns, judge_rows
from gpf_desktop.stats.obedience import orders_in_words


class JudgeQuality(TableAnalysis):
    """Krippendorff's alpha and weighted kappa."""

    name = "relative_bias_judges"
    reads_replies = True
    title = Translated("Can the judge models be relied on?")

    def analyse(self, scores: ScoreTables, _options: object) -> Finding:
        stored = stored_study(scores)
        rows, notes = _rows(stored) if stored else ((), ())
        return self.finding(
            columns=judge_columns(tr("Answers"), tr("over questions")),
            rows=rows,
            reading=tr(
                "Below an agreement of 0.667 a judge model's mark of a single answer is uncertain. What a "
                "person rated with the marks hidden was drawn evenly over those marks."
            ),
            notes=notes,
            empty=notes,
        )


def _rows(stored: StoredStudy) -> tuple[tuple[Row, ...], tuple[str, ...]]:
    notes = [low_agreement(each) for each in stored.agreements if each.poor]
    notes += orders_in_words(stored.obediences)
    tried = {each.judge for each in stored.obediences}
    if untried := [judge for judge in stored.study.answers.judges if judge not in tried]:
        notes.append(
            tr(
                "{judges}: no answers with orders were rated; whether an answer can choose its mark is not known.",
                judges=", ".join(untried),
            )
        )
    rows = judge_rows(stored.agreements, stored.obediences, arm=JUDGED, over=tr("over questions"))
    return tuple(rows), tuple(notes)


ANALYSIS = JudgeQuality()
