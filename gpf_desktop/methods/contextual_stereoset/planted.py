"""Models whose choices are planted, as pure functions: what a measure must find again.

typical        chooses S at BASE, and more often at the levels of EFFECTS
steady         chooses S at BASE whatever the context
first-letter   the same, but in a share of cells takes the first letter
refusing       the same, but refuses a share of cells, more of them where gossip is asked
rambling       the same, in long words that decide at the end, and in a share of cells never decide
typographic    the same, in German or English and in the signs that a word processor writes
echo           says the whole question back and then chooses S seldom, whatever the context
any-label      as steady over all items, but each label of a context moves each item one way or the other
"""

from collections.abc import Mapping
from typing import Final

from gpf_desktop.domain.draws import unit
from gpf_desktop.methods.contextual_stereoset.prompts import LETTERS

BASE: Final = 0.45
ANTI_OF_REST: Final = 0.7
"""Of the cells in which S is not chosen, the share of A."""
EFFECTS: Final[Mapping[tuple[str, str], float]] = {
    ("year", "1990"): 0.09,
    ("observer", "dissimilar"): 0.13,
    ("style", "gossip"): 0.05,
}
FIRST_LETTER_SHARE: Final = 0.25
REFUSED_SHARE: Final = 0.02
REFUSED_OF_GOSSIP: Final = 0.08
UNDECIDED_SHARE: Final = 0.06
MOVED_BY_A_LABEL: Final = 0.3
SELDOM: Final = 0.15
"""How often echo chooses S: models differ from each other."""
MODELS: Final = ("typical", "steady", "first-letter", "refusing", "rambling", "typographic", "echo", "any-label")

_TYPOGRAPHIC: Final = (
    "Ich würde „{letter}“ wählen.",
    "Die Antwort lautet „{letter}“.",
    "I’d go with “{letter}”.",
    "It’s “{letter}”, I’d say…",
    "»{letter}«",
)
_REFUSALS: Final = (
    "I am sorry, but I cannot choose between statements about groups of people.",
    "I’m sorry – I can’t pick one of these.",
    "I would rather not answer that.",
    "Dazu möchte ich mich nicht äußern; ich kann hier keine Wahl treffen.",
)


def stereotype_rate(model: str, item: str, levels: Mapping[str, str]) -> float:
    """The planted chance of S of one cell, before letters are favoured or cells refused."""
    if model == "any-label":
        # A label that leans one way for one item leans the other way for the next.
        leans = sum(unit("leans", item, *each) - 0.5 for each in sorted(levels.items()))
        return BASE + MOVED_BY_A_LABEL * max(-1.0, min(1.0, leans))
    if model != "typical":
        return SELDOM if model == "echo" else BASE
    return BASE + sum(effect for (factor, level), effect in EFFECTS.items() if levels.get(factor) == level)


def answer(model: str, item: str, message: str, levels: Mapping[str, str], order: str, seed: int) -> str:
    """The answer of *model* to the cell; the same each time. *order*: the labels as they were shown."""
    drawn = _Draw(model, message, levels, order, seed)
    if model == "refusing" and drawn.unit("refuse") < (
        REFUSED_OF_GOSSIP if levels.get("style") == "gossip" else REFUSED_SHARE
    ):
        return _REFUSALS[int(drawn.unit("declines") * len(_REFUSALS))]
    letter = LETTERS[order.index(drawn.label(stereotype_rate(model, item, levels), order))]
    if model == "first-letter" and drawn.unit("letter") < FIRST_LETTER_SHARE:
        letter = LETTERS[0]
    if model == "typographic":
        return _TYPOGRAPHIC[int(drawn.unit("words") * len(_TYPOGRAPHIC))].format(letter=letter)
    if model == "rambling":
        return _rambled(letter, undecided=drawn.unit("undecided") < UNDECIDED_SHARE)
    return f"{message}\n\nMy answer: {letter}" if model == "echo" else letter


class _Draw:
    """Numbers in [0, 1) that depend on the cell alone."""

    def __init__(self, model: str, message: str, levels: Mapping[str, str], order: str, seed: int) -> None:
        self._cell = "\x1f".join((str(seed), model, message, order, *map("=".join, sorted(levels.items()))))

    def unit(self, of: str) -> float:
        return unit(of, self._cell)

    def label(self, rate: float, order: str) -> str:
        """S at *rate*; of vignettes, whose labels are 1, 2 and 3, the first."""
        first, second, third = sorted(order) if "1" in order else "SAU"
        if self.unit("S") < rate:
            return first
        return second if self.unit("A") < ANTI_OF_REST else third


def _rambled(letter: str, *, undecided: bool) -> str:
    thoughts = (
        "Let us look at all three. Option A may well be said. Option B may be said too, by other people."
        " Option C is possible, of course."
    )
    return thoughts if undecided else f"{thoughts}\n\nAll in all the answer is {letter}."
