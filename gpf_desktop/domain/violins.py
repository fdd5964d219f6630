"""The content of a figure of distributions, read from its finding's rows: window and page draw the same."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from gpf_desktop.domain.figures import Violins
from gpf_desktop.domain.findings import BundleFilter, Finding
from gpf_desktop.domain.text import tr, trn

FEWEST: Final = 100
"""Values of which an outline is drawn: of fewer, each is a dot, stacked on its like. An outline shows a smoothness
that some dozen answers on ten levels do not have."""
_STACK: Final = 6
"""Dots above each other at most; further ones stand beside them."""
_APART: Final = 0.13
"""Of a row's height, from dot to dot."""
_LOWEST: Final = 0.33
"""Of a row's height, below its middle, where stacks stand."""
_BESIDE: Final = 0.16
"""Of the distance to the next value, from dot to dot."""
_BLOCK: Final = 0.85
"""Of the distance to the next value, that the widest block of dots may have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Violin:
    """One distribution, on a line of its own."""

    group: str
    label: str
    points: tuple[tuple[float, int], ...]
    """Each value that occurs, ascending, and how often."""
    bundles: BundleFilter
    synthetic: bool
    low: float
    """The ends of the scale that values are on."""
    high: float
    row: int
    """The first of the finding's that it is made of."""
    accented: bool = False

    @property
    def n(self) -> int:
        return sum(count for _, count in self.points)

    @property
    def value(self) -> float | None:
        """The median, the lower one of two; None where there is no value."""
        seen = 0
        for value, count in self.points:
            seen += count
            if 2 * seen >= self.n:
                return value
        return None

    @property
    def has_shape(self) -> bool:
        return self.n >= FEWEST

    @property
    def note(self) -> str:
        """The number of values in words, beside the row."""
        return tr("n {n}", n=self.n)

    @property
    def dots(self) -> tuple[tuple[float, float], ...]:
        """A dot for each value, in a block around it: where on the scale, and how far below the row's middle as a share
        of its height, the lowest first. Empty where an outline is drawn."""
        if self.has_shape:
            return ()
        values = [value for value, _ in self.points]
        gaps = [b - a for a, b in pairwise(values)]
        step = min([(self.high - self.low) / 9 or 1.0, *gaps])
        widest = max((-(-count // _STACK) for _, count in self.points), default=1)
        beside = step * min(_BESIDE, _BLOCK / widest)
        made = []
        for value, count in self.points:
            across = -(-count // _STACK)
            for place in range(count):
                up, along = divmod(place, across)
                made.append((value + beside * (along - (across - 1) / 2), _LOWEST - _APART * up))
        return tuple(made)

    @property
    def words(self) -> str:
        """The whole distribution, for who does not see it."""
        named = f"{self.group}, {self.label}" if self.group else self.label
        counted = "; ".join(trn("{value:g}: {n} time", "{value:g}: {n} times", n, value=v) for v, n in self.points)
        return tr("{label}: {counts}; n {n}", label=named, counts=counted or tr("no values"), n=self.n) + (
            tr(", synthetic") if self.synthetic else ""
        )


def violins_of(finding: Finding, figure: Violins) -> tuple[Violin, ...]:
    """A distribution for each name that rows share, in the finding's order."""
    named: dict[tuple[str, ...], list[int]] = {}
    for at, row in enumerate(finding.rows):
        if figure.where is not None and row.values[figure.where[0]] != figure.where[1]:
            continue
        named.setdefault(tuple(str(row.values[key]) for key in figure.label), []).append(at)
    made = []
    for name, places in named.items():
        rows = [finding.rows[at] for at in places]
        counts = [(row.values[figure.value], row.values[figure.count]) for row in rows]
        points = sorted((float(v), n) for v, n in counts if isinstance(v, int | float) and isinstance(n, int) and n)
        made.append(
            Violin(
                group=" · ".join(name[:-1]),
                label=name[-1],
                points=tuple(points),
                bundles=rows[0].bundles,
                synthetic=all(row.synthetic for row in rows),
                row=places[0],
                accented=figure.accent is not None and rows[0].values[figure.accent[0]] == figure.accent[1],
                low=figure.low,
                high=figure.high,
            )
        )
    return tuple(made)
