"""Words by which an answer refuses the question, near its beginning."""

import re
from collections.abc import Callable, Sequence
from typing import Final

from gpf_desktop.domain.flags import Flag
from gpf_desktop.domain.methods import ToFlag
from gpf_desktop.domain.patterns import regex
from gpf_desktop.numerics.spelling import APOSTROPHES, JOINING, NEEDLESS, SPACES, UNSEEN

_WITHIN: Final = 300
_READ: Final = APOSTROPHES | SPACES
_UNSEEN: Final = regex(f"[{UNSEEN}]+")
_BETWEEN: Final = f"[{UNSEEN}{JOINING}]*"
_CANNOT: Final = (
    r"(?:can ?not|can't|won't|will not|could not|couldn't|am not able to|am unable to"
    r"|'m unable to|'m not able to)"
)
_REFUSALS: Final = regex(
    rf"\b(?:i|we) ?{_CANNOT} (?:\w+ ){{0,3}}?"
    r"(?:help|assist|answer|comply|respond|reply|fulfil|fulfill|do that|do this|engage|continue|discuss|say anything"
    r"|provide (?:that|this|an?\b|any|the|such|information|advice|analysis))"
    r"|\b(?:i|we) (?:must|have to|need to|will have to) (?:respectfully |politely )?(?:decline|refuse)\b"
    r"|\b(?:i|we) (?:respectfully |politely )?(?:decline|refuse) to\b"
    r"|\bas an ai\b[^.!?]{0,80}\b(?:can ?not|can't|unable|not able|do not|don't)\b"
    r"|\b(?:this|that|the) (?:request|question) (?:goes|is) against my\b"
    r"|\bagainst my (?:guidelines|policies|programming)\b"
    r"|\b(?:i|we)(?: would|'d) (?:rather|prefer) not (?:to )?(?:answer|comment|discuss|respond|say|take)\b"
    r"|\bnot comfortable (?:with )?(?:answering|commenting|discussing|responding|providing|sharing)\b"
    r"|\bnot something (?:that )?(?:i|we) ?(?:can|(?:am |'m |are )able to) (?:help|assist|answer|discuss|do)\b",
    re.IGNORECASE,
)
_APOLOGY: Final = regex(
    r"\s*(?:(?:(?:i am|i'm|we are|we're) )?(?:very |so )?sorry\b(?! (?:to (?:hear|see|learn|read)|for|that|about|if)\b)"
    r"|(?:i |we )?apologi[sz]e\b|my apologies\b)",
    re.IGNORECASE,
)
_SHORT: Final = 15
"""Words: an answer of fewer that apologises says nothing else."""
_ANY_OF: Final = (
    "can't",
    "can not",
    "cannot",
    "won't",
    "will not",
    "could not",
    "couldn't",
    # Of “unable to” too.
    "able to",
    "decline",
    "refuse",
    "as an ai",
    "against my",
    "rather not",
    "prefer not",
    "not comfortable",
    "not something",
)
"""Every refusal holds one of these: a plain search for them is over in a tenth of the pattern's time."""


def refusal(text: str) -> re.Match[str] | None:
    """The place where *text* refuses, typographic signs read as plain ones, and unseen ones not; else None.

    Further down the same words belong to advice, and "I cannot help but …" is none. An answer of a few words refuses
    by an apology alone.
    """
    beginning = text[:_WITHIN].translate(_READ)
    seen = _UNSEEN.sub("", beginning)
    seen = seen if seen.isascii() else NEEDLESS.sub("", seen)
    match = _refusal(seen, len(text))
    if match is None or seen == beginning:
        return match
    # In its own places.
    return re.search(_BETWEEN.join(map(re.escape, match.group())), beginning)


def _refusal(beginning: str, length: int) -> re.Match[str] | None:
    """The place where the *beginning* of a text of this *length* refuses."""
    plain = beginning.casefold()
    match = _REFUSALS.search(beginning) if any(words in plain for words in _ANY_OF) else None
    if match is None and length < _WITHIN and len(plain.split()) < _SHORT:
        return _APOLOGY.match(beginning)
    if match is None or re.match(r" but\b", match.string[match.end() :], re.IGNORECASE):
        return None
    return match


def refused_words(text: str) -> str | None:
    """The words by which *text* refuses."""
    match = refusal(text)
    return None if match is None else match.group()


def flagged(
    answers: Sequence[ToFlag], refused: Callable[[str], str | None] = refused_words
) -> list[list[tuple[str, str]]]:
    """(flag, what it found) of each of *answers*: that it refuses, by what *refused* says, and that it was cut."""
    found = []
    for each in answers:
        words = refused(each.text)
        flags = [] if words is None else [(str(Flag.REFUSAL), words)]
        found.append([*flags, (str(Flag.TRUNCATED), "")] if each.truncated else flags)
    return found
