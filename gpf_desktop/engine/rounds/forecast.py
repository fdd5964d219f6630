"""Forecast of a round before it starts: calls, tokens, cost and time, as ranges.

Calls are exact. Prompt tokens come from the real prompts, of many items from those of some; answer tokens from this
audit's earlier answers of the model where there are some, else from a range that is stated as assumed.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, inf
from typing import Any, Final

from gpf_desktop.domain.ids import ModelId
from gpf_desktop.domain.items import StudyItem
from gpf_desktop.domain.methods import StudyProtocol
from gpf_desktop.domain.models import ANSWERING, Price, Role, TargetModel
from gpf_desktop.domain.ports.method import Method
from gpf_desktop.domain.runs import Spread
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.models.addresses import is_near
from gpf_desktop.engine.models.price_list import is_stale, price_of
from gpf_desktop.engine.rounds.planning import REPEATS, CallCount
from gpf_desktop.storage.models import AnswersSeen

CHARACTERS_PER_TOKEN: Final = (5.0, 3.0)
"""English prose under the tokenisers of today's providers, from the sparsest to the densest."""
TO_FIRST_TOKEN: Final = (0.4, 1.0)
"""Seconds that a model that has not answered yet takes to begin."""
TOKENS_A_SECOND: Final = (75.0, 55.0)
"""What it writes then, from the fastest to the slowest."""
NEAR_SLOWEST: Final = (8.0, 6.0)
"""Seconds to the first token, and tokens a second, of a server on this machine without a card: measured were 19 and 9
tokens a second, in and out, of a model of half a billion weights on one core of an idle machine."""
JOB_SECONDS: Final = (600.0, 86_400.0)
"""Seconds that a batch job takes: providers promise a day and are mostly done much sooner."""
IN_FLIGHT: Final = (4, 24)
"""Calls in flight that an account settles at, where no limit is set."""
COMPOSED: Final = 300
"""Items, spread evenly, whose prompts stand for those of all: written are 22,500 messages of 317,000 then, and their
mean length differs by less than a hundredth, where characters per token differ by two thirds."""
WORTH_JOBS: Final = 10_000
"""Calls from which batch jobs are chosen unless the auditor says otherwise: their half price outweighs the wait."""
_NONE: Final = Spread(low=0.0, high=0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Forecast:
    """The live summary beside the set-up form."""

    calls: CallCount
    prompt_tokens: Spread
    completion_tokens: Spread
    cost: Spread | None
    """US dollars; None where no chosen model has a price."""
    unpriced: tuple[str, ...]
    """Models whose price nobody knows, so that *cost* is not all of it."""
    stale: tuple[str, ...]
    """Models whose price is older than 90 days."""
    seconds: Spread
    """Until the last account is done."""
    cached: tuple[str, ...]
    """Models whose questions came in part from the provider's cache before: the low end of *cost* counts on as much."""
    assumed: bool
    """At least one chosen model has not answered in this audit yet."""
    jobs: "JobOffer | None" = None
    """None where no chosen model's provider has batch jobs."""
    by_jobs: bool = False
    """All of the above counts on them."""
    further: "Further | None" = None
    """What later stages are likely to add to all of the above, which is sure; None where there are none."""

    @property
    def likely(self) -> float:
        """US dollars in the middle of what the whole round may cost, as far as prices are known."""
        known = (self.cost, None if self.further is None else self.further.cost)
        return sum((cost.low + cost.high) / 2 for cost in known if cost is not None)

    @property
    def proposed_cap(self) -> float | None:
        """Twice the likely cost, in whole cents; None where nothing is known to cost anything."""
        return ceil(200 * self.likely) / 100 if self.likely else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Further:
    """Calls that rest on earlier answers, if every one of these comes."""

    calls: int
    cost: Spread | None
    """US dollars; None where no model that gets them has a price."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JobOffer:
    """The changes that batch jobs would bring for the chosen models that can be asked through them."""

    models: tuple[str, ...]
    ordinary: Spread | None
    """US dollars for those models, asked one by one; None where none of them has a price."""
    by_jobs: Spread | None


def forecast(
    method: Method,
    items: Sequence[StudyItem],
    models: Sequence[TargetModel],
    protocol: StudyProtocol,
    controls: Any,
    seed: int,
    seen: Mapping[ModelId, AnswersSeen],
    *,
    batch_jobs: bool | None = False,
) -> Forecast:
    """*batch_jobs*: asked through batch jobs where the provider has them; None: where so many calls are worth it."""
    roles = Counter(model.role for model in models)
    calls, of_role = _first_stage(method, items, roles, protocol, controls, seed)
    if batch_jobs is None:
        batch_jobs = calls.total >= WORTH_JOBS
    tokens = {role: method.answer_tokens(protocol, 0 if role in ANSWERING else 1) for role in roles}
    each = [
        _of_model(model, *of_role[model.role], tokens[model.role], protocol, seen[model.id], batch_jobs=batch_jobs)
        for model in models
    ]
    offer = _offer([one.offered for one in each if one.offered is not None])
    asked = [one for one in each if not one.synthetic]
    return Forecast(
        calls=calls,
        prompt_tokens=_total([one.prompt for one in asked]) or _NONE,
        completion_tokens=_total([one.completion for one in asked]) or _NONE,
        cost=_total([one.cost for one in each if one.cost is not None]),
        unpriced=tuple(one.model for one in asked if one.price is None),
        stale=tuple(one.model for one in asked if one.price is not None and is_stale(one.price)),
        cached=tuple(one.model for one in asked if one.from_cache),
        seconds=_side_by_side(each),
        assumed=any(not model.synthetic and not seen[model.id].answers for model in models),
        jobs=offer,
        by_jobs=batch_jobs and offer is not None,
        further=further(method, items, models, protocol, controls, seen),
    )


def further(
    method: Method,
    items: Sequence[StudyItem],
    models: Sequence[TargetModel],
    protocol: StudyProtocol,
    controls: Any,
    seen: Mapping[ModelId, AnswersSeen],
) -> Further | None:
    """The calls and costs that later stages are likely to add; None if there are no such stages.

    Each call sends the method's wording, its item and one earlier answer of the length assumed; an encoder's sends the
    answer alone, and gets no words.
    """
    answering = sum(model.role in ANSWERING for model in models)
    by_role: Counter[Role] = Counter()
    characters: Counter[Role] = Counter()
    for item in items:
        for role, n in method.likely_further(item, protocol, controls, answering).items():
            by_role[role] += n
            if role is not Role.EMBEDDER:
                characters[role] += n * (method.longest_wording(protocol) + len(item.title) + len(item.text))
    if not by_role:
        return None
    parts = []
    for model in models:
        n, price = by_role[model.role], None if model.synthetic else price_of(model.endpoint)
        if n and price is not None:
            answers = seen[model.id]
            short, long = method.answer_tokens(protocol, 1)
            low, high = answers.tokens_low or short, answers.tokens_high or long
            if model.role is Role.EMBEDDER:
                low = high = 0
            sparse, dense = (characters[model.role] / each for each in CHARACTERS_PER_TOKEN)
            shortest, longest = method.answer_tokens(protocol, 0)
            least = price.microdollars(round(sparse + n * shortest), n * low) / 1e6
            most = price.microdollars(round(dense + n * longest), n * high) / 1e6
            parts.append(Spread(low=least, high=most))
    return Further(calls=sum(by_role[model.role] for model in models), cost=_total(parts))


def _first_stage(
    method: Method, items: Sequence[StudyItem], roles: Counter[Role], protocol: StudyProtocol, controls: Any, seed: int
) -> tuple[CallCount, Mapping[Role, tuple[int, Spread]]]:
    """All calls of the first stage; and by role how many of them a model gets, and the tokens of their prompts.

    *roles*: how many models have each.
    """
    kinds: Counter[tuple[str, frozenset[Role]]] = Counter()
    lengths: dict[Role, list[int]] = {role: [] for role in roles}
    # 0 where there are no items; nothing is divided by it then, since the loop has no turn.
    step = ceil(len(items) / COMPOSED)
    for at, item in enumerate(items):
        for each in method.expand(item, protocol, controls, seed):
            kinds[REPEATS if each.repeat else each.arm, each.roles] += 1
            if at % step == 0 and (asked := each.roles & roles.keys()):
                prompt = method.compose(protocol, each.coordinates, item)
                for role in asked:
                    lengths[role].append(len(prompt.system) + len(prompt.user))
    uses: Counter[str] = Counter()
    calls: Counter[Role] = Counter()
    for (use, asked), n in kinds.items():
        uses[use] += n * sum(roles[role] for role in asked)
        calls.update(dict.fromkeys(asked, n))
    return CallCount(by_use=dict(uses)), {role: (calls[role], _tokens(lengths[role], calls[role])) for role in roles}


def _tokens(lengths: Sequence[int], calls: int) -> Spread:
    """The tokens of *calls* prompts, estimated from the *lengths* in characters of some of them."""
    characters = sum(lengths) * (calls / len(lengths)) if lengths else 0
    return Spread(low=characters / CHARACTERS_PER_TOKEN[0], high=characters / CHARACTERS_PER_TOKEN[1])


@dataclass(frozen=True, slots=True, kw_only=True)
class _Offered:
    """One model that can be asked through batch jobs; costs are None where its price is not known."""

    model: str
    ordinary: Spread | None
    by_jobs: Spread | None


@dataclass(frozen=True, slots=True, kw_only=True)
class _OfModel:
    """The forecast of the first stage for one model."""

    model: str
    account: str
    """Whose limits it shares with others: a name of its own where it is asked by batch jobs or costs no wait."""
    synthetic: bool
    prompt: Spread
    completion: Spread
    """Both in tokens."""
    price: Price | None
    cost: Spread | None
    seconds: Spread
    from_cache: bool
    """Part of its prompts' tokens, at best."""
    offered: _Offered | None


def _of_model(
    model: TargetModel,
    calls: int,
    prompt: Spread,
    tokens: tuple[int, int],
    protocol: StudyProtocol,
    answers: AnswersSeen,
    *,
    batch_jobs: bool,
) -> _OfModel:
    """*tokens*: of its shortest and its longest answer, where it has not answered yet."""
    most = (model.endpoint.decoding or protocol.decoding).max_tokens or inf
    completion = Spread(
        low=min(answers.tokens_low or tokens[0], most) * calls,
        high=min(answers.tokens_high or tokens[1], most) * calls,
    )
    price = None if model.synthetic else price_of(model.endpoint)
    ordinary = None if price is None else _cost(price, prompt, completion, answers.cached)
    jobs = catalogue.batch_jobs().get(model.endpoint.provider)
    offered = None
    if jobs is not None:
        # Without the cache's share, which `Price.by_jobs` leaves out too: providers differ in whether it counts there.
        by_jobs = None if price is None else _cost(price.by_jobs(jobs.discount), prompt, completion)
        offered = _Offered(model=model.label, ordinary=ordinary, by_jobs=by_jobs)
    by_job = batch_jobs and offered is not None
    fast, slow = JOB_SECONDS if by_job else _seconds(model, answers, tokens, calls)
    return _OfModel(
        model=model.label,
        account=model.label if by_job or model.synthetic else model.endpoint.account,
        synthetic=model.synthetic,
        prompt=prompt,
        completion=completion,
        price=price,
        cost=offered.by_jobs if offered is not None and batch_jobs else ordinary,
        seconds=Spread(low=fast, high=slow),
        from_cache=not by_job and price is not None and price.cached is not None and bool(answers.cached),
        offered=offered,
    )


def _cost(price: Price, prompt: Spread, completion: Spread, cached: float = 0.0) -> Spread:
    """US dollars; *cached*: share of the prompts' tokens that come from the provider's cache at best."""
    low, high = round(prompt.low), round(prompt.high)
    return Spread(
        low=price.microdollars(low, round(completion.low), round(cached * low)) / 1e6,
        high=price.microdollars(high, round(completion.high)) / 1e6,
    )


def _offer(offers: Sequence[_Offered]) -> JobOffer | None:
    if not offers:
        return None
    return JobOffer(
        models=tuple(offer.model for offer in offers),
        ordinary=_total([offer.ordinary for offer in offers if offer.ordinary is not None]),
        by_jobs=_total([offer.by_jobs for offer in offers if offer.by_jobs is not None]),
    )


def _side_by_side(each: Sequence[_OfModel]) -> Spread:
    """Accounts are asked side by side; the models of one share the calls in flight that it settles at."""
    accounts: dict[str, list[Spread]] = {}
    for one in each:
        accounts.setdefault(one.account, []).append(one.seconds)
    shared = [total for spreads in accounts.values() if (total := _total(spreads)) is not None]
    return Spread(
        low=max((one.low for one in shared), default=0.0), high=max((one.high for one in shared), default=0.0)
    )


def _total(parts: Sequence[Spread]) -> Spread | None:
    if not parts:
        return None
    return Spread(low=sum(part.low for part in parts), high=sum(part.high for part in parts))


def _seconds(model: TargetModel, answers: AnswersSeen, tokens: tuple[int, int], calls: int) -> tuple[float, float]:
    """Fastest and slowest time for *calls* answers of the one model that its account is asked for."""
    if model.synthetic:
        return calls / 1500, calls / 100
    fast, slow = (begin + n / rate for begin, n, rate in zip(TO_FIRST_TOKEN, tokens, TOKENS_A_SECOND, strict=True))
    few, many = IN_FLIGHT
    if is_near(model.endpoint):
        # Many of them work on one call at a time.
        few, slow = 1, NEAR_SLOWEST[0] + tokens[1] / NEAR_SLOWEST[1]
    if answers.seconds_high:
        fast, slow = answers.seconds_low, answers.seconds_high
    if model.endpoint.limits.in_flight is not None:
        few = many = model.endpoint.limits.in_flight
    low, high = calls * fast / many, calls * slow / few
    per_minute = model.endpoint.limits.requests_per_minute
    if per_minute is not None:
        low, high = max(low, 60 * calls / per_minute), max(high, 60 * calls / per_minute)
    return low, high
