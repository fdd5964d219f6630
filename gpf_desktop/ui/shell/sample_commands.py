"""The sample audit, opened to be read; and the practice run, made before the auditor's eyes on the Runs page."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from gpf_desktop.domain.errors import GpfError
from gpf_desktop.domain.events import AuditClosed
from gpf_desktop.domain.review_queue import QueueFilter
from gpf_desktop.domain.text import tr
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.navigation import Place
from gpf_desktop.ui.shell.file_commands import FileCommands

if TYPE_CHECKING:
    from gpf_desktop.engine.commands.sample import FirstBundle
    from gpf_desktop.engine.schedules.plan_rounds import PlannedRound

_TOPIC = "run"
"""Takes the place of what the Runs page says about the round."""
_BUNDLE = "sample bundle"
"""Speaks of what is in sight on Review."""


class SampleCommands(QObject):
    """Opens the sample and asks practice rounds; pausing one is fine, it goes on from there."""

    def __init__(self, context: Context, files: FileCommands, window: QObject) -> None:
        super().__init__(window)
        self._context = context
        self._files = files
        context.actions.on("sample.open", self.open_copy)
        context.actions.on("sample.practice", self.practise)
        context.bridge.subscribe(self, self._left, AuditClosed)
        context.navigator.moved.connect(self._moved)

    def open_copy(self, path: Path | None = None) -> None:
        """Open a copy of the shipped sample audit, the one at *path* or where it was kept before if there is one."""
        from gpf_desktop.engine.commands import sample

        path, engine = path or sample.default_place(), self._context.engine
        self._files.enter(path, partial(sample.enter_sample, engine, path), self._read)

    def practise(self) -> None:
        """One article, one calibration model, no key, no network: a whole round while the auditor watches."""
        from gpf_desktop.engine.commands import sample

        path, engine = sample.practice_place(), self._context.engine
        self._files.enter(path, partial(sample.enter_practice, engine, path), self._plan)

    def rehearse(self, method: str) -> None:
        """Set up a study of *method* with its starter items and calibration models, in a file kept for that."""
        from gpf_desktop.engine.commands import sample

        path, engine = sample.practice_place(method), self._context.engine
        go = partial(self._context.navigator.go, "runs", setup=method, rehearse=True)
        self._files.enter(path, partial(sample.enter_practice, engine, path, method), go)

    def _plan(self) -> None:
        open_audit = self._context.engine.open_audit
        if open_audit.rounds.active is not None:
            self._context.navigator.go("runs", run=open_audit.rounds.active)
            return
        from gpf_desktop.engine.commands import sample

        self._context.bridge.run(sample.plan_practice, open_audit, then=self._planned)

    def _planned(self, planned: PlannedRound) -> None:
        assert planned.run_id is not None, "a practice run asks the last batch again once news is used up"
        self._context.messages.clear(_TOPIC)
        self._context.navigator.go("runs", run=planned.run_id)
        try:
            self._context.bridge.follow(self._context.engine.open_audit.rounds.start(planned.run_id))
        except GpfError as error:
            self._context.messages.failure(error, topic=_TOPIC)

    def _read(self) -> None:
        open_audit = self._context.engine.open_audit
        from gpf_desktop.engine.commands import sample

        self._context.bridge.run(sample.first_to_read, open_audit, then=self._show)

    def _show(self, first: FirstBundle | None) -> None:
        self._context.navigator.go("review", filter=QueueFilter(), bundle=None if first is None else first.id)
        self._context.messages.info(
            tr(
                "This is the sample audit: built-in test models answered invented news, so no real model said "
                "any of this. {about} Read them side by side, then try a verdict.",
                about="" if first is None else first.about,
            ),
            topic=_BUNDLE,
        )

    def _moved(self, place: Place) -> None:
        if place.page != "review":
            self._context.messages.clear(_BUNDLE)

    def _left(self, _: AuditClosed) -> None:
        for topic in (_TOPIC, _BUNDLE):
            self._context.messages.clear(topic)
