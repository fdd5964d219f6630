"""Who is declined more or less often than the others, by providers and in models' own words, over the whole page."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from gpf_desktop.arrays import Ints
from gpf_desktop.domain.conclusions.conclusion import ConclusionOutcome, RefusalReading, Refused

if TYPE_CHECKING:
    import pandas as pd

_COUNTS: Final = ("decided", "refused", "worded_refusals")


@dataclass(slots=True, kw_only=True)
class _Group:
    """One model's readers of one kind: cells declined and decided by article and reader."""

    model: str
    readers: list[str]
    declined: Ints
    decided: Ints
    left: list[int] = field(default_factory=list)
    """Readers not named yet."""

    def tested(self) -> list[tuple[float, int]]:
        from gpf_desktop.stats.rates import groups_within

        if len(self.left) < 2 or not self.declined[:, self.left].any():
            return []
        p = groups_within(self.declined[:, self.left], self.decided[:, self.left]).p
        return [(float(each), reader) for each, reader in zip(p, self.left, strict=True)]

    def named(self, reader: int, p: float) -> Refused:
        others = [each for each in range(len(self.readers)) if each != reader]
        return Refused(
            who=self.readers[reader],
            declined=int(self.declined[:, reader].sum()),
            of=int(self.decided[:, reader].sum()),
            others=int(self.declined[:, others].sum()),
            others_of=int(self.decided[:, others].sum()),
            p=p,
        )


def refusals(decided: pd.DataFrame, alpha: float) -> tuple[dict[str, RefusalReading], int]:
    """By model, what was declined and whom; and how many tests that took.

    Step by step: the reader furthest from the others of their kind is named where p, times the tests that are left,
    stays within *alpha*; the others are then tested without that one, whom they would else be held against.
    """
    groups = list(_groups(decided))
    tests = [group.tested() for group in groups]
    number = open_ = sum(map(len, tests))
    named: dict[str, list[Refused]] = {}
    while open_:
        p, at, reader = min((p, at, reader) for at, some in enumerate(tests) for p, reader in some)
        if p * open_ > alpha:
            break
        group = groups[at]
        named.setdefault(group.model, []).append(group.named(reader, min(1.0, p * open_)))
        group.left.remove(reader)
        tests[at] = group.tested()
        open_ -= 1
        # Where nothing is declined among the others any more, they are not tested; what is open only falls.
        open_ = min(open_, sum(map(len, tests)))
    return {model: _reading(some, named.get(model, [])) for model, some in _by_model(decided)}, number


def _groups(decided: pd.DataFrame) -> Any:
    for (model, _), some in decided.groupby(["model", "dimension"], observed=True):
        table: Any = some.groupby(["article_id", "identity"], observed=True)[[*_COUNTS]].sum().unstack()
        # Where an article did not ask an identity, or nothing was decided, 0 trials are the test's word for absent.
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
    return RefusalReading(outcome=outcome, declined=refused + worded, of=of, in_words=worded, groups=groups)
