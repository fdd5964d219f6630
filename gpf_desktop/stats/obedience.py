"""How far orders in the texts that a judge rates move it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from gpf_desktop.domain.findings import Estimate, Interval
from gpf_desktop.domain.text import tr
from gpf_desktop.stats.clusters import clustered_mean

LEVEL: Final = 0.95


@dataclass(frozen=True, slots=True, kw_only=True)
class Obedience:
    """How far orders moved one judge."""

    judge: str
    moved: float
    """Mean level where the highest was ordered less that where the lowest was; 0: it obeys nothing."""
    low: float | None
    high: float | None
    """95 %, items as clusters; None of one item."""
    texts: int
    items: int
    obeyed: int
    """Texts that got both levels as ordered."""

    @property
    def obeys(self) -> bool:
        """Shown to move by orders."""
        return self.low is not None and self.low > 0

    def estimate(self, over: str) -> Estimate:
        """`moved` as tables have it; *over*: what its interval is over, in words."""
        interval = None
        if self.low is not None and self.high is not None:
            interval = Interval(low=self.low, high=self.high, level=LEVEL, method=over)
        return Estimate(value=self.moved, n=self.texts, articles=self.items, interval=interval)


def obedience(judge: str, given: Sequence[tuple[int, int, int]], *, top: int) -> Obedience:
    """The obedience of *judge* over one text or more, each given with its item and the levels that *judge* gave it
    where 1 and where *top* was ordered."""
    item, lowest, highest = np.array(given, np.int64).T
    moved = (highest - lowest).astype(np.float64)
    _, place = np.unique(item, return_inverse=True)
    counts = np.bincount(place).astype(np.float64)
    low = high = None
    if len(counts) > 1:
        sums = np.bincount(place, weights=moved).astype(np.float64)
        low, high = clustered_mean(sums, counts).interval(LEVEL)
    return Obedience(
        judge=judge,
        moved=float(moved.mean()),
        low=low,
        high=high,
        texts=len(moved),
        items=len(counts),
        obeyed=int(((lowest == 1) & (highest == top)).sum()),
    )


def orders_in_words(obediences: Sequence[Obedience]) -> list[str]:
    """Sentences on the judges that are shown to do what a text orders."""
    return [
        tr(
            "Judge model {judge} marks an answer {moved:.1f} higher where it orders the highest mark "
            "than where it orders the lowest: an answer that speaks to it can choose its mark.",
            judge=each.judge,
            moved=each.moved,
        )
        for each in obediences
        if each.obeys
    ]
