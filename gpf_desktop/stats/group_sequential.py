"""Several hypotheses tested at several looks at a growing window, with one chance of any false finding over all.

Each hypothesis has bounds of a spending function (`spending`) at its share of α; once one is found its share goes to
the others, whose bounds are worked out anew for all looks (Holm's step-down carried over by Maurer and Bretz 2013,
"Multiple testing in group sequential trials using graphical approaches").
"""

from collections.abc import Sequence
from functools import lru_cache

from gpf_desktop.stats.spending import SpendingFunction, bounds


def found_at(
    z: Sequence[Sequence[float]],
    information: Sequence[float],
    alpha: float,
    how: SpendingFunction,
    *,
    above: bool = False,
) -> tuple[list[int | None], list[float]]:
    """For each hypothesis the look, from 0, at which it is found (None: not yet), and the z that is asked for next.

    *z* holds each hypothesis' statistics over everything up to each look so far; *information* the share of the planned
    at every look, the last being 1. The second list has the bound in force at each look for what is still open.
    *above*: only statistics above their bound are found, and *alpha* is all on that side.
    """
    found: list[int | None] = [None] * len(z)
    while True:
        left = [at for at, look in enumerate(found) if look is None]
        # `bounds` lie on both sides and share α evenly: for one side alone twice α is asked for.
        limits = _bounds(tuple(information), (2 if above else 1) * alpha / max(1, len(left)), how)
        reached = {at: _first_beyond(z[at] if above else [abs(each) for each in z[at]], limits) for at in left}
        new = {at: look for at, look in reached.items() if look is not None}
        # All findings of a turn hand on their share at once; bounds then fall for every look, past ones included.
        for at, look in new.items():
            found[at] = look
        if not new:
            return found, list(limits)


def _first_beyond(z: Sequence[float], limits: Sequence[float]) -> int | None:
    # Not strict: fewer looks have been reached than are planned.
    return next((look for look, (value, limit) in enumerate(zip(z, limits, strict=False)) if value >= limit), None)


@lru_cache(maxsize=64)
def _bounds(information: tuple[float, ...], alpha: float, how: SpendingFunction) -> tuple[float, ...]:
    return tuple(bounds(information, alpha, how))
