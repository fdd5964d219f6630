"""Whether a model declines, hedges or asks back about some concepts more often than about others."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from gpf_desktop.arrays import Floats
from gpf_desktop.domain.conclusions.conclusion import ConclusionOutcome, RefusalReading, Refused
from gpf_desktop.domain.coordinates import MAIN
from gpf_desktop.domain.responses import Missing
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.methods.saged.analyses._judged import METHOD
from gpf_desktop.methods.saged.concluding.series import Asked, evasive
from gpf_desktop.methods.saged.features import REFUSAL
from gpf_desktop.methods.saged.gaps import comparable

_Place = tuple[str, str]
"""Model and role."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evasions:
    """Of one model in one role: which of its answers are none, by root and concept."""

    asked: Asked
    cells: Floats
    """(roots, concepts) 1 where an answer declines, hedges or asks back, or the provider refused; NaN: not decided."""
    in_words: int
    """Answers that decline in words."""
    asked_for: int
    lacking: int
    """Without an answer, and not refused."""

    @property
    def tested(self) -> bool:
        """Whether there is anything to compare."""
        return comparable(self.cells) and bool(np.nansum(self.cells))

    def count(self, concept: int) -> tuple[int, int]:
        """(so many, of so many)"""
        its = self.cells[:, concept]
        return round(float(np.nansum(its))), int((~np.isnan(its)).sum())


def evasions(scores: ScoreTables, asked: Sequence[Asked]) -> list[Evasions]:
    ended = _ended(scores)
    return [_of(each, ended.get((each.of.model, each.of.role), [])) for each in asked]


def refusals(found: Sequence[Evasions], tests: int) -> tuple[RefusalReading, tuple[str, ...]]:
    """Of one model, the roles in which concepts are told apart, the widest first, and the concept that each is held
    against; *tests* are made on the page."""
    counts = [each.count(concept) for each in found for concept in range(len(each.asked.groups))]
    declined, of = sum(n for n, _ in counts), sum(n for _, n in counts)
    in_words = sum(each.in_words for each in found)
    told = sorted(
        _told(found, tests), key=lambda each: each[0].others / each[0].others_of - each[0].declined / each[0].of
    )
    outcome = ConclusionOutcome.DIFFERS if told else ConclusionOutcome.NOT_SHOWN
    if not of:
        outcome = ConclusionOutcome.TOO_FEW
    groups = tuple(group for group, _ in told)
    reading = RefusalReading(outcome=outcome, declined=declined, of=of, in_words=in_words, groups=groups)
    return reading, tuple(low for _, low in told)


def _told(found: Sequence[Evasions], tests: int) -> Iterator[tuple[Refused, str]]:
    for each in found:
        gap = each.asked.gap(each.cells, tests) if each.tested else None
        if gap is None or not gap.told:
            continue
        declined, of = each.count(gap.high)
        others, others_of = each.count(gap.low)
        groups = each.asked.groups
        refused = Refused(who=groups[gap.high], declined=declined, of=of, others=others, others_of=others_of, p=gap.p)
        yield refused, groups[gap.low]


def _of(asked: Asked, ended: Sequence[tuple[int, str, str]]) -> Evasions:
    cells = asked.cells(evasive(asked.frame).astype(np.float64))
    roots = {root: at for at, root in enumerate(asked.roots.tolist())}
    number = {group: at for at, group in enumerate(asked.groups)}
    lacking = 0
    here = [each for each in ended if each[0] in roots and each[1] in number]
    for root, concept, missing in here:
        if missing == Missing.REFUSED:
            cells[roots[root], number[concept]] = 1.0
        lacking += bool(missing) and missing != Missing.REFUSED
    return Evasions(
        asked=asked,
        cells=np.where(np.isnan(cells), np.nan, (cells > 0).astype(np.float64)),
        in_words=int((asked.frame[REFUSAL.name].to_numpy(float) > 0).sum()),
        asked_for=len(here),
        lacking=lacking,
    )


def _ended(scores: ScoreTables) -> Mapping[_Place, list[tuple[int, str, str]]]:
    """By model and role, root, concept and why there is no answer, of first generations."""
    found: dict[_Place, list[tuple[int, str, str]]] = {}
    used = set(scores.bundles["run_id"].tolist())
    for each in scores.replies(METHOD):
        if each.arm == MAIN and not each.repeat and each.run_id in used:
            at = each.coordinates
            found.setdefault((each.model, str(at["role_play"])), []).append(
                (each.item_id, str(at["concept"]), each.missing)
            )
    return found
