"""What a question is about."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from gpf_desktop.domain.text import trn

ARTICLE = "article"
"""The kind of news items."""


def items_in_words(kinds: Collection[str], n: int) -> str:
    """So many, as people call those of *kinds*."""
    return trn("{n} article", "{n} articles", n) if set(kinds) == {ARTICLE} else trn("{n} item", "{n} items", n)


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyItem:
    """An item as a batch froze it: a news article, or whatever else a method asks about."""

    kind: str = ARTICLE
    key: str
    """Decides which bundles are repeated, so that models are compared on the same ones."""
    title: str
    text: str
    stratum: str = ""
    data: Mapping[str, object] = field(default_factory=dict)
    """What a method needs beyond these, as JSON holds it."""
