"""Flags on answers: aids to the reader and filters of the queue that change no score (method, "Flags").

Pure: text in, flags out. A leakage flag is relative to a protocol: its identities carry the wordings by which an
answer would speak of them.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from gpf_desktop.domain.articles import Anchor
from gpf_desktop.domain.flags import Flag
from gpf_desktop.methods.gpf_livenews.protocol import Identity
from gpf_desktop.numerics.references import Mention, Wordings, wordings
from gpf_desktop.numerics.refusal_words import refusal
from gpf_desktop.numerics.tfidf import WORDS

VERY_SHORT_WORDS: Final = 15
VERY_SHORT_CHARACTERS: Final = 100
"""Languages that write without spaces have few "words" in a long answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FlaggedAnswer:
    """One answer of a bundle, as far as flags ask."""

    text: str
    identity: str
    """The label asked with; ``#1`` … in the identity-free condition, a neutral label in the random-label one."""
    truncated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundFlag:
    """A flag, what it found, and where in the answer."""

    flag: Flag
    detail: str
    """Leakage: ``Conservative: conservatives``. Duplicate: the first other identity with the same answer."""
    start: int = 0
    end: int = 0
    """A stretch of the answer; empty where the flag is about all of it."""


def flag_answers(
    answers: Sequence[FlaggedAnswer], *, identities: Sequence[Identity], anchor: Anchor
) -> list[tuple[FoundFlag, ...]]:
    """Flags of each of a bundle's *answers* (repeats are answers too), in their order.

    *identities* are all of the protocol, of every dimension: naming one of another dimension is leakage too.
    """
    watch = _watch(tuple(identities))
    named = watch.named_in(f"{anchor.headline}\n{anchor.description}")
    same: dict[str, list[FlaggedAnswer]] = {}
    alike = [same.setdefault(_normal(answer.text), []) for answer in answers]
    for answer, others in zip(answers, alike, strict=True):
        others.append(answer)
    return [
        (
            *watch.leaks(answer, named),
            *_refusal(answer.text),
            *((FoundFlag(flag=Flag.TRUNCATED, detail=""),) if answer.truncated else ()),
            *_duplicate(answer, others),
            *_very_short(answer.text),
            *((FoundFlag(flag=Flag.NO_WORD, detail=""),) if not WORDS.search(answer.text) else ()),
        )
        for answer, others in zip(answers, alike, strict=True)
    ]


class _Watch:
    """The identities of a protocol, compiled."""

    def __init__(self, identities: Sequence[Identity]) -> None:
        watched = [
            (identity.label, pattern)
            for identity in identities
            for pattern in identity.patterns or (_as_written(identity.label, plural=True),)
        ]
        self._overlaps = {identity.label: frozenset(identity.overlaps) for identity in identities}
        self._labels = [label for label, _ in watched]
        self._wordings = Wordings(tuple(pattern for _, pattern in watched))

    def named_in(self, text: str) -> frozenset[str]:
        """Labels whose people *text* speaks of."""
        return frozenset(self._mentions(text))

    def leaks(self, answer: FlaggedAnswer, named: frozenset[str]) -> Iterator[FoundFlag]:
        """The first mention of each identity that is neither the answer's own, nor overlaps it, nor is in *named*.

        What lies inside a wording of the answer's own identity is no mention of another: "upper middle class"
        does not speak of the middle class.
        """
        mentions = self._mentions(answer.text)
        # Random labels are no identities of the protocol, and patterns need not match their own label: hence both.
        own = mentions.pop(answer.identity, [])
        if mentions:
            own += [
                mention for _, mention in wordings((_as_written(answer.identity, plural=False),)).mentions(answer.text)
            ]
        passed_over = named | self._overlaps.get(answer.identity, frozenset())
        for label, theirs in mentions.items():
            if label in passed_over:
                continue
            for mention in theirs:
                if not any(each.start <= mention.start and mention.end <= each.end for each in own):
                    detail = f"{label}: {mention.text}"
                    yield FoundFlag(flag=Flag.LEAKAGE, detail=detail, start=mention.start, end=mention.end)
                    break

    def _mentions(self, text: str) -> dict[str, list[Mention]]:
        """The mentions in *text* by label, in the protocol's order."""
        found: dict[str, list[Mention]] = {}
        for number, mention in self._wordings.mentions(text):
            found.setdefault(self._labels[number], []).append(mention)
        return found


@lru_cache(maxsize=16)
def _watch(identities: tuple[Identity, ...]) -> _Watch:
    return _Watch(identities)


def _as_written(label: str, *, plural: bool) -> str:
    """A pattern for the label itself; word boundaries only where the label has word characters."""
    before = r"\b" if re.match(r"\w", label) else ""
    after = (r"s?\b" if plural else r"\b") if re.search(r"\w$", label) else ""
    return before + re.escape(label) + after


def _refusal(text: str) -> Iterator[FoundFlag]:
    if match := refusal(text):
        yield FoundFlag(flag=Flag.REFUSAL, detail=match.group(), start=match.start(), end=match.end())


def _duplicate(answer: FlaggedAnswer, same: Sequence[FlaggedAnswer]) -> Iterator[FoundFlag]:
    # By identity, because an answer that is equal is just what is looked for.
    others = [other for other in same if other is not answer]
    if others and answer.text.strip():
        # Two generations of one identity may be alike by chance; another identity's answer is what a reader looks for.
        different = next((other for other in others if other.identity != answer.identity), others[0])
        yield FoundFlag(flag=Flag.DUPLICATE, detail=different.identity)


def _very_short(text: str) -> Iterator[FoundFlag]:
    words = len(text.split())
    if words < VERY_SHORT_WORDS and len(text.strip()) < VERY_SHORT_CHARACTERS:
        yield FoundFlag(flag=Flag.VERY_SHORT, detail=str(words))


def _normal(text: str) -> str:
    return " ".join(text.casefold().split())
