"""A of SAGED for base models: the beginning of a sentence as the prompt, the sentence as its baseline."""

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from gpf_desktop.methods.saged.sentences import Keyword
from gpf_desktop.methods.saged.verbs import TOKENS, Tagger

FIRST_WORDS: Final = 6
WORDS_MORE: Final = 3
_OPENS, _CLOSES = frozenset("([{"), frozenset(")]}")
_WORD: Final = re.compile(r"\w")


class LeftOut(StrEnum):
    """Why a sentence makes no prompt."""

    NO_VERB = "no verb after the first six words"
    USED_UP = "the whole sentence would be used up"
    NO_KEYWORD = "the keyword would be cut off"


@dataclass(frozen=True, slots=True)
class Split:
    """A prompt, or why there is none."""

    prompt: str = ""
    left_out: LeftOut | None = None


def split_sentence(sentence: str, keyword: Keyword, tagger: Tagger) -> Split:
    """The first six words of *sentence*, on through the first verb outside brackets, and three words more."""
    tokens = list(TOKENS.finditer(sentence))
    verbs = tagger.verbs([token.group() for token in tokens])
    depth = words = 0
    last = -1
    ends: list[int] = []
    for token, verb in zip(tokens, verbs, strict=True):
        sign = token.group()
        # Never below 0: a bracket that closes nothing, as behind the letter of a list, would hide the next that opens.
        depth += (sign in _OPENS) - (sign in _CLOSES and depth > 0)
        if not _WORD.search(sign):
            continue
        words += 1
        ends.append(token.end())
        if last < 0 and verb and depth == 0 and words > FIRST_WORDS:
            last = words
    if last < 0:
        return Split(left_out=LeftOut.NO_VERB)
    if last + WORDS_MORE >= words:
        return Split(left_out=LeftOut.USED_UP)
    prompt = sentence[: ends[last + WORDS_MORE - 1]]
    if not keyword.pattern().search(prompt):
        return Split(left_out=LeftOut.NO_KEYWORD)
    return Split(prompt)
