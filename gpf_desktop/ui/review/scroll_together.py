"""Lets answers scroll together, so that sentences that say the like stand beside each other."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from functools import partial

from gpf_desktop.ui.review.answer_card import AnswerCard
from gpf_desktop.ui.review.reading_content import GridContent

_READ_AT = 0.25
"""Part of an answer's height at which its lines are brought level: one reads below the top edge."""
Pair = tuple[float, float]


class ScrollTogether:
    """Follows the cards that it is given; *grid* says which sentences are like."""

    def __init__(self) -> None:
        self.alone = False
        """Each answer scrolls by itself."""
        self._cards: Sequence[AnswerCard] = ()
        self._starts: dict[str, dict[int, int]] = {}
        """By card: row of the grid → the character at which its sentence starts."""
        self._heights: dict[int, tuple[object, dict[int, float]]] = {}
        """By card: what its places were measured under, and row → pixels from the top of its text."""
        self._quiet = False

    def follow(self, card: AnswerCard) -> None:
        """Move the others whenever *card* is scrolled."""
        card.text.verticalScrollBar().valueChanged.connect(partial(self._scrolled, card))

    def show(self, cards: Sequence[AnswerCard], grid: GridContent | None) -> None:
        self._cards = cards
        self._heights.clear()
        self._starts = {}
        if grid is not None:
            for column, key in enumerate(grid.keys):
                self._starts[key] = {
                    row: at[column] for row, at in enumerate(grid.starts) if at[column] >= 0 and not grid.alone[row]
                }

    def _scrolled(self, source: AnswerCard, value: int) -> None:
        if self._quiet or self.alone or source.text.wraps_anew or source not in self._cards:
            return
        # A card that is scrolled here would scroll the others in its turn.
        self._quiet = True
        for card in self._cards:
            if card is not source:
                card.text.verticalScrollBar().setValue(round(self._beside(source, card, value)))
        self._quiet = False

    def _beside(self, source: AnswerCard, other: AnswerCard, value: int) -> float:
        """The scroll position of *other* for *source* at *value*: like sentences stand level, and so do both ends."""
        here, there = source.text, other.text
        first = (_READ_AT * here.viewport().height(), _READ_AT * there.viewport().height())
        last = (first[0] + here.verticalScrollBar().maximum(), first[1] + there.verticalScrollBar().maximum())
        ours, theirs = self._places(source), self._places(other)
        joined = ((ours[row], theirs[row]) for row in ours.keys() & theirs.keys())
        within = (pair for pair in joined if first[0] < pair[0] < last[0] and first[1] < pair[1] < last[1])
        return _between((first, *rising(within), last), value + first[0]) - first[1]

    def _places(self, card: AnswerCard) -> dict[int, float]:
        text, key = card.text, "" if card.content is None else card.content.key
        # With its size: a text that is only wrapped anew keeps its revision.
        measured = (key, text.document().revision(), text.document().size().width(), text.document().size().height())
        known = self._heights.get(id(card))
        if known is None or known[0] != measured:
            known = (measured, {row: text.height_of(start) for row, start in self._starts.get(key, {}).items()})
            self._heights[id(card)] = known
        return known[1]


def rising(pairs: Iterable[Pair]) -> list[Pair]:
    """The most of *pairs* in which both numbers rise: like sentences that two answers bring in the same order."""
    best: list[list[Pair]] = []
    for pair in sorted(pairs):
        before = [chain for chain in best if chain[-1][0] < pair[0] and chain[-1][1] < pair[1]]
        best.append([*max(before, key=len, default=[]), pair])
    return max(best, key=len, default=[])


def _between(pairs: Sequence[Pair], at: float) -> float:
    """The second number that belongs to *at*, along the lines between *pairs*."""
    place = max(1, min(len(pairs) - 1, bisect_right([pair[0] for pair in pairs], at)))
    (x0, y0), (x1, y1) = pairs[place - 1], pairs[place]
    # Of an answer that need not scroll both ends are one place, and there is no slope between them.
    return y0 if x1 <= x0 else y0 + (y1 - y0) * min(1.0, max(0.0, (at - x0) / (x1 - x0)))
