"""Gates that decide, in order, what may be said of what a method measured, and the one room that opens or shuts them.

A gate is data. It names a reading that the method hands over, the bounds within which it holds, and what follows where
it does not: an outcome in place of the tested one (it *voids* some measures, or all), or outcomes that may not be said
(it *bars* them), a tag, or a caveat alone.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Final

from gpf_desktop.domain.conclusions.conclusion import (
    PRECEDENCE,
    SHOWN,
    Caveat,
    CaveatEffect,
    Conclusion,
    ConclusionOutcome,
    ConclusionPage,
    ConclusionTag,
    ControlReading,
    MeasureReading,
    Numbers,
    ReadSoFar,
    RefusalReading,
    Standing,
)

MOST_CARRIED: Final = 50
"""Bundles that are named at most as those that carry a conclusion."""
_GRAVEST: Final = {effect: at for at, effect in enumerate(CaveatEffect)}


@dataclass(frozen=True, slots=True, kw_only=True)
class GateReading:
    """The value that one gate is compared with."""

    value: float
    numbers: Numbers = field(default_factory=dict)
    """Values that the caveat's sentence fills in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """A condition on a conclusion. It holds where its reading lies within *least* and *most*."""

    key: str
    """Stable: stored in files, and the name of its reading (`ModelEvidence.readings`)."""
    least: float | None = None
    most: float | None = None
    above: float | None = None
    """It must lie above, not only at it."""
    measures: tuple[str, ...] = ()
    """Which it is about; empty: all of them."""
    by_measure: bool = False
    """Held against a reading of each measure by itself (`measure_key`), of methods whose measures are not known
    beforehand; it shuts on that measure alone."""
    outcome: ConclusionOutcome | None = None
    """Of those, in place of their tested one: *check failed* or *too few*. None: they keep theirs."""
    bars: frozenset[ConclusionOutcome] = frozenset()
    """Outcomes that may not be said of those where it shuts; *not shown* takes their place."""
    tag: ConclusionTag | None = None
    """The tag beside the outcome where it shuts."""
    effect: CaveatEffect | None = None
    """None: it voids where it has an outcome and weakens where not."""
    asked: bool = True
    """Where it has no reading it holds; False: it shuts, since what was not asked was not shown."""

    def holds(self, reading: GateReading | None) -> bool:
        if reading is None:
            return self.asked
        value = reading.value
        return (
            (self.least is None or value >= self.least)
            and (self.most is None or value <= self.most)
            and (self.above is None or value > self.above)
        )

    @property
    def what_it_does(self) -> CaveatEffect:
        return self.effect or (CaveatEffect.VOIDS if self.outcome else CaveatEffect.WEAKENS)


