"""The conclusion about one model: an outcome, the numbers it rests on, and what weighs on it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Final

from gpf_desktop.domain.registration import Registration

Numbers = Mapping[str, float | int | str]
"""Values that a sentence fills in, by name."""


class ConclusionOutcome(StrEnum):
    """The outcome of a conclusion about a model. Every model has one: silence is none."""

    DIFFERS = "differs"
    """The planned test says so, with all comparisons counted, and every check held."""
    ALIKE = "alike"
    """The whole range lies within a margin that was stated beforehand."""
    NOT_SHOWN = "not_shown"
    """Neither of these."""
    TOO_EARLY = "too_early"
    """Looks were planned and the first has not come, or filters left the plan."""
    CHECK_FAILED = "check_failed"
    """A check voids every measure."""
    TOO_FEW = "too_few"
    """Fewer answers than a test could use."""


PRECEDENCE: Final = (
    ConclusionOutcome.TOO_FEW,
    ConclusionOutcome.CHECK_FAILED,
    ConclusionOutcome.TOO_EARLY,
    ConclusionOutcome.DIFFERS,
    ConclusionOutcome.ALIKE,
    ConclusionOutcome.NOT_SHOWN,
)
"""Which outcome is told where several could be."""
SHOWN: Final = frozenset({ConclusionOutcome.DIFFERS, ConclusionOutcome.ALIKE})
"""Outcomes whose sentences say that something was shown."""


class ConclusionTag(StrEnum):
    """Stands beside an outcome, never in its place."""

    REFUSALS_DIFFER = "refusals_differ"
    HANGS_ON_ONE = "hangs_on_one"
    QUOTES_THE_TEST = "quotes_the_test"
    SOME_MISSING = "some_missing"


class CaveatEffect(StrEnum):
    """The effect of a caveat on a conclusion, the gravest first."""

    VOIDS = "voids"
    WEAKENS = "weakens"
    INFORMS = "informs"


class Held(StrEnum):
    """Whether a control held."""

    YES = "yes"
    NO = "no"
    NOT_ASKED = "not_asked"


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherReading:
    """The value of another model, or of a group, on the scale of a measure."""

    words: str
    value: float


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasureReading:
    """One number that votes, with its range and the null on the same scale."""

    name: str
    """Stable: stored in files."""
    words: str
    """Its name on the page."""
    value: float | None
    """None: it could not be measured, *why* says so."""
    low: float | None = None
    """Of a range that holds for all of the page at once; None: there is none."""
    high: float | None = None
    level: float = 0.95
    """Of all ranges of the page together."""
    null: tuple[float, float] | None = None
    """The range that chance, or the agreed margin, would give."""
    margin: float | None = None
    """Too small to matter, as stated beforehand; None: none was."""
    p: float | None = None
    """All comparisons of the page counted."""
    outcome: ConclusionOutcome = ConclusionOutcome.NOT_SHOWN
    """Its own: *differs*, *alike* or *not shown* by its test; gates may take it back."""
    voided_by: str = ""
    """Key of the gate that shut on it; it does not vote then. Empty: none did."""
    why: str = ""
    unmasked: float | None = None
    """The same with the words that name a level left in; None: nothing is taken out."""
    scale: tuple[float, float] | None = None
    ends: tuple[str, str] = ("", "")
    """The meaning of the ends of the scale."""
    others: tuple[OtherReading, ...] = ()
    """Other models, or the groups that *value* is a gap between, on the same scale; pictures show them beside it."""
    widened: float | None = None
    """Times the width that its range would have if it stood alone; None: unknown."""
    decimals: int = 0
    """That it is told in at least, so that a column has one number of them; `digits.even` finds out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ControlReading:
    """The value of a control, on the scale of a measure."""

    name: str
    words: str
    value: float | None
    low: float | None = None
    high: float | None = None
    difference: tuple[float, float, float] | None = None
    """The measure less the control: value, low, high."""
    held: Held = Held.NOT_ASKED


