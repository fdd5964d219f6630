"""How far a task is, from the engine's events."""

import math
import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, Final

from PySide6.QtCore import QObject, Signal

from gpf_desktop.domain.events import TaskCancelled, TaskProgressed
from gpf_desktop.domain.text import tr
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.page import ViewModel

_SETTLED: Final = 10.0
"""Seconds from which on the pace so far tells how long the rest takes: parts of a task may go at different paces."""
MINUTE: Final = 60.0
Start = Callable[[Any], "Future[Any]"]
"""Is given what the form holds. Blocks for a read at most; raises `UserError` for what cannot be started."""


class TaskViewModel(ViewModel):
    """One task at a time; the future that starting it gives is followed to its end."""

    ended = Signal(object)
    """What the task gave. Not sent where it failed or was cancelled."""

    def __init__(
        self,
        context: Context,
        task: str,
        start: Start,
        cancel: Callable[[], object],
        parent: QObject | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(context, parent)
        self._clock = clock
        self._task, self._start, self._cancel = task, start, cancel
        self.running = self._stopped = False
        self.done = 0
        self.of: int | None = None
        self.doing = ""
        self._began = 0.0
        self.problem = ""
        self.listen(self._progressed, TaskProgressed)
        self.listen(self._cancelled, TaskCancelled)

    @property
    def share(self) -> float | None:
        """0 to 1; None while that is not known."""
        return self.done / self.of if self.of else None

    @property
    def left(self) -> float | None:
        """Seconds that the part under way still takes, at its pace so far, rounded up to whole minutes; None while
        that is not known."""
        taken, share = self._clock() - self._began, self.share
        return MINUTE * math.ceil(taken * (1 - share) / share / MINUTE) if share and taken >= _SETTLED else None

    def start(self, options: Any) -> None:
        if self.running:
            return
        # Before the engine has answered, so that a second press in between starts nothing.
        self.running, self.done, self.of, self.doing, self.problem = True, 0, None, "", ""
        self._stopped = False
        self._began = self._clock()
        self.touch_now()
        self.context.bridge.run(self._start, options, then=self._started, failed=self.failed, anywhere=True)

    def forget_problem(self) -> None:
        """Clear the problem, which is about to be mended."""
        if self.problem and not self.running:
            self.problem = ""
            self.touch_now()

    def cancel(self) -> None:
        if self.running:
            self._stopped = True
            self._cancel()

    def _started(self, future: "Future[Any]") -> None:
        if self._stopped:
            # What was asked before the task began was heard by nobody.
            self._cancel()
        self.context.bridge.follow(future, then=self._over, failed=self.failed, anywhere=True)

    def _over(self, outcome: object) -> None:
        self.running = False
        self.touch_now()
        self.ended.emit(outcome)

    def _cancelled(self, event: TaskCancelled) -> None:
        # The bridge tells nobody of a future that was cancelled.
        if event.task == self._task and self.running:
            self.running = False
            self.problem = tr("Cancelled.")
            self.touch_now()

    def failed(self, error: BaseException) -> None:
        """Say *error*: that of the task, or of what is needed before it can begin."""
        self.running = False
        self.problem = self.context.messages.words_of(error)
        self.touch_now()

    def _progressed(self, event: TaskProgressed) -> None:
        if event.task == self._task:
            if event.doing != self.doing:
                self._began = self._clock()
            self.done, self.of, self.doing = event.done, event.of, event.doing
            self.touch()