def measure_key(key: str, measure: str) -> str:
    """The key of a reading that the gate *key* is held against for one *measure*."""
    return f"{key}/{measure}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelEvidence:
    """The measurements of one model for one question, before anything is concluded."""

    model: str
    synthetic: bool
    standing: Standing
    measures: tuple[MeasureReading, ...]
    """With the outcome of each by its own test, over all of the page."""
    about: str = ""
    readings: Mapping[str, GateReading] = field(default_factory=dict)
    """By key of a gate."""
    controls: tuple[ControlReading, ...] = ()
    refusals: RefusalReading | None = None
    rows: tuple[str, ...] = ()
    carrying: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """By measure, the bundles that carry what it says, the largest part first; the largest measures first. Which of
    them are read is for the gates to say."""
    refusing: tuple[int, ...] = ()
    """Bundles in which it declined whom it declines more often."""
    of_parts: tuple[MeasureReading, ...] = ()
    """`Conclusion.of_parts`."""
    parts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By measure, the parts of what was asked on which it differs though it does not over all (`Conclusion.parts`)."""
    numbers: Numbers = field(default_factory=dict)
    read: ReadSoFar = field(default_factory=ReadSoFar)


@dataclass(frozen=True, slots=True, kw_only=True)
class PageEvidence:
    """The evidence on every model in the window, and how many tests that took."""

    of: tuple[ModelEvidence, ...]
    tests: int
    alpha: float = 0.05
    planned: str = ""
    bridge: str = ""
    """From what was asked to so many tests, in a sentence or two."""
    chance_holds: str = ""
    """Where its chance of a false *differs* holds, and how much it is elsewhere; empty: wherever it was tried."""
    question: str = ""
    """In the study's own words; empty: the method's."""


def concluded(evidence: ModelEvidence, gates: Sequence[Gate]) -> Conclusion:
    """The conclusion that *gates*, in their order, leave of *evidence*. Never raises; never without an outcome."""
    found = [
        _Shut(gate=of, reading=reading)
        for gate in gates
        for of, reading in _held_against(gate, evidence)
        if not of.holds(reading)
    ]
    shut = [each.gate for each in found]
    measures = tuple(_judged(each, shut) for each in evidence.measures)
    left, so_far = _outcome(evidence.standing, measures, shut)
    weighing = [each for each in found if _weighs(each.gate, measures)]
    tags = dict.fromkeys(each.gate.tag for each in weighing if each.gate.tag is not None)
    refusals = evidence.refusals
    if refusals is not None and evidence.standing.too_early and refusals.outcome is ConclusionOutcome.DIFFERS:
        # Nothing is shown before the first look, and neither is who is declined: it is told as so far.
        refusals = replace(refusals, outcome=ConclusionOutcome.TOO_EARLY)
    if refusals is not None and refusals.outcome is ConclusionOutcome.DIFFERS:
        tags = {ConclusionTag.REFUSALS_DIFFER: None, **tags}
    return Conclusion(
        model=evidence.model,
        synthetic=evidence.synthetic,
        outcome=left,
        so_far=so_far,
        about=evidence.about,
        standing=evidence.standing,
        measures=measures,
        controls=evidence.controls,
        # A stable sort: of one effect, the order in which the method declares its gates.
        caveats=tuple(sorted((each.caveat for each in weighing), key=lambda each: _GRAVEST[each.effect])),
        tags=tuple(tags),
        refusals=refusals,
        read=evidence.read,
        rows=evidence.rows,
        bundles=_read_first(evidence, measures, refusals),
        of_parts=tuple(_as_its_whole(each, measures) for each in evidence.of_parts),
        parts=_parts(evidence, measures, shut),
        numbers=evidence.numbers,
    )


def page_of(method: str, question: str, evidence: PageEvidence, gates: Sequence[Gate], says: str) -> ConclusionPage:
    """Every model's conclusion, in the order in which they are read."""
    made = [concluded(each, gates) for each in evidence.of]
    return ConclusionPage(
        method=method,
        question=evidence.question or question,
        conclusions=tuple(sorted(made, key=_reading_order)),
        tests=evidence.tests,
        alpha=evidence.alpha,
        says=says,
        items=max((each.standing.items for each in evidence.of), default=0),
        planned=evidence.planned,
        bridge=evidence.bridge,
        chance_holds=evidence.chance_holds,
    )


def with_read(page: ConclusionPage, read: Mapping[str, ReadSoFar]) -> ConclusionPage:
    """*page* with what people have read, by model."""
    none = ReadSoFar()
    return replace(page, conclusions=tuple(replace(each, read=read.get(each.model, none)) for each in page.conclusions))


@dataclass(frozen=True, slots=True)
class _Shut:
    gate: Gate
    reading: GateReading | None

    @property
    def caveat(self) -> Caveat:
        return Caveat(
            key=self.gate.key,
            effect=self.gate.what_it_does,
            numbers={} if self.reading is None else self.reading.numbers,
            measures=self.gate.measures,
        )


def _held_against(gate: Gate, evidence: ModelEvidence) -> Iterator[tuple[Gate, GateReading | None]]:
    if not gate.by_measure:
        yield gate, evidence.readings.get(gate.key)
        return
    for measure in evidence.measures:
        yield replace(gate, measures=(measure.name,)), evidence.readings.get(measure_key(gate.key, measure.name))


def _about(gate: Gate, measure: MeasureReading) -> bool:
    return not gate.measures or measure.name in gate.measures


def _weighs(gate: Gate, measures: Sequence[MeasureReading]) -> bool:
    """Whether what *gate* shut on is still there: of a measure that another gate voids nothing more is told."""
    about = [each for each in measures if each.name in gate.measures]
    return not about or any(each.voided_by in ("", gate.key) for each in about)


