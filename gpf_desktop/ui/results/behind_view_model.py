"""Which settings' scores rest on fewer answers than there are, and what is done about it."""

from PySide6.QtCore import QObject

from gpf_desktop.domain.events import (
    AuditClosed,
    AuditOpened,
    RunRested,
    TaskCancelled,
    TaskFailed,
    TaskProgressed,
    TaskSucceeded,
)
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.engine.scoring.due_scores import Standing
from gpf_desktop.engine.scoring.rescoring import RESCORE_TASK
from gpf_desktop.engine.scoring.upkeep import UPKEEP_TASK
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.page import ViewModel
from gpf_desktop.ui.wording import count


class BehindViewModel(ViewModel):
    """Follows the engine's `Upkeep`, which works by itself; the auditor may stop it, and ask for it again."""

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        super().__init__(context, parent)
        self.standings: tuple[Standing, ...] = ()
        self.working = False
        self._done, self._of = 0, 0
        self.listen(lambda _: self._read(), AuditOpened, RunRested)
        self.listen(lambda _: self._closed(), AuditClosed)
        self.listen(self._progressed, TaskProgressed)
        self.listen(self._ended, TaskSucceeded, TaskFailed, TaskCancelled)
        if context.workshop.has_session:
            self._read()

    @property
    def visible(self) -> bool:
        return bool(self.standings)

    @property
    def words(self) -> str:
        """What is behind, a line for each setting, and how far bringing it up to date is."""
        lines = [_line(standing) for standing in self.standings]
        if self.working and self._of:
            lines.append(tr("Computing: {done} of {of} bundles.", done=count(self._done), of=count(self._of)))
        return "\n".join(lines)

    def bring(self) -> None:
        self.context.workshop.session.upkeep.bring()

    def stop(self) -> None:
        self.context.workshop.session.upkeep.cancel()

    def _read(self) -> None:
        if self.context.workshop.has_session:
            self.context.bridge.run(
                self.context.workshop.session.upkeep.standings, then=self._arrived, owner=self, latest="behind scores"
            )

    def _arrived(self, standings: tuple[Standing, ...]) -> None:
        self.standings = standings
        self.touch()

    def _closed(self) -> None:
        self.standings, self.working = (), False
        self.touch()

    def _progressed(self, event: TaskProgressed) -> None:
        if event.task == UPKEEP_TASK:
            self.working, self._done, self._of = True, event.done, event.of or 0
            self.touch()

    def _ended(self, event: TaskSucceeded | TaskFailed | TaskCancelled) -> None:
        if event.task == UPKEEP_TASK:
            self.working = False
        if event.task in (UPKEEP_TASK, RESCORE_TASK):
            self._read()
            self.touch()


def _line(standing: Standing) -> str:
    said = trn(
        "Scores “{setting}”: {n} bundle was scored before newer answers came ({newer}) and is left out of comparisons.",
        "Scores “{setting}”: {n} bundles were scored before newer answers came ({newer}) and are left out of "
        "comparisons.",
        standing.bundles,
        setting=standing.words,
        newer=count(standing.newer),
    )
    return f"{said} {standing.problem}".strip()
