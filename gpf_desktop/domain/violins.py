"""What a figure of distributions shows, read from its finding's rows: window and page draw the same."""

from dataclasses import dataclass
from typing import Final

from gpf_desktop.domain.figures import Violins
from gpf_desktop.domain.findings import BundleFilter, Finding
from gpf_desktop.domain.text import tr, trn

FEWEST: Final = 5
"""Values of which a shape is drawn; fewer are points alone."""


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
        """How many values, in a word or two beside the shape."""
        return tr("n {n}", n=self.n) if self.has_shape else tr("n {n}: too few for a shape", n=self.n)

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
                low=figure.low,
                high=figure.high,
            )
        )
    return tuple(made)