@dataclass(frozen=True, slots=True, kw_only=True)
class Caveat:
    """A reason to doubt or qualify a conclusion; stands in its row."""

    key: str
    """Of the gate that it comes from."""
    effect: CaveatEffect
    numbers: Numbers = field(default_factory=dict)
    measures: tuple[str, ...] = ()
    """Which it is about; empty: all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """One group that is declined more or less often than the others, shown with all groups counted."""

    who: str
    declined: int
    of: int
    others: int
    others_of: int
    p: float

    @property
    def more(self) -> bool:
        """Whether it is declined more often; else less."""
        return self.declined * self.others_of > self.others * self.of


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusalReading:
    """The answers that were declined, by the provider or in the model's own words; with a method's evasions, if it
    tests them together."""

    outcome: ConclusionOutcome
    """*differs*, *not shown*, *too few* where nothing was decided, *too early* where *groups* differ so far."""
    declined: int
    of: int
    in_words: int = 0
    """Of those declined, how many the model declined in its own words."""
    groups: tuple[Refused, ...] = ()
    """Those declined at another rate by the test, the surest first."""
    evaded: int | None = None
    """Of those of *told*, how many evade in another way, where the method tests them together; None: nobody counts."""
    told: tuple[int, int] | None = None
    """Declined outright, of how many, among the answers that its page counts, where *of* has those asked again too, or
    *declined* evasions and answers that choose nothing; None: the same."""

    @property
    def counted(self) -> tuple[int, int]:
        """Declined outright, and of how many, among the answers that its page counts."""
        return self.told or (self.declined, self.of)


class PlanState(StrEnum):
    """The state of the plan behind a conclusion: registered, set by the protocol, or made once there were answers."""

    REGISTERED = "registered"
    """On a page that is older than the first answer."""
    PROTOCOL = "protocol"
    """By the protocol that the first answers were asked with; no page says so."""
    AFTERWARDS = "afterwards"
    """Once there were answers: a hint to test again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """The place that the audit has reached in its plan."""

    items: int
    """In the window, with an answer of this model that can be used."""
    asked: int = 0
    """In the window, usable or not; 0: all of them are."""
    reached: int = 0
    """Planned looks behind it."""
    of: int = 0
    """Planned looks; 0: none were planned, so that nothing is too early and nothing confirmatory."""
    next_at: int | None = None
    """Items at the next look; None: there is none."""
    looks: tuple[int, ...] = ()
    """Items at each planned look, where looks go by items."""
    planned: bool = False
    """Set before the first answer came."""
    registered: bool = False
    """On a page that is older than the first answer."""
    reading: int = 1
    """Which complete reading it is, of a plan without looks: one for what was asked together, one more for each time
    that rounds were added when all before had ended."""
    left_plan: bool = False
    """Filters make it another comparison than the planned one."""

    @property
    def too_early(self) -> bool:
        return self.left_plan or (self.of > 0 and self.reached == 0)

    @property
    def plan(self) -> PlanState:
        if not self.planned:
            return PlanState.AFTERWARDS
        return PlanState.REGISTERED if self.registered else PlanState.PROTOCOL


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadSoFar:
    """Counts of the sets of answers that people have read."""

    sets: int = 0
    people: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Conclusion:
    """The conclusion about one model, or target, on one question. Everything that is told is told from it."""

    model: str
    """As it is stored, ``provider/model``."""
    synthetic: bool
    """Its answers are made up."""
    outcome: ConclusionOutcome
    so_far: ConclusionOutcome | None = None
    """Only where it is too early: *differs*, *alike* or *not shown* by the unplanned test."""
    about: str = ""
    """Its subject where a model has several, in words: a contrast, a role."""
    standing: Standing
    measures: tuple[MeasureReading, ...] = ()
    controls: tuple[ControlReading, ...] = ()
    caveats: tuple[Caveat, ...] = ()
    """Those of most effect first."""
    tags: tuple[ConclusionTag, ...] = ()
    refusals: RefusalReading | None = None
    """None: the method does not ask."""
    read: ReadSoFar = field(default_factory=ReadSoFar)
    rows: tuple[str, ...] = ()
    """Rows of tables that it rests on, as ``analysis/row``."""
    bundles: tuple[int, ...] = ()
    """Those that carry it, by what they contribute to it, the largest part first."""
    of_parts: tuple[MeasureReading, ...] = ()
    """The measures on each part of what was asked, counted among the tests of the page: those that say nothing too.
    Tables alone have all of them."""
    parts: tuple[str, ...] = ()
    """Parts of what was asked on which the model differs by some measure that does not say so over all, in words."""
    numbers: Numbers = field(default_factory=dict)
    """Values that the method's sentences fill in beside the measures."""

    @property
    def said(self) -> ConclusionOutcome:
        """The outcome that its sentence is about: the outcome so far if there is one, else the outcome."""
        return self.so_far or self.outcome

    def measure(self, name: str) -> MeasureReading | None:
        return next((each for each in self.measures if each.name == name), None)

    def control(self, name: str) -> ControlReading | None:
        return next((each for each in self.controls if each.name == name), None)

    @property
    def says_something(self) -> bool:
        """Whether its sentence says that something was shown: of the whole, or of a part of what was asked."""
        return self.outcome in SHOWN or (self.outcome is ConclusionOutcome.NOT_SHOWN and bool(self.parts))

    @property
    def differing(self) -> tuple[MeasureReading, ...]:
        """Measures that vote *differs*."""
        return tuple(each for each in self.measures if each.outcome is ConclusionOutcome.DIFFERS and not each.voided_by)


@dataclass(frozen=True, slots=True, kw_only=True)
class ConclusionPage:
    """All conclusions of a method within one window: one whole, whose tests are counted together."""

    method: str
    question: str
    """In the words of who wants to know."""
    conclusions: tuple[Conclusion, ...]
    """In the order in which they are read: what is shown first, the largest first."""
    tests: int
    """Made for this page."""
    alpha: float = 0.05
    """Chance of any false *differs* on a page on which nothing is."""
    bridge: str = ""
    """From what was asked to so many tests, in a sentence or two; empty: the method has none."""
    chance_holds: str = ""
    """Where that chance holds, and how much it is elsewhere; empty: the method knows of no such place."""
    says: str = ""
    """A sentence on what a number here shows, and does not."""
    items: int = 0
    first: datetime | None = None
    last: datetime | None = None
    filtered: str = ""
    """A sentence on what filters let through; empty: everything."""
    unknown_refusals: str = ""
    """How many count as declined by words that this program does not know; empty: none do."""
    planned: str = ""
    """A sentence on what was written down beforehand; empty: nothing was."""
    registered: Registration | None = None
    """The page of the plan, where one was registered before the first answer."""
    changed: tuple[str, ...] = ()
    """What stands otherwise than when the first question was sent, a sentence each; where a page was registered, it
    tells this."""
