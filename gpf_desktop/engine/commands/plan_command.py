"""`gpf-desktop plan PLAN.toml`: what a round will find and cost, told before anything is asked."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from gpf_desktop.domain.articles import Article, hold
from gpf_desktop.domain.errors import SourceError, UserError
from gpf_desktop.domain.ids import ModelId
from gpf_desktop.domain.items import StudyItem
from gpf_desktop.domain.methods import StudyProtocol
from gpf_desktop.domain.models import TargetModel
from gpf_desktop.domain.plans import Plan
from gpf_desktop.domain.ports.method import Method
from gpf_desktop.domain.ports.method_abilities import RoundPlanner
from gpf_desktop.domain.round_planning import Effect, Pilot
from gpf_desktop.domain.runs import Spread
from gpf_desktop.domain.text import as_said, tr, trn
from gpf_desktop.engine.collect.collecting import ITEM_LIMIT
from gpf_desktop.engine.collect.fetch_report import fetch_listing
from gpf_desktop.engine.commands.headless import Headless
from gpf_desktop.engine.commands.plan_models import advice_on, refuse_lacking
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.protocols import load_protocol
from gpf_desktop.engine.models.price_list import with_prices
from gpf_desktop.engine.rounds.forecast import WORTH_JOBS, Forecast
from gpf_desktop.engine.rounds.planning import check_extent, controls_in_force
from gpf_desktop.engine.rounds.round_power import (
    RoundDesign,
    RoundPower,
    answering,
    finds_lines,
    round_power,
    sized,
    way_words,
)
from gpf_desktop.engine.rounds.scoping import check_scope
from gpf_desktop.storage.articles import newest
from gpf_desktop.storage.models import UNSEEN

_NEWS = 100
"""Articles by which the language of news is told, at most."""
_HEADLINE, _TEXT = "h" * 70, "t" * 230
"""An article of ordinary length, for the cost of one that is not there yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanOutlook:
    """A plan's promise, for people and for programs."""

    forecast: Forecast
    power: RoundPower | None
    """None: its method cannot reckon what such a round finds."""
    method: Method
    asked: RoundDesign
    advice: tuple[str, ...] = ()
    """What the plan's models will leave uncertain, in sentences."""

    def sentences(self) -> list[str]:
        lines = [
            tr(
                "{items} and {models}: {calls:,} calls, {cost}.",
                items=self.method.items_in_words(len(self.asked.items)),
                models=trn("{n} model", "{n} models", answering(self.asked)),
                calls=self.forecast.calls.total,
                cost=_cost(self.forecast),
            ),
            *self._later_lines(),
            *_job_lines(self.forecast),
        ]
        return [*lines, *self._finds(), *self.advice]

    def _finds(self) -> Iterator[str]:
        if self.power is None and isinstance(self.method, RoundPlanner):
            yield tr("What so narrow a part of the design finds cannot be told: leave out less of it, and it is.")
            return
        if self.power is None:
            yield tr("{method} does not reckon beforehand what a round finds.", method=self.method.title)
            return
        yield from finds_lines(self.power, self.method)
        for wanted in self.power.wanted:
            title = next(each.title for each in self.power.findable if each.name == wanted.effect.name)
            size = sized(wanted.effect.size)
            if not wanted.ways:
                yield tr("{title}, to find {size}: no round within reason does.", title=title, size=size)
            yield from (
                tr(
                    "{title}, to find {size}: {way} ({calls:,} calls, {cost}).",
                    title=title,
                    size=size,
                    way=way_words(way, self.method),
                    calls=way.forecast.calls.total,
                    cost=_cost(way.forecast),
                )
                for way in wanted.ways
            )
        yield from filter(None, (self.power.judged, self.power.pilot.origin))
        if tested := dict.fromkeys(f"{each.title}: {each.tested}." for each in self.power.findable if each.tested):
            yield tr("How this is reckoned:")
            yield from tested

    def _later_lines(self) -> Iterator[str]:
        """Lines about later calls that depend on answers, such as those of judges and encoders."""
        later = self.forecast.further
        if later is not None and later.calls:
            yield tr(
                "{stages}: about {calls:,} calls more, {cost}.",
                stages=", ".join(self.method.stages[1:]),
                calls=later.calls,
                cost=_told(later.cost, self.forecast),
            )

    def as_dict(self) -> dict[str, object]:
        told: dict[str, object] = {
            "articles": len(self.asked.items),
            "models": answering(self.asked),
            **_data(self.forecast),
            "batch_jobs": _job_data(self.forecast),
            "advice": list(self.advice),
        }
        return told if self.power is None else {**told, **self._found(self.power)}

    def _found(self, power: RoundPower) -> dict[str, object]:
        return {
            "power": power.extent.power,
            "unread": power.unread,
            "measured": power.pilot.measured,
            "variances": power.pilot.origin,
            "smallest": {each.name: each.smallest for each in power.findable},
            "found": {each.name: {f"{size:g}": share for size, share in each.shares} for each in power.findable},
            "tested": {each.name: each.tested for each in power.findable if each.tested},
            "why": {each.name: each.why for each in power.findable if each.why},
            "enough": [
                {
                    "effect": wanted.effect.name,
                    "size": wanted.effect.size,
                    "ways": [
                        {"articles": way.items, "how": way_words(way, self.method), **_data(way.forecast)}
                        for way in wanted.ways
                    ],
                }
                for wanted in power.wanted
            ],
        }


