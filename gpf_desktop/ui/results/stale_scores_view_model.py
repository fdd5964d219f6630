"""Settings whose scores rest on fewer answers than there are, and how they are brought up to date."""

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
from gpf_desktop.engine.scoring.auto_rescoring import AUTO_RESCORING_TASK
from gpf_desktop.engine.scoring.rescoring import RESCORE_TASK
from gpf_desktop.engine.scoring.stale_scores import StaleSetting
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.page import ViewModel
from gpf_desktop.ui.wording import count


class StaleScoresViewModel(ViewModel):
    """Follows the engine's `AutoRescoring`, which works by itself; the auditor may stop it, and ask for it again."""

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        super().__init__(context, parent)
        self.stale_settings: tuple[StaleSetting, ...] = ()
        self.working = False
        self._done, self._of = 0, 0
        self.listen(lambda _: self._read(), AuditOpened, RunRested)
        self.listen(lambda _: self._closed(), AuditClosed)
        self.listen(self._progressed, TaskProgressed)
        self.listen(self._ended, TaskSucceeded, TaskFailed, TaskCancelled)
        if context.engine.has_open_audit:
            self._read()

    @property
    def visible(self) -> bool:
        return bool(self.stale_settings)

    @property
    def words(self) -> str:
        """A line for each setting that is behind, and how far bringing it up to date has come."""
        lines = [_line(stale) for stale in self.stale_settings]
        if self.working and self._of:
            lines.append(tr("Computing: {done} of {of} sets.", done=count(self._done), of=count(self._of)))
        return "\n".join(lines)

    def refresh(self) -> None:
        self.context.engine.open_audit.auto_rescoring.refresh()

    def stop(self) -> None:
        self.context.engine.open_audit.auto_rescoring.cancel()

    def _read(self) -> None:
        audit = self.context.engine.current
        if audit is not None:
            self.context.bridge.run(
                audit.auto_rescoring.stale_settings,
                then=self._arrived,
                owner=self,
                latest="behind scores",
            )

    def _arrived(self, stale_settings: tuple[StaleSetting, ...]) -> None:
        self.stale_settings = stale_settings
        self.touch()

    def _closed(self) -> None:
        self.stale_settings, self.working = (), False
        self.touch()

    def _progressed(self, event: TaskProgressed) -> None:
        if event.task == AUTO_RESCORING_TASK:
            self.working, self._done, self._of = True, event.done, event.of or 0
            self.touch()

    def _ended(self, event: TaskSucceeded | TaskFailed | TaskCancelled) -> None:
        if event.task == AUTO_RESCORING_TASK:
            self.working = False
        if event.task in (AUTO_RESCORING_TASK, RESCORE_TASK):
            self._read()
            self.touch()


def _line(stale: StaleSetting) -> str:
    said = trn(
        "Scores “{setting}”: {n} set of answers was scored before newer answers came ({newer}) and is left out "
        "of comparisons.",
        "Scores “{setting}”: {n} sets of answers were scored before newer answers came ({newer}) and are left "
        "out of comparisons.",
        stale.bundles,
        setting=stale.words,
        newer=count(stale.newer),
    )
    return f"{said} {stale.problem}".strip()
