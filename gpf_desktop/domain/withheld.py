"""Texts that an artifact leaves out: what stands in their place, and how it is known again.

An audit that was opened from such an artifact holds the placeholders, and passes the same ones on.
"""

import hashlib
import re
from collections.abc import Iterable
from typing import Final

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.items import ARTICLE, StudyItem
from gpf_desktop.domain.text import tr

_PLACEHOLDER: Final = re.compile(r"\[withheld: [0-9]+ characters, SHA-256 [0-9a-f]{64}\]")


def placeholder(characters: int, digest: str) -> str:
    """Stands in the place of a text that is known by its length and SHA-256 alone."""
    return f"[withheld: {characters} characters, SHA-256 {digest}]"


def hashed(text: str) -> str:
    """The placeholder of *text*; of a placeholder, itself."""
    if is_withheld(text):
        return text
    return placeholder(len(text), hashlib.sha256(text.encode()).hexdigest())


def is_withheld(text: str) -> bool:
    """Whether *text* is a placeholder."""
    return _PLACEHOLDER.fullmatch(text) is not None


def article_text(kind: str, text: str) -> str:
    """The text of an item as an artifact without news holds it: that of an article as a placeholder."""
    return hashed(text) if kind == ARTICLE and text else text


def check_whole(items: Iterable[StudyItem]) -> None:
    """Raises `UserError` where a model would be asked about a placeholder."""
    n = sum(is_withheld(item.text) for item in items)
    if n:
        raise UserError(
            tr("The texts of {n} articles are not in this audit: it was opened from a shared file without them.", n=n),
            tr("Ask about articles that you fetch yourself, or open the audit that the shared file was made from."),
        )
