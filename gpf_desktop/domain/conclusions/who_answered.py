"""The caveat about who answered, as servers say, on every method's conclusions: one gate, applied in one place."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from gpf_desktop.domain.conclusions.conclusion import Caveat
from gpf_desktop.domain.conclusions.gates import Gate, GateReading, PageEvidence
from gpf_desktop.domain.served import ServedNote
from gpf_desktop.domain.text import trn

WHO_ANSWERED: Final = Gate(key="who_answered", most=0)
"""Shuts where another name than the one asked for answered, or another than before: the numbers may be those of two
models."""


def with_who_answered(evidence: PageEvidence, notes: Sequence[ServedNote], *, together: bool) -> PageEvidence:
    """*evidence*, with what of *notes* weighs on each of its models.

    *together*: models are measured by each other, so that a change of one weighs on all. One of a judge or an encoder
    always does.
    """
    weighing = [note for note in notes if note.weighs]
    if not weighing:
        return evidence
    found = []
    for each in evidence.of:
        own = [note.words for note in weighing if note.model == each.model]
        own += [note.sentence for note in weighing if note.model != each.model and (together or not note.answering)]
        reading = GateReading(value=len(own), numbers={"said": own[0], "more": len(own) - 1} if own else {})
        found.append(replace(each, readings={**each.readings, WHO_ANSWERED.key: reading}))
    return replace(evidence, of=tuple(found))


def words_of(caveat: Caveat) -> str:
    """The first change in its sentence, and how many more there are."""
    said, more = str(caveat.numbers["said"]), int(caveat.numbers["more"])
    if not more:
        return said
    rest = trn("{n} more such change stands under Rounds.", "{n} more such changes stand under Rounds.", more)
    return f"{said} {rest}"
