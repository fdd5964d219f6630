"""The sample audit and the practice run: opened, or made before the auditor's eyes on the Runs page, then read."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject

from gpf_desktop.domain.errors import GpfError
from gpf_desktop.domain.events import AuditClosed, RunRested
from gpf_desktop.domain.ids import BundleId, RunId
from gpf_desktop.domain.review_queue import QueueFilter
from gpf_desktop.domain.text import tr
from gpf_desktop.engine import sample
from gpf_desktop.engine.rounds.plan_rounds import PlannedRound
from gpf_desktop.engine.session import Session
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.shell.file_commands import FileCommands

_TOPIC = "run"
"""Takes the place of what the Runs page says about the round."""

NextRound = Callable[[Session], PlannedRound | None]


class SampleCommands(QObject):
    """Asks the rounds of a sample or practice audit one after the other; pausing one is fine, it goes on from there."""

    def __init__(self, context: Context, files: FileCommands, window: QObject) -> None:
        super().__init__(window)
        self._context = context
        self._files = files
        self._next: NextRound | None = None
        self._asked: RunId | None = None
        context.actions.on("sample.open", self.open_copy)
        context.actions.on("sample.practice", self.practise)
        context.bridge.subscribe(self, self._rested, RunRested)
        context.bridge.subscribe(self, self._left, AuditClosed)

    def open_copy(self) -> None:
        """Open a copy of the shipped sample audit, the one that was opened before where there is one."""
        path, workshop = sample.default_place(), self._context.workshop
        self._files.enter(path, lambda: workshop.open(sample.unpack_sample(path)), self._read)

    def practise(self) -> None:
        """One article, one calibration model, no key, no network: a whole round while the auditor watches."""
        path, workshop = sample.practice_place(), self._context.workshop
        self._files.enter(
            path, partial(sample.enter_practice, workshop, path), partial(self._plan, sample.plan_practice)
        )

    def demo(self, path: Path | None = None) -> None:
        """Open the sample audit at *path*, asking first what is not asked of it yet: `gpf-desktop demo`."""
        path, workshop = path or sample.default_place(), self._context.workshop
        self._files.enter(
            path, partial(sample.enter_sample, workshop, path), partial(self._plan, sample.next_sample_round)
        )

    def _plan(self, following: NextRound) -> None:
        self._forget()
        session = self._context.workshop.session
        if session.rounds.active is not None:
            self._context.navigator.go("runs", run=session.rounds.active)
            return
        self._next = following
        self._context.bridge.run(following, session, then=self._planned)

    def _planned(self, planned: PlannedRound | None) -> None:
        if planned is None or planned.run_id is None:
            self._read()
            return
        self._asked = planned.run_id
        self._context.messages.clear(_TOPIC)
        self._context.navigator.go("runs", run=planned.run_id)
        try:
            self._context.bridge.follow(self._context.workshop.session.rounds.start(planned.run_id))
        except GpfError as error:
            self._context.messages.failure(error, topic=_TOPIC)

    def _rested(self, event: RunRested) -> None:
        if event.run_id == self._asked and event.state.over and self._next is sample.next_sample_round:
            rounds = self._context.workshop.session.rounds
            self._context.bridge.run(rounds.wait_until_at_rest, then=lambda _: self._go_on(), owner=self)

    def _go_on(self) -> None:
        if self._next is not None:
            self._plan(self._next)

    def _read(self) -> None:
        self._forget()
        session = self._context.workshop.session
        self._context.bridge.run(sample.first_to_read, session, then=self._show)

    def _show(self, bundle: BundleId | None) -> None:
        self._context.navigator.go("review", filter=QueueFilter(), bundle=bundle)
        self._context.messages.info(
            tr(
                "This is the sample audit: built-in calibration models answered invented news, so no real model said "
                "any of this. Read the answers side by side, then try a verdict."
            ),
            topic=_TOPIC,
        )

    def _left(self, _: AuditClosed) -> None:
        self._forget()
        self._context.messages.clear(_TOPIC)

    def _forget(self) -> None:
        self._next = self._asked = None
