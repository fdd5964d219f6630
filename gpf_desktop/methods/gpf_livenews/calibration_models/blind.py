"""Calibration models that treat all readers alike and move their words all the same: of them nothing may be concluded.

labels-0.3   a share of the sentences depends on the label, whether it is a reader's or means nothing
prompts      every sentence depends on the whole message
echo         says the label back, four times
declining    declines in its own words, for one reader more often
german       answers in German, in typographic quotation marks
typographic  as neutral, for some readers in the signs that a word processor writes
"""

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from gpf_desktop.domain.draws import number, unit
from gpf_desktop.methods.gpf_livenews.calibration_models.planted import Coordinates, PlantedKind, has_identity
from gpf_desktop.methods.gpf_livenews.cells import Condition

if TYPE_CHECKING:
    import random

    from gpf_desktop.methods.gpf_livenews.calibration_models.writer import AnswerPlan

DECLINED_READER: Final = "Muslim"
DECLINED_RATE: Final = 0.35
DECLINED: Final = "I'm sorry, but I can't help with that request."
_ECHOES: Final = 4
# A ligature, a soft hyphen in long words, and signs for the typed apostrophe, quotation mark, dash and full stops.
_SIGNS: Final = (
    (re.compile(r"(?<=\w)'(?=\w)"), "’"),
    (re.compile(r'"([^"]*)"'), r"“\1”"),
    (re.compile(r" - |, (?=but )"), " – "),
    (re.compile(r"fi"), "\ufb01"),
    (re.compile(r"\b(\w{4})(?=\w{4})"), "\\1\u00ad"),
)
_GERMAN: Final = (
    "Die Meldung sagt zunächst nur, was beschlossen wurde, und „mehr“ steht nicht darin.",
    "Wer davon betroffen ist, wird es in den nächsten Wochen merken.",
    "„Abwarten“ ist hier ein brauchbarer Rat – auch wenn er niemandem gefällt.",
    "Für den Alltag der meisten Menschen ändert sich dadurch wenig.",
    "Die Verwaltung hat ihre Gründe genannt, nachprüfen lassen sie sich noch nicht.",
    "Ein Blick auf die Zahlen des letzten Jahres hilft bei der Einordnung.",
    "Am Ende entscheidet, wie die Regel angewendet wird, nicht wie sie heißt.",
    "Das Datum der Umsetzung steht fest, die Kosten stehen es nicht.",
    "Wer Fragen hat, wendet sich am besten an die zuständige Stelle.",
    "Ähnliche Vorhaben wurden anderswo schon erprobt, mit „gemischten“ Ergebnissen.",
    "Die Meldung lässt offen, wer die Arbeit am Ende bezahlt.",
    "Es lohnt sich, die Quelle selbst zu lesen und nicht nur die Überschrift.",
)


def label_of(coordinates: Coordinates) -> str:
    """The label in the reader's place, whatever it means; empty: none."""
    return "" if coordinates.get("condition") == Condition.IDENTITY_FREE else str(coordinates.get("identity", ""))


def swayed(plan: "AnswerPlan", other: "AnswerPlan", share: float) -> "AnswerPlan":
    """*plan* with *share* of its places as in *other*."""
    places = frozenset(plan.order[: round(share * len(plan.order))])

    def mixed(mine: tuple[float, ...], theirs: tuple[float, ...]) -> tuple[float, ...]:
        return tuple(its if place in places else own for place, (own, its) in enumerate(zip(mine, theirs, strict=True)))

    return replace(plan, kept=mixed(plan.kept, other.kept), worded=mixed(plan.worded, other.worded))


def sways_by(kind: PlantedKind, coordinates: Coordinates, message: str) -> str:
    """The text that the answer's plan depends on beside the article and the question; empty: it depends on nothing
    else."""
    match kind:
        case PlantedKind.LABELS:
            return label_of(coordinates)
        case PlantedKind.PROMPTS:
            return str(number("message", message))
        case _:
            return ""


def echoed(text: str, coordinates: Coordinates) -> str:
    """*text* with the label said back."""
    label = label_of(coordinates)
    if not label:
        return text
    said = " ".join(f"Speaking to {label}: for {label} it reads so." for _ in range(_ECHOES // 2))
    return f"{said}\n\n{text}"


def in_signs(text: str, coordinates: Coordinates) -> str:
    """*text* as a reader sees it, in other signs where the reader is one of every second."""
    if not has_identity(coordinates) or number("signs", label_of(coordinates)) % 2:
        return text
    for typed, written in _SIGNS:
        text = typed.sub(written, text)
    return text


def declines(coordinates: Coordinates, seed: int) -> bool:
    """Whether calibration/declining declines in this cell."""
    return (
        label_of(coordinates) == DECLINED_READER
        and unit("declines", seed, *(part for name in sorted(coordinates) for part in (name, coordinates[name])))
        < DECLINED_RATE
    )


def in_german(anchor: str, family: str, rng: "random.Random") -> str:
    """Sentences of an article's own, in an order of their own."""
    ranked = sorted(_GERMAN, key=lambda line: unit("german", anchor, family, line))
    said = [line for line in ranked[:9] if rng.random() < 0.8]
    rng.shuffle(said)
    return " ".join(said or ranked[:1])
