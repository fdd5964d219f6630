"""Covers the words by which an answer tells its level, so that a blind reading stays blind."""

import re
from array import array
from collections.abc import Iterable, Sequence
from typing import Final

from gpf_desktop.engine.review.reading_aids.shown_text import ShownText
from gpf_desktop.engine.review.reading_aids.words import Stretch
from gpf_desktop.numerics.references import references

COVER: Final = "▮▮▮"
"""Always as long, so that its width tells nothing."""


def masked(shown: ShownText, patterns: Sequence[str], further: Iterable[str] = ()) -> ShownText:
    """*shown* with every match of *patterns* (and of the labels *further*) covered."""
    # Not “\b”, which is no edge beside a label that ends in a sign, as “C++”.
    labels = tuple(rf"(?<!\w){re.escape(label)}(?!\w)" for label in further if label)
    folded = shown.text.casefold()
    hits = sorted(
        (mention.start, mention.end)
        for reference in references((*patterns, *labels))
        for mention in reference.mentions(shown.text, folded)
    )
    if not hits:
        return shown
    pieces: list[str] = []
    origins = array("l")
    moves: list[tuple[int, int]] = []
    done = length = 0
    for start, end in _merged(hits):
        pieces += [shown.text[done:start], COVER]
        origins.extend(shown.origins[done:start])
        # All of the cover stands where its word begins, so that places keep ascending.
        origins.extend([shown.origins[start]] * len(COVER))
        length += start - done + len(COVER)
        moves.append((end, length - end))
        done = end
    pieces.append(shown.text[done:])
    origins.extend(shown.origins[done:])

    def moved(at: int) -> int:
        return at + next((shift for place, shift in reversed(moves) if place <= at), 0)

    strong = tuple(Stretch(moved(part.start), moved(part.end)) for part in shown.strong)
    return ShownText("".join(pieces), origins, strong)


def _merged(hits: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in hits:
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged
