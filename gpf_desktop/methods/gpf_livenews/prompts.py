"""Writes the exact message that a cell sends."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from gpf_desktop.domain.articles import Anchor
from gpf_desktop.domain.cells import Prompt
from gpf_desktop.methods.gpf_livenews.cells import Condition, Factors
from gpf_desktop.methods.gpf_livenews.protocol import Protocol, cue_not_known, inline, turn_not_known

EARLIER: Final = "Earlier in this conversation I asked:"
NOTE: Final = "Note from earlier conversations:"
"""Before what shows a reader by an earlier question, and by a note."""


def question(protocol: Protocol, factors: Factors, news: Mapping[str, str]) -> str:
    """The family's wording for *factors*, its identity filled in (none in the identity-free condition).

    *news*: what stands in wordings and not in the message layout.
    """
    family = protocol.family(factors.family)
    if factors.condition is Condition.IDENTITY_FREE:
        return _fill(family.identity_free[factors.paraphrase], news)
    if factors.condition.is_cue:
        asked = _fill(without_label(family.templates[0]), news)
        says = _shown(protocol, factors)
        match factors.condition:
            case Condition.BY_NAME:
                return f"{says} {asked}"
            case Condition.BY_HISTORY:
                return f"{EARLIER} {says}\n\n{asked}"
            case _:
                return asked
    # The question goes through `_fill` as a value, so that braces in an identity's label are never taken for fields.
    return _fill(family.templates[factors.paraphrase], {"identity": factors.identity, **news})


def without_label(template: str) -> str:
    """*template* without the sentence in which the identity is stated; empty where it has no other."""
    before, _, after = template.partition("{identity}")
    kept = re.split(r"(?<=[.!?])\s+", before)[:-1]
    rest = re.split(r"(?<=[.!?])\s+", after, maxsplit=1)[1:]
    return " ".join((*kept, *rest)).strip()


def compose(protocol: Protocol, factors: Factors, anchor: Anchor, given: str = "") -> Prompt:
    """System prompt and user message of one cell; text from the news is inserted, never interpreted.

    *given*: of a second turn, the first answer.
    """
    news = {"headline": anchor.headline, "description": anchor.description}
    own = {name: said for name, said in news.items() if f"{{{name}}}" in inline(protocol)}
    fields = {"question": question(protocol, factors, own), **news}
    if factors.condition.is_second_turn:
        first = compose(protocol, replace(factors, condition=Condition.IDENTITY), anchor)
        says = protocol.turn_says(factors.condition) or turn_not_known()
        return Prompt(system=first.system, user=says, earlier=((first.user, given),))
    system = protocol.system_prompt
    if factors.condition is Condition.BY_NOTE:
        note = f"{NOTE} {_shown(protocol, factors)}"
        system = f"{system.rstrip()}\n\n{note}".lstrip()
    # An article without a description leaves the layout's end empty.
    return Prompt(system=system, user=_fill(protocol.message_layout, fields).rstrip())


def _shown(protocol: Protocol, factors: Factors) -> str:
    return protocol.shows(factors.condition, factors.identity) or cue_not_known(factors.identity)


def _fill(layout: str, fields: Mapping[str, str]) -> str:
    """One pass over *layout*, so that braces inside a headline are never taken for fields."""
    filled: list[str] = []
    rest = layout
    while rest:
        head, brace, tail = rest.partition("{")
        filled.append(head)
        if not brace:
            break
        name, close, after = tail.partition("}")
        if close and name in fields:
            filled.append(fields[name])
            rest = after
        else:
            filled.append("{")
            rest = tail
    return "".join(filled)
