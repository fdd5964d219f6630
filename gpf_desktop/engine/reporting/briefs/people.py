"""The part of a brief about people's readings: quotes come only from sets that a person read and submitted."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from gpf_desktop.domain.check_codes import check_code
from gpf_desktop.domain.codes import CodeBook
from gpf_desktop.domain.conclusions.counts import capital, count_word
from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.models import short_names
from gpf_desktop.domain.report_blocks import Bar, BarPart, Block, Loudness, Paragraph, Quote, Quotes
from gpf_desktop.domain.reviews import MarkedPassage, ReviewAction, ReviewEntry, Verdict
from gpf_desktop.domain.study_entries import STUDY
from gpf_desktop.domain.text import shortened, tr, trn, within
from gpf_desktop.domain.verdict_words import judged, severity_word, verdict_called
from gpf_desktop.engine.core.context import EngineContext
from gpf_desktop.engine.core.factor_words import item_words, place_words
from gpf_desktop.engine.reporting.judged_samples import judged_sample, judged_words
from gpf_desktop.engine.review.answer_letters import with_names
from gpf_desktop.engine.review.choice_grid import choice_grid
from gpf_desktop.engine.review.review_reading import ReadAnswer, ReadBundle, read_bundle
from gpf_desktop.storage import reviewers, study_entries, submissions
from gpf_desktop.storage.counted_verdicts import CountedVerdict, counted_verdicts
from gpf_desktop.storage.submissions import Said

MOST_QUOTES: Final = 6
_QUOTED: Final = 260
"""Characters of an answer in a quote."""
_NOTE: Final = 220
_HEADLINE: Final = 70
_MEMOS: Final = 2
"""On the study as a whole, that a brief has room for; the annex has all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PeopleRead:
    """People's readings within a window: the blocks of the brief, and counts of sets."""

    blocks: tuple[Block, ...]
    sets: int
    harmful: int
    once: int = 0
    """Sets that one person alone has read."""


def people_read(context: EngineContext, within: frozenset[int], setting_id: int | None, *, named: bool) -> PeopleRead:
    """People's readings of the bundles *within*; *named*: reviewers by their names. Blocks."""
    said = [each for each in context.audit.read(submissions.standing) if int(each.bundle_id) in within]
    counted = [each for each in context.audit.read(counted_verdicts) if int(each.bundle_id) in within]
    if not said:
        nobody = tr("Nobody has read these answers. Numbers alone say nothing about harm.")
        return PeopleRead(blocks=(Paragraph(text=nobody, voice=Loudness.LEAD),), sets=0, harmful=0)
    called = reviewers_called(context, named=named)
    reading = [
        context.audit.read(partial(read_bundle, bundle_id=each.bundle_id, setting_id=setting_id, reviewer_id=None))
        for each in in_order(counted)[:MOST_QUOTES]
    ]
    verdicts = {each.bundle_id: each for each in counted}
    names = short_names(read.model for read in reading)
    book = context.audit.read(study_entries.code_book)
    quotes = tuple(_quote(read, verdicts[read.id], called, names[read.model], book) for read in reading)
    more = len(counted) - len(quotes)
    blocks: list[Block] = [
        Paragraph(text=_summary(said, counted, context, within)),
        *([Paragraph(text=tested)] if (tested := judged_words(judged_sample(context))) else []),
        _bar(counted),
        Quotes(quotes=quotes),
        Paragraph(
            text=tr(
                "Each passage is an example from one set of answers. How often there are such, the numbers say, and not"
                " the example."
            ),
            voice=Loudness.SMALL,
        ),
    ]
    if more:
        rest = trn("{n} more set was read: annex, section 10.", "{n} more sets were read: annex, section 10.", more)
        blocks.append(Paragraph(text=rest, voice=Loudness.SMALL))
    noted = [
        each.text for each in context.audit.read(study_entries.memos) if each.subject == STUDY and each.text.strip()
    ]
    for text in noted[:_MEMOS]:
        words = tr("A reviewer on all of it: “{memo}”", memo=shortened(" ".join(text.split()), _NOTE))
        blocks.append(Paragraph(text=words))
    harmful = sum(each.verdict == Verdict.HARMFUL for each in counted)
    readers = Counter(each.bundle_id for each in said)
    once = sum(n == 1 for n in readers.values())
    return PeopleRead(blocks=tuple(blocks), sets=len(counted), harmful=harmful, once=once)


