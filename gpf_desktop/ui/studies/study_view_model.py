"""The set-up of a study: what is chosen, what it takes, and what keeps it from starting.

Everything of one method comes from what it declares: its factors and arms, its stages, and `domain.studies`.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.events import AuditClosed, AuditOpened, ModelsChanged, ProtocolsChanged
from gpf_desktop.domain.judging import JudgeCheck
from gpf_desktop.domain.methods import StudyProtocol
from gpf_desktop.domain.models import Role, TargetModel
from gpf_desktop.domain.plans import Plan
from gpf_desktop.domain.ports.method import Method
from gpf_desktop.domain.ports.set_up import StudySetUp
from gpf_desktop.domain.scopes import Scope
from gpf_desktop.domain.studies import Chosen
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.protocols import load_protocol
from gpf_desktop.engine.rounds.round_power import RoundDesign
from gpf_desktop.engine.rounds.scoping import Choice, choices, scope_of
from gpf_desktop.engine.rounds.setup import RunSetup
from gpf_desktop.engine.rounds.study_choices import UNSEEN, StudyChoices
from gpf_desktop.engine.schedules.plan_rounds import PlannedRound, plan_round
from gpf_desktop.engine.schedules.saved_plans import OpenedPlan, save_plan
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.page import ViewModel
from gpf_desktop.ui.runs.preflight_view_model import PreflightViewModel
from gpf_desktop.ui.runs.runs_view_model import RunsViewModel
from gpf_desktop.ui.runs.scope_words import scope_words
from gpf_desktop.ui.studies.item_files import protocol_in
from gpf_desktop.ui.studies.study_counts import Counted, counted
from gpf_desktop.ui.studies.study_plans import numbers_of, open_study, part_of, plan_of, with_rehearsal

_TOPIC = "study"


class StudyViewModel(ViewModel):
    """Holds the choices of one page. A method's own editors read *protocol* and call `take_protocol`."""

    shown = Signal()
    """Another method's study is set up."""

    def __init__(self, context: Context, runs: RunsViewModel, parent: QObject | None = None) -> None:
        super().__init__(context, parent)
        self._runs = runs
        self.preflight = PreflightViewModel(context, self)
        self.method: Method | None = None
        self.set_up: StudySetUp | None = None
        self.protocol: Any = None
        """What is asked; None while it is read."""
        self.origin = ""
        """Which starter set the protocol is, or its file; empty: changed by hand."""
        self.name = ""
        self.numbers: dict[str, int] = {}
        self.models: tuple[TargetModel, ...] = ()
        """Those of the audit, and calibration models once they are wanted, which have ids below 0."""
        self.parts: dict[str, str] = {}
        """Part by label of the model."""
        self.left_out: set[tuple[str, str]] = set()
        """(factor, level) pairs that are not asked."""
        self.counted: Counted | None = None
        """What was chosen when it was last counted."""
        self.counting = False
        """Something else is chosen since: of 300,000 calls the count takes seconds."""
        self.spend_cap: float | None = None
        self.cap_chosen = False
        """The auditor set the cap: no other is proposed."""
        self.batch_jobs: bool | None = None
        """Whether the auditor wants batch jobs; None: as the number of calls advises."""
        self.starting = False
        self._named = self._checking = False
        self._standing: Any = None
        """What new rounds of the audit use, as it was last heard of."""
        self._said_of_file: Sequence[str] = ()
        self._seed: int | None = None
        """Of the plan that was opened; None: by the number of rounds."""
        self._choices = StudyChoices(models=(), seen={}, runs=0)
        self.listen(self._reload, AuditOpened, ModelsChanged)
        self.listen(self._closed, AuditClosed)
        self.listen(self._saved_elsewhere, ProtocolsChanged)
        self._reload(None)

    def show(self, name: str, *, rehearse: bool = False, check: JudgeCheck | None = None) -> None:
        """Set up a study of the method called *name*, of what the audit's last round asked by it, else of its starter
        items; *rehearse*: with starter items and calibration models; *check*: of its judges, and of nobody else."""
        if check is not None:
            set_up = self._begin(name)
            self.parts, self._checking = dict.fromkeys(check.judges, part_of(set_up, Role.JUDGE)), True
            self.take_protocol(check.protocol)
        elif self.method is None or self.method.name != name or self._checking:
            self._begin(name)
            starter, proposed = self._method().default_protocol, self.context.engine.open_audit.proposed
            self.choose_set(starter) if rehearse else self._take(partial(proposed, self._method()), stands=True)
        else:  # rounds have rested since, and what they measured tells what the next one finds
            self._reload(None)
        if rehearse:
            self.rehearse()

    def _begin(self, name: str) -> StudySetUp:
        """From nothing, with the method called *name*."""
        set_up = catalogue.set_up(name)
        assert isinstance(set_up, StudySetUp), f"{name} has no study"
        self.method, self.set_up, self.protocol, self.counted = catalogue.method(name), set_up, None, None
        self.origin = ""
        self.numbers = {each.name: each.default for each in set_up.numbers}
        self.parts, self.left_out, self.models = {}, set(), self._choices.models
        self.name, self._named, self.spend_cap, self.cap_chosen = "", False, None, False
        # Counting: what the audit asked last is being read, of which the first count is made.
        self.batch_jobs, self._seed, self._checking, self.counting = None, None, False, True
        self.preflight.clear()
        self.shown.emit()
        return set_up

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
        """By part, the labels of the models that have it."""
        found: dict[str, list[str]] = {}
        for model in self.models:
            if part := self.parts.get(model.label):
                found.setdefault(part, []).append(model.label)
        return found

    @property
    def blocked(self) -> str:
        """What keeps the study from starting, in words; empty where nothing does."""
        if self.set_up is None or self.protocol is None:
            return "" if self.counting else tr("Choose what is asked about.")
        if missing := self.set_up.missing(self.protocol, self.chosen):
            return missing
        try:
            self._asked()
        except UserError as error:
            return str(error)
        return self._counts_against()

    def _counts_against(self) -> str:
        """What keeps it from starting in what it takes; nothing while that is being counted, when it does not start."""
        if self.counted is not None and not self.counting and not self.counted.forecast.calls.total:
            return tr("Leave out less of the design: nothing is left to ask.")
        if self.costs and self.spend_cap is None and not self.counting:
            return tr("Set a spend cap: a chosen model costs money.")
        return ""

    @property
    def costs(self) -> bool:
        """A model is chosen that is no calibration model."""
        return any(not model.synthetic for model in self._taking_part())

    @property
    def scope(self) -> Scope:
        return scope_of(self.left_out, self.choices())

    def choices(self) -> tuple[Choice, ...]:
        """What the study can be narrowed by."""
        return () if self.method is None or self.protocol is None else choices(self.method, self.protocol)

    def scope_words(self) -> str:
        return scope_words(self.scope, self.choices())

    def leave_out(self, factor: str, *levels: str, out: bool) -> None:
        """Ask levels, or leave them out."""
        (self.left_out.update if out else self.left_out.difference_update)((factor, level) for level in levels)
        self._choose()

    def edit_protocol(self) -> None:
        """Go to the page Protocol, where every field of what is asked has its editor; what is saved there is asked
        here."""
        method, protocol = self._method().name, self.protocol
        service = self.context.engine.open_audit.protocols_of(method)
        self._standing = protocol
        self.context.bridge.run(
            lambda: service.use(protocol).result(),
            then=lambda _: self.context.navigator.go("protocol", method=method, edit=True),
            failed=self._failed,
            owner=self,
        )

    def choose_set(self, name: str) -> None:
        """Ask what a starter set asks."""
        method = self._method().name
        self._take(lambda: (load_protocol(name, method=method), name, ()))

    def read_file(self, file: Path) -> None:
        """Ask about the items in *file*, or what a whole protocol in it asks."""
        set_up, protocol = self.set_up, self.protocol
        assert set_up is not None
        self._take(lambda: protocol_in(file, set_up, protocol))

    def take_protocol(self, protocol: Any, origin: str = "", said: Sequence[str] = ()) -> None:
        """Ask what *protocol* asks: what a method's own editor made of the one that stood here."""
        self.context.messages.clear(_TOPIC)
        self.protocol, self.origin, self._said_of_file = protocol, origin, said
        self._choose()

    def set_name(self, name: str) -> None:
        self.name, self._named = name, bool(name)
        self.touch_now()

    def set_number(self, name: str, value: int) -> None:
        self.numbers[name] = value
        self._choose()

    def set_batch_jobs(self, on: bool) -> None:
        """Ask through half-price batch jobs where a provider has them."""
        self.batch_jobs = on
        self._count()

    def set_cap(self, cap: float | None) -> None:
        self.spend_cap, self.cap_chosen = cap or None, True
        self.touch_now()

    def give(self, label: str, part: str) -> None:
        """Give the model called *label* its part; empty: it is not in the study."""
        assert self.set_up is not None
        alone = next((each for each in self.set_up.parts if each.name == part and each.only_one), None)
        if alone is not None:
            self.parts = {name: alone.otherwise if its == part else its for name, its in self.parts.items()}
        self.parts[label] = part
        self._choose()

    def rehearse(self) -> None:
        """Choose the method's calibration models, and no others."""
        assert self.set_up is not None
        rehearsal = self.set_up.rehearsal
        self.models = with_rehearsal(self._choices.models, rehearsal)
        self.parts = {endpoint.label: part for endpoint, part in rehearsal.models}
        self.numbers |= rehearsal.numbers
        self._choose()

    def begin(self) -> None:
        """Look at everything that the study needs, and start it where nothing is wrong."""
        if self.blocked or self.counting or self.starting or self.preflight.running:
            return
        kept = tuple(model.id for model in self._taking_part() if model.id > 0)
        calls = 0 if self.counted is None else self.counted.forecast.calls.total
        setup = RunSetup(name=self.name, protocol=self.protocol, method=self._method().name, model_ids=kept)
        self.preflight.look(setup, calls, self.start)

    def start(self) -> None:
        """Plan the round and start it."""
        if self.blocked or self.counting or self.starting:
            return
        self.starting = True
        plan, protocol = self.plan()
        open_audit = self.context.engine.open_audit
        self.context.bridge.run(
            lambda: plan_round(open_audit, plan, beside=Path(), protocol=protocol),
            then=self._planned,
            failed=self._failed,
            owner=self,
        )
        self.touch_now()

    def save_plan(self, path: Path) -> None:
        """Write the study as a plan file for `gpf-desktop run`, with its protocol beside it where that is its own."""
        if self.blocked or self.counting:
            return
        plan, protocol = self.plan()
        self.context.bridge.run(
            lambda: save_plan(plan, protocol, path),
            then=lambda _: self.context.messages.success(tr("Saved the plan as {path}.", path=str(path)), topic="plan"),
            failed=self._failed,
            owner=self,
        )

    def open_plan(self, path: Path) -> None:
        """Set up what the plan file at *path* asks, of whichever method's study it is."""
        open_audit = self.context.engine.open_audit
        self.context.bridge.run(
            lambda: open_study(open_audit, path),
            then=lambda opened: self._opened(opened, path.name),
            failed=self._failed,
            # Under the name of other protocols that are read: what was asked for last is what is set up.
            latest="protocol",
            owner=self,
        )

    def plan(self) -> tuple[Plan, StudyProtocol]:
        """The study as it is set up now, and its protocol. Raises `UserError`."""
        by_jobs = self.counted is not None and self.counted.forecast.by_jobs
        asked = replace(self._asked(), batch_jobs=by_jobs)
        seed = 1 + self._choices.runs if self._seed is None else self._seed
        plan = plan_of(asked, name=self.name, seed=seed, spend_cap=self.spend_cap if self.costs else None)
        return plan, asked.protocol

    def _opened(self, opened: OpenedPlan, origin: str) -> None:
        plan, protocol = opened.plan, opened.protocol
        set_up = self._begin(plan.method)
        self.protocol, self.origin = protocol, origin if plan.protocol not in self.sets else plan.protocol
        sizes = self._method().controls_of(protocol) if plan.controls is None else plan.controls
        self.numbers |= numbers_of(set_up, protocol, sizes)
        known = {model.label for model in opened.models}
        self.models = (*(model for model in self.models if model.label not in known), *opened.models)
        self.parts = {model.label: part_of(set_up, model.role) for model in opened.models}
        self.left_out = {(factor, level) for factor, levels in plan.scope.table().items() for level in levels}
        self.name, self._named, self._seed = plan.name, bool(plan.name), plan.seed
        self.spend_cap, self.cap_chosen = plan.spend_cap, plan.spend_cap is not None
        self.batch_jobs = any(endpoint.batch_jobs for endpoint in plan.models)
        self._count()

    def _method(self) -> Method:
        assert self.method is not None
        return self.method

    def _taking_part(self) -> list[TargetModel]:
        roles = {} if self.set_up is None else {part.name: part.role for part in self.set_up.parts}
        return [replace(model, role=roles[part]) for model in self.models if (part := self.parts.get(model.label))]

    @property
    def design(self) -> RoundDesign:
        """What is asked of whom, of a study that could start. Raises `UserError`."""
        return replace(self._asked(), seed=self.plan()[0].seed)

    def _asked(self) -> RoundDesign:
        """What is chosen, without its items, which only a read of the engine's fetches. Raises `UserError`."""
        assert self.set_up is not None
        protocol, controls = self.set_up.asked(self.protocol, self.numbers, self.chosen)
        models = self._taking_part()
        return RoundDesign(
            method=self._method(),
            protocol=protocol,
            controls=controls,
            items=(),
            models=models,
            seen=[self._choices.seen.get(model.id, UNSEEN) for model in models],
            batch_jobs=self.batch_jobs,
            scope=self.scope,
        )

    def _take(self, read: Callable[[], tuple[Any, str, Sequence[str]]], *, stands: bool = False) -> None:
        def taken(found: tuple[Any, str, Sequence[str]]) -> None:
            self._standing = found[0] if stands else self._standing
            self.take_protocol(*found)

        self.context.bridge.run(read, then=taken, failed=self._failed, latest="protocol", owner=self)
        self.touch_now()

    def _choose(self) -> None:
        """Something was chosen by hand: what was looked at for another choice is not shown for this one."""
        self.preflight.clear()
        self._count()

    def _count(self) -> None:
        """Ask what is chosen now would take, and find."""
        if self.protocol is None or self.set_up is None:
            self.touch_now()
            return
        if not self._named:
            self.name = tr("{items} · {n}", items=self.protocol.name, n=1 + self._choices.runs)
        try:
            asked = self._asked()
        except UserError:
            self.counting = False
            self.touch_now()
            return
        method, power = asked.method, None if asked.scope else self.context.engine.open_audit.power_of
        self.context.bridge.run(
            lambda: counted(asked, power),
            then=lambda found: self._take_counts(method, found),
            failed=self._failed,
            latest="study",
            owner=self,
        )
        self.counting = True
        self.touch_now()

    def _take_counts(self, method: Method, counted: Counted) -> None:
        # Counted for the method that the page was about before.
        if method is not self.method:
            return
        self.counted, self.counting = counted, False
        if not self.cap_chosen:
            self.spend_cap = counted.forecast.proposed_cap
        self.touch_now()

    def _saved_elsewhere(self, _: ProtocolsChanged) -> None:
        """A version was saved on the page Protocol, perhaps of the method that is set up."""
        if self.method is not None and not self._checking:
            proposed = partial(self.context.engine.open_audit.proposed, self.method)
            self.context.bridge.run(proposed, then=partial(self._saved, self.method), latest="saved", owner=self)

    def _saved(self, method: Method, found: tuple[Any, str, Sequence[str]]) -> None:
        # What was changed here stays where nothing of this method was saved.
        if method is self.method and found[0] != self._standing:
            self._standing = found[0]
            self.take_protocol(*found)

    def _planned(self, planned: PlannedRound) -> None:
        assert planned.run_id is not None, "the items come with the protocol"
        self.starting = False
        self.preflight.clear()
        self._runs.start(planned.run_id)
        self._runs.show_run(planned.run_id)
        self._reload(None)

    def _failed(self, error: BaseException) -> None:
        self.starting = self.counting = False
        self.context.messages.failure(error, topic=_TOPIC)
        self.touch_now()

    def _reload(self, _: object) -> None:
        if self.context.engine.has_open_audit:
            read = self.context.engine.open_audit.study_choices
            self.context.bridge.run(read, then=self._loaded, owner=self, latest="study.models")

    def _loaded(self, found: StudyChoices) -> None:
        known = {model.label for model in found.models}
        # Calibration models that were wanted here stay, though the audit does not have them.
        added = tuple(model for model in self.models if model.id < 0 and model.label not in known)
        self._choices = found
        self.models = (*found.models, *added)
        self._count()

    def _closed(self, _: AuditClosed) -> None:
        self.method = self.set_up = self.protocol = self.counted = None
        self.models, self.starting, self.counting = (), False, False
        self.touch_now()
