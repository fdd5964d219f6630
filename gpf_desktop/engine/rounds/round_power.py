"""The effects that a round will find, beside its cost, and the rounds that would find an effect of a given size."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import cycle, islice
from math import ceil, floor, log10
from typing import Any

from gpf_desktop.domain.items import StudyItem
from gpf_desktop.domain.methods import StudyProtocol
from gpf_desktop.domain.models import ANSWERING, Role, TargetModel
from gpf_desktop.domain.ports.method import Method
from gpf_desktop.domain.ports.method_abilities import PlansTests, RoundPlanner
from gpf_desktop.domain.round_planning import Effect, Enough, Extent, Findable, Pilot
from gpf_desktop.domain.scopes import WHOLE, Scope
from gpf_desktop.domain.text import percent, tr
from gpf_desktop.engine.rounds.forecast import Forecast, forecast
from gpf_desktop.engine.rounds.scoping import scoped
from gpf_desktop.storage.models import AnswersSeen


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundDesign:
    """A round as far as its cost and its power go."""

    method: Method
    protocol: StudyProtocol
    controls: Any
    items: Sequence[StudyItem]
    models: Sequence[TargetModel]
    seen: Sequence[AnswersSeen]
    """One per model."""
    seed: int = 1
    batch_jobs: bool | None = False
    """None: where so many calls are worth it."""
    scope: Scope = WHOLE
    """What of the design is not asked."""

    def forecast(self) -> Forecast:
        seen = {model.id: each for model, each in zip(self.models, self.seen, strict=True)}
        return forecast(
            scoped(self.method, self.scope),
            self.items,
            self.models,
            self.protocol,
            self.controls,
            self.seed,
            seen,
            batch_jobs=self.batch_jobs,
        )

    @property
    def design(self) -> tuple[StudyProtocol, Any]:
        """Protocol and controls, whole."""
        return self.protocol, self.controls

    def of_items(self, number: int) -> "RoundDesign":
        """The design with *number* items, those of the round over and over: what news will say is not known, its length
        is."""
        return replace(self, items=list(islice(cycle(self.items), number)))


@dataclass(frozen=True, slots=True, kw_only=True)
class SufficientRound:
    """A round that would find an effect."""

    items: int
    words: str
    """What else is changed; empty: nothing."""
    forecast: Forecast


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectPower:
    """An effect, and what would find it."""

    effect: Effect
    ways: tuple[SufficientRound, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundPower:
    """The promise of a round."""

    extent: Extent
    pilot: Pilot
    findable: tuple[Findable, ...]
    wanted: tuple[EffectPower, ...] = ()
    unread: str = ""
    """What scores cannot read of the answers, in sentences."""
    judged: str = ""
    """When conclusions are drawn, in a sentence; empty: the method does not say."""


def round_power(
    asked: RoundDesign,
    pilot: Pilot,
    *,
    power: float,
    effects: Sequence[Effect] = (),
    news: Sequence[StudyItem] | None = None,
) -> RoundPower | None:
    """The effects that *asked* finds with *power*, and the rounds that would find *effects*; None if its method cannot
    tell.

    *news*: what is known of what its items will say, if they are placeholders.
    """
    if not isinstance(asked.method, RoundPlanner):
        return None
    design = asked.method.narrowed(asked.protocol, asked.controls, asked.scope) if asked.scope else asked.design
    if design is None:
        return None
    protocol, controls = design
    roles = Counter(model.role for model in asked.models)
    models = answering(asked)
    extent = Extent(
        items=len(asked.items),
        models=models,
        targets=roles[Role.TARGET],
        others=roles.total() - models,
        power=power,
    )
    return RoundPower(
        extent=extent,
        pilot=pilot,
        findable=asked.method.findable(protocol, controls, extent, pilot),
        wanted=tuple(
            EffectPower(
                effect=effect,
                ways=_ways(asked, asked.method.enough(effect, protocol, controls, extent, pilot), controls),
            )
            for effect in effects
        ),
        unread=asked.method.unread(asked.items if news is None else news, protocol),
        judged=_judged(asked.method, protocol, controls, asked.models),
    )


def _judged(method: Method, protocol: StudyProtocol, controls: Any, models: Sequence[TargetModel]) -> str:
    plans: object = method
    return plans.planned_tests(protocol, controls, labels_of(models)).stopping if isinstance(plans, PlansTests) else ""


def labels_of(models: Sequence[TargetModel]) -> dict[Role, list[str]]:
    found: dict[Role, list[str]] = {}
    for model in models:
        found.setdefault(model.role, []).append(model.label)
    return found


def answering(asked: RoundDesign) -> int:
    """Models whose answers are studied or compared with."""
    return sum(model.role in ANSWERING for model in asked.models)


def _ways(asked: RoundDesign, enough: Enough, controls: Any) -> tuple[SufficientRound, ...]:
    found = []
    if enough.items is not None and asked.items:
        found.append(SufficientRound(items=enough.items, words="", forecast=asked.of_items(enough.items).forecast()))
    if enough.controls is not None and asked.items and enough.controls != controls:
        changed = replace(asked, controls=enough.controls)
        found.append(SufficientRound(items=len(asked.items), words=enough.controls_words, forecast=changed.forecast()))
    return tuple(found)


def way_words(way: SufficientRound, method: Method) -> str:
    """Words for a round that suffices: its items, as *method* calls them, and what else is changed."""
    items = method.items_in_words(way.items)
    return f"{items}, {way.words}" if way.words else items


def sized(effect: float) -> str:
    """Two significant digits, rounded up: no more is promised than was computed."""
    if not effect:
        return "0"
    digits = max(1, 1 - floor(log10(abs(effect))))
    # Less a trace: in floats 0.07 × 100 lies above 7, and would be rounded up to 8.
    return f"{ceil(effect * 10**digits - 1e-9) / 10**digits:.{digits}f}"


def findable_words(each: Findable) -> str:
    """The smallest effect, or why there is none; and how often others are found."""
    if each.smallest is None:
        return each.why
    return " ".join(filter(None, (tr("{size} or more.", size=sized(each.smallest)), shares_words(each))))


def shares_words(each: Findable) -> str:
    """Sentences on how many of 100 audits find some sizes; empty: none was reckoned."""
    if not each.shares:
        return ""
    (first, share), *others = each.shares
    said = [tr("{size:g} is found in {n} of 100 audits", size=first, n=round(100 * share))]
    said += [tr("{size:g} in {n}", size=size, n=round(100 * share)) for size, share in others]
    return f"{', '.join(said)}."


def nothing_found(power: RoundPower, method: Method) -> str:
    """The reason, in a sentence, why a round can find nothing at all; empty if it can, or if there is more than one
    reason."""
    whys = {each.why for each in power.findable}
    if any(each.smallest is not None for each in power.findable) or len(whys) != 1:
        return ""
    return tr("{items}: {why}.", items=method.items_in_words(power.extent.items), why=whys.pop())


def finds_lines(power: RoundPower, method: Method) -> Iterator[str]:
    """Sentences about what a round finds, without the names of tests."""
    if power.unread:
        yield power.unread
    if nothing := nothing_found(power, method):
        yield nothing
        return
    share = percent(power.extent.power)
    items = method.items_in_words(power.extent.items)
    yield tr("With {items}, in {power} of such audits, where it is there:", items=items, power=share)
    yield from (f"{each.title}: {findable_words(each)}" for each in power.findable)