def reviewers_called(context: EngineContext, *, named: bool) -> Mapping[int, str]:
    """The name of each reviewer in a report, by id: their own, or a number in the order of their first decisions."""
    every = context.audit.read(reviewers.in_order_of_entries)
    return {int(one.id): one.name if named else tr("Reviewer {n}", n=n) for n, one in enumerate(every, start=1)}


def in_order(counted: Sequence[CountedVerdict]) -> list[CountedVerdict]:
    """Harmful and settled first, the gravest of them before the others; an open disagreement comes last."""

    def rank(each: CountedVerdict) -> tuple[bool, bool, int, bool, int]:
        harmful = each.verdict == Verdict.HARMFUL
        return (not harmful, each.settled_by is None, -(each.severity or 0), each.verdict is None, int(each.bundle_id))

    return sorted(counted, key=rank)


def _summary(
    said: Sequence[Said], counted: Sequence[CountedVerdict], context: EngineContext, within: frozenset[int]
) -> str:
    people = len({each.reviewer_id for each in said})
    by_set: dict[BundleId, list[str]] = {}
    for each in said:
        by_set.setdefault(each.bundle_id, []).append(each.verdict)
    blind = context.audit.read(submissions.read_blind)
    hidden = sum((each.bundle_id, each.reviewer_id) in blind for each in said)
    lines = [
        tr(
            "{people} read {sets} of {all:,} sets of answers, {hidden}.",
            people=trn("{k} reviewer", "{k} reviewers", people, k=capital(people)),
            sets=count_word(len(by_set)),
            all=len(within),
            hidden=tr("names and model hidden")
            if hidden == len(said)
            else tr("with names and model in sight")
            if not hidden
            else tr("names and model hidden in {k} of {of} readings", k=hidden, of=len(said)),
        )
    ]
    twice = [verdicts for verdicts in by_set.values() if len(verdicts) > 1]
    if not twice:
        lines.append(tr("No set was read by two people, so nobody knows if another would agree."))
        return " ".join(lines)
    agreed = sum(len(set(verdicts)) == 1 for verdicts in twice)
    lines.append(
        tr("Of {of} sets that two or more read, they agreed on {k}.", of=count_word(len(twice)), k=count_word(agreed))
    )
    settled = sum(each.settled_by is not None for each in counted)
    still_open = sum(each.verdict is None for each in counted)
    if settled:
        lines.append(trn("{k} was settled.", "{k} were settled.", settled, k=capital(settled)))
    if still_open:
        lines.append(trn("{k} is open.", "{k} are open.", still_open, k=capital(still_open)))
    return " ".join(lines)


def _bar(counted: Sequence[CountedVerdict]) -> Bar:
    counts = Counter(each.verdict for each in counted)
    grave = Counter(each.severity for each in counted if each.verdict == Verdict.HARMFUL and each.severity)
    parts = [
        BarPart(
            count=counts[str(verdict)],
            words=verdict_called(verdict),
            below=", ".join(
                tr("{n} {word}", n=n, word=severity_word(severity))
                for severity, n in sorted(grave.items(), reverse=True)
            )
            if verdict is Verdict.HARMFUL
            else "",
        )
        for verdict in Verdict
        if counts[str(verdict)]
    ]
    if counts[None]:
        parts.append(BarPart(count=counts[None], words=tr("Not agreed")))
    return Bar(parts=tuple(parts))


def _quote(read: ReadBundle, counted: CountedVerdict, called: Mapping[int, str], model: str, book: CodeBook) -> Quote:
    entries = _standing(read)
    every = [(entry, each) for entry in entries for each in entry.judgement.passages]
    # What somebody gave a code is what they can say most of.
    marked = next((each for each in every if each[1].codes), next(iter(every), None))
    level, words, code = "", "", ""
    if marked is not None:
        answer = _of_cell(read, marked[1])
        if answer is not None:
            level, words = answer.level, _cut(_words(answer, marked[1]))
            code = check_code(_whole(answer, marked[1]))
    elif (answer := _affected(read, entries)) is not None:
        # Nobody marked words of it, so none are held up as what was meant.
        level = answer.level
    verdict = _counts(counted) or tr("Not agreed")
    codes = () if marked is None else tuple(code.name for code in book.standing_of(marked[1].codes))
    if codes:
        verdict = tr("{verdict} · {codes}", verdict=verdict, codes=", ".join(codes))
    return Quote(
        verdict=verdict,
        place=_place(read, level, model),
        words=words,
        said=(*_all_said(entries, read, counted, called), *_settled(read, called)),
        code=code,
    )


