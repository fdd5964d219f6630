"""How likely a model's own distribution makes each option, where its provider gives log-probabilities of letters."""

import re
from collections.abc import Mapping, Sequence
from math import exp

from gpf_desktop.domain.responses import LetterToken
from gpf_desktop.methods.contextual_stereoset.prompts import LETTERS


def label_chances(tokens: Sequence[LetterToken], text: str, order: str, choice: str) -> Mapping[str, float] | None:
    """P of each label of *order* over the three letters, normalised, at the token that is *text*'s answer.

    *choice* is the label that the text was decoded to. A letter that is not among the likeliest tokens counts as 0.
    None where it is not certain which token is the answer: never a guess.
    """
    letter = LETTERS[order.index(choice)] if choice in order else ""
    token = _answering(tokens, text, letter) if letter else None
    if token is None:
        return None
    mass = dict.fromkeys(LETTERS[: len(order)], 0.0)
    for written, logarithm in token.top.items():
        if (its := _letter(written)) in mass:
            mass[its] += exp(logarithm)
    whole = sum(mass.values())
    return {label: mass[its] / whole for label, its in zip(order, LETTERS, strict=False)} if whole > 0 else None


def _answering(tokens: Sequence[LetterToken], text: str, letter: str) -> LetterToken | None:
    """The only token of *letter*, or the one that begins the text as a heading ("B."), or the one that ends it."""
    its = [each for each in tokens if _letter(each.token) == letter]
    if len(its) <= 1:
        return next(iter(its), None)
    if re.match(rf"\W*{letter}\W*?[.):\]*\n]", text) and tokens[0] is its[0] and its[0].at <= _BEFORE:
        return its[0]
    return its[-1] if re.search(rf"\b{letter}\W*$", text) and tokens[-1] is its[-1] else None


_BEFORE = 3
"""Tokens of punctuation that an answer may begin with; behind more of them it begins with its reasoning."""


def _letter(token: str) -> str:
    # U+2581 and U+0120 are how SentencePiece and byte-level vocabularies write the space in front of a token.
    return token.strip("\u2581\u0120 \t\n*_`\"'()[]{}<>.:,;").upper()
