"""The set-up of a round: where its choices come from and go to.

Everything of one method comes from what it declares: its factors and arms, its stages, its `SetUp`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import QObject, Signal

from gpf_desktop.domain.events import (
    AuditClosed,
    AuditOpened,
    ModelsChanged,
    ProtocolsChanged,
    RunPlanned,
    SourcesChanged,
)
from gpf_desktop.domain.ids import ArticleId, ModelId, RunId
from gpf_desktop.domain.judging import JudgeCheck
from gpf_desktop.domain.models import Role
from gpf_desktop.domain.ports.method import Method
from gpf_desktop.domain.ports.set_up import SetUp
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.protocols import load_protocol
from gpf_desktop.engine.rounds.forecast import Forecast
from gpf_desktop.engine.rounds.plans import load_plan
from gpf_desktop.engine.rounds.setup import RunSetup, one_article
from gpf_desktop.engine.rounds.setup_choices import SetupChoices
from gpf_desktop.engine.schedules.saved_plans import OpenedPlan, opened
from gpf_desktop.settings.preferences import HERE
from gpf_desktop.ui.bridge import Pending
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.runs.power_view_model import PowerViewModel
from gpf_desktop.ui.runs.runs_view_model import RunsViewModel
from gpf_desktop.ui.studies.news_choice import NEWEST
from gpf_desktop.ui.studies.round_choices import RoundChoices

_PROTOCOLS = {".yaml", ".yml", ".toml"}


def numbers_of(set_up: SetUp, protocol: Any, sizes: Any) -> Mapping[str, int]:
    """The numbers of the page as *sizes* have them, the method's controls, or else the *protocol*."""
    return {each.name: getattr(sizes, each.name, getattr(protocol, each.name, each.default)) for each in set_up.numbers}


def part_of(set_up: SetUp, role: Role) -> str:
    """The part of a model that has *role*."""
    return next(part.name for part in set_up.parts if part.role is role)


def protocol_in(file: Path, method: str, set_up: SetUp, protocol: Any) -> tuple[Any, str, Sequence[str]]:
    """A whole protocol that *file* is, or *protocol* about the items in it; the file's name; and what was tidied in
    its items, in sentences. Raises `UserError`."""
    if file.suffix.lower() in _PROTOCOLS:
        return load_protocol(str(file), method=method), file.name, ()
    said = set_up.said_of_file(file)
    return set_up.with_items(protocol, file), file.name, said


_TOPIC = "study"
_CHOSEN: Final = (
    "protocol",
    "origin",
    "name",
    "numbers",
    "parts",
    "left_out",
    "with_controls",
    "spend_cap",
    "cap_chosen",
    "batch_jobs",
    "_controls",
    "_named",
    "_standing",
    "_said_of_file",
    "_seed",
)
"""What is kept of one method while another's round is set up."""


