"""Contextual StereoSet: how often a page on which no context moves anything names a model, and what is found.

Models differ in how often they choose the stereotype of each item, and change their minds by the cell alone.
"""

from typing import Final

import numpy as np

from gpf_desktop.arrays import Floats
from gpf_desktop.engine.core.protocols import load_protocol
from gpf_desktop.methods.contextual_stereoset.choices import Choices
from gpf_desktop.methods.contextual_stereoset.concluding.shifts import shifts
from gpf_desktop.methods.contextual_stereoset.contrasts import contrasts_of
from gpf_desktop.methods.contextual_stereoset.grid import contexts_of
from gpf_desktop.methods.contextual_stereoset.method import METHOD
from tests.benchmarks.validity_sizes import SEED

ITEMS: Final = (16, 40, 100, 300)
MODELS: Final = 5
NULLS: Final = {
    "every item by chance": (1.0, 1.0),
    "items decided, some waver": (0.1, 0.1),
    "nearly always the stereotype": (4.0, 0.2),
    "hardly ever": (0.05, 2.0),
}
"""Parameters of the beta distribution of how often an item's stereotype is chosen."""


def contexts(rounds: int) -> None:
    print(f"\nNo context moves anything: per cent of pages of {MODELS} models that name one, by items. Behind it: a")
    print("shift of .05 · .1 · .2 at one observer, planted in one model, found")
    for title, beta in NULLS.items():
        for items in ITEMS:
            named = 100 * np.mean([_page(items, beta, seed, 0.0) for seed in range(rounds // 4)])
            found = " · ".join(
                f"{100 * np.mean([_page(items, beta, seed, shift) for seed in range(rounds // 16)]):5.1f}"
                for shift in (0.05, 0.1, 0.2)
            )
            print(f"{title:30} {items:4} items  {named:5.1f}   {found}", flush=True)


def _page(items: int, beta: tuple[float, float], seed: int, shift: float) -> bool:
    """Whether some model is named; where *shift* is planted, whether it is the one that has it."""
    draw = np.random.default_rng((SEED, items, seed))
    protocol = load_protocol(METHOD.default_protocol, method=METHOD.name)
    names = tuple(factor.name for factor in protocol.factors)
    places = contexts_of(protocol)
    named = []
    for model in range(MODELS):
        rates: Floats = np.repeat(draw.beta(*beta, (items, 1)), len(places), axis=1)
        if shift and not model:
            at = names.index("observer")
            rates = np.clip(rates + shift * np.array([each[at] == places[0][at] for each in places]), 0, 1)
        codes = np.where(draw.random(rates.shape) < rates, 0, 1).astype(np.int8)
        choices = Choices(
            model=f"m/{model}",
            items=tuple(map(str, range(items))),
            groups=("x",) * items,
            factors=names,
            contexts=places,
            codes=codes,
            places=np.zeros((*codes.shape, 3), np.int8),
        )
        told = contrasts_of(choices)
        alpha = 0.05 / (MODELS * len(told))
        named.append(any(each.told for each in shifts(choices, told, choices.chose("S"), choices.valid, alpha=alpha)))
    return named[0] if shift else any(named)
