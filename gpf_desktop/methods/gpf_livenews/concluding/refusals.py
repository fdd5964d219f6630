"""Readers that are declined more or less often than the others, by providers and in models' own words, tested over the
whole page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from gpf_desktop.arrays import Ints
from gpf_desktop.domain.conclusions.conclusion import ConclusionOutcome, RefusalReading, Refused
from gpf_desktop.domain.coordinates import MAIN
from gpf_desktop.domain.responses import Missing
from gpf_desktop.methods.gpf_livenews.concluding.framing import FRAMING_SHARE
from gpf_desktop.methods.gpf_livenews.protocol import Confirmatory
from gpf_desktop.stats.spending import SpendingFunction, spent
from gpf_desktop.stats.stepwise_tests import Parts, step_down

if TYPE_CHECKING:
    import pandas as pd

_COUNTS: Final = ("decided", "refused", "worded_refusals")


@dataclass(frozen=True, slots=True)
class Look:
    """One look at a model's articles, in the order asked."""

    articles: int
    alpha: float
    """What it may spend of the page's chance to name anybody."""


@dataclass(slots=True, kw_only=True)
class _Group:
    """One model's readers of one kind: cells declined and decided by article, in the order asked, and reader."""

    model: str
    readers: list[str]
    declined: Ints
    decided: Ints
    left: list[int]
    """Readers not named yet."""

    def at(self, articles: int) -> Parts:
        return Parts(events=self.declined[:articles], trials=self.decided[:articles], left=list(self.left))

    def named(self, reader: int, p: float, articles: int) -> Refused:
        declined, decided = self.declined[:articles].sum(axis=0), self.decided[:articles].sum(axis=0)
        return Refused(
            who=self.readers[reader],
            declined=int(declined[reader]),
            of=int(decided[reader]),
            others=int(declined.sum() - declined[reader]),
            others_of=int(decided.sum() - decided[reader]),
            p=p,
        )


def refusal_looks(plan: Confirmatory, articles: int, *, planned: bool) -> Sequence[Look]:
    """The planned looks that so many articles have come to; all at once where none was planned or reached."""
    alpha = (1 - FRAMING_SHARE) * plan.alpha
    reached = [size for size in plan.sizes if size <= articles] if planned else []
    if not reached:
        return at_once(alpha)(articles)
    how = SpendingFunction.POCOCK if plan.spending == "pocock" else SpendingFunction.OBRIEN_FLEMING
    so_far = [0.0, *(spent(size / plan.sizes[-1], alpha, how) for size in reached)]
    return [Look(size, now - before) for size, before, now in zip(reached, so_far, so_far[1:], strict=False)]


def at_once(alpha: float) -> Callable[[int], Sequence[Look]]:
    """Everything looked at a single time."""
    return lambda articles: (Look(articles, alpha),)


def refusals(decided: pd.DataFrame, looks: Callable[[int], Sequence[Look]]) -> tuple[dict[str, RefusalReading], int]:
    """The reading of refusals by model, with the readers named; and how many tests that took.

    *looks* gives the looks at a model of so many articles. At each, all models that have come so far are one family:
    the reader furthest from the others of their kind is named first, the others are then tested without that one
    (`stepwise_tests`). What looks may spend adds up to the page's chance, whatever they have in common (Bonferroni);
    who was named stays named.
    """
    articles = {model: _in_order(some) for model, some in _by_model(decided)}
    its = {model: tuple(looks(len(found))) for model, found in articles.items()}
    groups = list(_groups(decided, articles))
    named: dict[str, list[Refused]] = {}
    tests = 0
    for place in range(max(map(len, its.values()), default=0)):
        here = [group for group in groups if place < len(its[group.model])]
        alphas = {its[group.model][place].alpha for group in here}
        for alpha in sorted(alphas):
            some = [group for group in here if its[group.model][place].alpha == alpha]
            sizes = [its[group.model][place].articles for group in some]
            found, asked = step_down([group.at(n) for group, n in zip(some, sizes, strict=True)], alpha)
            tests += asked
            for each in found:
                group = some[each.group]
                group.left.remove(each.part)
                told = group.named(each.part, each.p, sizes[each.group])
                named.setdefault(group.model, []).append(told)
    return {model: _reading(some, named.get(model, [])) for model, some in _by_model(decided)}, tests


def _in_order(some: Any) -> list[int]:
    """Articles as they were asked: numbers of batches and articles rise with time."""
    pairs: Any = some[["batch_id", "article_id"]].drop_duplicates("article_id")
    return [int(each) for each in pairs.sort_values(["batch_id", "article_id"])["article_id"]]


def _groups(decided: pd.DataFrame, articles: dict[str, list[int]]) -> Any:
    for (model, _), some in decided.groupby(["model", "dimension"], observed=True):
        table: Any = some.groupby(["article_id", "identity"], observed=True)[[*_COUNTS]].sum().unstack()
        # Where an article did not ask an identity, or nothing was decided, 0 trials are the test's word for absent.
        table = table.reindex(articles[str(model)])
        cells, refused, worded = (table[name].fillna(0).to_numpy(int) for name in _COUNTS)
        readers = [str(each) for each in table[_COUNTS[0]].columns]
        yield _Group(
            model=str(model),
            readers=readers,
            declined=np.minimum(refused + worded, cells),
            decided=cells,
            left=list(range(len(readers))),
        )


def _by_model(decided: pd.DataFrame) -> list[tuple[str, Any]]:
    return [(str(model), some) for model, some in decided.groupby("model", observed=True)]


def _reading(some: Any, named: list[Refused]) -> RefusalReading:
    of, refused, worded = (int(some[name].sum()) for name in _COUNTS)
    outcome = ConclusionOutcome.DIFFERS if named else ConclusionOutcome.NOT_SHOWN if of else ConclusionOutcome.TOO_FEW
    groups = tuple(sorted(named, key=lambda each: each.p))
    return RefusalReading(
        outcome=outcome,
        declined=refused + worded,
        of=of,
        in_words=worded,
        groups=groups,
    )


def declined_first(cells: pd.DataFrame) -> dict[str, tuple[int, int]]:
    """The first answers to named readers that were declined, and of how many, by model: those that a page counts."""
    first = cells[(cells["arm"] == MAIN) & ~cells["repeated"]]
    return {
        model: (
            int(some.loc[some["reason"] == str(Missing.REFUSED), "n"].sum() + some["worded_refusals"].sum()),
            int(some["n"].sum()),
        )
        for model, some in _by_model(first)
    }
