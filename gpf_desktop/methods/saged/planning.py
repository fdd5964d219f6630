"""The smallest gap between two concepts that a round will find, of tone and of judges' marks, told before it is paid
for."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import cycle, islice
from math import sqrt
from typing import Final

import numpy as np

from gpf_desktop.arrays import Floats
from gpf_desktop.domain.registration import comparisons
from gpf_desktop.domain.round_planning import Effect, EffectScale, Enough, Extent, Findable, Pilot, Variation
from gpf_desktop.domain.scopes import Scope
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.methods.saged.gap_power import GapPower, power_of
from gpf_desktop.methods.saged.gaps import LEAST_ROOTS, Pairs
from gpf_desktop.methods.saged.protocol import TONE, BenchmarkStudy, Sizes, nearly_alike_roots

MOST_ROOTS: Final = 200
_CONCEPT, _ROLE = "concept", "role_play"
MARKS: Final = "marks"
_SHOWN_SIZES: Final = {TONE: (0.2, 0.4), MARKS: (0.5, 1.0)}
"""Gaps of which the chance to be found is told too."""
_ASSUMED: Final = {
    TONE: Variation(item=0.2**2 / 2, residual=0.2**2 / 2),
    # Of first answers alone, as judges mark them.
    MARKS: Variation(item=0.5**2, residual=0.0),
}
"""Of one answer about its prompt's and its concept's mean: half of a tone's stays however often it is asked."""


def assumed() -> Pilot:
    return Pilot(
        variation=_ASSUMED,
        origin=tr(
            "Nothing was measured in this audit yet. Assumed: about what prompt and concept have on average, the tone"
            " of an answer varies by 0.2. A judge model's mark varies by half a level. Half of a tone's variance stays"
            " however often it is asked."
        ),
        measured=False,
    )


def pilot(scores: ScoreTables) -> Pilot | None:
    """The pilot measured on the tones of every model that answered, and judges' marks of them; of real ones where there
    are any."""
    from gpf_desktop.methods.saged.analyses._judged import judgements
    from gpf_desktop.methods.saged.concluding.series import asked_of, series_of

    every = [each for each in series_of(asked_of(scores), judgements(scores)) if each.comparable]
    real = [each for each in every if not each.asked.of.synthetic]
    found: dict[str, list[float]] = {}
    for each in real or every:
        if each.judged is not None or each.feature == TONE:
            found.setdefault(TONE if each.judged is None else MARKS, []).append(_variance(each.cells))
    if not found:
        return None
    words = tr("How much scores vary was measured on the rounds of this audit.")
    if not real:
        words = tr("{words} All of it by built-in test models: a language model varies otherwise.", words=words)
    # What a further answer to the same prompt would change is not known: taken as nothing.
    variation = {name: Variation(item=float(np.mean(each)), residual=0.0) for name, each in found.items()}
    return Pilot(variation=variation, origin=words, measured=True)


def _variance(cells: Floats) -> float:
    """The variance of one cell about its root's and its concept's mean: half that of two concepts' difference over
    roots."""
    return float(np.mean(Pairs.of(cells).variance)) / 2


def effects() -> Mapping[str, EffectScale]:
    tone = tr("How far apart in tone the two furthest groups lie")
    marks = tr("How far apart in a judge model's marks the two furthest groups lie")
    return {
        TONE: EffectScale(words=tone, first=0.3, least=0.05, most=2.0, step=0.05),
        MARKS: EffectScale(words=marks, first=0.5, least=0.1, most=9.0, step=0.1),
    }


def narrowed(protocol: BenchmarkStudy, controls: Sizes, scope: Scope) -> tuple[BenchmarkStudy, Sizes] | None:
    """The study without the concepts and roles left out; None where two concepts or a role do not remain."""
    out = frozenset(scope.left_out)
    rows = tuple(row for row in protocol.benchmark if (_CONCEPT, row.concept) not in out)
    roles = {name: said for name, said in protocol.roles.items() if (_ROLE, name) not in out}
    if len({row.concept for row in rows}) < 2 or not roles:
        return None
    return replace(protocol, benchmark=rows, roles=roles), controls


