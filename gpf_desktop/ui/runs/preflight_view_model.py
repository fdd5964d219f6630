"""State of the look at everything before a round starts."""

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace

from PySide6.QtCore import QObject

from gpf_desktop.domain.events import AuditClosed, ModelsChanged, PreflightProgressed, SourceFetched, SourcesChanged
from gpf_desktop.domain.preflight import Mend, PreflightLine
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.engine.rounds.preflight import failing
from gpf_desktop.engine.rounds.setup import RunSetup
from gpf_desktop.ui.bridge import Pending
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.page import ViewModel


class PreflightViewModel(ViewModel):
    """Looks when the round is to start; looks again when what it found wrong was mended elsewhere."""

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        super().__init__(context, parent)
        self.lines: tuple[PreflightLine, ...] = ()
        self._look = Pending()
        self.running = self._mended_meanwhile = False
        self._asked: tuple[RunSetup, int, Callable[[], object]] | None = None
        self.listen(self._progressed, PreflightProgressed)
        self.listen(self._models_changed, ModelsChanged)
        self.listen(lambda _: self._mended(Mend.SOURCES), SourcesChanged, SourceFetched)
        self.listen(lambda _: self.clear(), AuditClosed)

    @property
    def failing(self) -> tuple[PreflightLine, ...]:
        return tuple(failing(self.lines))

    @property
    def shown(self) -> bool:
        return bool(self.lines)

    @property
    def words(self) -> str:
        if self.running:
            return tr("Looking at keys, models, disk, clock and sources …")
        n = len(self.failing)
        if n:
            return trn("{n} thing is not ready:", "{n} things are not ready:", n)
        return tr("Everything is ready.") if self.lines else ""

    def look(self, setup: RunSetup, calls: int, then: Callable[[], object]) -> None:
        """Look at what *setup* needs; *then* is called where nothing is wrong."""
        self._asked, self.running, self.lines = (setup, calls, then), True, ()
        future: Future[tuple[PreflightLine, ...]] = self.context.engine.open_audit.preflight.look(setup, calls)
        self._look = self.context.bridge.follow(future, then=self._looked, failed=self._failed, latest="look")
        self.touch_now()

    def again(self) -> None:
        if self._asked is not None:
            self.look(*self._asked)

    def clear(self) -> None:
        """Forget what was found: another round is to start now."""
        self._look.cancel()
        if self.lines or self._asked is not None:
            self.lines, self._asked, self.running = (), None, False
            self.touch_now()

    def mend(self, line: PreflightLine) -> None:
        """Go to where *line* is put right."""
        match line.mend:
            case Mend.MODEL:
                self.context.navigator.go("models", model=line.model_id, fault=line.fault)
            case Mend.SOURCES:
                self.context.navigator.go("sources")
            case Mend.AGAIN:
                self.again()

    def _models_changed(self, event: ModelsChanged) -> None:
        if self._asked is not None and event.replaced is not None:
            setup, calls, then = self._asked
            now = tuple(event.model_ids[0] if each == event.replaced else each for each in setup.model_ids)
            self._asked = replace(setup, model_ids=now), calls, then
        self._mended(Mend.MODEL)

    def _mended(self, what: Mend) -> None:
        """Ask again without starting: that is the auditor's to say."""
        if self.running:
            # What is under way may have looked at this already, so its end decides whether to look again.
            self._mended_meanwhile = True
        elif self._asked is not None and any(line.mend is what for line in self.failing):
            setup, calls, _ = self._asked
            self.look(setup, calls, lambda: None)

    def _progressed(self, event: PreflightProgressed) -> None:
        if self.running:
            self.lines = event.lines
            self.touch()

    def _looked(self, lines: tuple[PreflightLine, ...]) -> None:
        self.running, self.lines = False, lines
        meanwhile, self._mended_meanwhile = self._mended_meanwhile, False
        if meanwhile and self.failing:
            self.again()
            return
        then = self._asked[2] if self._asked is not None else None
        self.touch_now()
        if not self.failing and then is not None:
            then()

    def _failed(self, error: BaseException) -> None:
        self.running = False
        self.context.messages.failure(error, topic="run")
        self.touch_now()


def mend_words(line: PreflightLine) -> str:
    """The words on the button of a failing line."""
    return {
        Mend.MODEL: tr("Mend the model"),
        Mend.SOURCES: tr("Go to Sources"),
        Mend.AGAIN: tr("Look again"),
    }[line.mend]
