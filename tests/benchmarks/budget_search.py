"""Makes the 74 contexts of the budgeted design: a seeded search, run once, its result kept as data.

    python -m tests.benchmarks.budget_search        writes budgeted.csv anew, prints its balance

Every level of a factor is there equally often within one. Among such sets, simulated annealing looks for the most
pairs of contexts that are alike but for one of the named contrasts (1990 – 2030, gossip – direct, formal – direct,
dissimilar – similar), for many in the contrast that has fewest, and for even two-way counts. Those of place and year
weigh most: pairs of style and observer come cheapest where a place is asked in one year only, and then nothing tells
the two apart.
"""

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations, product
from math import exp
from typing import Final

from gpf_desktop.domain.resources import resources

SIZES: Final = {"location": 12, "year": 5, "style": 3, "observer": 2}
"""Years from 1990 on; styles in the order direct, gossip, formal; observers similar, dissimilar."""
CONTRASTS: Final = {
    "1990 – 2030": (1, 0, 4),
    "gossip – direct": (2, 1, 0),
    "formal – direct": (2, 2, 0),
    "dissimilar – similar": (3, 1, 0),
}
"""Place of the factor, and of its levels a and b."""
WANTED: Final = 74
SEED: Final = 20261120
STEPS: Final = 400_000
STARTS: Final = 4

Places = tuple[int, ...]

_FEWEST: Final = 1.0
_UNEVEN: Final = 2.0
_TWO_WAY: Final = 0.004
_PLACE_YEAR: Final = 0.2
"""Weights of the fewest pairs, of a step of imbalance, of a squared two-way count, of one of place and year; a pair
weighs 1."""


class Tally:
    """What the goal counts, kept up to date as contexts come and go."""

    def __init__(self, contexts: Iterable[Places] = ()) -> None:
        self.there: set[Places] = set()
        self.levels = [[0] * size for size in SIZES.values()]
        self.pairs = [0] * len(CONTRASTS)
        self.two_way: Counter[tuple[int, int, int, int]] = Counter()
        self.squares = 0.0
        for context in contexts:
            self.add(context)

    def add(self, context: Places) -> None:
        self._count_pairs(context, 1)
        self.there.add(context)
        for place, level in enumerate(context):
            self.levels[place][level] += 1
        for key in _two_way_keys(context):
            # (n + 1)² − n² = 2n + 1: the sum of squares is kept without a walk over all counts.
            self.squares += _weight(key) * (2 * self.two_way[key] + 1)
            self.two_way[key] += 1

    def remove(self, context: Places) -> None:
        self.there.discard(context)
        self._count_pairs(context, -1)
        for place, level in enumerate(context):
            self.levels[place][level] -= 1
        for key in _two_way_keys(context):
            self.squares -= _weight(key) * (2 * self.two_way[key] - 1)
            self.two_way[key] -= 1

    def goal(self) -> float:
        """What the search makes large."""
        uneven = sum(max(counts) - min(counts) - 1 for counts in self.levels if max(counts) - min(counts) > 1)
        return sum(self.pairs) + _FEWEST * min(self.pairs) - _UNEVEN * uneven - self.squares

    def _count_pairs(self, context: Places, change: int) -> None:
        for number, (place, a, b) in enumerate(CONTRASTS.values()):
            if context[place] in (a, b):
                partner = (*context[:place], a + b - context[place], *context[place + 1 :])
                self.pairs[number] += change * (partner in self.there)


def search(seed: int = SEED, *, steps: int = STEPS, starts: int = STARTS) -> list[Places]:
    """The best of *starts* annealings, sorted; the same for the same arguments."""
    return max(_annealed(random.Random(seed + start), steps) for start in range(starts))[1]


def _annealed(draw: random.Random, steps: int) -> tuple[float, list[Places]]:
    """Contexts are swapped one at a time, for the worse too while it is hot."""
    every = list(product(*(range(size) for size in SIZES.values())))
    draw.shuffle(every)
    inside, outside = every[:WANTED], every[WANTED:]
    tally = Tally(inside)
    now = tally.goal()
    best = (now, sorted(inside))
    for step in range(steps):
        # Never 0, since the change of the goal is divided by it.
        heat = 1.5 * (1 - step / steps) ** 2 + 1e-6
        i, o = draw.randrange(len(inside)), draw.randrange(len(outside))
        tally.remove(inside[i])
        tally.add(outside[o])
        then = tally.goal()
        if then >= now or draw.random() < exp((then - now) / heat):
            inside[i], outside[o] = outside[o], inside[i]
            now = then
            if now > best[0]:
                best = (now, sorted(inside))
        else:
            tally.remove(outside[o])
            tally.add(inside[i])
    return best


def balance(contexts: Sequence[Places]) -> list[str]:
    """How even *contexts* are and how many matched pairs they hold, a line each."""
    tally = Tally(contexts)
    levels = [f"{name}: {' '.join(map(str, counts))}" for name, counts in zip(SIZES, tally.levels, strict=True)]
    pairs = [_pairs_line(contexts, name) for name in CONTRASTS]
    crossed = len({context[:2] for context in contexts})
    years = [len({year for place, year, *_ in contexts if place == at}) for at in range(SIZES["location"])]
    both = (
        f"{crossed} of {SIZES['location'] * SIZES['year']} pairs of place and year, each place in {min(years)} to"
        f" {max(years)} years"
    )
    return [f"{len(contexts)} contexts", *levels, *pairs, both]


def matched(contexts: Iterable[Places], contrast: str) -> list[Places]:
    """Those of *contexts* at the first level of *contrast* whose partner at the second is there."""
    place, a, b = CONTRASTS[contrast]
    there = set(contexts)
    return sorted(each for each in there if each[place] == a and (*each[:place], b, *each[place + 1 :]) in there)


def _pairs_line(contexts: Sequence[Places], contrast: str) -> str:
    found = matched(contexts, contrast)
    places, years = ({each[at] for each in found} for at in (0, 1))
    over = f"{len(places)} places" if CONTRASTS[contrast][0] == 1 else f"{len(places)} places and {len(years)} years"
    return f"{contrast}: {len(found)} matched pairs, over {over}"


def main() -> None:
    found = search()
    path = resources() / "methods" / "contextual_stereoset" / "budgeted.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        rows: list[Iterable[object]] = [SIZES, *([level + 1 for level in context] for context in found)]
        file.writelines(",".join(map(str, row)) + "\n" for row in rows)
    print(*balance(found), sep="\n")


def _weight(key: tuple[int, int, int, int]) -> float:
    return _PLACE_YEAR if (key[0], key[2]) == (0, 1) else _TWO_WAY


def _two_way_keys(context: Places) -> list[tuple[int, int, int, int]]:
    return [(i, context[i], j, context[j]) for i, j in combinations(range(len(context)), 2)]


if __name__ == "__main__":
    main()
