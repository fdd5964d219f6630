"""The next steps, which would tell more than a page of conclusions does: what somebody can do, a sentence each, on the
page and in the brief alike."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from gpf_desktop.domain.conclusions.conclusion import ConclusionOutcome
from gpf_desktop.domain.conclusions.counts import count_word
from gpf_desktop.domain.conclusions.reading import to_read_first
from gpf_desktop.domain.conclusions.rendering import ToldPage
from gpf_desktop.domain.ports.method_abilities import Concludes
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.reporting.incomplete_sets import MissingAnswers


@dataclass(frozen=True, slots=True, kw_only=True)
class SetsRead:
    """Counts of the sets that people have read and submitted."""

    sets: int = 0
    once: int = 0
    """One person alone has read them."""

    @classmethod
    def of(cls, bundles: Iterable[int]) -> "SetsRead":
        """*bundles*: one for each reading."""
        readings = Counter(bundles)
        return cls(sets=len(readings), once=sum(n == 1 for n in readings.values()))


def next_steps(told: ToldPage, missing: MissingAnswers, read: SetsRead, *, draft: bool) -> Iterator[str]:
    """The next steps in the order in which they tell most; *draft*: declarations are missing."""
    little, look = too_little(told), next_look(told)
    # Nothing rests on answers of which too few were asked for.
    if not little:
        yield from _to_read(told, read)
    if look or little:
        yield look or little
    if missing.n:
        yield _to_ask(missing)
    if unknown := told.page.unknown_refusals:
        yield unknown
    failed = [one.words for each in told.told for one in each.conclusion.measures if one.voided_by]
    if failed and not little:
        yield tr("Mend or replace what failed its check: {measures}.", measures=", ".join(dict.fromkeys(failed)))
    if not (look or little) and any(each.conclusion.outcome is ConclusionOutcome.NOT_SHOWN for each in told.told):
        yield tr("Plan a larger round and register it: what is not settled here may be settled then.")
    if draft:
        yield tr("Fill in the declarations, under Reports, and sign: until then this is a draft.")


def _to_read(told: ToldPage, read: SetsRead) -> Iterator[str]:
    if read.once:
        yield trn(
            "Have a second person read {k} set that one person alone has read.",
            "Have a second person read the {k} sets that one person alone has read.",
            read.once,
            k=count_word(read.once),
        )
    unread = len(to_read_first(told.page)) - read.sets
    if unread > 0:
        yield trn(
            "Have two people, each alone, read the one set of compared answers on which this rests most.",
            "Have two people, each alone, read the {k} sets of compared answers on which this rests most.",
            unread,
            k=count_word(unread),
        )


def _to_ask(missing: MissingAnswers) -> str:
    n, m = missing.n, missing.model
    why = tr(" ({reasons})", reasons=missing.why) if missing.why else ""
    if m and missing.every:
        return trn(
            "Ask again what is missing: {n} answer, of {m}{why}.",
            "Ask again what is missing: {n:,} answers, all of {m}{why}.",
            n,
            m=m,
            why=why,
        )
    if m:
        return tr("Ask again what is missing: {n:,} answers, most of them of {m}{why}.", n=n, m=m, why=why)
    return trn(
        "Ask again what is missing: {n} answer{why}.", "Ask again what is missing: {n:,} answers{why}.", n, why=why
    )


def next_look(told: ToldPage) -> str:
    """A sentence that says what to add for the next planned look; empty if none is to come."""
    standing = told.told[0].conclusion.standing if told.told else None
    method = catalogue.method(told.page.method)
    more = 0 if standing is None or standing.next_at is None else standing.next_at - standing.items
    if standing is None or more <= 0 or not isinstance(method, Concludes):
        return ""
    return tr(
        "The next planned look waits for more: add {items}{where}.",
        items=method.voice.counted(more),
        where=f", {method.voice.counted_with}" if standing.asked > standing.items else "",
    )


def too_little(told: ToldPage) -> str:
    """A sentence that a larger round would tell, and why, if too little was asked of every model; else empty."""
    method = catalogue.method(told.page.method)
    of = [each.conclusion for each in told.told]
    if not isinstance(method, Concludes) or any(each.outcome is not ConclusionOutcome.TOO_FEW for each in of):
        return ""
    why = " ".join(dict.fromkeys(method.voice.needs(each) for each in of))
    return tr("A larger round. {why}", why=why) if why else ""
