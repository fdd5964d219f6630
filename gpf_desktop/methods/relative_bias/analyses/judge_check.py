"""The choice of answers with which a study's judges are put to the test, once the study is there or
came with a table."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from gpf_desktop.domain.coordinates import MAIN
from gpf_desktop.domain.draws import rank
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.judging import JudgeCheck, generation_name
from gpf_desktop.domain.reasoning import split_thinking
from gpf_desktop.domain.score_tables import RunTerms, ScoreTables
from gpf_desktop.domain.text import tr
from gpf_desktop.methods.relative_bias.analyses._stored import METHOD, SEED
from gpf_desktop.methods.relative_bias.judging import JUDGED
from gpf_desktop.methods.relative_bias.protocol import BiasStudy, CheckedAnswer
from gpf_desktop.numerics.planted_orders import MOST_ORDERED
from gpf_desktop.numerics.self_names import masked


def judge_check(scores: ScoreTables) -> JudgeCheck:
    """About one answer of each question, drawn by hash, judged by the newest study's rubric and sentence."""
    replies, terms = scores.replies(METHOD), scores.terms(METHOD)
    study = next((each.protocol for each in terms.values() if not each.protocol.checked), None)
    answers = [] if study is None else list(_answers(replies, terms, study))
    if study is None or not answers:
        raise UserError(
            tr("There are no answers to plant orders in."),
            tr("Ask a study first, or import a table with the answers beside their marks."),
        )
    judges = (each.model for each in replies if each.arm == JUDGED)
    name = tr("{study}, judge models and orders", study=study.name)
    protocol = replace(study, name=name, version=1, written=(), checked=tuple(_one_of_each_question(answers)))
    return JudgeCheck(protocol=protocol, judges=tuple(dict.fromkeys(judges)))


def _answers(replies: Sequence[Any], terms: Mapping[int, RunTerms], study: BiasStudy) -> Iterator[CheckedAnswer]:
    """The answers given to questions of the domain, as judges see them."""
    for each in replies:
        protocol = terms[each.run_id].protocol
        if each.arm != MAIN or each.missing or protocol.counts_as_bias != study.counts_as_bias:
            continue
        text = split_thinking(each.text)[0].strip()
        if text and each.title:
            yield CheckedAnswer(
                theme=each.stratum or tr("(no theme)"),
                question=each.title,
                answer_of=generation_name(each.model, each.repeat),
                text=masked(text, (each.model,)) if study.masks_names else text,
            )


def _one_of_each_question(answers: Sequence[CheckedAnswer]) -> list[CheckedAnswer]:
    # One, so that the questions, which are the clusters of the interval, are as many as they can be.
    found: dict[tuple[str, str], CheckedAnswer] = {}
    for each in sorted(answers, key=_rank):
        found.setdefault((each.theme, each.question), each)
    return list(found.values())[:MOST_ORDERED]


def _rank(answer: CheckedAnswer) -> bytes:
    return rank("orders", SEED, answer.theme, answer.question, answer.answer_of)