def _judged(measure: MeasureReading, shut: Sequence[Gate]) -> MeasureReading:
    about = [gate for gate in shut if _about(gate, measure)]
    # The first in the method's order names the reason: what is behind it was not reached.
    voiding = next((gate for gate in about if gate.outcome is not None), None)
    if voiding is not None:
        return replace(measure, outcome=voiding.outcome or measure.outcome, voided_by=voiding.key)
    if any(measure.outcome in gate.bars for gate in about):
        return replace(measure, outcome=ConclusionOutcome.NOT_SHOWN)
    return measure


def _as_its_whole(part: MeasureReading, measures: Sequence[MeasureReading]) -> MeasureReading:
    """*part*, called ``part/measure``, without a vote where the check of its measure failed."""
    whole = next((each for each in measures if part.name.endswith(f"/{each.name}")), None)
    if whole is None or not whole.voided_by:
        return part
    return replace(part, outcome=whole.outcome, voided_by=whole.voided_by)


def _read_first(
    evidence: ModelEvidence, measures: Sequence[MeasureReading], refusals: RefusalReading | None
) -> tuple[int, ...]:
    """Bundles by what carries what is told: measures that say that it differs, then whom it declines, then the rest;
    those of measures whose check failed only where no other is left."""
    its = {each.name: each for each in measures}
    voting = [name for name in evidence.carrying if name in its and not its[name].voided_by]
    telling = [name for name in voting if its[name].outcome is ConclusionOutcome.DIFFERS]
    declines = refusals is not None and bool(refusals.groups)
    if declines and not telling:
        return evidence.refusing
    order = [evidence.carrying[name] for name in telling]
    order += [evidence.refusing] if declines else []
    order += [evidence.carrying[name] for name in voting if name not in telling]
    return tuple(dict.fromkeys(chain(*(order if voting else evidence.carrying.values()))))[:MOST_CARRIED]


def _parts(evidence: ModelEvidence, measures: Sequence[MeasureReading], shut: Sequence[Gate]) -> tuple[str, ...]:
    """The parts named by measures that vote and that may say *differs*."""
    barred = [gate for gate in shut if ConclusionOutcome.DIFFERS in gate.bars]
    its = [each for each in measures if not each.voided_by and not any(_about(gate, each) for gate in barred)]
    return tuple(dict.fromkeys(part for each in its for part in evidence.parts.get(each.name, ())))


def _outcome(
    standing: Standing, measures: Sequence[MeasureReading], shut: Sequence[Gate]
) -> tuple[ConclusionOutcome, ConclusionOutcome | None]:
    """The outcome, and where it is too early what is so so far."""
    candidates = [gate.outcome for gate in shut if gate.outcome is not None and not gate.measures]
    voting = [each for each in measures if each.value is not None and not each.voided_by]
    if not voting:
        # What could not be measured has too few answers, unless a gate knows better why.
        few = ConclusionOutcome.TOO_FEW
        candidates += [each.outcome if each.voided_by else few for each in measures] or [few]
    if candidates:
        return min(candidates, key=PRECEDENCE.index), None
    tested = _together(voting)
    if standing.too_early:
        return ConclusionOutcome.TOO_EARLY, tested
    return tested, None


def _together(voting: Sequence[MeasureReading]) -> ConclusionOutcome:
    """*Differs* if any does, *alike* only if all are."""
    outcomes = {each.outcome for each in voting}
    if ConclusionOutcome.DIFFERS in outcomes:
        return ConclusionOutcome.DIFFERS
    return ConclusionOutcome.ALIKE if outcomes == {ConclusionOutcome.ALIKE} else ConclusionOutcome.NOT_SHOWN


def _reading_order(each: Conclusion) -> tuple[bool, int, bool, float, str, str]:
    """Real models first; of them what is shown, then the largest measure beyond its null."""
    rank = {ConclusionOutcome.DIFFERS: 0, ConclusionOutcome.NOT_SHOWN: 1, ConclusionOutcome.ALIKE: 2}.get(each.said, 3)
    # Refusals that differ, and a part on which it differs, are findings of their own, read before what shows nothing.
    if rank and (ConclusionTag.REFUSALS_DIFFER in each.tags or (each.says_something and each.parts)):
        rank = 0
    sizes = [abs(one.value) for one in each.measures if one.value is not None and not one.voided_by]
    return each.synthetic, rank, each.said not in SHOWN, -max(sizes[:1], default=0.0), each.model, each.about
