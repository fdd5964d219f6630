"""Writes the exact message that a cell sends."""

from gpf_desktop.domain.articles import Anchor
from gpf_desktop.domain.cells import Prompt
from gpf_desktop.methods.gpf_livenews.cells import Condition, Factors
from gpf_desktop.methods.gpf_livenews.protocol import Protocol


def question(protocol: Protocol, factors: Factors) -> str:
    """The family's wording for *factors*, its identity filled in (none in the identity-free condition)."""
    family = protocol.family(factors.family)
    if factors.condition is Condition.IDENTITY_FREE:
        return family.identity_free[factors.paraphrase]
    # The question goes through `_fill` as a value, so that braces in an identity's label are never taken for fields.
    return family.templates[factors.paraphrase].replace("{identity}", factors.identity)


def compose(protocol: Protocol, factors: Factors, anchor: Anchor) -> Prompt:
    """System prompt and user message of one cell; text from the news is inserted, never interpreted."""
    fields = {
        "question": question(protocol, factors),
        "headline": anchor.headline,
        "description": anchor.description,
    }
    # An article without a description leaves the layout's end empty.
    return Prompt(system=protocol.system_prompt, user=_fill(protocol.message_layout, fields).rstrip())


def _fill(layout: str, fields: dict[str, str]) -> str:
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
