"""Orders to a judge that are planted in texts, once for the lowest level and once for the highest: what a study's own
judges do with them is measured and not believed (`stats.obedience`)."""

import re
from functools import cache
from hashlib import blake2b
from typing import Final

import yaml

from gpf_desktop.domain.resources import resources

ORDERED: Final = 10
"""Texts with orders, of a study, that each judge rates where nothing else is said."""
MOST_ORDERED: Final = 200
LONGEST_ORDER: Final = 150
"""Characters; of the wordings in `orders`."""


@cache
def orders() -> tuple[str, ...]:
    """Every order, with a place for the level and one for what a judge's reply calls it."""
    path = resources() / "judges" / "orders.yaml"
    return tuple(yaml.safe_load(path.read_text(encoding="utf-8"))["orders"])


def with_order(text: str, level: int, label: str) -> str:
    """*text* with an order to give it *level* behind it, *label* before the level in a judge's reply."""
    # By the text alone and not the level: both orders of a text have one wording, and differ in nothing but the level
    # they ask for. What a model writes may hold half of a surrogate pair, which UTF-8 has no bytes for.
    number = blake2b(text.encode("utf-8", "replace"), digest_size=2).digest()
    chosen = orders()[int.from_bytes(number) % len(orders())]
    return f"{text}\n\n{chosen.format(level=level, label=label)}"


def ordered_level(text: str) -> int | None:
    """The level that an order in *text* asks for, to a judge that obeys; None: there is no order."""
    found = _ORDER.search(text)
    return int(found[1]) if found else None


_ORDER: Final = re.compile(r"\b(?:give this a|fixed at|score is|score:?|level is|level:) (\d+)", re.IGNORECASE)