def _standing(read: ReadBundle) -> list[ReviewEntry]:
    """Each reviewer's standing submission, in the order in which they were made."""
    now: dict[int, ReviewEntry] = {}
    for entry in read.history:
        if entry.action is ReviewAction.SUBMIT:
            now.pop(int(entry.reviewer_id), None)
            now[int(entry.reviewer_id)] = entry
        elif entry.action is ReviewAction.WITHDRAW:
            now.pop(int(entry.reviewer_id), None)
    return list(now.values())


def _all_said(
    entries: Sequence[ReviewEntry], read: ReadBundle, counted: CountedVerdict, called: Mapping[int, str]
) -> list[str]:
    """A line each; who says what another said before says so too."""
    lines: list[str] = []
    before = False
    for entry in entries:
        lines.append(_said(entry, read, counted, called, too=before))
        before = before or _own(entry) == _counts(counted)
    return lines


def _own(entry: ReviewEntry) -> str:
    said = entry.judgement
    return judged(said.verdict, said.severity) if said.verdict else ""


def _counts(counted: CountedVerdict) -> str:
    return judged(Verdict(counted.verdict), counted.severity) if counted.verdict else ""


def _said(
    entry: ReviewEntry, read: ReadBundle, counted: CountedVerdict, called: Mapping[int, str], *, too: bool
) -> str:
    said = entry.judgement
    who = called.get(int(entry.reviewer_id), entry.reviewer)
    own = _own(entry)
    # A grid of choices shows no letters: an A in a note is the option.
    seen = () if choice_grid(read) else said.letters or tuple(answer.level for answer in read.answers)
    note = shortened(" ".join(with_names(said.note, seen).split()), _NOTE)
    if own == _counts(counted):
        if note:
            return tr("{who}: “{note}”", who=who, note=note)
        return tr("{who} gave this verdict too.", who=who) if too else tr("{who} gave this verdict.", who=who)
    if note:
        return tr("{who} said {verdict}: “{note}”", who=who, verdict=within(own), note=note)
    return tr("{who} said {verdict}.", who=who, verdict=within(own))


def _settled(read: ReadBundle, called: Mapping[int, str]) -> tuple[str, ...]:
    if read.settled is None:
        return ()
    who = called.get(int(read.settled.reviewer_id), read.settled.reviewer)
    return (tr("{who} settled it.", who=who),)


def _place(read: ReadBundle, level: str, model: str) -> str:
    varies = model == level or read.facts.model_id is None
    to = level if level and not varies else ""
    where = to or ", ".join(place_words(read.facts.method, read.facts.coordinates))
    said = (
        where,
        shortened(" ".join(item_words(read.facts.method, read.anchor.headline).split()), _HEADLINE),
        level if varies and level else model,
    )
    return " · ".join(dict.fromkeys(filter(None, said)))


def _of_cell(read: ReadBundle, marked: MarkedPassage) -> ReadAnswer | None:
    return next(
        (each for each in read.answers if marked.cell_id in (each.cell_id, *(one.cell_id for one in each.repeats))),
        None,
    )


def _whole(answer: ReadAnswer, marked: MarkedPassage) -> str:
    return next(one.text for one in (answer.answer, *answer.repeats) if one.cell_id == marked.cell_id)


def _words(answer: ReadAnswer, marked: MarkedPassage) -> str:
    return " ".join(_whole(answer, marked)[marked.start : marked.end].split())


def _affected(read: ReadBundle, entries: Sequence[ReviewEntry]) -> ReadAnswer | None:
    """The first answer that a reviewer ticked, where nobody marked any words."""
    levels = {level for entry in entries for level in entry.judgement.affected}
    return next((each for each in read.answers if each.level in levels and each.answer.text), None)


def _cut(words: str) -> str:
    """The answer's own words, as many as a quote holds, to the end of one."""
    if len(words) <= _QUOTED:
        return words
    return f"{words[:_QUOTED].rpartition(' ')[0]} …"
