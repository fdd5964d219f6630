"""Pairs of answers to prefer one by, from what reviewers called harmful: the data of DPO, in the chat form of TRL."""

import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from gpf_desktop.domain.cells import Prompt
from gpf_desktop.domain.flags import Flag
from gpf_desktop.domain.ports.method_abilities import ChoosesOptions
from gpf_desktop.domain.relations import FieldKind, Relation, RelationField, Row
from gpf_desktop.domain.reviews import Judgement, Verdict
from gpf_desktop.domain.text import tr
from gpf_desktop.domain.withheld import is_withheld
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.review.review_reading import ReadBundle, read_bundle, sent_prompt
from gpf_desktop.storage import quotes, reviews, study_entries
from gpf_desktop.storage.counted_verdicts import CountedVerdict, counted_verdicts
from gpf_desktop.storage.responses import Answer
from gpf_desktop.storage.writer import Connection

NAME: Final = "preference_pairs"
_UNFIT: Final = frozenset({Flag.REFUSAL, Flag.LEAKAGE, Flag.TRUNCATED, Flag.NO_WORD})
"""An answer with one of these is held up to no model."""


class Nearness(StrEnum):
    """How near the message of the chosen answer is to that of the rejected one; the nearest first."""

    SAME_MESSAGE = "same message"
    CONTROL = "control"
    """What the method reads beside the set, such as the same question with nobody named."""
    OTHER_LEVEL = "other level"
    """The same question at another level: for another reader."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reading:
    """One person's judgement of a set; the person who settled it has one for that too."""

    reviewer: str
    said: Judgement


def relation(connection: Connection) -> Relation:
    """A pair a row: of what was submitted, no drafts."""
    return Relation(
        name=NAME,
        words=tr("Two answers, of which a person found one harmful and marked nothing in the other"),
        fields=(
            RelationField(
                name="prompt",
                kind=FieldKind.TURNS,
                words=tr("The message that brought the rejected answer, as turns with role and content"),
            ),
            RelationField(
                name="chosen",
                kind=FieldKind.TURNS,
                words=tr("The answer in which nobody marked anything, as a turn"),
            ),
            RelationField(name="rejected", kind=FieldKind.TURNS, words=tr("The answer with marked words, as a turn")),
            RelationField(
                name="chosen_asked",
                words=tr(
                    "What the chosen answer was asked: the same message, the set's control, or the same question at"
                    " another level"
                ),
            ),
            RelationField(name="bundle_id", kind=FieldKind.INTEGER, words=tr("The set that was read")),
            RelationField(name="rejected_cell_id", kind=FieldKind.INTEGER, words=tr("The rejected answer")),
            RelationField(name="chosen_cell_id", kind=FieldKind.INTEGER, words=tr("The chosen answer")),
            RelationField(name="rejected_level", words=tr("The level that the rejected answer was asked with")),
            RelationField(name="chosen_level", words=tr("The level that the chosen answer was asked with")),
            RelationField(name="reviewers", words=tr("Who marked words of the rejected answer")),
            RelationField(name="verdict", words=tr("What the set counts as: a person's verdict, or what was settled")),
            RelationField(name="settled", kind=FieldKind.FLAG, words=tr("Reviewers disagreed, and it was settled")),
            RelationField(name="severity", kind=FieldKind.INTEGER, words=tr("1 to 4, as the set counts")),
            RelationField(name="marked", kind=FieldKind.STRUCTURE, words=tr("The marked words of the rejected answer")),
            RelationField(name="codes", words=tr("Codes that stand for them today, with semicolons between them")),
            RelationField(name="notes", words=tr("What those reviewers wrote about the set")),
            RelationField(name="method", words=tr("The method")),
            RelationField(name="model", words=tr("The model that gave the rejected answer")),
            RelationField(name="chosen_model", words=tr("The model that gave the chosen answer")),
            RelationField(name="item", words=tr("What the question was about")),
            RelationField(name="synthetic", kind=FieldKind.FLAG, words=tr("Test models answered: nothing to train on")),
        ),
        rows=_rows(connection),
        key=("rejected_cell_id", "chosen_cell_id"),
    )


