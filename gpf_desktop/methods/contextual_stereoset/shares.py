"""How often each option is chosen at each level, and what came of the cells that were asked."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from gpf_desktop.arrays import Bools
from gpf_desktop.methods.contextual_stereoset.choices import REFUSED_CODE, UNPARSED_CODE, Choices
from gpf_desktop.stats.cluster_bootstrap import percentile_interval, ratios, resampled_sums

ALL: Final = "all"
"""In place of a factor: all contexts."""
NO_CONTEXT: Final = "none"
"""In place of a factor: the cells without context, the ordinary StereoSet score."""
CONTEXT: Final = "context"
"""In place of a factor: one context, its levels joined."""
ENOUGH: Final = 0.99
"""Coverage below which a level puts a warning on the tables of its factor."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """The shares of the options at one level, over valid cells; NaN where there are none."""

    factor: str
    level: str
    shares: tuple[float, float, float]
    """Of each label, in the order of `Choices.labels`."""
    of_first_two: float
    """S / (S + A)."""
    low: float
    high: float
    """95 % interval of the first label's share, by bootstrap over items."""
    valid: int
    items: int

    @property
    def ss(self) -> float:
        """S / (S + A + U), the paper's rate."""
        return self.shares[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceCoverage:
    """Counts of the cells of one level or one context: asked, valid, refused, unparsed, corrected."""

    factor: str
    level: str
    asked: int
    valid: int
    refused: int
    unparsed: int
    corrected: int = 0
    """Whose choice a person gave in place of the decoder's rules."""

    @property
    def rate(self) -> float:
        return self.valid / self.asked if self.asked else float("nan")


def shares(choices: Choices, *, seed: int) -> list[Share]:
    """The shares in all contexts together, in the cells without context, and at every level of every factor."""
    where = list(_where(choices))
    mask = np.array([columns for _, _, columns in where], dtype=np.float64).T
    valid = choices.valid.astype(np.float64) @ mask
    chosen = [choices.chose(label).astype(np.float64) @ mask for label in choices.labels]
    drawn = resampled_sums(np.hstack([chosen[0], valid]), seed=seed)
    low, high = percentile_interval(ratios(drawn[:, : len(where)], drawn[:, len(where) :]))
    counts = np.array([each.sum(axis=0) for each in chosen])
    rates = ratios(counts, valid.sum(axis=0)[None])
    first_two = ratios(counts[0], counts[0] + counts[1])
    return [
        Share(
            factor=factor,
            level=level,
            shares=(float(rates[0, at]), float(rates[1, at]), float(rates[2, at])),
            of_first_two=float(first_two[at]),
            low=float(low[at]),
            high=float(high[at]),
            valid=int(valid[:, at].sum()),
            items=int((valid[:, at] > 0).sum()),
        )
        for at, (factor, level, _) in enumerate(where)
    ]


def coverage(choices: Choices) -> list[ChoiceCoverage]:
    """The coverage of every level of every factor, then of every context."""
    counts = [_count(choices, factor, level, columns) for factor, level, columns in _where(choices)]
    for at, context in enumerate(choices.contexts):
        if context:
            columns = np.zeros(len(choices.contexts), dtype=np.bool_)
            columns[at] = True
            counts.append(_count(choices, CONTEXT, " · ".join(context), columns))
    return counts


def poorly_covered(counts: list[ChoiceCoverage]) -> frozenset[str]:
    """Factors whose tables carry a warning: some level has less than 99 % valid cells."""
    # Where nothing was asked the rate is NaN, which is below nothing and warns of nothing.
    return frozenset(each.factor for each in counts if each.factor != CONTEXT and each.rate < ENOUGH)


def _where(choices: Choices) -> Iterator[tuple[str, str, Bools]]:
    """(factor, level, columns) of everything that has a rate of its own."""
    if choices.in_context.any():
        yield ALL, "", choices.in_context
    if not choices.in_context.all():
        yield NO_CONTEXT, "", ~choices.in_context
    for factor in choices.factors:
        for level in choices.levels(factor):
            yield factor, level, choices.at(factor, level)


def _count(choices: Choices, factor: str, level: str, columns: Bools) -> ChoiceCoverage:
    codes = choices.codes[:, columns]
    return ChoiceCoverage(
        factor=factor,
        level=level,
        asked=int(choices.asked[:, columns].sum()),
        valid=int((codes >= 0).sum()),
        refused=int((codes == REFUSED_CODE).sum()),
        unparsed=int((codes == UNPARSED_CODE).sum()),
        corrected=0 if choices.corrected is None else int(choices.corrected[:, columns].sum()),
    )
