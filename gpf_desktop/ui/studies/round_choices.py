"""The choices for a round, the calls they come to, and what keeps the round from being asked."""

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any

from PySide6.QtCore import QObject

from gpf_desktop.domain.coordinates import MAIN
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.items import StudyItem
from gpf_desktop.domain.models import Role, TargetModel
from gpf_desktop.domain.options import NoOptions
from gpf_desktop.domain.ports.method import Method
from gpf_desktop.domain.ports.method_abilities import ControlWords
from gpf_desktop.domain.ports.set_up import SetUp
from gpf_desktop.domain.scopes import Scope
from gpf_desktop.domain.studies import Chosen
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.engine.rounds.forecast import Forecast
from gpf_desktop.engine.rounds.scoping import Choice, choices, scope_of, scoped
from gpf_desktop.engine.rounds.setup import RunSetup
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.page import ViewModel
from gpf_desktop.ui.runs.forecast_words import cap_warning, cap_words, job_words, remarks, summary_lines
from gpf_desktop.ui.runs.preflight_view_model import PreflightViewModel
from gpf_desktop.ui.runs.scope_words import scope_words
from gpf_desktop.ui.studies.news_choice import NewsChoice


class RoundChoices(ViewModel):
    """The choices of the page on which a round is set up; every change counts anew what they take."""

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        super().__init__(context, parent)
        self.preflight = PreflightViewModel(context, self)
        self.news = NewsChoice(lambda chose: self._choose() if chose else self.touch_now())
        """What is asked about where items come from sources."""
        self.method: Method | None = None
        self.set_up: SetUp | None = None
        self.protocol: Any = None
        """What is asked; None while it is read."""
        self.origin = ""
        """Which starter set the protocol is, or its file; empty: changed by hand."""
        self.name = ""
        self.numbers: dict[str, int] = {}
        self.models: tuple[TargetModel, ...] = ()
        self.parts: dict[str, str] = {}
        """Part by label of the model."""
        self.left_out: set[tuple[str, str]] = set()
        """(factor, level) pairs that are not asked."""
        self.forecast: Forecast | None = None
        """Of what was chosen when it was last counted."""
        self.counting = False
        """Something else is chosen since: of 300,000 calls the count takes seconds."""
        self.spend_cap: float | None = None
        self.cap_chosen = False
        """The auditor set the cap, or did without: no other is proposed."""
        self.batch_jobs: bool | None = None
        """Whether the auditor wants batch jobs; None: as the number of calls advises."""
        self.with_controls = True
        self._named = False
        self._said_of_file: Sequence[str] = ()
        self._controls: Any = None
        """Those of the plan that was opened, where numbers do not say them; None: the protocol's own."""
        self._seed: int | None = None
        """Of the plan that was opened; None: by the number of rounds."""
        self._runs_so_far = 0

    @property
    def sets(self) -> tuple[str, ...]:
        """The starter sets."""
        return () if self.method is None else tuple(self.method.protocol_files())

    @property
    def facts(self) -> str:
        if self.method is None or self.protocol is None:
            return ""
        return "\n".join((self.method.protocol_facts(self.protocol), *self._said_of_file))

    @property
    def chosen(self) -> Chosen:
        """The labels of the models of each part."""
        found: dict[str, list[str]] = {}
        for model in self.models:
            if part := self.parts.get(model.label):
                found.setdefault(part, []).append(model.label)
        return found

    @property
    def setup(self) -> RunSetup | None:
        """The round as chosen; None where it cannot be asked."""
        try:
            return None if self.protocol is None else self._asked()
        except UserError:
            return None

    @property
    def about_news(self) -> bool:
        """Its items are articles."""
        return self.set_up is not None and self.set_up.from_sources

    @property
    def blocked(self) -> str:
        """The reason why the round cannot start, in words; empty where there is none."""
        if self.set_up is None or self.protocol is None:
            return "" if self.counting else tr("Choose what is asked about.")
        if self.about_news and not self.news.number:
            return tr("Choose at least one article.")
        if missing := self.set_up.missing(self.protocol, self.chosen):
            return missing
        try:
            self._asked()
        except UserError as error:
            return str(error)
        return self._counts_against()

    def _counts_against(self) -> str:
        """The reason, in what the round takes, why it cannot start; empty while that is counted, when it does not
        start.
        """
        if self.forecast is None or self.counting:
            return ""
        calls = self.forecast.calls
        if not calls.total:
            return tr("Leave out less of the design: nothing is left to ask.")
        if self.about_news and not calls.of(MAIN):
            return tr("Leave out less of the design: only controls are left to ask.")
        prices = [(model.label, model.endpoint.price) for model in self._taking_part()]
        priced = [label for label, price in prices if price is not None and not price.free]
        if priced and self.spend_cap is None:
            return tr("Set a spend cap: {model} costs money.", model=priced[0])
        return ""

    @property
    def costs(self) -> bool:
        """A model is chosen that is no calibration model."""
        return any(not model.synthetic for model in self._taking_part())

    @property
    def scope(self) -> Scope:
        """The part of the design that is left out, of levels that the protocol still has."""
        return scope_of(self.left_out, self.choices())

    def choices(self) -> tuple[Choice, ...]:
        """The factors that the round can be narrowed by."""
        return () if self.method is None or self.protocol is None else choices(self.method, self.protocol)

    def scope_words(self) -> str:
        return scope_words(self.scope, self.choices())

    def leave_out(self, factor: str, *levels: str, out: bool) -> None:
        """Ask levels, or leave them out."""
        (self.left_out.update if out else self.left_out.difference_update)((factor, level) for level in levels)
        self._choose()

    @property
    def has_controls(self) -> bool:
        """Whether the method knows any that a round can do without."""
        return self.about_news and self.method is not None and self.method.no_controls() != NoOptions()

    @property
    def controls_tell(self) -> str:
        """The use of controls, in the method's words; empty where it gives none."""
        its: object = self.method
        return its.controls_tell if self.has_controls and isinstance(its, ControlWords) else ""

    def summary(self) -> list[tuple[str, str]]:
        """Lines on what the round takes: what, how much."""
        return [] if self.forecast is None else summary_lines(self._its(), self.forecast)

    def remarks(self) -> str:
        """Remarks that must be known to read the summary."""
        said: list[str] = []
        if self.set_up is not None and self.protocol is not None:
            said += self.set_up.advice(self.protocol, self.chosen)
        if self.scope:
            said.append(tr("Asked: {scope}.", scope=self.scope_words()))
        return " ".join((*said, *(() if self.forecast is None else remarks(self.forecast))))

    def formula(self) -> str:
        """articles × questions × models, in words; empty where items come with the protocol."""
        if not self.about_news or self.protocol is None or self.forecast is None:
            return ""
        method, protocol = self._its(), self.protocol
        alone = method.no_controls()
        questions = method.most_questions(protocol, alone)
        if self.scope:
            any_article = StudyItem(key="", title="", text="")
            questions = sum(1 for _ in scoped(method, self.scope).expand(any_article, protocol, alone, 1))
        told = {
            "articles": trn("{n} article", "{n} articles", self.news.number),
            "questions": trn("{n} question", "{n} questions", questions),
            "models": trn("{n} model", "{n} models", len(self._taking_part())),
        }
        if self.has_controls and self.with_controls:
            return tr("{articles} × {questions} × {models}; controls are asked on top.", **told)
        return tr("{articles} × {questions} × {models}", **told)

    def cap_words(self) -> str:
        """Words on the origin of the cap."""
        return cap_words(self.forecast, chosen=self.cap_chosen) if self.costs else ""

    def cap_warning(self) -> str:
        """What the cap cannot stop, and that it will be reached."""
        return cap_warning(self.forecast, self.spend_cap) if self.costs else ""

    def job_words(self) -> str:
        """A sentence on what batch jobs would save, in money; empty: no chosen model has them."""
        offer = None if self.forecast is None else self.forecast.jobs
        return "" if offer is None else job_words(offer)

    @property
    def by_jobs(self) -> bool:
        """Batch jobs are asked for, or advised; what the auditor ticked stands though it is still being counted."""
        offered = self.forecast is not None and self.forecast.jobs is not None
        advised = self.forecast is not None and self.forecast.by_jobs
        return offered and (advised if self.batch_jobs is None else self.batch_jobs)

    def set_name(self, name: str) -> None:
        self.name, self._named = name, bool(name.strip())
        self.touch_now()

    def set_number(self, name: str, value: int) -> None:
        self.numbers[name] = value
        self._choose()

    def set_controls(self, on: bool) -> None:
        self.with_controls = on
        self._choose()

    def set_batch_jobs(self, on: bool) -> None:
        """Ask through half-price batch jobs where a provider has them."""
        self.batch_jobs = on
        self._choose()

    def set_cap(self, cap: float | None) -> None:
        self.spend_cap, self.cap_chosen = cap or None, True
        self.touch_now()

    def take_model(self, model: TargetModel, *, on: bool) -> None:
        """Tick a model, of a method that has one part alone."""
        assert self.set_up is not None
        self.give(model.label, self.set_up.parts[0].name if on else "")

    def give(self, label: str, part: str) -> None:
        """Give the model called *label* its part; empty: it is not in the study."""
        assert self.set_up is not None
        alone = next((each for each in self.set_up.parts if each.name == part and each.only_one), None)
        if alone is not None:
            self.parts = {name: alone.otherwise if its == part else its for name, its in self.parts.items()}
        self.parts[label] = part
        self._choose()

    def _its(self) -> Method:
        assert self.method is not None, "there is no protocol before its method is known"
        return self.method

    def _taking_part(self) -> list[TargetModel]:
        roles = {} if self.set_up is None else {part.name: part.role for part in self.set_up.parts}
        return [replace(model, role=roles[part]) for model in self.models if (part := self.parts.get(model.label))]

    def _asked(self) -> RunSetup:
        """The set-up of the round as it is chosen. Raises `UserError`."""
        assert self.set_up is not None
        method = self._its()
        protocol, controls = self.set_up.asked(self.protocol, self.numbers, self.chosen)
        if self.about_news:
            controls = (controls or self._controls) if self.with_controls else method.no_controls()
        elif self._controls is not None:
            # The page has numbers alone: what a plan ticks or not stays as it is.
            ticks = [each.name for each in fields(controls) if each.type in (bool, "bool")]
            controls = replace(controls, **{name: getattr(self._controls, name) for name in ticks})
        models = self._taking_part()
        return RunSetup(
            name=self.name.strip() or self._proposed_name(),
            protocol=protocol,
            method=method.name,
            model_ids=tuple(model.id for model in models),
            article_ids=self.news.ids if self.about_news else (),
            batch_id=self.news.batch_id if self.about_news else None,
            controls=controls,
            seed=1 + self._runs_so_far if self._seed is None else self._seed,
            spend_cap=self.spend_cap,
            batch_jobs=self.by_jobs,
            scope=self.scope,
            roles={model.id: model.role for model in models if model.role is not Role.TARGET},
        )

    def _proposed_name(self) -> str:
        n = 1 + self._runs_so_far
        if self.about_news:
            return tr("Round {n}", n=n)
        return tr("{items} · {n}", items=self.protocol.name, n=n)

    def _choose(self) -> None:
        """Something was chosen by hand: what was looked at for another choice is not shown for this one."""
        self.preflight.clear()
        self._count()

    def _count(self) -> None:
        """Ask what is chosen now would take, and find."""
        raise NotImplementedError
