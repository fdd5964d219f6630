"""Whether a model declines, hedges or asks back about some concepts more often than about others."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from gpf_desktop.arrays import Bools, Floats
from gpf_desktop.domain.conclusions.conclusion import ConclusionOutcome, RefusalReading, Refused
from gpf_desktop.domain.coordinates import MAIN
from gpf_desktop.domain.responses import Missing
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.methods.saged.analyses._judged import METHOD
from gpf_desktop.methods.saged.concluding.series import Asked, evasive
from gpf_desktop.methods.saged.features import REFUSAL
from gpf_desktop.methods.saged.gaps import comparable, in_common

Place = tuple[str, str]
"""Model and role."""
Ended = tuple[int, str, str]
"""Root, concept, and why there is no answer; empty: there is one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evasions:
    """The answers of one model, in all of its roles, that are none: counts by root and concept."""

    asked: Asked
    """In its first role."""
    evaded: Floats
    """(roots, concepts) answers that decline, hedge or ask back, or that the provider refused."""
    decided: Floats
    """(roots, concepts) answers and refusals."""
    in_words: int
    """Answers that decline in words."""
    by_provider: int
    """Refused by the provider, of those in *decided*."""
    asked_for: int
    lacking: int
    """Without an answer, and not refused."""

    @property
    def cells(self) -> Floats:
        """(roots, concepts) share; NaN: nothing was decided."""
        with np.errstate(invalid="ignore"):
            found: Floats = self.evaded / np.where(self.decided > 0, self.decided, np.nan)
        return found

    @property
    def tested(self) -> bool:
        """Whether there is anything to compare."""
        return comparable(self.cells) and bool(self.evaded.any())

    def count(self, concept: int) -> tuple[int, int]:
        """(so many, of so many)"""
        return int(self.evaded[:, concept].sum()), int(self.decided[:, concept].sum())


def evasions(scores: ScoreTables, asked: Sequence[Asked]) -> list[Evasions]:
    """The evasions of each model, by domain. Roles are put together: what is declined is declined in all of them, and
    rarely."""
    ended, together = ended_of(scores, asked), dict[tuple[str, str], list[Asked]]()
    for each in asked:
        together.setdefault((each.of.model, each.domain), []).append(each)
    return [_of(some, ended) for some in together.values()]


def refusals(found: Sequence[Evasions], tests: int) -> tuple[RefusalReading, tuple[str, ...]]:
    """The reading of one model's refusals with the concepts that are told apart, and the concept that each of these is
    held against; *tests* are made on the page."""
    counts = [each.count(concept) for each in found for concept in range(len(each.asked.groups))]
    declined, of = sum(n for n, _ in counts), sum(n for _, n in counts)
    outright = sum(each.in_words + each.by_provider for each in found)
    told = list(_told(found, tests))
    outcome = ConclusionOutcome.DIFFERS if told else ConclusionOutcome.NOT_SHOWN
    reading = RefusalReading(
        outcome=outcome if of else ConclusionOutcome.TOO_FEW,
        declined=declined,
        of=of,
        in_words=sum(each.in_words for each in found),
        # Evasions are tested together, but one that hedges or asks back declines nothing.
        told=(outright, of),
        evaded=declined - outright,
        groups=tuple(group for group, _ in told),
    )
    return reading, tuple(low for _, low in told)


def lacking(ended: Sequence[Ended], roots: Sequence[int], groups: Sequence[str], there: Bools) -> float:
    """The share of the prompts asked about two concepts in which either has no number in *there* (roots, concepts), for
    the two concepts for which it is largest."""
    at_root, at_concept = ({each: at for at, each in enumerate(some)} for some in (roots, groups))
    further = {root: len(at_root) + at for at, root in enumerate({r for r, *_ in ended if r not in at_root})}
    asked = np.zeros((len(at_root) + len(further), len(groups)), bool)
    asked[: len(there)] = there
    came = asked.copy()
    for root, concept, _ in ended:
        if concept in at_concept:
            asked[at_root.get(root, further.get(root, 0)), at_concept[concept]] = True
    both = in_common(asked)
    with np.errstate(invalid="ignore"):
        shares = np.where(both > 0, 1 - in_common(came) / np.where(both > 0, both, 1), 0.0)
    return float(shares.max(initial=0.0))


def _told(found: Sequence[Evasions], tests: int) -> Iterator[tuple[Refused, str]]:
    for each in found:
        gap = each.asked.gap(each.cells, tests) if each.tested else None
        if gap is None or not gap.told:
            continue
        declined, of = each.count(gap.high)
        others, others_of = each.count(gap.low)
        groups = each.asked.groups
        yield (
            Refused(who=groups[gap.high], declined=declined, of=of, others=others, others_of=others_of, p=gap.p),
            groups[gap.low],
        )


def _of(roles: Sequence[Asked], ended: Mapping[Place, list[Ended]]) -> Evasions:
    first = roles[0]
    at_root = {root: at for at, root in enumerate(np.unique(np.concatenate([each.roots for each in roles])).tolist())}
    at_concept = {group: at for at, group in enumerate(first.groups)}
    evaded = np.zeros((len(at_root), len(at_concept)))
    decided = np.zeros_like(evaded)
    in_words = by_provider = asked_for = lacking = 0
    for each in roles:
        frame = each.frame
        rows = [at_root[root] for root in each.root_of.tolist()]
        columns = [at_concept.get(str(concept), -1) for concept in frame["concept"]]
        known = np.array(columns) >= 0
        at = (np.array(rows)[known], np.array(columns)[known])
        np.add.at(evaded, at, evasive(frame)[known].astype(np.float64))
        np.add.at(decided, at, 1.0)
        in_words += int((frame[REFUSAL.name].to_numpy(float)[known] > 0).sum())
        for root, concept, missing in ended.get((each.of.model, each.of.role), []):
            if concept not in at_concept:
                continue
            asked_for += 1
            # Of a prompt that no concept was answered about nothing can be compared, and all of it lacks.
            if missing == Missing.REFUSED and root in at_root:
                evaded[at_root[root], at_concept[concept]] += 1
                decided[at_root[root], at_concept[concept]] += 1
                by_provider += 1
            lacking += bool(missing) and missing != Missing.REFUSED
    return Evasions(
        asked=first,
        evaded=evaded,
        decided=decided,
        in_words=in_words,
        by_provider=by_provider,
        asked_for=asked_for,
        lacking=lacking,
    )


def ended_of(scores: ScoreTables, asked: Sequence[Asked]) -> Mapping[Place, list[Ended]]:
    """The root, the concept and the reason why there is no answer, of first generations, by model and role; roots are
    as *asked* has them."""
    as_one = asked[0].alike if asked else {}
    found: dict[Place, list[Ended]] = {}
    used = set(scores.bundles["run_id"].tolist())
    for each in scores.replies(METHOD):
        if each.arm == MAIN and not each.repeat and each.run_id in used:
            at = each.coordinates
            found.setdefault((each.model, str(at["role_play"])), []).append(
                (as_one.get(each.item_id, each.item_id), str(at["concept"]), each.missing)
            )
    return found
