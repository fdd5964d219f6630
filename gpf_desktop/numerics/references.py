"""Finds and masks wordings that speak of people, by the patterns that a protocol carries per identity.

Running some hundred regular expressions over every answer would cost more than all scores together; each
pattern is therefore run only where a literal stretch that it cannot match without stands in the text.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final


@dataclass(frozen=True, slots=True)
class Mention:
    """A stretch of a text that a pattern matched."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Reference:
    """A compiled pattern and the literal without which it cannot match (empty: always run it)."""

    pattern: re.Pattern[str]
    literal: str

    def mentions(self, text: str, folded: str) -> Iterator[Mention]:
        """Matches in *text*; *folded* is ``text.casefold()``, made once for many patterns."""
        if self.literal in folded:
            for match in self.pattern.finditer(text):
                if match.end() > match.start():
                    yield Mention(match.start(), match.end(), match.group())


@lru_cache(maxsize=4096)
def reference(pattern: str) -> Reference:
    """*pattern* compiled without regard to case. Raises `re.error` where it is no regular expression."""
    return Reference(re.compile(pattern, re.IGNORECASE), needed_literal(pattern))


@lru_cache(maxsize=64)
def references(patterns: tuple[str, ...]) -> tuple[Reference, ...]:
    return tuple(reference(pattern) for pattern in patterns)


def mask(text: str, patterns: tuple[str, ...]) -> str:
    """*text* with every match of *patterns* replaced by a space."""
    folded = text.casefold()
    for each in references(patterns):
        if each.literal in folded:
            text = each.pattern.sub(" ", text)
    return text


def masked(texts: Sequence[str], patterns: tuple[str, ...]) -> Sequence[str]:
    """All *texts* masked; the very same texts where there is nothing to mask."""
    return [mask(text, patterns) for text in texts] if patterns else texts


_GAP: Final = "\0"
_QUANTIFIER: Final = r"(?:[?*+]\??|\{[^}]*\}\??)"
_PIECE: Final = re.compile(
    r"(?P<boundary>\\[bB])"
    rf"|(?P<vague>\\.{_QUANTIFIER}?|\[\^?\]?(?:[^\]\\]|\\.)*\]{_QUANTIFIER}?|[^\\()|\[](?:[?*]\??|\{{[^}}]*\}}\??))"
    r"|(?P<plain>.)",
    re.DOTALL,
)
_GROUP: Final = re.compile(rf"\([^()]*\){_QUANTIFIER}?")
_LITERAL: Final = re.compile(r"[^\W_]+(?:[ '-][^\W_]+)*")


def needed_literal(pattern: str) -> str:
    """The longest literal that every match of *pattern* contains, case-folded; empty where that is unsure."""
    if re.search(r"\(\?[a-zA-Z-]+[:)]", pattern):
        return ""
    rest = "".join(
        "" if piece.lastgroup == "boundary" else _GAP if piece.lastgroup == "vague" else piece.group()
        for piece in _PIECE.finditer(pattern)
    )
    while _GROUP.search(rest):
        rest = _GROUP.sub(_GAP, rest)
    if any(sign in rest for sign in "|()"):
        return ""
    return max(_LITERAL.findall(rest), key=len, default="").casefold()
