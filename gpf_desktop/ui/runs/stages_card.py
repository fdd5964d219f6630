"""The stages of a round whose later calls rest on earlier answers, and the parts of its models."""

from PySide6.QtCore import QObject, Qt

from gpf_desktop.domain.events import AuditClosed, RunProgressed, RunRested
from gpf_desktop.domain.ids import RunId
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.rounds.stage_outlook import StageLine, StageOutlook
from gpf_desktop.ui.audit_timer import AuditTimer
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.page import ViewModel
from gpf_desktop.ui.runs.forecast_words import dollars
from gpf_desktop.ui.runs.runs_view_model import RunsViewModel
from gpf_desktop.ui.theme.tokens import SPACE_1, SPACE_4
from gpf_desktop.ui.widgets.boxes import spaced_grid
from gpf_desktop.ui.widgets.cards import Card
from gpf_desktop.ui.widgets.labels import caption, label
from gpf_desktop.ui.widgets.layouts import clear_layout
from gpf_desktop.ui.wording import count, count_of, money

_SOON_MS = 1000
"""While a round is asked its stages are counted this often at most."""


class StagesViewModel(ViewModel):
    """Stages of the round that the page shows."""

    def __init__(self, context: Context, runs: RunsViewModel, parent: QObject | None = None) -> None:
        super().__init__(context, parent)
        self._runs = runs
        self._of: RunId | None = None
        self.outlook: StageOutlook | None = None
        self._again = AuditTimer(context.bridge, self, _SOON_MS, self.read)
        self.listen(self._moved_on, RunProgressed)
        self.listen(lambda _: self.read(), RunRested)
        self.listen(self._closed, AuditClosed)
        runs.changed.connect(self._look)

    def read(self) -> None:
        """Count the stages of the round that is shown."""
        audit = self.context.engine.current
        if self._of is not None and audit is not None:
            self.context.bridge.run(audit.rounds.stage_outlook, self._of, then=self._counted, latest="stages")

    def lines(self) -> list[tuple[str, str, str]]:
        """Each stage: its title, how far it is, and what it has cost and is likely to."""
        return [] if self.outlook is None else [(each.title, _done(each), _cost(each)) for each in self.outlook.lines]

    def roles(self) -> str:
        """The models of each role, in words."""
        if self.outlook is None:
            return ""
        return " · ".join(f"{tr(str(role))}: {', '.join(models)}" for role, models in self.outlook.roles.items())

    def _look(self) -> None:
        shown = None if self._runs.run is None else self._runs.run.id
        if shown != self._of:
            self._of, self.outlook = shown, None
            self.touch_now()
            self.read()

    def _moved_on(self, event: RunProgressed) -> None:
        if event.progress.run_id == self._of and not self._again.isActive():
            self._again.start()

    def _counted(self, outlook: StageOutlook | None) -> None:
        self.outlook = outlook
        self.touch()

    def _closed(self, _: AuditClosed) -> None:
        self._of = self.outlook = None
        self._again.stop()
        self.touch()


class StagesCard(Card):
    """A line for each stage; nothing for a round that has one only."""

    def __init__(self, context: Context, runs: RunsViewModel) -> None:
        super().__init__(tr("Stages"), name="runs.stages")
        self.model = StagesViewModel(context, runs, self)
        self._grid = spaced_grid(across=SPACE_4, down=SPACE_1, wide=2)
        self.body.addLayout(self._grid)
        self._roles = caption(name="runs.roles")
        self.body.addWidget(self._roles)
        self.model.changed.connect(self._show)
        self._show()

    def _show(self) -> None:
        lines = self.model.lines()
        self.setVisible(bool(lines))
        clear_layout(self._grid)
        for at, (title, done, cost) in enumerate(lines):
            self._grid.addWidget(label(title, "secondary"), at, 0)
            self._grid.addWidget(label(done), at, 1)
            self._grid.addWidget(label(cost, "secondary"), at, 2, Qt.AlignmentFlag.AlignLeft)
        self._roles.setText(self.model.roles())


def _done(line: StageLine) -> str:
    ended = line.answered + line.missing
    if line.likely:
        return tr("{ended} of about {n}", ended=count(ended), n=count(line.likely))
    return count_of(ended, line.planned)


def _cost(line: StageLine) -> str:
    if line.spent is None:
        return tr("price unknown")
    spent = tr("{cost} spent", cost=money(line.spent))
    return spent if line.cost is None else tr("{spent}, likely {cost} in all", spent=spent, cost=dollars(line.cost))
