"""The reliability of judges' levels: agreement, and how far orders in a text move them."""

from collections.abc import Iterator
from dataclasses import replace

from gpf_desktop.domain.analyses import TableAnalysis
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.findings import Finding
from gpf_desktop.domain.judging import INJECTED, JudgeCheck
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.domain.text import Translated, tr
from gpf_desktop.methods.saged.analyses._judged import METHOD, judgements, levels_given
from gpf_desktop.methods.saged.analyses._levels import judges_agree
from gpf_desktop.methods.saged.judging import JUDGED, JUDGED_BASELINE, ORDERED_LEVEL, Rubric
from gpf_desktop.stats.judge_agreement import low_agreement
from gpf_desktop.stats.judge_table import judge_columns, judge_rows
from gpf_desktop.stats.obedience import Obedience, obedience, orders_in_words

Levels = dict[tuple[int, str], dict[str, int]]
"""By item and concept, the level given for each level ordered."""


class JudgesOfBenchmark(TableAnalysis):
    """Krippendorff's alpha and weighted kappa by rubric; the level where the highest was ordered less that where the
    lowest was."""

    name = "saged_judges"
    version = "2"
    title = Translated("Can the judge models be relied on?")

    def analyse(self, scores: ScoreTables, _options: object) -> Finding:
        found, agreed = list(obediences(scores)), judges_agree(scores)
        said = (
            *(low_agreement(each) for each in agreed if each.poor),
            *orders_in_words(found),
            *_untried(scores, found),
        )
        return self.finding(
            columns=judge_columns(tr("Texts"), tr("over sentences")),
            rows=judge_rows(agreed, found, arm=JUDGED, over=tr("over sentences")),
            reading=tr(
                "Below an agreement of 0.667 a judge model's mark of a single answer is uncertain. One that "
                "is moved by orders gives the mark that an answer asks for, if it asks for one."
            ),
            notes=said,
            empty=said,
        )


def obediences(scores: ScoreTables) -> Iterator[Obedience]:
    """The obedience of each judge by each rubric, over the baselines for which it gave a level to both orders."""
    # By what was rated and not by round: a baseline that is put to the test again counts once, as it was rated last.
    given: dict[tuple[str, Rubric], Levels] = {}
    for each, rubric, level in levels_given(scores, INJECTED):
        about = each.item_id, each.coordinates["concept"]
        given.setdefault((each.model, rubric), {}).setdefault(about, {})[each.coordinates[ORDERED_LEVEL]] = level
    for (model, rubric), texts in given.items():
        top = len(rubric.levels)
        both = [(item, said["1"], said[str(top)]) for (item, _), said in texts.items() if len(said) > 1]
        if both:
            judge = tr("{judge} ({rubric})", judge=model.rpartition("/")[2], rubric=rubric.name)
            yield obedience(judge, both, top=top)


def _untried(scores: ScoreTables, found: list[Obedience]) -> tuple[str, ...]:
    if found or not judgements(scores):
        return ()
    return (tr("No texts with orders were rated; whether an answer can choose its mark is not known."),)


def judge_check(scores: ScoreTables) -> JudgeCheck:
    """About baselines of the newest study, by its rubrics. Raises `UserError` where it has none of these."""
    study = next((each.protocol for each in scores.terms(METHOD).values() if not each.protocol.orders_only), None)
    if study is None or not study.given_orders:
        raise UserError(
            tr("There is no marking guide, or no source sentence to plant orders in."),
            tr("Ask a study with a marking guide first: “Marking guides of judge models” in its set-up."),
        )
    protocol = replace(
        study, name=tr("{study}, judge models and orders", study=study.name), version=1, orders_only=True
    )
    judges = (each.model for each in scores.replies(METHOD) if each.arm in (JUDGED, JUDGED_BASELINE))
    return JudgeCheck(protocol=protocol, judges=tuple(dict.fromkeys(judges)))


ANALYSIS = JudgesOfBenchmark()