def _rows(connection: Connection) -> Iterator[Row]:
    book = study_entries.code_book(connection)
    # In whatever set: the control of one is a set of its own, which somebody may have read.
    touched = frozenset(quote.cell_id for quote in quotes.quotes(connection))
    for counted in counted_verdicts(connection):
        if counted.verdict != Verdict.HARMFUL:
            continue
        bundle = read_bundle(connection, counted.bundle_id, None, None)
        read = _readings(connection, bundle, counted)
        answers = [one for each in bundle.answers for one in (each.answer, *each.repeats) if _is_there(one)]
        for rejected in answers:
            against = [
                each
                for each in read
                if each.said.verdict is Verdict.HARMFUL
                and any(passage.cell_id == rejected.cell_id for passage in each.said.passages)
            ]
            if not against:
                continue
            marked = [
                passage for each in against for passage in each.said.passages if passage.cell_id == rejected.cell_id
            ]
            codes = book.standing_of(tuple(code for passage in marked for code in passage.codes))
            prompt = sent_prompt(bundle, rejected).prompt
            for nearness, chosen in _chosen(bundle, rejected, _unmarked(bundle, answers, read, touched)):
                yield (
                    _json(_turns(prompt)),
                    _json([_turn("assistant", chosen.text)]),
                    _json([_turn("assistant", rejected.text)]),
                    nearness.value,
                    counted.bundle_id,
                    rejected.cell_id,
                    chosen.cell_id,
                    rejected.level,
                    chosen.level,
                    "; ".join(dict.fromkeys(each.reviewer for each in against)),
                    counted.verdict,
                    counted.settled_by is not None,
                    counted.severity,
                    _json([rejected.text[passage.start : passage.end] for passage in marked]),
                    "; ".join(code.name for code in codes),
                    "\n".join(dict.fromkeys(each.said.note for each in against if each.said.note)),
                    bundle.facts.method,
                    rejected.model,
                    chosen.model,
                    bundle.facts.items[rejected.item_id].title,
                    bundle.facts.synthetic,
                )


def _readings(connection: Connection, bundle: ReadBundle, counted: CountedVerdict) -> list[_Reading]:
    """The judgements on *bundle* of everybody who submitted one, and that of the person who settled it."""
    people = {each.reviewer_id: each.reviewer for each in bundle.history}
    stand = {number: reviews.state(connection, bundle.id, number).submitted for number in people}
    found = [_Reading(reviewer=people[number], said=said) for number, said in stand.items() if said is not None]
    if counted.settled_by is not None:
        settled = reviews.final(connection, bundle.id)
        found.append(_Reading(reviewer=people[counted.settled_by], said=settled))
    return found


def _unmarked(
    bundle: ReadBundle, answers: Sequence[Answer], read: Sequence[_Reading], touched: Collection[int]
) -> list[tuple[Answer, bool]]:
    """Answers of *bundle* and of its control (True) in which nobody marked words, or said that they are concerned."""
    said = {passage.cell_id for each in read for passage in each.said.passages}
    affected = {level for each in read for level in each.said.affected}
    own = [(each, False) for each in answers if each.level not in affected]
    free = [(each, True) for each in (bundle.control.generations if bundle.control else ())]
    return [(each, control) for each, control in (*own, *free) if each.cell_id not in {*said, *touched}]


def _chosen(
    bundle: ReadBundle, rejected: Answer, unmarked: Sequence[tuple[Answer, bool]]
) -> list[tuple[Nearness, Answer]]:
    """The answers that may be preferred to *rejected*: of those available, the ones nearest to what it was asked."""
    fit = [
        (each, control) for each, control in unmarked if each.item_id == rejected.item_id and _is_fit(each, rejected)
    ]
    asked = sent_prompt(bundle, rejected).prompt
    if same := [each for each, _ in fit if sent_prompt(bundle, each).prompt == asked]:
        return [(Nearness.SAME_MESSAGE, each) for each in same]
    if isinstance(catalogue.method(bundle.facts.method), ChoosesOptions):
        # A letter that was chosen names another option under another message.
        return []
    if free := [each for each, control in fit if control]:
        return [(Nearness.CONTROL, each) for each in free]
    return [(Nearness.OTHER_LEVEL, each) for each, _ in fit]


def _is_there(answer: Answer) -> bool:
    return not answer.missing and bool(answer.text.strip()) and not is_withheld(answer.text)


def _is_fit(answer: Answer, rejected: Answer) -> bool:
    flagged = _UNFIT & {flag for flag, _ in answer.flags}
    return _is_there(answer) and not answer.truncated and not flagged and answer.text != rejected.text


def _turns(prompt: Prompt) -> list[dict[str, str]]:
    system = [_turn("system", prompt.system)] if prompt.system else []
    earlier = [turn for asked, said in prompt.earlier for turn in (_turn("user", asked), _turn("assistant", said))]
    return [*system, *earlier, _turn("user", prompt.user)]


def _turn(role: str, content: str) -> dict[str, str]:
    return {"role": role, "content": content}


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
