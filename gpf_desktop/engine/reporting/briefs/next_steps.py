"""The next steps in a brief: what somebody can do, a sentence each."""

from collections.abc import Iterator
from typing import Any

from gpf_desktop.domain.conclusions.conclusion import ConclusionOutcome
from gpf_desktop.domain.conclusions.reading import to_read_first
from gpf_desktop.domain.conclusions.rendering import ToldPage, count_word
from gpf_desktop.domain.models import short_names
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.engine.reporting.briefs.people import PeopleRead
from gpf_desktop.engine.reporting.what_next import next_look, too_little


def next_steps(told: ToldPage, main: Any, people: PeopleRead, *, draft: bool) -> Iterator[str]:
    """The next steps in the order in which they tell most. *main*: the sets that are counted; *draft*: declarations are
    missing."""
    little, look = too_little(told), next_look(told)
    # Nothing rests on answers of which too few were asked for.
    if not little:
        yield from _to_read(told, people)
    if look or little:
        yield look or little
    missing = int(main["planned"].sum()) - int(main["valid"].sum())
    if missing > 0:
        yield _lost(main, missing)
    if unknown := told.page.unknown_refusals:
        yield unknown
    failed = [one.words for each in told.told for one in each.conclusion.measures if one.voided_by]
    if failed and not little:
        yield tr("Mend or replace what failed its check: {measures}.", measures=", ".join(dict.fromkeys(failed)))
    if not (look or little) and any(each.conclusion.outcome is ConclusionOutcome.NOT_SHOWN for each in told.told):
        yield tr("Plan a larger round and register it: what is not settled here may be settled then.")
    if draft:
        yield tr("Fill in the declarations, under Reports, and sign: until then this is a draft.")


def _to_read(told: ToldPage, people: PeopleRead) -> Iterator[str]:
    if people.once:
        yield trn(
            "Have a second person read {k} set that one person alone has read.",
            "Have a second person read the {k} sets that one person alone has read.",
            people.once,
            k=count_word(people.once),
        )
    unread = len(to_read_first(told.page)) - people.sets
    if unread > 0:
        yield trn(
            "Have two people, each alone, read {k} set of answers on which this rests most: nobody has read it.",
            "Have two people, each alone, read {k} sets of answers on which this rests most: nobody has read them.",
            unread,
            k=count_word(unread),
        )


def _lost(main: Any, missing: int) -> str:
    lacks = (main["planned"] - main["valid"]).groupby(main["model"].astype(str)).sum()
    worst = str(lacks.idxmax())
    name = short_names(map(str, lacks.index))[worst]
    if int(lacks.max()) == missing and name:
        return trn(
            "Ask again what was lost: {n} answer, of {m}, was declined, unreadable or lost.",
            "Ask again what was lost: {n:,} answers, all of {m}, were declined, unreadable or lost.",
            missing,
            m=name,
        )
    if int(lacks.max()) * 2 > missing and name:
        return tr(
            "Ask again what was lost: {n:,} answers, most of them of {m}, were declined, unreadable or lost.",
            n=missing,
            m=name,
        )
    return trn(
        "Ask again what was lost: {n} answer was declined, unreadable or lost.",
        "Ask again what was lost: {n:,} answers were declined, unreadable or lost.",
        missing,
    )
