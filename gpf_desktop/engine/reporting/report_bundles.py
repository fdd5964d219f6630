"""Bundles as reports quote them."""

from collections.abc import Iterator, Mapping, Sequence

from gpf_desktop.domain.codes import CodeBook
from gpf_desktop.domain.coordinates import MAIN
from gpf_desktop.domain.reports import ReportAnswer, ReportBundle, ReportScore
from gpf_desktop.domain.scores import Measure, Unavailable, UnitKind
from gpf_desktop.domain.text import within
from gpf_desktop.engine.core.factor_words import arm_title, telling
from gpf_desktop.engine.reporting.folded_choices import folded
from gpf_desktop.engine.reporting.report_readings import NO_CODES, readings
from gpf_desktop.engine.review.reading_aids import markdown
from gpf_desktop.engine.review.review_reading import ReadAnswer, ReadBundle


def quoted(read: ReadBundle, book: CodeBook = NO_CODES) -> ReportBundle:
    """*read* with its answers, scores and what people said of it."""
    slot, at = "______" if read.question.slot else "", read.facts.coordinates
    scores = []
    for each in read.measures:
        if each.unit is UnitKind.BUNDLE:
            held = read.scores.get(each.name, Unavailable.TOO_FEW_ANSWERS)
            value, why = (None, str(held)) if isinstance(held, Unavailable) else (held, "")
            scores.append(ReportScore(name=each.name, title=each.title, value=value, why=why))
    answers = tuple(_answer(read, each) for each in read.answers)
    return ReportBundle(
        number=read.id,
        model=read.model,
        headline=read.anchor.headline,
        description=read.anchor.description,
        url=read.facts.url,
        source=read.facts.source,
        arm="" if read.facts.arm == MAIN else within(arm_title(read.facts.arm, read.facts.method)),
        place=tuple(
            (factor.title, factor.words(level))
            for factor in telling((read.facts.method,)).values()
            if (level := at.get(factor.name))
        ),
        question=f"{read.question.before}{slot}{read.question.after}",
        scores=tuple(scores),
        valid=read.valid,
        planned=read.facts.planned,
        provisional=read.provisional,
        answers=answers,
        folded=folded(read, answers),
        reviews=readings(read, book),
        synthetic=read.facts.synthetic,
    )


def _answer(read: ReadBundle, each: ReadAnswer) -> ReportAnswer:
    return ReportAnswer(
        level=each.level,
        text=each.answer.text,
        missing=each.answer.missing,
        flags=tuple(name for name, _ in each.answer.flags)
        + (("truncated",) if each.answer.truncated and "truncated" not in each.flags else ()),
        scores=tuple(_own_scores(read.measures, each.scores)),
        source=each.source,
        unmarked=unmarked(each.answer.text),
    )


def unmarked(text: str) -> str:
    """*text* without the marks of Markdown; empty where it has none."""
    said = markdown.shown(text).text
    return "" if said == text else said


def _own_scores(measures: Sequence[Measure], held: Mapping[str, float | str | Unavailable]) -> Iterator[ReportScore]:
    """The scores of one answer; if some are for the card, these alone."""
    own = [each for each in measures if each.unit is UnitKind.ANSWER]
    for each in [each for each in own if each.on_card] or own:
        if each.name in held:
            value = held[each.name]
            known, why = (None, str(value)) if isinstance(value, Unavailable) else (value, "")
            yield ReportScore(name=each.name, title=each.title, value=known, why=why)
