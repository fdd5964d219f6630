"""Models whose choices are planted, as pure functions: what a measure must find again.

typical        chooses S at BASE, and more often at the levels of EFFECTS
steady         chooses S at BASE whatever the context
first-letter   the same, but in a share of cells takes the first letter
refusing       the same, but refuses a share of cells, more of them where gossip is asked
rambling       the same, in long words that decide at the end, and in a share of cells never decide
typographic    the same, in German or English and in the signs that a word processor writes
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
MODELS: Final = ("typical", "steady", "first-letter", "refusing", "rambling", "typographic")

_TYPOGRAPHIC: Final = (
    "Ich würde „{letter}“ wählen.",
    "Die Antwort lautet „{letter}“.",
    "I’d go with “{letter}”.",
    "It’s “{letter}”, I’d say…",
    "»{letter}«",
)
_REFUSAL: Final = "I am sorry, but I cannot choose between statements about groups of people."


def stereotype_rate(model: str, levels: Mapping[str, str]) -> float:
    """The planted chance of S of one cell, before letters are favoured or cells refused."""
    if model != "typical":
        return BASE
    return BASE + sum(effect for (factor, level), effect in EFFECTS.items() if levels.get(factor) == level)


def answer(model: str, item: str, levels: Mapping[str, str], order: str, seed: int) -> str:
    """The answer of *model* to the cell; the same each time. *order*: the labels as they were shown."""
    drawn = _Draw(model, item, levels, order, seed)
    if model == "refusing" and drawn.unit("refuse") < (
        REFUSED_OF_GOSSIP if levels.get("style") == "gossip" else REFUSED_SHARE
    ):
        return _REFUSAL
    letter = LETTERS[order.index(drawn.label(stereotype_rate(model, levels), order))]
    if model == "first-letter" and drawn.unit("letter") < FIRST_LETTER_SHARE:
        letter = LETTERS[0]
    if model == "typographic":
        return _TYPOGRAPHIC[int(drawn.unit("words") * len(_TYPOGRAPHIC))].format(letter=letter)
    if model == "rambling":
        return _rambled(letter, undecided=drawn.unit("undecided") < UNDECIDED_SHARE)
    return letter


class _Draw:
    """Numbers in [0, 1) that depend on the cell alone."""

    def __init__(self, model: str, item: str, levels: Mapping[str, str], order: str, seed: int) -> None:
        self._cell = "\x1f".join((str(seed), model, item, order, *map("=".join, sorted(levels.items()))))

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
