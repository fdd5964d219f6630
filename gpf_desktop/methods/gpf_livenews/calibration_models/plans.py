"""What the answers about an article have in common: which sentences are open to them, and a plan for each family."""

import random
from dataclasses import dataclass
from functools import lru_cache

from gpf_desktop.domain.draws import number, unit
from gpf_desktop.methods.gpf_livenews.calibration_models.corpus import Lines, corpus
from gpf_desktop.methods.gpf_livenews.calibration_models.planted import PlantedKind

OPEN_SHARE = 0.6
"""Share of each list of general sentences that is open to an article, so that no two articles sound alike."""
PARAGRAPH = "/"


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerPlan:
    """The common core of all answers to one family about one article."""

    places: tuple[str, ...]
    """What stands where; a stroke ends a paragraph."""
    kept: tuple[float, ...]
    """Numbers in [0, 1) that decide which sentence the plan has at each place."""
    worded: tuple[float, ...]
    """Numbers in [0, 1) that decide its wording."""
    order: tuple[int, ...]
    """In which order places are given to tailored sentences."""
    mood: float
    """Mean direction of the article's tone, in [-1, 1]."""


@lru_cache(maxsize=4096)
def open_lines(anchor: str, lines: Lines) -> Lines:
    """The general sentences that are open to an article."""
    ranked = sorted(lines, key=lambda line: unit("open", anchor, line[0]))
    return tuple(ranked[: max(5, round(OPEN_SHARE * len(lines)))])


@lru_cache(maxsize=8192)
def plan_for(kind: PlantedKind, anchor: str, family: str, wording: int) -> AnswerPlan:
    rng = random.Random(number("plan", kind, anchor, family, wording))  # noqa: S311 - planted, not a secret
    layouts = corpus().layouts
    # Tailored plans are named "family for identity": they need the family's layout, since both are read place by place.
    places = layouts[number("layout", anchor, family.partition(" for ")[0]) % len(layouts)]
    order = [place for place, role in enumerate(places) if role != PARAGRAPH]
    rng.shuffle(order)
    # What the report says stays as long as it can, so that a reader of tailored answers knows what they are about, and
    # tone stays where it is while sentences are tailored one after another, so that a small δ moves meaning alone.
    order.sort(key=lambda place: (places[place] == "tone", place == places.index("fact")))
    kept = [rng.random() for _ in places]
    facts = [place for place, role in enumerate(places) if role == "fact"]
    # Rising numbers pick facts in the story's order.
    for place, number_kept in zip(facts, sorted(kept[place] for place in facts), strict=True):
        kept[place] = number_kept
    return AnswerPlan(
        places=places,
        kept=tuple(kept),
        worded=tuple(rng.random() for _ in places),
        order=tuple(order),
        mood=unit("mood", kind, anchor, family) * 0.4 - 0.25,
    )
