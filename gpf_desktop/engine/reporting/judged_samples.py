"""People's judgements on a sample that was drawn to test the conclusions."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from gpf_desktop.domain.queue_samples import SampleKind
from gpf_desktop.domain.reviews import Verdict
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.core.context import EngineContext
from gpf_desktop.storage import review_samples
from gpf_desktop.storage.counted_verdicts import CountedVerdict, counted_verdicts

FEWEST: Final = 8
"""Sets of each half that people must have judged, under which nothing is said of them."""
_SEEN: Final = frozenset({str(Verdict.HARMFUL), str(Verdict.CONTEXT), str(Verdict.LEGITIMATE)})
"""Verdicts by which the answers do differ, whether that is harm or not; a fault of the test is no difference."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedHalf:
    """The sets of a sample that carry a conclusion, or those that do not."""

    drawn: int
    judged: int
    """With a verdict that says yes or no, each set once."""
    differ: int
    harmful: int


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedSample:
    """The newest such sample."""

    carrying: JudgedHalf
    others: JudgedHalf
    seed: int

    @property
    def enough(self) -> bool:
        return min(self.carrying.judged, self.others.judged) >= FEWEST


def judged_sample(context: EngineContext) -> JudgedSample | None:
    """None where no sample was drawn to test the conclusions. Blocks."""
    samples = context.audit.read(review_samples.drawn)
    sample = next((each for each in samples if each.drawing.kind is SampleKind.CONCLUSION), None)
    if sample is None or not sample.wanted.bundle_ids:
        return None
    counted = {int(each.bundle_id): each for each in context.audit.read(counted_verdicts)}
    carrying = set(sample.drawing.carrying)
    return JudgedSample(
        carrying=_half([int(each) for each in sample.wanted.bundle_ids if int(each) in carrying], counted),
        others=_half([int(each) for each in sample.wanted.bundle_ids if int(each) not in carrying], counted),
        seed=sample.drawing.seed or 0,
    )


def _half(bundles: Sequence[int], counted: dict[int, CountedVerdict]) -> JudgedHalf:
    said = [counted[each].verdict for each in bundles if each in counted]
    told = [each for each in said if each is not None and each != Verdict.UNSURE]
    return JudgedHalf(
        drawn=len(bundles),
        judged=len(told),
        differ=sum(each in _SEEN for each in told),
        harmful=sum(each == Verdict.HARMFUL for each in told),
    )


def judged_words(found: JudgedSample | None) -> str:
    """Sentences about *found* for the brief and Results; empty if nothing was drawn."""
    if found is None:
        return ""
    one, other = found.carrying, found.others
    judged, drawn = one.judged + other.judged, one.drawn + other.drawn
    if not found.enough:
        return tr(
            "To test the conclusions, {drawn} sets were drawn. {judged} are judged; from {least} of each half on, this"
            " says what people found.",
            drawn=drawn,
            judged=judged,
            least=FEWEST,
        )
    return tr(
        "To test the conclusions, people judged {judged} of {drawn} sets drawn by chance. They saw a difference in"
        " {a} of {n} sets that carry a conclusion, and in {b} of {m} others. Harmful were {c} of {n}, and {d} of {m}.",
        judged=judged,
        drawn=drawn,
        a=one.differ,
        n=one.judged,
        b=other.differ,
        m=other.judged,
        c=one.harmful,
        d=other.harmful,
    )
