"""A round as it is set up, before it has cells."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from gpf_desktop.domain.ids import ArticleId, BatchId, ModelId
from gpf_desktop.domain.methods import StudyProtocol
from gpf_desktop.domain.models import Endpoint, Role
from gpf_desktop.domain.plans import Plan, PlanSource
from gpf_desktop.domain.scopes import WHOLE, Scope
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.core import catalogue


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSetup:
    """A round as the set-up page describes it: new articles, a batch that was asked before, or the protocol's items."""

    name: str
    protocol: StudyProtocol
    method: str
    model_ids: tuple[ModelId, ...]
    article_ids: tuple[ArticleId, ...] = ()
    batch_id: BatchId | None = None
    controls: Any = None
    """None: the protocol's own sizes."""
    seed: int = 1
    spend_cap: float | None = None
    """US dollars."""
    batch_jobs: bool | None = False
    """Ask those models through half-price batch jobs whose provider has them; None: where so many calls are worth
    it."""
    scope: Scope = WHOLE
    """What of the design is left out."""
    roles: Mapping[ModelId, Role] = field(default_factory=dict)
    """Of models that are not targets."""

    def role_of(self, model_id: ModelId) -> Role:
        return self.roles.get(model_id, Role.TARGET)

    def plan(
        self, endpoints: Iterable[Endpoint], *, sources: Sequence[PlanSource] = (), articles_per_source: int = 1
    ) -> Plan:
        """The set-up as a plan that asks *endpoints*, the models' in their order."""
        return Plan(
            name=self.name,
            articles_per_source=articles_per_source,
            method=self.method,
            protocol=self.protocol.name,
            controls=self.controls,
            last_batch=self.batch_id is not None,
            seed=self.seed,
            spend_cap=self.spend_cap,
            scope=self.scope,
            sources=tuple(sources),
            models=tuple(by_jobs(each, wanted=bool(self.batch_jobs)) for each in endpoints),
            roles=tuple(map(self.role_of, self.model_ids)) if self.roles else (),
        )


def blocking_field(setup: RunSetup) -> str | None:
    """The reason why *setup* cannot be planned, in words for the disabled button; None if it can."""
    if not setup.article_ids and setup.batch_id is None and catalogue.is_about_news(setup.method):
        return tr("choose at least one article")
    if not setup.model_ids:
        return tr("choose at least one model")
    if not setup.name.strip():
        return tr("give the round a name")
    return None


def one_article(setup: RunSetup) -> RunSetup:
    """The same round with its first article only: "try 1 article first"."""
    return replace(setup, article_ids=setup.article_ids[:1])


def by_jobs(endpoint: Endpoint, *, wanted: bool) -> Endpoint:
    """*endpoint* asked through batch jobs where that is wanted and its provider has them."""
    return replace(endpoint, batch_jobs=wanted and endpoint.provider in catalogue.batch_jobs())
