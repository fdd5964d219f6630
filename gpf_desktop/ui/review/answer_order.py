"""The cards of a bundle in the order that the reader chose."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from gpf_desktop.ui.review.reading_content import AnswerOrder, CardContent

if TYPE_CHECKING:
    from gpf_desktop.numerics.explain import AnswerShare, BundleExplanation


def ordered(
    cards: Sequence[CardContent], order: AnswerOrder, explanation: "BundleExplanation | None"
) -> tuple[CardContent, ...]:
    """*cards* in *order*; those without an answer, or without what they are sorted by, stand last as they stood.

    The model under study, where others stand beside it, comes first in any order: the question is about it.
    """
    return tuple(sorted(_by(order, cards, explanation), key=lambda card: not card.studied))


def _by(
    order: AnswerOrder, cards: Sequence[CardContent], explanation: "BundleExplanation | None"
) -> Sequence[CardContent]:
    if order is AnswerOrder.PLANNED:
        return cards
    known = {} if explanation is None else {answer.level: answer for answer in explanation.answers}
    place = _placing(order)
    if place is None:
        return sorted(cards, key=lambda card: (bool(card.missing), -card.words))
    return sorted(cards, key=lambda card: place(known[card.key]) if card.key in known else 2.0)


def _placing(order: AnswerOrder) -> "Callable[[AnswerShare], float] | None":
    """Shares and tones lie within -1 and 1, so that 2 is behind them all."""
    match order:
        case AnswerOrder.SHARE:
            return lambda answer: -answer.share
        case AnswerOrder.TONE:
            return lambda answer: answer.tone.compound
        case _:
            return None