def plan_outlook(
    plan: Plan,
    *,
    beside: Path,
    audit: Path | None,
    articles: int | None,
    power: float,
    effects: Mapping[str, float],
) -> PlanOutlook:
    """The outlook of *plan* over *articles* (None: as many as it takes), by the variation in *audit* or the assumed
    one.

    Raises `UserError`.
    """
    method = catalogue.method_with("plan", plan.method)
    known = method.effects() if isinstance(method, RoundPlanner) else {}
    if unknown := effects.keys() - known.keys():
        raise UserError(
            tr("{method} does not test {effect}.", method=method.title, effect=min(unknown)),
            tr(
                "Leave out what would find it. This method tests: {effects}.",
                effects="; ".join(each.words for each in known.values()) or tr("none beforehand"),
            ),
        )
    protocol = load_protocol(plan.protocol, beside=beside, method=plan.method)
    refuse_lacking(plan, beside=beside)
    check_scope(plan.scope, method, protocol)
    controls = controls_in_force(method, plan.controls, protocol)
    own = method.items(protocol)
    in_files = {} if own else _in_files(plan, beside)
    number = articles if articles is not None else len(own) or _taken(plan, in_files)
    if not number and articles is None and plan.article_words:
        raise UserError(
            tr("There are no articles of these sources that hold “{words}”.", words=plan.article_words),
            tr("Change article_words in the plan, or name further sources."),
        )
    if not number:
        raise UserError(tr("The plan does not say how many items it takes."), tr("Add --articles N with their number."))
    check_extent(method, number, len(plan.models), protocol, controls)
    asked = _design(plan, protocol, number)
    found = None
    if isinstance(method, RoundPlanner):
        pilot, news = (method.assumed(), ()) if audit is None else _of_audit(audit, plan, number)
        news = () if own else news or [item for its in in_files.values() for item in its[:_NEWS]]
        wanted = [Effect(name=name, size=size) for name, size in effects.items()]
        found = round_power(asked, pilot, power=power, effects=wanted, news=None if own else news)
    if found is None and effects:
        raise UserError(
            tr("What so narrow a part of the design finds cannot be told."),
            tr("Leave out less of it."),
        )
    return PlanOutlook(
        forecast=asked.forecast(),
        power=found,
        method=method,
        asked=asked,
        advice=(*_at_most(plan, len(in_files), number, articles), *advice_on(plan, beside=beside)),
    )


def job_notes(plan: Plan, *, beside: Path, articles: int) -> tuple[str, ...]:
    """Lines on what batch jobs change, or would, of a round of *plan* over *articles*; none where no model has them."""
    if catalogue.batch_jobs().keys().isdisjoint(each.provider for each in plan.models):
        return ()
    protocol = load_protocol(plan.protocol, beside=beside, method=plan.method)
    return tuple(_job_lines(_design(plan, protocol, articles).forecast()))


def _design(plan: Plan, protocol: StudyProtocol, number: int) -> RoundDesign:
    """The round that *plan* asks over *number* items."""
    method = catalogue.method(plan.method)
    own = method.items(protocol)
    return RoundDesign(
        method=method,
        protocol=protocol,
        controls=controls_in_force(method, plan.controls, protocol),
        items=own[:number] or [StudyItem(key=f"article {n}", title=_HEADLINE, text=_TEXT) for n in range(number)],
        models=planned_models(plan),
        seen=[UNSEEN] * len(plan.models),
        seed=plan.seed,
        batch_jobs=any(endpoint.batch_jobs for endpoint in plan.models),
        scope=plan.scope,
    )


def _taken(plan: Plan, in_files: Mapping[str, Sequence[StudyItem]]) -> int:
    """The most articles that the round takes. If words are asked for, files on this machine tell how many hold them."""
    if not plan.article_words:
        return plan.articles_per_source * len(plan.sources)
    most = plan.articles_per_source
    return sum(min(most, len(in_files.get(source.target, range(most)))) for source in plan.sources)


