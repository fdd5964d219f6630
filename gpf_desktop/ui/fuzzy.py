"""Finds what was meant from a few typed letters."""

from unicodedata import combining, normalize

_SCATTERED = 0.5
"""Points a letter under which a word was not meant: any long text has most letters somewhere, in any order."""


def fold(text: str) -> str:
    """*text* without accents and case."""
    return "".join(char for char in normalize("NFKD", text.casefold()) if not combining(char))


def match(typed: str, text: str) -> float | None:
    """How well *text* answers *typed* (higher is better), or None where not all its letters occur in order.

    Every typed word must match, and not by letters scattered anywhere; starts of words and unbroken stretches count
    most, long texts a little less.
    """
    target = fold(text)
    total = 0.0
    for word in fold(typed).split():
        found = _word(word, target)
        if found is None:
            return None
        total += found
    # Less than any letter counts, as long as texts are those of commands: it only decides between equal matches.
    return total - len(target) / 1000


def _word(word: str, target: str) -> float | None:
    at = target.find(word)
    if at >= 0:
        starts = at == 0 or not target[at - 1].isalnum()
        return len(word) * (3.0 if starts else 2.0) + (0.5 if at == 0 else 0.0)
    score, position, previous = 0.0, 0, -2
    for letter in word:
        position = target.find(letter, position)
        if position < 0:
            return None
        starts = position == 0 or not target[position - 1].isalnum()
        score += 1.0 if starts or position == previous + 1 else 0.2
        previous = position
        position += 1
    return score if score >= _SCATTERED * len(word) else None
