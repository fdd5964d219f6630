"""`gpf-desktop rate`: judges and encoders for answers that are there."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.ids import ModelId, RunId
from gpf_desktop.domain.models import Endpoint, Role
from gpf_desktop.domain.money import exact
from gpf_desktop.domain.ports.rates_answers import RatesAnswers
from gpf_desktop.domain.runs import Run
from gpf_desktop.domain.text import in_quotes, tr, trn
from gpf_desktop.engine.commands.headless import Headless
from gpf_desktop.engine.commands.run_command import RunSummary, ask_round
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.protocols import load_protocol
from gpf_desktop.engine.models.addresses import check_address
from gpf_desktop.engine.open_audit import OpenAudit
from gpf_desktop.engine.rounds.preparing import check_keys
from gpf_desktop.engine.rounds.rating import Raters, RatingOutlook
from gpf_desktop.storage import models


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingWish:
    """A request to rate one round's answers: the raters and the round."""

    judges: Sequence[str]
    encoders: Sequence[str]
    """Both as ``provider/model``."""
    round: str | None
    """By its name; None: the newest that can be rated."""
    protocol: str | None
    base_url: str
    key_env: str
    spend_cap: float | None
    """US dollars, beyond what the round has cost."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedRating:
    """The calls and the cost that a rating would take."""

    round: str
    outlook: RatingOutlook

    def sentences(self) -> list[str]:
        return [tr("The round {name}:", name=self.round), *outlook_words(self.outlook)]

    def as_dict(self) -> dict[str, object]:
        cost = self.outlook.cost
        return {
            "round": self.round,
            "calls": self.outlook.calls,
            "cost_usd": None if cost is None else [cost.low, cost.high],
            "unpriced": list(self.outlook.unpriced),
        }


def outlook_words(outlook: RatingOutlook) -> list[str]:
    """Sentences about the calls and the cost of a rating."""
    said = [
        trn("{model} is asked once.", "{model} is asked {n:,} times.", n, model=model)
        if n
        else tr("{model} has rated every answer.", model=model)
        for model, n in outlook.calls.items()
    ]
    if outlook.cost is not None:
        low, high = exact(outlook.cost.low), exact(outlook.cost.high)
        said.append(tr("That costs {low} to {high}.", low=low, high=high))
    if outlook.unpriced:
        said.append(tr("The price of {models} is not known.", models=", ".join(outlook.unpriced)))
    return said


def planned_rating(open_audit: OpenAudit, wish: RatingWish, *, beside: Path) -> PlannedRating:
    """The outlook of *wish*; its models become models of the audit. Raises `UserError`."""
    run = _round(open_audit, wish)
    outlook = open_audit.rounds.rating_outlook(run.id, _raters(open_audit, run, wish, beside))
    return PlannedRating(round=run.name, outlook=outlook)


def rate(headless: Headless, open_audit: OpenAudit, wish: RatingWish, *, beside: Path) -> RunSummary:
    """Have the answers of a round rated as *wish* says. Raises `UserError` where they cannot be."""
    run = _round(open_audit, wish)
    endpoints = _endpoints(wish)
    for each, _ in endpoints:
        open_audit.context.keys.allow(each)
    check_keys(open_audit.context.keys, (each for each, _ in endpoints))
    raters = _raters(open_audit, run, wish, beside)
    notes = outlook_words(open_audit.rounds.rating_outlook(run.id, raters))
    open_audit.rounds.add_raters(run.id, raters, spend_cap=wish.spend_cap).result()
    return ask_round(headless, open_audit, RunId(run.id), notes=tuple(notes))


def _round(open_audit: OpenAudit, wish: RatingWish) -> Run:
    """The newest is first. Raises `UserError` where there is none."""
    known = [run for run in open_audit.rounds.runs() if open_audit.rounds.can_be_rated(run.id)]
    named = [run for run in known if wish.round in (None, run.name)]
    if named:
        return named[0]
    if known:
        raise UserError(
            tr("The audit has no round “{name}” that can be rated.", name=wish.round),
            tr("It has {names}.", names=", ".join(in_quotes(run.name) for run in known)),
        )
    raise UserError(
        tr("No round of the audit can be rated."),
        tr("Only answers of methods with judge models are, once they are there: {methods}.", methods=_rating_methods()),
    )


def _rating_methods() -> str:
    return ", ".join(each.title for each in catalogue.methods().values() if isinstance(each, RatesAnswers))


def _endpoints(wish: RatingWish) -> list[tuple[Endpoint, Role]]:
    wanted = [(name, Role.JUDGE) for name in wish.judges] + [(name, Role.EMBEDDER) for name in wish.encoders]
    if not wanted:
        raise UserError(tr("Nobody is named who is to rate."), tr("Add --judge or --encoder, as openai/gpt-4o-mini."))
    return [(_endpoint(name, wish), role) for name, role in wanted]


def _raters(open_audit: OpenAudit, run: Run, wish: RatingWish, beside: Path) -> Raters:
    endpoints = _endpoints(wish)
    protocol: Any = None
    if wish.protocol is not None:
        protocol = load_protocol(wish.protocol, beside=beside, method=run.method)
    roles: dict[ModelId, Role] = {}
    for endpoint, role in endpoints:
        open_audit.context.keys.allow(endpoint)
        keep = partial(models.keep, endpoint=endpoint, synthetic=catalogue.provider(endpoint.provider).synthetic)
        roles[ModelId(open_audit.context.audit.write(keep).result())] = role
    return Raters(roles=roles, protocol=protocol)


def _endpoint(name: str, wish: RatingWish) -> Endpoint:
    provider, slash, model = name.partition("/")
    if not slash or not model:
        raise UserError(tr("“{name}” names no provider.", name=name), tr("Write it as openai/gpt-4o-mini, say."))
    its = catalogue.provider(provider)
    if not (wish.base_url or its.default_base_url or its.synthetic):
        raise UserError(tr("{provider} has no address of its own.", provider=its.title), tr("Add --base-url."))
    if wish.base_url and not its.synthetic:
        check_address(wish.base_url)
    base_url = "" if its.synthetic else wish.base_url
    return Endpoint(provider=provider, model=model, base_url=base_url, key_env="" if its.synthetic else wish.key_env)
