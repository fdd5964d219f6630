"""State of the dialog that has the answers of a round rated."""

from PySide6.QtCore import QObject

from gpf_desktop.domain.errors import GpfError
from gpf_desktop.domain.ids import ModelId
from gpf_desktop.domain.methods import StudyProtocol
from gpf_desktop.domain.models import Role, TargetModel
from gpf_desktop.domain.ports.rates_answers import RatesAnswers
from gpf_desktop.domain.runs import Run
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.rounds.rating import Raters, RatingChoices, RatingOutlook
from gpf_desktop.engine.rounds.rounds import Rounds
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.page import ViewModel


class RateViewModel(ViewModel):
    """Begun about one round; what it takes is counted anew with every choice."""

    def __init__(self, context: Context, run: Run, parent: QObject | None = None) -> None:
        super().__init__(context, parent)
        self.run = run
        self.choices: RatingChoices | None = None
        """None: being read."""
        self.roles: dict[ModelId, Role] = {}
        self.outlook: RatingOutlook | None = None
        """None: nobody is chosen, or it is being counted."""
        self.problem = ""
        """Why it cannot begin, in sentences."""
        self.spend_cap: float | None = None
        self._cap_chosen = False
        self._protocol: StudyProtocol | None = None
        context.bridge.run(self._rounds.rating_choices, run.id, then=self._read, failed=self._failed)

    @property
    def _rounds(self) -> Rounds:
        return self.context.engine.open_audit.rounds

    @property
    def protocol(self) -> StudyProtocol | None:
        """The protocol from which judges are told their part."""
        return self._protocol or (None if self.choices is None else self.choices.protocol)

    @property
    def may_reword(self) -> bool:
        return self.choices is not None and not self.choices.judged

    @property
    def fields(self) -> tuple[str, ...]:
        """The protocol's fields that judges alone are told."""
        if self.choices is None:
            return ()
        method = self.choices.method
        return method.judging_fields if isinstance(method, RatesAnswers) else ()

    @property
    def ready(self) -> bool:
        return self.outlook is not None and self.outlook.total > 0

    def parts(self, model: TargetModel) -> list[tuple[str, Role | None]]:
        """The parts that *model* can be chosen for, each in words."""
        assert self.choices is not None
        found: list[tuple[str, Role | None]] = [(tr("not asked"), None)]
        if self.choices.roles.get(ModelId(model.id)) is not None:
            found = [(tr("rates it already"), None)]
        if Role.JUDGE in self.choices.method.roles:
            found.append((tr("judge model"), Role.JUDGE))
        encodes = model.endpoint.provider in catalogue.embedders()
        if Role.EMBEDDER in self.choices.method.roles and encodes:
            found.append((tr("encoder"), Role.EMBEDDER))
        there = self.choices.roles.get(ModelId(model.id))
        return [each for each in found if each[1] is None or there in (None, each[1])]

    def choose(self, model: TargetModel, role: Role | None) -> None:
        """Have *model* rate the answers as *role*, or not."""
        self.roles.pop(ModelId(model.id), None)
        if role is not None:
            self.roles[ModelId(model.id)] = role
        self._count()

    def take_protocol(self, protocol: StudyProtocol) -> None:
        """Tell judges what *protocol* says."""
        self._protocol = protocol
        self._count()

    def set_cap(self, cap: float) -> None:
        """US dollars; 0: none."""
        self.spend_cap, self._cap_chosen = cap or None, True
        self.touch()

    @property
    def raters(self) -> Raters:
        return Raters(roles=dict(self.roles), protocol=self._protocol)

    def _count(self) -> None:
        self.outlook, self.problem = None, ""
        if self.roles:
            read, run_id = self._rounds.rating_outlook, self.run.id
            self.context.bridge.run(
                read, run_id, self.raters, then=self._counted, failed=self._failed, latest="outlook"
            )
        self.touch_now()

    def _read(self, choices: RatingChoices) -> None:
        self.choices = choices
        self.touch_now()

    def _counted(self, outlook: RatingOutlook) -> None:
        if not self.roles:
            return
        self.outlook = outlook
        if not self._cap_chosen:
            cost = outlook.cost
            self.spend_cap = None if cost is None else max(round(cost.low + cost.high, 2), 0.01)
        self.touch_now()

    def _failed(self, error: BaseException) -> None:
        if not isinstance(error, GpfError):
            self.context.messages.failure(error)
            return
        self.problem = f"{error.what} {error.remedy}".strip()
        self.touch_now()
