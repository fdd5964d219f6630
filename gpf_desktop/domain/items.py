"""The items that questions are about."""

from collections.abc import Mapping
from dataclasses import dataclass, field

ARTICLE = "article"
"""The kind of news items."""


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
    """Data that a method needs beyond these, as JSON holds it."""
