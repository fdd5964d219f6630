"""Writes what a cell sends: the context, the item, three options under letters, the question."""

import re
from collections.abc import Callable
from functools import cache, lru_cache
from itertools import permutations
from typing import Final

from gpf_desktop.domain.cells import Prompt, seed_text, seeds_of
from gpf_desktop.methods.contextual_stereoset.items import STEREOTYPE_LABELS, ChoiceItem
from gpf_desktop.methods.contextual_stereoset.protocol import Context, StereoProtocol

LETTERS: Final = "ABC"
SLOT: Final = re.compile(r"\{(\w+)\}")


def orders_of(labels: str, seed: int, item: str) -> Callable[[bytes], str]:
    """Gives the labels in the order in which a cell shows its options, drawn from (seed, item, context).

    Of the context, its `seed_text`.
    """
    orders, seed_in = _orders(labels), seeds_of(seed_text(seed, "order", item))
    return lambda context: orders[seed_in(context) % len(orders)]


@cache
def _orders(labels: str) -> tuple[str, ...]:
    return tuple(map("".join, permutations(labels)))


@lru_cache(maxsize=4096)
def context_sentences(protocol: StereoProtocol, context: Context) -> str:
    """The template with the wording of each of *context*'s levels in its slot; empty for no context."""
    if not context:
        return ""
    wordings = {factor.name: factor.level(name).wording for factor, name in zip(protocol.factors, context, strict=True)}
    # In one pass: a wording that itself holds a word in braces is not filled again.
    return " ".join(SLOT.sub(lambda slot: wordings.get(slot[1], slot[0]), protocol.template).split())


def compose(protocol: StereoProtocol, item: ChoiceItem, context: Context, wording: str, order: str) -> Prompt:
    """The exact message of one cell; an item's text is inserted, never interpreted."""
    under = item.option
    options = "\n".join([f"{letter}. {under[label]}" for letter, label in zip(LETTERS, order, strict=True)])
    question = dict(protocol.questions)[wording] if item.labels == STEREOTYPE_LABELS else protocol.vignette_question
    parts = (context_sentences(protocol, context), item.text, options, question)
    return Prompt(system=protocol.system_prompt, user="\n\n".join([part for part in parts if part]))
