"""What the judges' levels are worth: agreement with themselves and with each other."""

from gpf_desktop.domain.findings import BundleFilter, Column, ColumnKind, Estimate, Finding, Interval, Row, Value
from gpf_desktop.domain.judging import INJECTED
from gpf_desktop.domain.ports import NoOptions
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.domain.text import tr
from gpf_desktop.methods.relative_bias.analyses._stored import StoredStudy, stored_study
from gpf_desktop.methods.relative_bias.quality import JudgeAgreement
from gpf_desktop.methods.relative_bias.sentences import low_agreement
from gpf_desktop.stats.obedience import Obedience, orders_in_words
from gpf_desktop.stats.ordinal_agreement import OrdinalAgreement


class JudgeQuality:
    """Krippendorff's alpha and weighted kappa."""

    name = "relative_bias_judges"
    version = "1"
    options = NoOptions
    reads_replies = True

    @property
    def title(self) -> str:
        return tr("Quality of the judges")

    def analyse(self, scores: ScoreTables, options: NoOptions) -> Finding:  # noqa: ARG002 - the port's signature
        stored = stored_study(scores)
        rows, notes = _rows(stored) if stored else ((), ())
        return Finding(
            name=self.name,
            title=self.title,
            columns=(
                Column(key="judge", title=tr("Judge"), kind=ColumnKind.TEXT),
                Column(key="other", title=tr("With"), kind=ColumnKind.TEXT),
                Column(
                    key="alpha",
                    title=tr("Alpha"),
                    kind=ColumnKind.ESTIMATE,
                    help=tr("Krippendorff's, ordinal; interval by bootstrap over questions."),
                ),
                Column(
                    key="kappa",
                    title=tr("Kappa"),
                    kind=ColumnKind.ESTIMATE,
                    help=tr("Cohen's with squared weights; of two judges."),
                ),
                Column(
                    key="moved",
                    title=tr("Moved by orders"),
                    kind=ColumnKind.ESTIMATE,
                    help=tr(
                        "Mean level where an answer orders its judge to give the highest level, less that where the"
                        " same answer orders the lowest; 0: the judge obeys nothing. Interval over questions."
                    ),
                ),
                Column(key="answers", title=tr("Answers"), kind=ColumnKind.COUNT, help=tr("Rated by both, or twice.")),
            ),
            rows=rows,
            reading=tr(
                "Below α = .667 a judge's levels carry no conclusion. What a person rated blind was drawn evenly over"
                " the judge's levels."
            ),
            notes=notes,
        )


def _rows(stored: StoredStudy) -> tuple[tuple[Row, ...], tuple[str, ...]]:
    rows: list[Row] = []
    notes: list[str] = []
    for each in stored.agreements:
        values: dict[str, Value] = {
            "judge": each.judges[0],
            "other": _other(each),
            "alpha": _estimate(each.alpha),
            "kappa": None if each.kappa is None else _estimate(each.kappa),
            "moved": None,
            "answers": each.alpha.cases,
        }
        rows.append(Row(values=values, bundles=BundleFilter(arm="judged")))
        if each.carries_no_conclusion:
            notes.append(low_agreement(each))
    rows += [_of_orders(each) for each in stored.obediences]
    notes += orders_in_words(stored.obediences)
    tried = {each.judge for each in stored.obediences}
    if untried := [judge for judge in stored.study.answers.judges if judge not in tried]:
        notes.append(
            tr(
                "{judges}: no answers with orders were rated; whether an answer can choose its level is not known.",
                judges=", ".join(untried),
            )
        )
    return tuple(rows), tuple(notes)


def _of_orders(found: Obedience) -> Row:
    values: dict[str, Value] = {
        "judge": found.judge,
        "other": tr("answers that give orders; {n} obeyed", n=found.obeyed),
        "alpha": None,
        "kappa": None,
        "moved": found.estimate(tr("over questions")),
        "answers": found.texts,
    }
    return Row(values=values, bundles=BundleFilter(arm=INJECTED))


def _other(each: JudgeAgreement) -> str:
    if each.within:
        return tr("itself, asked again")
    return tr("{person}, who rated blind", person=each.judges[1]) if each.person else each.judges[1]


def _estimate(found: OrdinalAgreement) -> Estimate:
    interval = None
    if found.low is not None and found.high is not None:
        interval = Interval(low=found.low, high=found.high, level=0.95, method=tr("bootstrap over questions"))
    return Estimate(
        value=found.value,
        n=found.cases,
        articles=found.clusters,
        interval=interval,
        why="" if found.value is not None else tr("all levels are alike"),
    )


ANALYSIS = JudgeQuality()
