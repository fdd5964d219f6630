"""Answers that count as declined by words that no table of this program knows: told wherever declined ones are counted.

Under 400 or 422 a sentence that speaks of no machine is taken for a block. Nothing more is stored of it than of any
other: its status, the server's words, and no word for why it stopped, so that it is seen anew which of these are known.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from gpf_desktop.domain.endings import is_block
from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.models import short_names
from gpf_desktop.domain.responses import Missing, reason_words
from gpf_desktop.domain.text import grouped, trn

OF_A_QUESTION: Final = frozenset({400, 422})
"""Statuses that say no to one call."""


def is_unknown(missing: str, status: int | None, words: str, finish: str) -> bool:
    """Whether what is stored so was declined by *words* that no table knows. Without words nothing can be told."""
    return (
        missing == Missing.REFUSED
        and status in OF_A_QUESTION
        and not finish
        and bool(words)
        and not is_block(status or 0, words)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class UnknownRefusals:
    """The answers of some rounds and models that were declined by unknown words."""

    by_model: Mapping[str, int] = field(default_factory=dict)
    """By label."""
    bundles: tuple[BundleId, ...] = ()
    """In which they stand."""

    @property
    def n(self) -> int:
        return sum(self.by_model.values())

    @property
    def sentence(self) -> str:
        """A sentence for pages and reports; empty: there are none."""
        if not self.n:
            return ""
        names = short_names(self.by_model)
        models = ", ".join(f"{names[label]} {grouped(n)}" for label, n in self.by_model.items())
        return trn(
            "{n} answer counts as declined by words that this program does not know ({models}). They stand beside it.",
            "{n:,} answers count as declined by words that this program does not know ({models}). They stand beside"
            " each.",
            self.n,
            models=models,
        )


def told_by_reason(reasons: Iterable[tuple[str, int]], unknown: int) -> list[str]:
    """“109 declined, 7 of them …”: *reasons*, each with how many, *unknown* of those declined by words not known."""
    return [
        trn(
            "{all} declined ({n} by words that this program does not know)",
            "{all} declined ({n:,} by words that this program does not know)",
            unknown,
            all=grouped(n),
        )
        if unknown and reason == Missing.REFUSED
        else f"{grouped(n)} {reason_words(reason)}"
        for reason, n in reasons
    ]


def counted(labels: Iterable[str], bundles: Iterable[int]) -> UnknownRefusals:
    """The unknown refusals, counted from one of *labels* and of *bundles* for each."""
    return UnknownRefusals(
        by_model=dict(Counter(labels).most_common()), bundles=tuple(BundleId(each) for each in sorted(set(bundles)))
    )