class StudyViewModel(RoundChoices):
    """Holds the choices of one page. A method's own editors read *protocol* and call `take_protocol`."""

    shown = Signal()
    """Another method's round is set up."""

    def __init__(self, context: Context, runs: RunsViewModel, parent: QObject | None = None) -> None:
        super().__init__(context, parent)
        self._runs = runs
        self.finds = PowerViewModel(context, self)
        self.failed: Mapping[str, str] = {}
        """By label, of which models the method can say nothing, and why."""
        self.starting = self._one_first = self._checking = False
        self._due = False
        """To be started as soon as it is counted."""
        self._awaited: set[str] = set()
        """Labels of models that are on their way into the audit: without them nothing is counted, nor started."""
        self._taking, self._naming = Pending(), Pending()
        self._kept: dict[str, dict[str, Any]] = {}
        """By method, what was chosen before another was shown."""
        self._replaced: dict[ModelId, ModelId] = {}
        self._standing: Any = None
        """What new rounds of the audit use, as it was last heard of."""
        self.listen(self._heard, AuditOpened, SourcesChanged, RunPlanned)
        self.listen(self._models_changed, ModelsChanged)
        self.listen(self._closed, AuditClosed)
        self.listen(self._saved_elsewhere, ProtocolsChanged)
        self._heard(None)

    def show(self, name: str = "", *, rehearse: bool = False, check: JudgeCheck | None = None) -> None:
        """Set up a round of the method called *name*, else of that of the audit which asks about news, as it was left;
        the first of what the audit's last round asked by it, else of its starter items. *rehearse*: with starter items
        and calibration models; *check*: of its judges, and of nobody else."""
        open_audit = self.context.engine.open_audit
        # Of which method is being read, and another is asked for meanwhile: that one is shown.
        self._naming.cancel()
        if not name:
            named = partial(self.show, rehearse=rehearse, check=check)
            self._naming = self.context.bridge.run(lambda: open_audit.protocols.method, then=named, owner=self)
            return
        if check is not None:
            set_up = self._begin(name)
            self.parts, self._checking = dict.fromkeys(check.judges, part_of(set_up, Role.JUDGE)), True
            self.take_protocol(check.protocol)
        elif self.method is None or self.method.name != name or self._checking:
            self._begin(name)
            if name in self._kept and not rehearse:
                self._again(self._kept.pop(name))
            elif rehearse:
                self.choose_set(self._its().default_protocol)
            else:
                self._take(partial(open_audit.proposed, self._its()), stands=True)
        else:  # rounds have rested since, and what they measured tells what the next one finds
            self.reload()
        if rehearse:
            self.rehearse()

    def _begin(self, name: str) -> SetUp:
        """From nothing, with the method called *name*."""
        if self.method is not None and self.protocol is not None and not self._checking:
            self._kept[self.method.name] = {each: getattr(self, each) for each in _CHOSEN}
        self.method, self.set_up = catalogue.method(name), (set_up := catalogue.set_up(name))
        self.protocol, self.forecast, self.origin, self._said_of_file = None, None, "", ()
        self.numbers = {each.name: each.default for each in set_up.numbers}
        self.parts, self.left_out = {}, set()
        self._take_only()
        self.name, self._named = "", False
        self.spend_cap = HERE.get("rounds.spend_cap")
        self.cap_chosen = self.spend_cap is not None
        # News is asked about while it is news: a wait of a day is for the auditor to choose.
        self.batch_jobs = False if set_up.from_sources else None
        self.with_controls, self._controls, self._seed = True, None, None
        # Counting: what the audit asked last is being read, of which the first count is made.
        self._checking, self.counting, self._due = False, True, False
        self.preflight.clear()
        self.finds.clear()
        self.failed = {}
        failed = partial(self.context.engine.open_audit.failed_checks, name)
        self.context.bridge.run(failed, then=self._show_failed, owner=self, latest="failed checks")
        self.shown.emit()
        return set_up

    def _show_failed(self, failed: Mapping[str, str]) -> None:
        self.failed = failed
        self.touch()

    def _again(self, kept: dict[str, Any]) -> None:
        """Go on with what was chosen before another method was shown."""
        for each, value in kept.items():
            setattr(self, each, value)
        self._count()
        self._saved_elsewhere(None)

    def edit_protocol(self) -> None:
        """Go to the page Protocol, where every field of what is asked has its editor; what is saved there is asked
        here."""
        method, protocol = self._its().name, self.protocol
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
        method = self._its().name
        self._take(lambda: (load_protocol(name, method=method), name, ()))

    def read_file(self, file: Path) -> None:
        """Ask about the items in *file*, or what a whole protocol in it asks."""
        set_up, method, protocol = self.set_up, self._its().name, self.protocol
        assert set_up is not None
        self._take(lambda: protocol_in(file, method, set_up, protocol))

    def take_protocol(self, protocol: Any, origin: str = "", said: Sequence[str] = ()) -> None:
        """Ask what *protocol* asks: what a method's own editor made of the one that stood here."""
        self.context.messages.clear(_TOPIC)
        # One that is still being read was asked for before.
        self._taking.cancel()
        self.protocol, self.origin, self._said_of_file = protocol, origin, said
        self._choose()

    def take_articles(self, article_ids: Sequence[ArticleId]) -> None:
        """Tick the articles of a batch that was chosen on the Sources page."""
        self.news.take_ids(article_ids)
        self.reload()

    def rehearse(self) -> None:
        """Choose the method's calibration models, which the audit keeps from now on, and no others."""
        assert self.set_up is not None
        rehearsal = self.set_up.rehearsal
        assert rehearsal is not None, "there is a button only where there are some"
        self.parts = {endpoint.label: part for endpoint, part in rehearsal.models}
        self.numbers |= rehearsal.numbers
        known = {model.label for model in self.models}
        if added := [endpoint for endpoint, _ in rehearsal.models if endpoint.label not in known]:
            self._awaited = {endpoint.label for endpoint in added}
            self.context.bridge.follow(
                self.context.engine.open_audit.models.add_all(added), failed=self._not_added, owner=self
            )
        self._choose()

    def begin(self, *, one_first: bool = False) -> None:
        """Look at everything that the round needs, and start it where nothing is wrong; *one_first* asks its first
        article only."""
        setup = self.setup
        if setup is None or self.blocked or self.counting or self.starting or self.preflight.running:
            return
        self._one_first = one_first
        self.preflight.look(setup, 0 if self.forecast is None else self.forecast.calls.total, self.start)

    def start(self) -> None:
        """Plan the round and start it, or that of its first article where this was begun last."""
        setup = self.setup
        # What was looked at before may come in when its audit has closed.
        if setup is None or self.blocked or self.starting or self.context.engine.current is None:
            return
        # Counted anew by itself meanwhile, as where a model of the audit has changed: pressed was Start all the same.
        self._due = self.counting
        if self._due:
            return
        self.starting = True
        planned = partial(self._planned, setup)
        if self._one_first:
            setup = replace(one_article(setup), name=tr("{name} (1 article)", name=setup.name))
        plan = self.context.engine.open_audit.plan
        self.context.bridge.run(plan, setup, then=planned, failed=self._failed, owner=self)
        self.touch_now()

    def save_plan(self, path: Path) -> None:
        """Write the round as a plan file for `gpf-desktop run`, with its protocol beside it where that is its own."""
        setup = self.setup
        if setup is None or self.blocked:
            return
        self.context.bridge.run(
            self.context.engine.open_audit.save_plan,
            setup,
            path,
            then=lambda _: self.context.messages.success(tr("Saved the plan as {path}.", path=str(path)), topic="plan"),
            failed=self._failed,
            owner=self,
        )

    def open_plan(self, path: Path) -> None:
        """Set up what the plan file at *path* asks, by whichever method; which articles, of news, is still chosen."""
        open_audit = self.context.engine.open_audit
        self.context.bridge.run(
            lambda: opened(open_audit, load_plan(path), beside=path.parent),
            then=lambda opened: self._opened(opened, path.name),
            failed=self._failed,
            # Under the name of other protocols that are read: what was asked for last is what is set up.
            latest="protocol",
            owner=self,
        )

    def _opened(self, opened: OpenedPlan, origin: str) -> None:
        plan, protocol = opened.plan, opened.protocol
        set_up = self._begin(plan.method)
        self.protocol, self.origin = protocol, origin if plan.protocol not in self.sets else plan.protocol
        sizes = self._its().controls_of(protocol) if plan.controls is None else plan.controls
        self.numbers |= numbers_of(set_up, protocol, sizes)
        self.with_controls = plan.controls is None or plan.controls != self._its().no_controls()
        self._controls = plan.controls if self.with_controls or not self.about_news else None
        known = {model.label for model in opened.models}
        self.models = (*(model for model in self.models if model.label not in known), *opened.models)
        self.parts = {model.label: part_of(set_up, model.role) for model in opened.models}
        self.left_out = {(factor, level) for factor, levels in plan.scope.table().items() for level in levels}
        self.name, self._named, self._seed = plan.name, bool(plan.name), plan.seed
        self.spend_cap, self.cap_chosen = plan.spend_cap, plan.spend_cap is not None
        self.batch_jobs = any(endpoint.batch_jobs for endpoint in plan.models)
        self._count()

    def _take(self, read: Callable[[], tuple[Any, str, Sequence[str]]], *, stands: bool = False) -> None:
        def taken(found: tuple[Any, str, Sequence[str]]) -> None:
            self._standing = found[0] if stands else self._standing
            self.take_protocol(*found)

        bridge = self.context.bridge
        self._taking = bridge.run(read, then=taken, failed=self._failed, latest="protocol", owner=self)
        self.touch_now()

    def _count(self) -> None:
        """Ask what is chosen now would take, and find."""
        audit = self.context.engine.current
        if audit is not None:
            audit.sources.planned = frozenset(self.news.ids)
        if self.protocol is None or audit is None:
            self.touch_now()
            return
        if not self._named:
            self.name = self._proposed_name()
        setup = self.setup
        self.counting = bool(self._awaited) or setup is not None
        if setup is None or self._awaited:
            self.finds.clear()
        else:
            method = self.method
            self.context.bridge.run(
                self.context.engine.open_audit.rounds.forecast,
                replace(setup, batch_jobs=self.batch_jobs),
                then=lambda found: self._counted(method, found),
                failed=self._failed,
                latest="study",
                owner=self,
            )
            self.finds.follow(setup)
        self.touch_now()

    def _counted(self, method: Method | None, forecast: Forecast) -> None:
        # Counted for the method that the page was about before.
        if method is not self.method:
            return
        self.forecast, self.counting = forecast, bool(self._awaited)
        if not self.cap_chosen:
            self.spend_cap = forecast.proposed_cap
        self.touch_now()
        if self._due and not self.counting:
            self.start()

    def _choose(self) -> None:
        self._due = False
        super()._choose()

    def _saved_elsewhere(self, _: ProtocolsChanged | None) -> None:
        """A version was saved on the page Protocol, perhaps of the method that is set up."""
        if self.method is not None and not self._checking:
            proposed = partial(self.context.engine.open_audit.proposed, self.method)
            self.context.bridge.run(proposed, then=partial(self._saved, self.method), latest="saved", owner=self)

    def _saved(self, method: Method, found: tuple[Any, str, Sequence[str]]) -> None:
        # What was changed here stays where nothing of this method was saved.
        if method is self.method and found[0] != self._standing:
            self._standing = found[0]
            self.take_protocol(*found)

    def _planned(self, setup: RunSetup, run_id: RunId) -> None:
        self.starting = False
        # What was chosen since Start was pressed is for the round after this one, or of another method.
        self.news.chosen.difference_update(setup.article_ids)
        if self._its().name == setup.method:
            self._named = self._named and self.name.strip() != setup.name
            self.cap_chosen = self.cap_chosen and self.spend_cap != setup.spend_cap
            if not self._checking:
                self._take(partial(self.context.engine.open_audit.proposed, self._its()), stands=True)
        # They were read while they were still chosen, and so listed with those that no round has used.
        self.reload()
        self.preflight.clear()
        self._runs.start(run_id)
        self._runs.show_run(run_id)

    def _failed(self, error: BaseException) -> None:
        self.starting = self.counting = self._due = False
        self.context.messages.failure(error, topic=_TOPIC)
        self.touch_now()

    def _not_added(self, error: BaseException) -> None:
        self._awaited.clear()
        self._failed(error)

    def reload(self) -> None:
        """Read what there is to choose from again."""
        read, chosen = self.context.engine.open_audit.setup_choices, tuple(self.news.chosen)
        self.context.bridge.run(read, NEWEST, chosen, then=self._loaded, owner=self, latest="choices")

    def _heard(self, _: object) -> None:
        if self.context.engine.has_open_audit:
            self.reload()

    def _models_changed(self, event: ModelsChanged) -> None:
        # A model that is edited becomes another one: its part goes with it.
        if event.replaced is not None:
            self._replaced[event.replaced] = event.model_ids[0]
        self._heard(event)

    def _loaded(self, found: SetupChoices) -> None:
        if not self.context.engine.has_open_audit:
            return  # closed while it was read
        now = {model.id: model.label for model in found.models}
        for model in self.models:
            heir = now.get(self._replaced.pop(model.id, model.id))
            if model.label in self.parts and heir != model.label:
                part = self.parts.pop(model.label)
                if heir is None:
                    self.preflight.clear()
                else:
                    self.parts[heir] = part
        self.models, self._runs_so_far = found.models, found.runs
        self._awaited.difference_update(now.values())
        self._take_only()
        self.news.load(found)
        self._count()

    def _take_only(self) -> None:
        """Tick the audit's model where there is no other, and where it was not taken out."""
        if len(self.models) == 1 and not self.parts and self.set_up is not None and len(self.set_up.parts) == 1:
            self.parts = {self.models[0].label: self.set_up.parts[0].name}

    def _closed(self, _: AuditClosed) -> None:
        self.method = self.set_up = self.protocol = self.forecast = None
        self.models, self.parts = (), {}
        self.starting = self.counting = self._due = False
        self._awaited.clear()
        self._naming.cancel()
        self._kept.clear()
        self.news.clear()
        self.finds.clear()
        self.touch_now()
