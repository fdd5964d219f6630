"""The history of a quoted bundle, in words that say who did what: a reading that was taken back is no verdict.

Answers stand in a report under their levels, so letters in what people wrote are told with these.
"""

from dataclasses import replace
from typing import Final, assert_never

from gpf_desktop.domain.codes import CodeBook
from gpf_desktop.domain.reports import ReportPassage, ReportReading
from gpf_desktop.domain.reviews import Correction, Judgement, MarkedPassage, ReviewAction, ReviewEntry
from gpf_desktop.domain.text import tr
from gpf_desktop.domain.verdict_words import judged
from gpf_desktop.engine.review.answer_letters import with_names
from gpf_desktop.engine.review.choice_grid import choice_grid
from gpf_desktop.engine.review.review_reading import ReadBundle

NO_CODES: Final = CodeBook()


def readings(bundle: ReadBundle, book: CodeBook = NO_CODES) -> tuple[ReportReading, ...]:
    """Oldest first; *book* says what the codes of passages are called."""
    return tuple(_coded(_reading(entry, bundle), entry, book) for entry in bundle.history)


def _coded(reading: ReportReading, entry: ReviewEntry, book: CodeBook) -> ReportReading:
    """*reading* with the names of codes before the comments of its passages."""
    marked = entry.judgement.passages
    if not reading.passages or not any(each.codes for each in marked):
        return reading
    told = zip(reading.passages, marked, strict=True)
    passages = (replace(each, comment=with_codes(each.comment, one, book)) for each, one in told)
    return replace(reading, passages=tuple(passages))


def with_codes(comment: str, marked: MarkedPassage, book: CodeBook) -> str:
    """“[Talks down] and so on”: *comment* behind the names of the passage's codes."""
    names = ", ".join(code.name for code in book.standing_of(marked.codes))
    return " ".join(filter(None, (f"[{names}]" if names else "", comment)))


def _reading(entry: ReviewEntry, bundle: ReadBundle) -> ReportReading:
    said = entry.judgement
    match entry.action:
        case ReviewAction.SUBMIT:
            return _said(entry, _words(said), bundle)
        case ReviewAction.ADJUDICATE:
            what = tr("settled: {words}", words=_words(said)) if said.verdict else tr("opened the disagreement again")
            return _said(entry, what, bundle)
        case ReviewAction.WITHDRAW:
            what = tr("took back: {words}", words=_words(said))
        case ReviewAction.FLAG:
            what = tr("flagged for another look") if said.flagged else tr("took the flag off")
        case ReviewAction.REVEAL:
            what = tr("had the names shown, after reading with names hidden")
        case ReviewAction.CORRECT:
            what = "; ".join(_corrected(each, bundle) for each in said.corrections)
        case ReviewAction.RATE:
            what = tr(
                "rated an answer with the marks hidden, as {level}",
                level=", ".join(each.category for each in said.corrections),
            )
        case ReviewAction.JOIN:
            what = tr("joined two histories that were continued on two machines")
        case _:
            assert_never(entry.action)
    return ReportReading(reviewer=entry.reviewer, at=entry.at, what=what, note=entry.reason)


def _said(entry: ReviewEntry, what: str, bundle: ReadBundle) -> ReportReading:
    said = entry.judgement
    # A grid of choices shows no letters: an A in a note is the option.
    seen = () if choice_grid(bundle) else said.letters or tuple(answer.level for answer in bundle.answers)
    return ReportReading(
        reviewer=entry.reviewer,
        at=entry.at,
        what=what,
        note=" ".join(part for part in (with_names(said.note, seen), entry.reason) if part),
        passages=tuple(
            _passage(replace(each, comment=with_names(each.comment, seen)), bundle) for each in said.passages
        ),
    )


def _corrected(each: Correction, bundle: ReadBundle) -> str:
    where = next((one.level for one in bundle.answers if one.cell_id == each.cell_id), "")
    if not each.category:
        return tr("took a correction back, the rules hold: {rules} ({where})", rules=each.rules, where=where)
    return tr("corrected {rules} to {category} ({where})", rules=each.rules, category=each.category, where=where)


def _words(said: Judgement) -> str:
    parts = [judged(said.verdict, said.severity)] if said.verdict is not None else []
    if said.affected:
        parts.append(tr("affected: {levels}", levels=", ".join(said.affected)))
    if said.tags:
        parts.append(tr("tags: {tags}", tags=", ".join(said.tags)))
    return "; ".join(parts)


def _passage(marked: MarkedPassage, bundle: ReadBundle) -> ReportPassage:
    for each in bundle.answers:
        for answer in (each.answer, *each.repeats):
            if answer.cell_id == marked.cell_id:
                words = " ".join(answer.text[marked.start : marked.end].split())
                return ReportPassage(level=each.level, words=words, comment=marked.comment)
    return ReportPassage(level="", words="", comment=marked.comment)
