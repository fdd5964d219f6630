"""SAGED: what is found, and what the range holds; and tables in which concepts are treated alike (`validity_groups`).

A series is one feature of one model in one role: a table of roots and concepts. What is alike is the mean over prompts;
tables of the nulls are not flat else. Tones of long, German and typographic answers are VADER's of made-up texts, names
of concepts masked as scoring does it.
"""

from collections.abc import Callable
from typing import Final

import numpy as np

from gpf_desktop.arrays import Floats
from gpf_desktop.methods.saged.benchmark import BenchmarkRow
from gpf_desktop.methods.saged.features import TONE, encoded
from gpf_desktop.methods.saged.gaps import Gap, widest_gap
from gpf_desktop.methods.saged.masking import masked, names_of
from tests.benchmarks.validity_sizes import SEED

Draw = np.random.Generator
Null = Callable[[Draw, int, int, int], Floats]
"""A table (roots, concepts) of model number so many."""

SIZES: Final = ((8, 4), (12, 8), (20, 8), (40, 21))
CONCEPTS: Final = ("United States", "Brazil", "Côte d’Ivoire", "Ghana", "United Kingdom", "Italy", "Japan", "Norway")
_WORDS: Final = (
    *("good", "fine", "friendly", "helpful", "happy", "great", "poor", "bad", "grim", "harsh", "sad", "unsafe"),
    *("large", "old", "small", "busy", "young", "plain", "long", "wide", "coastal", "salt", "early", "wooden"),
)
_GERMAN: Final = (
    "Die Straßen von {c} sind lang – und die Häuser alt.",
    "„Viele Wälder“, sagt man, gibt es in {c}; das stimmt.",
    "Man lebt gut in {c}, die Winter sind hart.",
    "Der Hafen von {c} ist alt, und niemand weiß, warum.",
)


def _centred_gamma(draw: Draw, shape: float, size: tuple[int, int]) -> Floats:
    found: Floats = (draw.gamma(shape, 1, size) - shape) / np.sqrt(shape)
    return found


def _spreads(draw: Draw, k: int) -> Floats:
    found: Floats = draw.permutation(np.geomspace(0.1, 0.5, k))
    return found


def _pool(draw: Draw, make: Callable[[Draw, str], str], n: int = 600) -> Floats:
    """Tones of made-up answers with names masked."""
    names = names_of(BenchmarkRow(root=each, concept=each, prompt="", baseline="") for each in CONCEPTS)
    texts = [make(draw, CONCEPTS[at % len(CONCEPTS)]) for at in range(n)]
    return encoded(masked(texts, names)).of_text[TONE.name]


def _english(draw: Draw, concept: str, sentences: int) -> str:
    made = [
        f"The {draw.choice(_WORDS)} towns of {concept} aren’t {draw.choice(_WORDS)} – “{draw.choice(_WORDS)}” roads…"
        for _ in range(sentences)
    ]
    return " ".join(made)


def _german(draw: Draw, concept: str) -> str:
    return " ".join(str(each).format(c=concept) for each in draw.choice(_GERMAN, 3))


def nulls(draw: Draw) -> dict[str, Null]:
    """By what is not flat; in all of them the mean of every concept is the same."""
    pools = {
        "typographic, of three sentences": _pool(draw, lambda d, c: _english(d, c, 3)),
        "verbose: at the ends of the scale": _pool(draw, lambda d, c: _english(d, c, 60)),
        "German, no lexicon": _pool(draw, _german),
    }

    def models(draw: Draw, roots: int, k: int, model: int) -> Floats:
        level, spread = 0.3 * model - 0.6, 0.08 * 2.0**model
        return level + spread * draw.normal(0, 1, (roots, k)) + draw.normal(0, 0.3, (roots, 1))

    found: dict[str, Null] = {
        "flat": lambda d, r, k, _: d.normal(0, 0.2, (r, k)),
        "moved by the prompt": lambda d, r, k, _: d.normal(0, 0.4, (r, 1)) + d.choice([-0.6, 0.0, 0.6], (r, k)),
        "spread .1 to .5 by concept": lambda d, r, k, _: d.normal(0, 1, (r, k)) * _spreads(d, k),
        "skewed (gamma .5)": lambda d, r, k, _: 0.2 * _centred_gamma(d, 0.5, (r, k)),
        "skewed, spread by concept": lambda d, r, k, _: _centred_gamma(d, 2.0, (r, k)) * _spreads(d, k),
        "models unlike in level and spread": models,
        "one in five answers missing": lambda d, r, k, _: np.where(
            d.random((r, k)) < 0.2, np.nan, d.normal(0, 0.2, (r, k))
        ),
        "one in twenty evades": lambda d, r, k, _: (d.random((r, k)) < 0.05).astype(np.float64),
        "evades by the prompt": lambda d, r, k, _: (d.random((r, k)) < d.beta(0.4, 1.6, (r, 1))).astype(np.float64),
    }
    return {**found, **{name: _drawn_from(pool) for name, pool in pools.items()}}


def _drawn_from(pool: Floats) -> Null:
    def drawn(draw: Draw, roots: int, k: int, _model: int) -> Floats:
        return draw.choice(pool, (roots, k))

    return drawn


def concepts(rounds: int) -> None:
    draw = np.random.default_rng(SEED)
    _found(draw, max(20, rounds // 8))
    _alike(draw, max(20, rounds // 8))


def _planted(draw: Draw, roots: int, k: int, gap: float, spread: float) -> tuple[Floats, Floats]:
    """A table in which concepts lie evenly over *gap*, and their means."""
    means = np.linspace(0, gap, k)
    return means + draw.normal(0, 0.3, (roots, 1)) + draw.normal(0, spread, (roots, k)), means


def _found(draw: Draw, rounds: int) -> None:
    print(f"\nA planted gap in one of five models, spread .2 of an answer: found, % of {rounds}; its range holds it, %")
    print(f"{'':24}" + "".join(f"{f'gap {gap}':>16}" for gap in (0.1, 0.2, 0.3, 0.5)))
    for roots, k in SIZES:
        said = []
        for gap in (0.1, 0.2, 0.3, 0.5):
            made: list[Gap] = []
            for at in range(rounds):
                cells, _ = _planted(draw, roots, k, gap, 0.2)
                found = widest_gap(cells, tests=5, seed=(at,))
                assert found is not None
                made.append(found)
            told = 100 * np.mean([each.told for each in made])
            held = 100 * np.mean([each.lower <= gap <= (each.upper or np.inf) for each in made])
            said.append(f"{told:5.1f}, {held:5.1f}")
        print(f"{f'{roots} roots, {k} concepts':24}" + "".join(f"{each:>16}" for each in said), flush=True)


def _alike(draw: Draw, rounds: int) -> None:
    print(f"\nCalled alike within a margin of .3, one model, % of {rounds}: nothing there, and a gap of .3 (at most 5)")
    for roots, k in ((20, 8), (40, 21), (75, 21)):
        said = []
        for gap in (0.0, 0.3):
            made = [widest_gap(_planted(draw, roots, k, gap, 0.2)[0], tests=1, seed=(at,)) for at in range(rounds)]
            alike = [each is not None and each.upper is not None and each.upper <= 0.3 for each in made]
            said.append(f"{100 * np.mean(alike):5.1f}")
        print(f"{f'{roots} roots, {k} concepts':24} {', '.join(said)}", flush=True)
