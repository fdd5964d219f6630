"""The same model asked twice, answer by answer: with other decoding, say, or with a system prompt."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from gpf_desktop.arrays import Bools, Floats
from gpf_desktop.methods.contextual_stereoset.choices import Choices
from gpf_desktop.methods.contextual_stereoset.contrasts import contrasts_of, differences, shared
from gpf_desktop.methods.contextual_stereoset.grid import Contrast
from gpf_desktop.stats.cluster_bootstrap import ratios

_REPEAT: Final = "repeat"


@dataclass(frozen=True, slots=True, kw_only=True)
class SideDifference:
    """One measure of two sides, by item: NaN where none of its cells is valid at both."""

    contrast: Contrast | None
    """None: how often the first option is chosen at all; else how much a contrast moves that."""
    by_item: Floats
    extremes: tuple[Floats, Floats]
    """The same with cells without a choice taken for the option on the first side alone, and on the second alone."""

    @property
    def items(self) -> int:
        return int((~np.isnan(self.by_item)).sum())


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedChoices:
    """The choices of two sides, by one model or by two models."""

    first: Choices
    second: Choices
    """Both with the items and contexts that they share, in one order."""

    @property
    def both(self) -> Bools:
        """(items, contexts) cells in a context with a choice at both."""
        found: Bools = self.first.valid & self.second.valid & self.first.in_context
        return found

    @property
    def asked(self) -> Bools:
        found: Bools = self.first.asked & self.second.asked & self.first.in_context
        return found

    @property
    def moved(self) -> tuple[int, int]:
        """How many choices are the first option at the first side alone, and at the second alone."""
        one, other = (each.chose(each.labels[0]) & self.both for each in (self.first, self.second))
        return int((one & ~other).sum()), int((other & ~one).sum())

    @property
    def same(self) -> tuple[int, int]:
        """How many choices are the same option at both, of how many."""
        return int(((self.first.codes == self.second.codes) & self.both).sum()), int(self.both.sum())

    @property
    def missing(self) -> int:
        """Cells in a context, asked at both, without a choice at one."""
        return int((self.asked & ~self.both).sum())

    @property
    def contrasts(self) -> list[Contrast]:
        theirs = set(contrasts_of(self.second))
        return [each for each in contrasts_of(self.first) if each in theirs]

    def differences(self) -> Iterator[SideDifference]:
        """How often the first option is chosen, first; then every contrast of both."""
        chosen = [each.chose(each.labels[0]) for each in (self.first, self.second)]
        lacking = [self.asked & ~each.valid for each in (self.first, self.second)]
        ends = ((chosen[0] | lacking[0], chosen[1]), (chosen[0], chosen[1] | lacking[1]))
        yield SideDifference(
            contrast=None,
            by_item=_apart(chosen[0], chosen[1], self.both),
            extremes=(_apart(*ends[0], self.asked), _apart(*ends[1], self.asked)),
        )
        named = self.contrasts
        if not named:
            return
        told = self._of_contrasts(named, chosen[0], chosen[1], self.both)
        low, high = (self._of_contrasts(named, *each, self.asked) for each in ends)
        for at, contrast in enumerate(named):
            yield SideDifference(contrast=contrast, by_item=told[:, at], extremes=(low[:, at], high[:, at]))

    def _of_contrasts(self, named: Sequence[Contrast], one: Bools, other: Bools, valid: Bools) -> Floats:
        first = differences(self.first, named, one, valid).means
        found: Floats = first - differences(self.second, named, other, valid).means
        return found


def paired_choices(first: Choices, second: Choices) -> PairedChoices | None:
    """The choices in the items and contexts that both were asked; None where they have no cell in common."""
    if first.labels != second.labels:
        return None
    one, other = _like(first, second), _like(second, first)
    if one.factors != other.factors:
        return None
    one, other = shared(one, other), shared(other, one)
    found = PairedChoices(first=one, second=other)
    return found if found.asked.any() else None


def _like(choices: Choices, other: Choices) -> Choices:
    """Only the first generation where *other* was asked once."""
    if _REPEAT not in choices.factors or _REPEAT in other.factors:
        return choices
    at = choices.place(_REPEAT)
    kept = [column for column, context in enumerate(choices.contexts) if not context or context[at] == "1"]
    some = choices.in_columns(kept)
    return replace(
        some,
        factors=tuple(each for each in some.factors if each != _REPEAT),
        contexts=tuple((*context[:at], *context[at + 1 :]) for context in some.contexts),
    )


def _apart(one: Bools, other: Bools, cells: Bools) -> Floats:
    """(items,): mean over *cells* of the one less the other."""
    found: Floats = ratios(
        ((one.astype(np.int8) - other) * cells).sum(axis=1).astype(np.float64), cells.sum(axis=1).astype(np.float64)
    )
    return found
