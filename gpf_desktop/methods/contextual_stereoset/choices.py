"""The choices of one model, item by context, as arrays that every measure starts from."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from gpf_desktop.arrays import Bools, Floats, Ints
from gpf_desktop.methods.contextual_stereoset.decoding import REFUSED, UNPARSED
from gpf_desktop.methods.contextual_stereoset.items import STEREOTYPE_LABELS
from gpf_desktop.methods.contextual_stereoset.protocol import Context

Codes = NDArray[np.int8]

REFUSED_CODE: Final = -1
UNPARSED_CODE: Final = -2
NOT_ASKED: Final = -3
SEPARATE: Final = frozenset({"repeat"})
"""Columns that tell cells apart and are no factor: contexts match on them, nothing is contrasted over them."""


# Without slots: `cached_property` keeps what it found in the instance's own dict.
@dataclass(frozen=True, kw_only=True)
class Choices:
    """One model's choices: items in rows, contexts in columns."""

    model: str
    items: tuple[str, ...]
    groups: tuple[str, ...]
    """Type of each item, or a vignette's domain."""
    factors: tuple[str, ...]
    contexts: tuple[Context, ...]
    """The empty one is the cell without context."""
    codes: Codes
    """(items, contexts): place of the chosen label in *labels*, or a negative code."""
    places: Codes
    """(items, contexts, 3): at which place, from 0, each label was shown."""
    labels: str = STEREOTYPE_LABELS
    corrected: Bools | None = None
    """(items, contexts): whose choice a person gave in place of the decoder's rules; None: no one's."""
    chances: Floats | None = None
    """(items, contexts, 3): how likely the model made each label, NaN where nobody told; None: nowhere."""

    @cached_property
    def asked(self) -> Bools:
        asked: Bools = self.codes != NOT_ASKED
        return asked

    @cached_property
    def valid(self) -> Bools:
        return self.codes >= 0

    @cached_property
    def in_context(self) -> Bools:
        """(contexts,): all but the cell without context."""
        return np.array([bool(context) for context in self.contexts], dtype=np.bool_)

    def chose(self, label: str) -> Bools:
        """Whether *label* was chosen, (items, contexts)."""
        chosen: Bools = self.codes == self.labels.index(label)
        return chosen

    def place(self, factor: str) -> int:
        return self.factors.index(factor)

    def levels(self, factor: str) -> list[str]:
        """The factor's levels in the order in which the contexts have them; numbers by size."""
        found = dict.fromkeys(context[self.place(factor)] for context in self.contexts if context)
        return sorted(found, key=int) if all(level.isdecimal() for level in found) else list(found)

    @property
    def real_factors(self) -> tuple[str, ...]:
        """Factors that have several levels and are no mere repeat."""
        return tuple(each for each in self.factors if each not in SEPARATE and len(self.levels(each)) > 1)

    def at(self, factor: str, level: str) -> Bools:
        """(contexts,): which have *level*."""
        place = self.place(factor)
        return np.array([bool(each) and each[place] == level for each in self.contexts], dtype=np.bool_)

    def in_columns(self, columns: Sequence[int] | Ints) -> "Choices":
        """These choices in the contexts at *columns* only."""
        kept = list(columns)
        return replace(
            self,
            contexts=tuple(self.contexts[column] for column in kept),
            codes=self.codes[:, kept],
            places=self.places[:, kept],
            corrected=None if self.corrected is None else self.corrected[:, kept],
            chances=None if self.chances is None else self.chances[:, kept],
        )

    def some(self, rows: Sequence[int] | Ints) -> "Choices":
        """These choices for the items at *rows* only."""
        kept = list(rows)
        return replace(
            self,
            items=tuple(self.items[row] for row in kept),
            groups=tuple(self.groups[row] for row in kept),
            codes=self.codes[kept],
            places=self.places[kept],
            corrected=None if self.corrected is None else self.corrected[kept],
            chances=None if self.chances is None else self.chances[kept],
        )


def code_of(choice: str, labels: str = STEREOTYPE_LABELS) -> int:
    """The code of a decoded choice."""
    return {REFUSED: REFUSED_CODE, UNPARSED: UNPARSED_CODE}.get(choice, labels.find(choice))
