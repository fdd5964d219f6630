"""A study of a method that brings its own questions: what is chosen, what it takes, and what keeps it from starting."""

from collections import Counter
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import QObject, Signal

from gpf_desktop.domain.methods import Method
from gpf_desktop.domain.models import Endpoint, Role, TargetModel
from gpf_desktop.domain.plans import Plan
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.protocols import load_protocol
from gpf_desktop.engine.rounds.planning import CallCount, count_calls
from gpf_desktop.engine.schedules.plan_rounds import PlannedRound, plan_round
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.page import ViewModel
from gpf_desktop.ui.runs.runs_view_model import RunsViewModel
from gpf_desktop.ui.wording import count

METHOD: Final = "relative-bias"
FEWEST_BASELINES: Final = 3
_PRACTICE: Final = ("evasive-0.9", "plain-a", "plain-b", "plain-c", "plain-d", "plain-e", "judge-1.0", "judge-0.9")


class Part(StrEnum):
    """What a model is asked for in a study."""

    NONE = "none"
    TARGET = "target"
    BASELINE = "baseline"
    JUDGE = "judge"

    @property
    def words(self) -> str:
        return {
            Part.NONE: tr("not in it"),
            Part.TARGET: tr("target"),
            Part.BASELINE: tr("baseline"),
            Part.JUDGE: tr("judge"),
        }[self]


class StudyViewModel(ViewModel):
    """Holds the choices of one dialog."""

    started = Signal()

    def __init__(self, context: Context, runs: RunsViewModel, parent: QObject | None = None) -> None:
        super().__init__(context, parent)
        self._runs = runs
        self.method: Method = catalogue.method(METHOD)
        self.sets = tuple(self.method.protocol_files())
        self.set_name = self.sets[0]
        self.repeats = 1
        self.spend_cap = 10.0
        """US dollars; of a study that costs something."""
        self.models: tuple[TargetModel | Endpoint, ...] = ()
        self.parts: dict[str, Part] = {}
        self.starting = False
        self._protocol: Any = load_protocol(self.set_name, method=METHOD)
        service = context.engine.open_audit.models
        context.bridge.run(service.models, then=self._loaded, owner=self)

    @property
    def facts(self) -> str:
        return self.method.protocol_facts(self._protocol)

    @property
    def calls(self) -> CallCount:
        """Of the answers, which are sure."""
        asked = Counter({Role.TARGET: self._answering})
        return count_calls(self.method, self.method.items(self._protocol), asked, self._protocol, self._controls(), 1)

    @property
    def judgements(self) -> int:
        """About how many calls judges get, if every answer comes."""
        each = (
            self.method.likely_further(item, self._protocol, self._controls(), self._answering)
            for item in self.method.items(self._protocol)
        )
        return len(self._of(Part.JUDGE)) * sum(by_role.get(Role.JUDGE, 0) for by_role in each)

    @property
    def _answering(self) -> int:
        return len(self._of(Part.BASELINE)) + len(self._of(Part.TARGET))

    @property
    def takes(self) -> str:
        """How many calls, of what kind."""
        answers, judged = self.calls.total, self.judgements
        if not judged:
            return tr("{n} calls: {n} answers.", n=count(answers))
        return tr(
            "About {n} calls: {answers} answers, about {judged} judgements.",
            n=count(answers + judged),
            answers=count(answers),
            judged=count(judged),
        )

    @property
    def costs(self) -> bool:
        """A model is chosen that is no calibration model."""
        chosen = [model for model in self.models if self._part(model) is not Part.NONE]
        return any(isinstance(model, TargetModel) and not model.synthetic for model in chosen)

    @property
    def blocked(self) -> str:
        """What keeps the study from starting, in words; empty where nothing does."""
        baselines = len(self._of(Part.BASELINE))
        if len(self._of(Part.TARGET)) > 1:
            return tr("One target only: each model of the study can be looked at as the target afterwards.")
        answering = baselines + len(self._of(Part.TARGET))
        if answering <= FEWEST_BASELINES:
            return trn(
                "Choose {n} more model: a target needs three baselines.",
                "Choose {n} more models: a target needs three baselines.",
                FEWEST_BASELINES + 1 - answering,
            )
        return ""

    def choose_set(self, name: str) -> None:
        self.set_name = name
        self._protocol = load_protocol(name, method=METHOD)
        self.touch_now()

    def set_repeats(self, repeats: int) -> None:
        self.repeats = repeats
        self.touch_now()

    def set_cap(self, cap: float) -> None:
        self.spend_cap = cap

    def give(self, label: str, part: Part) -> None:
        """Give the model called *label* its part."""
        if part is Part.TARGET:
            self.parts = {name: Part.BASELINE if its is Part.TARGET else its for name, its in self.parts.items()}
        self.parts[label] = part
        self.touch_now()

    def practise(self) -> None:
        """Choose calibration models: one evasive target, plain baselines, two judges."""
        own = [Endpoint(provider=f"{METHOD}-calibration", model=name) for name in _PRACTICE]
        stored = [model for model in self.models if model.label not in {each.label for each in own}]
        self.models = (*stored, *own)
        self.parts = {
            endpoint.label: Part.JUDGE
            if endpoint.model.startswith("judge")
            else Part.BASELINE
            if endpoint.model.startswith("plain")
            else Part.TARGET
            for endpoint in own
        }
        self.touch_now()

    def start(self) -> None:
        """Plan the round and start it."""
        if self.blocked or self.starting:
            return
        self.starting = True
        chosen = [model for model in self.models if self._part(model) is not Part.NONE]
        plan = Plan(
            name=tr("{questions}, {models} models", questions=self.set_name, models=len(chosen)),
            articles_per_source=1,
            protocol=self.set_name,
            controls=self._controls(),
            last_batch=False,
            seed=1,
            spend_cap=self.spend_cap if self.costs else None,
            sources=(),
            models=tuple(model.endpoint if isinstance(model, TargetModel) else model for model in chosen),
            method=METHOD,
        )
        open_audit = self.context.engine.open_audit
        self.context.bridge.run(
            lambda: plan_round(open_audit, plan, beside=Path()), then=self._planned, failed=self._failed, owner=self
        )
        self.touch_now()

    def _planned(self, planned: PlannedRound) -> None:
        assert planned.run_id is not None, "the questions come with the protocol"
        self._runs.start(planned.run_id)
        self._runs.show_run(planned.run_id)
        self.started.emit()

    def _failed(self, error: BaseException) -> None:
        self.starting = False
        self.context.messages.failure(error, topic="study")
        self.touch_now()

    def _controls(self) -> Any:
        target, judges = self._of(Part.TARGET), self._of(Part.JUDGE)
        return self.method.controls({"repeats": self.repeats, "target": target[0] if target else "", "judges": judges})

    def _of(self, part: Part) -> list[str]:
        return [model.label for model in self.models if self._part(model) is part]

    def _part(self, model: TargetModel | Endpoint) -> Part:
        return self.parts.get(model.label, Part.NONE)

    def _loaded(self, rows: Any) -> None:
        self.models = tuple(row.model for row in rows)
        self.touch_now()
