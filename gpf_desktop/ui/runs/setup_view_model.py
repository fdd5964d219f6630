"""The set-up of a round: what is chosen, what it will take, and what still keeps it from starting."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject

from gpf_desktop.domain.articles import Article
from gpf_desktop.domain.coordinates import MAIN
from gpf_desktop.domain.events import (
    AuditClosed,
    AuditOpened,
    ModelsChanged,
    ProtocolsChanged,
    RunPlanned,
    SourcesChanged,
)
from gpf_desktop.domain.ids import ArticleId, BatchId, ModelId, RunId
from gpf_desktop.domain.items import StudyItem
from gpf_desktop.domain.models import TargetModel
from gpf_desktop.domain.news_strata import NewsStratum
from gpf_desktop.domain.options import NoOptions
from gpf_desktop.domain.ports.method import ControlWords, Method, SortsNews
from gpf_desktop.domain.scopes import Scope
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.engine.rounds.forecast import Forecast
from gpf_desktop.engine.rounds.scoping import Choice, choices, scope_of, scoped
from gpf_desktop.engine.rounds.setup import RunSetup, blocking_field, one_article
from gpf_desktop.engine.rounds.setup_choices import SetupChoices
from gpf_desktop.storage.batches import Batch
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.page import ViewModel
from gpf_desktop.ui.runs.forecast_words import cap_words, job_words, remarks, summary_lines
from gpf_desktop.ui.runs.power_view_model import PowerViewModel
from gpf_desktop.ui.runs.preflight_view_model import PreflightViewModel
from gpf_desktop.ui.runs.runs_view_model import RunsViewModel
from gpf_desktop.ui.runs.scope_words import scope_words

NEWEST = 200
"""Unused articles offered; older ones are reached through a batch by stratum on the Sources page."""

SHOWN = 8
"""Articles that stand in the form before all are asked for: it scrolls as a whole, its tables never by themselves."""


class SetupViewModel(ViewModel):
    """Holds the choices; every change asks for a new forecast."""

    def __init__(self, context: Context, runs: RunsViewModel, parent: QObject | None = None) -> None:
        super().__init__(context, parent)
        self._runs = runs
        self.articles: tuple[Article, ...] = ()
        self.models: tuple[TargetModel, ...] = ()
        self.batches: tuple[Batch, ...] = ()
        self.method: Method | None = None
        self.protocol: Any = None
        self.name = ""
        self.batch_id: BatchId | None = None
        self.chosen_articles: set[ArticleId] = set()
        self.chosen_models: set[ModelId] = set()
        self.with_controls = True
        self.spend_cap: float | None = None
        self.cap_chosen = False
        """The auditor set the cap, or did without: no other is proposed."""
        self.batch_jobs = False
        self.all_articles = False
        self.left_out: set[tuple[str, str]] = set()
        """(factor, level) pairs that are not asked."""
        self.forecast: Forecast | None = None
        self.starting = self._one_first = False
        self._named = 0
        self.finds = PowerViewModel(context, self)
        self.preflight = PreflightViewModel(context, self)
        self.listen(self._changed_elsewhere, AuditOpened, SourcesChanged, ProtocolsChanged, RunPlanned)
        self.listen(self._models_changed, ModelsChanged)
        self.listen(self._closed, AuditClosed)
        if context.engine.has_open_audit:
            self.reload()

    @property
    def setup(self) -> RunSetup | None:
        """The round as chosen; None while no protocol is loaded."""
        if self.protocol is None:
            return None
        return RunSetup(
            name=self.name,
            protocol=self.protocol,
            method=self._its().name,
            model_ids=tuple(model.id for model in self.models if model.id in self.chosen_models),
            article_ids=tuple(a.id for a in self.articles if a.id in self.chosen_articles)
            if self.batch_id is None
            else (),
            batch_id=self.batch_id,
            controls=None if self.with_controls else self._its().no_controls(),
            seed=1 + self._named,
            spend_cap=self.spend_cap,
            batch_jobs=self.batch_jobs and self.offers_batch_jobs,
            scope=self.scope,
        )

    @property
    def scope(self) -> Scope:
        """What of the design is left out; of levels that the protocol has no more nothing is said."""
        return scope_of(self.left_out, self.choices())

    def choices(self) -> tuple[Choice, ...]:
        """What the round can be narrowed by."""
        return () if self.protocol is None else choices(self._its(), self.protocol)

    def scope_words(self) -> str:
        """What is left out, in words."""
        return scope_words(self.scope, self.choices())

    def leave_out(self, factor: str, *levels: str, out: bool) -> None:
        """Ask levels, or leave them out."""
        (self.left_out.update if out else self.left_out.difference_update)((factor, level) for level in levels)
        self._choose()

    @property
    def offers_batch_jobs(self) -> bool:
        """A model is chosen that can be asked through half-price batch jobs."""
        return self.forecast is not None and self.forecast.jobs is not None

    @property
    def blocked(self) -> str:
        """What keeps the round from starting, in words; empty where nothing does."""
        setup = self.setup
        if setup is None:
            return tr("open an audit")
        missing = blocking_field(setup)
        if missing is not None:
            return missing
        if self.scope and self.forecast is not None and not self.forecast.calls.of(MAIN):
            if self.forecast.calls.total:
                return tr("leave out less of the design: only controls are left to ask")
            return tr("leave out less of the design: nothing is left to ask")
        prices = [(m, m.endpoint.price) for m in self.models if m.id in self.chosen_models]
        priced = [model for model, price in prices if price is not None and not price.free]
        if priced and self.spend_cap is None:
            return tr("set a spend cap: {model} costs money", model=priced[0].label)
        return ""

    @property
    def shown_articles(self) -> tuple[Article, ...]:
        """The newest, and what is chosen of the others; all where they are wanted."""
        if self.all_articles:
            return self.articles
        return tuple(a for at, a in enumerate(self.articles) if at < SHOWN or a.id in self.chosen_articles)

    def show_all_articles(self) -> None:
        self.all_articles = True
        self.touch_now()

    def reload(self) -> None:
        open_audit = self.context.engine.open_audit
        self.context.bridge.run(
            open_audit.setup_choices, NEWEST, tuple(self.chosen_articles), then=self._loaded, latest="choices"
        )

    def set_name(self, name: str) -> None:
        self.name = name
        self.touch_now()

    def take_article(self, article: Article, *, on: bool) -> None:
        (self.chosen_articles.add if on else self.chosen_articles.discard)(article.id)
        self._choose()

    def take_articles(self, article_ids: Iterable[ArticleId]) -> None:
        """Tick the articles of a batch that was chosen on the Sources page."""
        self.batch_id = None
        self.chosen_articles = set(article_ids)
        self.reload()

    def take_newest(self, number: int, stratum: str | None = None) -> None:
        """Tick the *number* newest articles, of one stratum or of any."""
        fitting = [article for article in self.articles if stratum is None or article.stratum == stratum]
        self.chosen_articles = {article.id for article in fitting[:number]}
        self._choose()

    def take_model(self, model: TargetModel, *, on: bool) -> None:
        (self.chosen_models.add if on else self.chosen_models.discard)(model.id)
        self._choose()

    def set_batch(self, batch_id: BatchId | None) -> None:
        """Ask an earlier batch again, or None for new articles."""
        self.batch_id = batch_id
        self._choose()

    def set_controls(self, on: bool) -> None:
        self.with_controls = on
        self._choose()

    def set_batch_jobs(self, on: bool) -> None:
        """Ask through half-price batch jobs where a provider has them."""
        self.batch_jobs = on
        self._choose()

    def set_cap(self, cap: float | None) -> None:
        self.spend_cap, self.cap_chosen = cap, True
        self.touch_now()

    def cap_words(self) -> str:
        """Where the cap comes from, and what it cannot see."""
        return cap_words(self.forecast, self.spend_cap, chosen=self.cap_chosen)

    def begin(self, *, one_first: bool = False) -> None:
        """Look at everything that the round needs, and start it where nothing is wrong; *one_first* asks its first
        article only."""
        self._one_first = one_first
        setup = self.setup
        if setup is not None and not self.blocked and not self.starting and not self.preflight.running:
            self.preflight.look(setup, 0 if self.forecast is None else self.forecast.calls.total, self.start)

    def start(self) -> None:
        """Plan the round and start it, or that of its first article where this was begun last."""
        setup = self.setup
        # What was looked at before may come in when its audit has closed.
        if setup is None or self.blocked or self.starting or self.context.engine.current is None:
            return
        self.starting = True
        if self._one_first:
            setup = replace(one_article(setup), name=tr("{name} (1 article)", name=setup.name))
        bridge, rounds = self.context.bridge, self._runs.rounds
        bridge.run(
            rounds.plan,
            setup,
            then=lambda future: bridge.follow(future, then=self._planned, failed=self._not_planned),
            failed=self._not_planned,
        )

    def save_plan(self, path: Path) -> None:
        """Write the round as a plan file for `gpf-desktop run`."""
        setup = self.setup
        if setup is not None:
            open_audit = self.context.engine.open_audit
            self.context.bridge.run(open_audit.save_plan, setup, path, then=lambda _: self._saved(path), owner=self)

    def summary(self) -> list[tuple[str, str]]:
        """The live summary: what, how much."""
        forecast = self.forecast
        if forecast is None:
            return [(tr("Calls"), "–")]
        return summary_lines(self._its(), forecast)

    @property
    def has_controls(self) -> bool:
        """Whether the method knows any, so that a round can do without."""
        return self.method is not None and self.method.no_controls() != NoOptions()

    @property
    def controls_tell(self) -> str:
        """What they are for, in the method's words; empty: it says nothing of them."""
        its: object = self.method
        return its.controls_tell if isinstance(its, ControlWords) else ""

    @property
    def strata(self) -> Mapping[str, NewsStratum]:
        """The groups of news that the method keeps apart, by their stored names; empty: it keeps none."""
        its: object = self.method
        return {each.name: each for each in its.strata} if isinstance(its, SortsNews) else {}

    @property
    def marked_stratum(self) -> NewsStratum | None:
        """The group that the method is most about."""
        return next((each for each in self.strata.values() if each.marked), None)

    def remarks(self) -> str:
        """What must be known to read the summary."""
        forecast = self.forecast
        if forecast is None:
            return ""
        said = remarks(forecast)
        if self.scope:
            said.insert(0, tr("Asked: {scope}.", scope=self.scope_words()))
        if self.protocol is not None:
            facts = self._its().protocol_facts(self.protocol)
            said.append(tr("Protocol: {title}, {facts}", title=self.protocol.title, facts=facts))
        return " ".join(said)

    def batch_jobs_difference(self) -> str:
        """What batch jobs would change, in money."""
        offer = None if self.forecast is None else self.forecast.jobs
        return "" if offer is None else job_words(offer)

    def formula(self) -> str:
        """articles × questions × models, in words."""
        if self.protocol is None or self.forecast is None:
            return ""
        articles = len(self.chosen_articles)
        if self.batch_id is not None:
            articles = next((batch.articles for batch in self.batches if batch.id == self.batch_id), 0)
        method = self._its()
        alone = method.no_controls()
        questions = method.most_questions(self.protocol, alone)
        if self.scope:
            any_article = StudyItem(key="", title="", text="")
            questions = sum(1 for _ in scoped(method, self.scope).expand(any_article, self.protocol, alone, 1))
        return tr(
            "{articles} × {questions} × {models}, controls included below",
            articles=trn("{n} article", "{n} articles", articles),
            questions=trn("{n} question", "{n} questions", questions),
            models=trn("{n} model", "{n} models", len(self.chosen_models)),
        )

    def _loaded(self, choices: SetupChoices) -> None:
        if not self.context.engine.has_open_audit:
            return  # closed while it was read
        self.articles, self.models = choices.articles, choices.models
        self.batches, self.method, self.protocol = choices.batches, choices.method, choices.protocol
        self.chosen_articles &= {article.id for article in self.articles}
        if gone := self.chosen_models - {model.id for model in self.models}:
            self.chosen_models -= gone
            self.preflight.clear()
        # A name that was typed stays through all changes elsewhere but one: a round has come or gone.
        if choices.runs != self._named or not self.name:
            self._named = choices.runs
            self.name = tr("Round {n}", n=choices.runs + 1)
        self._count()

    def _its(self) -> Method:
        assert self.method is not None, "there is no protocol before its method is known"
        return self.method

    def _choose(self) -> None:
        """Something was chosen by hand: what was looked at for another choice is not shown for this one."""
        self.preflight.clear()
        self._count()

    def _count(self) -> None:
        """Ask for the forecast of what is chosen now."""
        setup = self.setup
        self.touch_now()
        # The audit may be closed between what was read and what is asked of it.
        if setup is not None and self.context.engine.current is not None:
            self.context.bridge.run(self._runs.rounds.forecast, setup, then=self._counted, latest="forecast")
            self.finds.follow(setup)

    def _counted(self, forecast: Forecast) -> None:
        self.forecast = forecast
        if not self.cap_chosen:
            self.spend_cap = forecast.proposed_cap
        self.touch_now()

    def _not_planned(self, error: BaseException) -> None:
        self.starting = False
        self.context.messages.failure(error, topic="run")

    def _planned(self, run_id: RunId) -> None:
        self.starting = False
        self.chosen_articles.clear()
        # It was read while they were still chosen, and so listed them with those that no round has used.
        self.reload()
        self.cap_chosen = False
        self.preflight.clear()
        self._runs.start(run_id)
        self._runs.show_run(run_id)

    def _saved(self, path: Path) -> None:
        self.context.messages.success(tr("Saved the plan as {path}.", path=str(path)), topic="plan")

    def _models_changed(self, event: ModelsChanged) -> None:
        # A model that is edited becomes another one: the tick goes with it.
        if event.replaced in self.chosen_models:
            self.chosen_models.remove(event.replaced)
            self.chosen_models.add(event.model_ids[0])
        self._changed_elsewhere(event)

    def _changed_elsewhere(self, _: object) -> None:
        if self.context.engine.has_open_audit:
            self.reload()

    def _closed(self, _: AuditClosed) -> None:
        self.articles, self.models, self.batches, self.protocol, self.forecast = (), (), (), None, None
        self.all_articles = self.starting = self.cap_chosen = self.batch_jobs = False
        # What is chosen for one audit says nothing of the next, where a batch has another's number.
        self.name, self.batch_id, self.spend_cap, self.with_controls = "", None, None, True
        self.left_out.clear()
        self.finds.clear()
        self.chosen_articles.clear()
        self.chosen_models.clear()
        self.touch_now()
