"""Contextual StereoSet through its own conclusions: what is found of a context that does move a model, and what ranges
hold.

Models differ in how often they choose the stereotype of each item; one of them chooses it oftener for one observer.
"""

from typing import Final

import numpy as np

from gpf_desktop.domain.conclusions.conclusion import ConclusionOutcome
from gpf_desktop.domain.conclusions.gates import concluded
from gpf_desktop.methods.contextual_stereoset.concluding.gates import GATES
from tests.benchmarks.validity_choices import Asked, at_observer, by_item, chosen, evidence_of
from tests.benchmarks.validity_pages import Draw, share
from tests.benchmarks.validity_sizes import SEED

_ITEMS: Final = (16, 40, 100)
_SHIFTS: Final = (0.05, 0.1, 0.2)
_MODELS: Final = (1, 5)
_KINDS: Final = {
    "every rate as likely": (1.0, 1.0),
    "items decided, some waver": (0.1, 0.1),
    "nearly always the stereotype": (4.0, 0.2),
    "hardly ever": (0.05, 2.0),
}
"""Parameters of the beta distribution of how often an item's stereotype is chosen."""


def contexts(rounds: int) -> None:
    pages = max(50, rounds // 16)
    print(
        f"\nContextual StereoSet: a shift of {' · '.join(map(str, _SHIFTS))} at one observer, planted in one model of"
    )
    print(f"one and of five: named, and all ranges of the page hold, % of {pages}")
    for title, beta in _KINDS.items():
        for items in _ITEMS:
            said = []
            for models in _MODELS:
                for shift in _SHIFTS:
                    draw = np.random.default_rng((SEED, items, models))
                    found, held = zip(*(_page(draw, items, beta, models, shift) for _ in range(pages)), strict=True)
                    said.append(f"{share(found)}, {100 * np.mean(held):.0f}")
            print(f"{title:30} {items:4} items" + "".join(f"{each:>18}" for each in said), flush=True)


def _page(draw: Draw, items: int, beta: tuple[float, float], models: int, shift: float) -> tuple[bool, bool]:
    """Whether the model that has it is told to differ, and whether every range holds what is so."""
    observer = at_observer()
    made, planted = [], 0.0
    for model in range(models):
        rates = by_item(draw, items, *beta)
        if not model:
            rates = np.clip(rates + shift * observer, 0, 1)
            # Of rates near 1 less of it is left: the mean over items of their kind, not of those drawn.
            likely = np.random.default_rng(SEED).beta(*beta, 100_000)
            planted = float(np.mean(np.minimum(likely + shift, 1) - likely))
        made.append(chosen(draw, Asked(rates=rates), model))
    page = evidence_of(made, drawn=True)
    held = all(
        (one.low or 0.0) <= (planted if not model and one.name.startswith("observer:") else 0.0) <= (one.high or 0.0)
        for model, each in enumerate(page.of)
        for one in each.measures
    )
    return concluded(page.of[0], GATES).outcome is ConclusionOutcome.DIFFERS, held
