"""Readers that are answered at greater or lesser length than the others of their group."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from gpf_desktop.domain.conclusions.gates import GateReading
from gpf_desktop.stats.stepwise_tests import Parts, step_down

if TYPE_CHECKING:
    import pandas as pd

    from gpf_desktop.arrays import Floats

LENGTHS: Final = "lengths_differ"
_ALPHA: Final = 0.01
"""Its own, beside what the page may spend on *differs*: a length is told and is no outcome."""
_LEAST: Final = 0.1
"""By which share of the others' words: a name that is repeated makes an answer a word or two longer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Group:
    model: str
    readers: list[str]
    words: Floats
    """Of an answer, (articles, readers), NaN: none."""

    @property
    def parts(self) -> Parts:
        """Ranks within articles as events of as many trials, twice each, since two of one length share theirs."""
        from scipy.stats import rankdata

        there = ~np.isnan(self.words)
        ranks = np.nan_to_num(2 * (rankdata(self.words, axis=1, nan_policy="omit") - 1)).round().astype(np.int64)
        most = 2 * np.maximum(there.sum(axis=1, keepdims=True) - 1, 0)
        return Parts(events=np.where(there, ranks, 0), trials=np.where(there, most, 0))

    def against(self, reader: int) -> tuple[float, float]:
        """Words of an answer to *reader* and to the others, over the articles that have both."""
        others = np.delete(self.words, reader, axis=1)
        kept = ~np.isnan(self.words[:, reader]) & ~np.isnan(others).all(axis=1)
        return float(self.words[kept, reader].mean()), float(np.nanmean(others[kept], axis=1).mean())


def lengths(said: pd.DataFrame) -> dict[str, GateReading]:
    """By model, the reader whose answers are the furthest from the others' in length, of *said*, answers to named
    readers; what declines in words is told of itself, and left out."""
    groups = [each for each in _groups(said) if each.words.shape[1] > 1]
    named, _ = step_down([each.parts for each in groups], _ALPHA)
    found: dict[str, list[dict[str, float | int | str]]] = {}
    for each in named:
        group = groups[each.group]
        own, others = group.against(each.part)
        if abs(own - others) >= _LEAST * others:
            numbers = {"who": group.readers[each.part], "words": round(own), "others": round(others)}
            found.setdefault(group.model, []).append(numbers)
    return {
        model: GateReading(value=len(some), numbers={**some[0], "further": len(some) - 1})
        for model, some in found.items()
    }


def _groups(said: pd.DataFrame) -> Any:
    some: Any = said[(said["decided"] > said["refused"]) & (said["worded_refusals"] == 0)]
    for (model, _), its in some.groupby(["model", "dimension"], observed=True):
        sums: Any = its.groupby(["article_id", "identity"], observed=True)[["words", "decided", "refused"]].sum()
        table = (sums["words"] / (sums["decided"] - sums["refused"])).unstack()
        readers = [str(each) for each in table.columns]
        yield _Group(model=str(model), readers=readers, words=table.to_numpy(float))