def _at_most(plan: Plan, files: int, number: int, articles: int | None) -> Iterator[str]:
    """A line that says what is unknown before the feeds are read, for a round that takes articles by their words."""
    if plan.article_words and articles is None and files < len({source.target for source in plan.sources}):
        yield tr(
            "Only articles that hold “{words}” are taken, {n:,} at most: how many do is seen once sources are read.",
            words=plan.article_words,
            n=number,
        )


def _of_audit(audit: Path, plan: Plan, number: int) -> tuple[Pilot, Sequence[StudyItem]]:
    """The pilot of the audit's rounds, and its newest news that fits *plan* (unused news if there is any): the language
    of the news tells which answers can be read."""
    with Headless(quiet=True) as headless:
        opened = headless.enter(audit, to_read=True)
        unused = opened.setup_choices(_NEWS).articles
        every: Sequence[Article] = unused or opened.context.audit.read(lambda c: tuple(newest(c, limit=_NEWS)))
        articles = [each for each in every if each.holds(plan.article_words)][:number]
        news = [StudyItem(key=each.key, title=each.headline, text=each.description) for each in articles]
        return opened.results.pilot(plan.method), news


def _in_files(plan: Plan, beside: Path) -> dict[str, list[StudyItem]]:
    """News in the files that *plan* names as sources, by their names, as far as it takes it by its words; what cannot
    be read is told when it is asked."""
    found: dict[str, list[StudyItem]] = {}
    for source in plan.sources:
        if "://" not in source.target and (file := beside / source.target).is_file():
            with suppress(SourceError):
                most = ITEM_LIMIT if plan.article_words else min(plan.articles_per_source, _NEWS)
                rows = [row for row in fetch_listing(str(file), most) if row["kept"]]
                found[source.target] = [
                    StudyItem(key=str(row["url"]), title=str(row["headline"]), text=str(row["description"] or ""))
                    for row in rows
                    if hold(
                        plan.article_words,
                        *(str(row[name] or "") for name in ("headline", "description")),
                        source.title,
                        str(row["published"] or "")[:10],
                    )
                ]
    return found


def planned_models(plan: Plan) -> Sequence[TargetModel]:
    """The models of *plan* as a design has them, before any audit keeps them."""
    return with_prices(
        TargetModel(
            id=ModelId(number),
            endpoint=endpoint,
            synthetic=catalogue.provider(endpoint.provider).synthetic,
            label=endpoint.label,
            role=plan.role(number),
        )
        for number, endpoint in enumerate(plan.models)
    )


def _cost(forecast: Forecast) -> str:
    return _told(forecast.cost, forecast)


def _told(cost: Spread | None, forecast: Forecast) -> str:
    if cost is None:
        return tr("price unknown") if forecast.unpriced else tr("no cost")
    return _dollars(cost)


def _dollars(cost: Spread) -> str:
    return tr("{low} to {high} US dollars", low=as_said(f"{cost.low:,.2f}"), high=as_said(f"{cost.high:,.2f}"))


def _job_lines(forecast: Forecast) -> Iterator[str]:
    """Lines that say what batch jobs change, and whether so many calls are worth their wait."""
    if (offer := forecast.jobs) is None:
        return
    models = ", ".join(offer.models)
    if offer.ordinary is None or offer.by_jobs is None:
        costs = tr("their price is not known")
    else:
        costs = tr("{cheap} instead of {dear}", cheap=_dollars(offer.by_jobs), dear=_dollars(offer.ordinary))
    if forecast.by_jobs:
        yield tr("Through batch jobs, as the plan says, {models}: {costs}.", models=models, costs=costs)
        return
    yield tr("Through batch jobs (batch_jobs = true) {models}: {costs}.", models=models, costs=costs)
    if forecast.calls.total >= WORTH_JOBS:
        yield tr("Batch jobs are advised: from {n:,} calls on, half the price outweighs the wait.", n=WORTH_JOBS)


def _job_data(forecast: Forecast) -> dict[str, object] | None:
    if (offer := forecast.jobs) is None:
        return None
    return {
        "models": list(offer.models),
        "in_plan": forecast.by_jobs,
        "advised": forecast.calls.total >= WORTH_JOBS,
        "cost_usd": _ends(offer.by_jobs),
        "one_by_one_usd": _ends(offer.ordinary),
    }


def _ends(cost: Spread | None) -> list[float] | None:
    return None if cost is None else [cost.low, cost.high]


def _data(forecast: Forecast) -> dict[str, object]:
    return {
        "calls": forecast.calls.total,
        "cost_usd": _ends(forecast.cost),
        "further_calls": 0 if forecast.further is None else forecast.further.calls,
        "further_cost_usd": None if forecast.further is None else _ends(forecast.further.cost),
        "unpriced": list(forecast.unpriced),
    }
