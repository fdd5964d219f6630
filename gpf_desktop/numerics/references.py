"""Finds and masks wordings that speak of people, by the patterns that a protocol carries per level.

Running some hundred regular expressions over every answer would cost more than all scores together; each
pattern is therefore run only where a literal stretch that it cannot match without stands in the text.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from gpf_desktop.domain.patterns import regex


@dataclass(frozen=True, slots=True)
class Mention:
    """A stretch of a text that a pattern matched."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Reference:
    """A compiled pattern and literals, one of which every match contains (none: always run it)."""

    pattern: re.Pattern[str]
    literals: tuple[str, ...]

    def may_match(self, folded: str) -> bool:
        """Whether running the pattern is worth it."""
        return not self.literals or any(literal in folded for literal in self.literals)

    def mentions(self, text: str, folded: str) -> Iterator[Mention]:
        """Matches in *text*; *folded* is ``text.casefold()``, made once for many patterns."""
        if self.may_match(folded):
            # In *text* itself: case-folding may change lengths ("ß"), so places in *folded* are none in it.
            for match in self.pattern.finditer(text):
                # A pattern that matches nothing would mask between all letters.
                if match.end() > match.start():
                    yield Mention(match.start(), match.end(), match.group())


_KEPT_TOKENS: Final = 50_000
_LONG_TOKEN: Final = 40


@lru_cache(maxsize=4096)
def reference(pattern: str) -> Reference:
    """*pattern* compiled without regard to case. Raises `re.error` where it is no regular expression."""
    return Reference(re.compile(pattern, re.IGNORECASE), needed_literals(pattern))


@lru_cache(maxsize=64)
def references(patterns: tuple[str, ...]) -> tuple[Reference, ...]:
    return tuple(reference(pattern) for pattern in patterns)


class _Tokens:
    """Tokens, texts between two blanks, that have one of *pieces* within them, with the numbers of the piece's
    patterns.

    Answers about one item say the same words over and over: most tokens were looked at before, and hold no piece.
    """

    def __init__(self, pieces: dict[str, set[int]]) -> None:
        self._pieces = pieces
        self._known: set[str] = set()
        self._telling: dict[str, set[int]] = {}

    def numbers(self, tokens: set[str]) -> set[int]:
        """The numbers of the patterns one of whose pieces is within one of *tokens*."""
        found: set[int] = set().union(*map(self._telling.__getitem__, self._telling.keys() & tokens))
        new = tokens - self._known
        if not new:
            return found
        if len(self._known) >= _KEPT_TOKENS:
            self._known.clear()
            self._telling.clear()
        # Each piece is looked for in all new tokens at once; none has a blank, so that none stands across two.
        together = "\n".join(new)
        for piece, numbers in [each for each in self._pieces.items() if each[0] in together]:
            found |= numbers
            for token in new:
                if piece in token:
                    self._telling.setdefault(token, set()).update(numbers)
        # Where no blanks stand between words a token is a whole sentence, which hardly comes again.
        long = {token for token in new if len(token) > _LONG_TOKEN}
        for token in long & self._telling.keys():
            del self._telling[token]
        self._known |= new - long
        return found


class Wordings:
    """Many patterns asked of the same text: each distinct literal is looked for once, in each distinct token."""

    def __init__(self, patterns: tuple[str, ...]) -> None:
        self._references = references(patterns)
        self._always = [number for number, each in enumerate(self._references) if not each.literals]
        pieces: dict[str, set[int]] = {}
        for number, each in enumerate(self._references):
            for literal in each.literals:
                # Of one with blanks the longest part without any: it stands within one token.
                pieces.setdefault(max(literal.split(), key=len), set()).add(number)
        self._tokens = _Tokens(pieces)

    def mentions(self, text: str) -> Iterator[tuple[int, Mention]]:
        """Every match with the number of its pattern, pattern by pattern."""
        folded = text.casefold()
        for number in self._likely(folded):
            for mention in self._references[number].mentions(text, folded):
                yield number, mention

    def mask(self, text: str) -> str:
        """*text* with every match, and matches that overlap as one, replaced by a space."""
        spans = sorted((mention.start, mention.end) for _, mention in self.mentions(text))
        kept: list[str] = []
        done = 0
        for start, end in spans:
            if start >= done:
                kept += (text[done:start], " ")
            done = max(done, end)
        return "".join((*kept, text[done:])) if spans else text

    def _likely(self, folded: str) -> list[int]:
        likely = self._tokens.numbers(set(folded.split()))
        # By number: callers take the first mention of each label, in the protocol's order.
        return sorted(likely.union(self._always))


@lru_cache(maxsize=64)
def wordings(patterns: tuple[str, ...]) -> Wordings:
    return Wordings(patterns)


def masked(texts: Sequence[str], patterns: tuple[str, ...]) -> Sequence[str]:
    """All *texts* masked; the very same texts where there is nothing to mask."""
    return list(map(wordings(patterns).mask, texts)) if patterns else texts


_GAP: Final = "\0"
_QUANTIFIER: Final = r"(?:[?*+]\??|\{[^}]*\}\??)"
_PIECE: Final = regex(
    r"(?P<boundary>\\[bB])"
    rf"|(?P<vague>\\.{_QUANTIFIER}?|\[\^?\]?(?:[^\]\\]|\\.)*\]{_QUANTIFIER}?|[^\\()|\[](?:[?*]\??|\{{[^}}]*\}}\??))"
    r"|(?P<plain>.)",
    re.DOTALL,
)
_GROUP: Final = regex(rf"\([^()]*\){_QUANTIFIER}?")
_CHOICE: Final = regex(r"\((?:\?:)?([^()?][^()]*)\)(?![?*{])")
_LITERAL: Final = regex(r"[^\W_]+(?:[ '-][^\W_]+)*")
_SHORT: Final = 3


def needed_literals(pattern: str) -> tuple[str, ...]:
    """Case-folded literals, one of which every match of *pattern* contains; empty where that is unsure.

    The longest stretch outside groups, or, where that is short, the choices of a group that must be there.
    """
    pattern = pattern.replace("(?-i:", "(?:")  # a match in given case, folded, has its literals all the same
    # Inline flags may change what all the rest means, as x does of spaces.
    if re.search(r"\(\?[a-zA-Z-]+[:)]", pattern):
        return ()
    plain = "".join(
        "" if piece.lastgroup == "boundary" else _GAP if piece.lastgroup == "vague" else piece.group()
        for piece in _PIECE.finditer(pattern)
    )
    outside = plain
    # From the innermost outwards: what stands in a group may be one of several choices, or absent.
    while _GROUP.search(outside):
        outside = _GROUP.sub(_GAP, outside)
    if any(sign in outside for sign in "|()"):
        return ()
    longest = _longest(outside)
    choices = [
        # Groups that begin with "?" are look-arounds: their words need not be in the match.
        tuple(_longest(choice) for choice in found.split("|"))
        for found in _CHOICE.findall(plain if plain.count("(") == len(_GROUP.findall(plain)) else "")
    ]
    # A choice without a literal could match alone, so its group says nothing; else the shortest literal counts.
    best = max((each for each in choices if all(each)), key=lambda each: min(map(len, each)), default=())
    if longest and (len(longest) >= _SHORT or not best):
        return (longest,)
    return best


def _longest(plain: str) -> str:
    return max(_LITERAL.findall(plain), key=len, default="").casefold()
