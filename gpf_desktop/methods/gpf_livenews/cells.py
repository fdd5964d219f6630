"""The coordinates of GPF-LiveNews by name."""

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from gpf_desktop.domain.cells import Grouping
from gpf_desktop.domain.coordinates import MAIN, Coordinates, PlannedAnswer
from gpf_desktop.domain.text import tr

PARAPHRASE_ARM = "paraphrase"


class Condition(StrEnum):
    """The experiment that a cell belongs to; a repeat is never a condition of its own."""

    IDENTITY = "identity"
    IDENTITY_FREE = "identity-free"
    RANDOM_LABEL = "random-label"
    BY_NAME = "by-name"
    BY_HISTORY = "by-history"
    BY_NOTE = "by-note"
    ASKED_IF_SURE = "asked-if-sure"
    TOLD_A_VIEW = "told-a-view"

    @property
    def is_cue(self) -> bool:
        """Whether the reader shows in something else than a label that is stated."""
        return self in CUES

    @property
    def is_second_turn(self) -> bool:
        """Whether the model is answering again, with its first answer before it."""
        return self in SECOND_TURNS

    @property
    def words(self) -> str:
        known = {
            Condition.IDENTITY: tr("a reader named"),
            Condition.IDENTITY_FREE: tr("no reader named"),
            Condition.RANDOM_LABEL: tr("a made-up label"),
            Condition.BY_NAME: tr("by a name"),
            Condition.BY_HISTORY: tr("by an earlier question"),
            Condition.BY_NOTE: tr("by a note"),
            Condition.ASKED_IF_SURE: tr("asked if it is sure"),
            Condition.TOLD_A_VIEW: tr("told what the reader thinks"),
        }
        return known[self]

    @classmethod
    def named(cls, words: str) -> "Condition | None":
        """The condition that a foreign table calls *words*; None where that is no known way of asking."""
        name = re.sub(r"[\s_]+", "-", words.strip().casefold())
        known = {str(each): each for each in cls} | _ALSO_CALLED
        return known.get(name) or known.get(re.sub(r"^(?:by-)?(?:an?|the)-|^by-", "", name))


_ALSO_CALLED: Final = {
    **dict.fromkeys(("stated", "label", "explicit", "stated-label", "none", "no", "no-cue"), Condition.IDENTITY),
    **dict.fromkeys(("name", "names", "first-name"), Condition.BY_NAME),
    **dict.fromkeys(
        ("history", "chat-history", "earlier-question", "earlier-talk", "conversation"), Condition.BY_HISTORY
    ),
    **dict.fromkeys(("note", "notes", "memory", "profile"), Condition.BY_NOTE),
}
CUES: Final = (Condition.BY_NAME, Condition.BY_HISTORY, Condition.BY_NOTE)
SECOND_TURNS: Final = (Condition.ASKED_IF_SURE, Condition.TOLD_A_VIEW)
"""Of readers and of made-up labels alike: the dimension tells which."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Factors:
    """The coordinates of a cell by name."""

    condition: Condition
    dimension: str
    """Empty in the identity-free condition; the label set's name in the random-label condition."""
    identity: str
    """The label filled in; ``#1`` … ``#n`` in the identity-free condition."""
    family: str
    paraphrase: int = 0
    repeat: int = 0

    @classmethod
    def of(cls, coordinates: Coordinates, repeat: int = 0) -> "Factors":
        """The factors of a cell of this method. Raises `KeyError` or `ValueError` for another method's coordinates."""
        return cls(
            condition=Condition(coordinates["condition"]),
            dimension=coordinates["dimension"],
            identity=coordinates.get("identity"),
            family=coordinates["family"],
            paraphrase=int(coordinates["paraphrase"]),
            repeat=repeat,
        )

    @property
    def coordinates(self) -> Coordinates:
        return Coordinates(
            (
                ("condition", str(self.condition)),
                ("dimension", self.dimension),
                ("identity", self.identity),
                ("family", self.family),
                ("paraphrase", str(self.paraphrase)),
            )
        )

    @property
    def arm(self) -> str:
        """The main bundles are those of the identity condition in its first wording (method, "Vocabulary")."""
        if self.condition is not Condition.IDENTITY:
            return str(self.condition)
        return PARAPHRASE_ARM if self.paraphrase else MAIN

    @property
    def planned(self) -> PlannedAnswer:
        return PlannedAnswer(coordinates=self.coordinates, repeat=self.repeat, arm=self.arm)


BY_IDENTITY = Grouping(name="by identity", varies=frozenset({"identity"}))
"""GPF-LiveNews: one answer per identity, with its repeats (method, "Vocabulary", bundle)."""