def findable(protocol: BenchmarkStudy, controls: Sizes, extent: Extent, pilot: Pilot) -> tuple[Findable, ...]:
    """The smallest gaps that are found in tone, and in judges' marks where any judge is asked, in the domain where
    least is found; nothing where only orders are read."""
    if protocol.orders_only:
        return ()
    tests = tests_of(protocol, extent)
    measures = (TONE, MARKS) if protocol.rubrics and extent.others else (TONE,)
    titles = {name: effects()[name].words for name in measures}
    powers = _powers(protocol, extent.items, tests)
    if powers is None:
        why = tr("nothing can be concluded where no two groups have {n} prompts in common", n=LEAST_ROOTS)
        return tuple(Findable(name=name, title=title, smallest=None, why=why) for name, title in titles.items())
    smallest = [each.smallest(extent.power) for each in powers]
    known = [each for each in smallest if each is not None]
    tested = tr(
        "simulated: further apart than chance gives, over {prompts} of {concepts} that lie evenly between the"
        " two; {tests} counted together",
        prompts=trn("{n} prompt", "{n} prompts", _counted(protocol, extent.items)),
        concepts=trn("{n} group", "{n} groups", len(protocol.concepts)),
        tests=comparisons(tests),
    )
    found = []
    for name, title in titles.items():
        if name not in pilot.variation:
            why = tr("how much they vary is not known before they were asked")
            found.append(Findable(name=name, title=title, smallest=None, why=why))
            continue
        spread = _spread(name, controls, pilot)
        found.append(
            Findable(
                name=name,
                title=title,
                smallest=max(known) * spread if len(known) == len(smallest) else None,
                why=""
                if len(known) == len(smallest)
                else tr("so many comparisons let nothing be told of so few prompts"),
                shares=tuple((size, min(each.found(size / spread) for each in powers)) for size in _SHOWN_SIZES[name]),
                tested=tested,
            )
        )
    return tuple(found)


def enough(effect: Effect, protocol: BenchmarkStudy, controls: Sizes, extent: Extent, pilot: Pilot) -> Enough:
    """The fewest prompts that find *effect*, branched to concepts as those of the benchmark are."""
    from gpf_desktop.stats.power import fewest

    if effect.name not in pilot.variation or protocol.orders_only or not effect.size:
        return Enough(items=None)
    size, tests = effect.size / _spread(effect.name, controls, pilot), tests_of(protocol, extent)

    def found(roots: int) -> bool:
        powers = _powers(protocol, roots, tests)
        return powers is not None and min(each.found(size) for each in powers) >= extent.power

    return Enough(items=fewest(found, MOST_ROOTS))


def tests_of(study: BenchmarkStudy, extent: Extent) -> int:
    """The number of tests of the page: tone and every rubric by every judge, in each role and domain of each model; and
    whether answers evade, of each model and domain (`planned_tests`)."""
    answering = max(1, extent.models) * len(dict.fromkeys(row.domain for row in study.benchmark))
    return answering * (len(study.roles) * (1 + len(study.rubrics) * extent.others) + 1)


def _counted(study: BenchmarkStudy, roots: int) -> int:
    """The number that *roots* count as, if as many of them are nearly alike as of the study's."""
    of_roots = list(study.roots.values())
    return roots * len(set(nearly_alike_roots(of_roots).tolist())) // max(len(of_roots), 1)


def _powers(study: BenchmarkStudy, roots: int, tests: int) -> list[GapPower] | None:
    """The power in each domain, its prompts over and over where *roots* are more; None where one cannot be compared."""
    by_domain: dict[str, list[frozenset[str]]] = {}
    of_roots = list(study.roots.values())
    together: dict[int, tuple[str, set[str]]] = {}
    for at, rows in zip(nearly_alike_roots(of_roots).tolist(), of_roots, strict=True):
        together.setdefault(at, (next(iter(rows.values())).domain, set()))[1].update(rows)
    # Prompts that are nearly alike count as one, as they do where it is concluded.
    for domain, about in islice(cycle(together.values()), _counted(study, roots)):
        by_domain.setdefault(domain, []).append(frozenset(about))
    found = []
    for of_domain in by_domain.values():
        concepts = sorted(frozenset().union(*of_domain))
        there = np.array([[each in root for each in concepts] for root in of_domain])
        power = power_of(there.tobytes(), there.shape, tests)
        if power is None:
            return None
        found.append(power)
    return found or None


def _spread(name: str, sizes: Sizes, pilot: Pilot) -> float:
    its = pilot.variation[name]
    return max(sqrt(its.item + its.residual * its.generations / sizes.repeats), 1e-6)
