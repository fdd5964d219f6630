"""New, open, save a copy, close: what the File menu does with audits."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from gpf_desktop.documents.targets import is_of_the_program
from gpf_desktop.domain.errors import StorageError, StorageFault
from gpf_desktop.domain.text import tr
from gpf_desktop.ui.actions import Fact
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.file_dialogs import AUDIT_SUFFIX, ask_to_open, ask_to_save, audit_filter, begin_in
from gpf_desktop.ui.messages import FILE_TOPIC, Remedy
from gpf_desktop.ui.shell.leaving import Leaving
from gpf_desktop.ui.shell.recent import RecentFiles
from gpf_desktop.ui.studies.choosing import ChooseMethod, begin

if TYPE_CHECKING:
    from gpf_desktop.engine.open_audit import OpenAudit

_PASSING = frozenset(
    {
        StorageFault.LOCKED,
        StorageFault.FULL,
        StorageFault.READ_ONLY,
        StorageFault.FOREIGN,
        StorageFault.UNREACHABLE,
    }
)
"""What the auditor can mend outside the program, and then try again."""


class FileCommands(QObject):
    """Opening and closing block in the engine, so they run off the window's thread, one at a time."""

    leaving = Signal()
    """The audit that is open, if one is, is about to be left."""
    busy = Signal(bool)
    """Another audit is being opened, or this one closed: its pages show what will be gone; or that is over."""

    def __init__(self, context: Context, recent: RecentFiles, leaving: Leaving, window: QWidget) -> None:
        super().__init__(window)
        self._context = context
        self._recent = recent
        self._leaving = leaving
        self._window = window
        self._busy = False
        self.entering: Path | None = None
        """The audit that is being opened or made: of a large one that takes seconds."""
        self._next: Callable[[], None] | None = None
        """What was asked for last while another command is under way."""
        actions = context.actions
        actions.on("file.new", self.ask_for_new)
        actions.on("file.open", self.ask_for_existing)
        actions.on("file.copy", self.ask_for_copy)
        actions.on("file.close", self.close_audit)

    def ask_for_new(self) -> None:
        """Ask what is to be found out, then where the audit is to be."""
        ChooseMethod(self._context, tr("New audit"), self.ask_for_new_of, self._window).open()

    def ask_for_new_of(self, method: str) -> None:
        """Ask where the audit is to be, and lead to the set-up of *method*."""
        create = partial(self.create, method=method)
        ask_to_save(self._window, tr("New audit"), audit_filter(), AUDIT_SUFFIX, create, suggested=tr("My audit"))

    def ask_for_existing(self) -> None:
        ask_to_open(self._window, tr("Open an audit"), audit_filter(), self.open)

    def ask_for_copy(self) -> None:
        ask_to_save(self._window, tr("Save a copy"), audit_filter(), AUDIT_SUFFIX, self.save_copy)

    def create(self, path: Path, method: str) -> None:
        """Make a new audit at *path* and show where a round of *method* begins."""
        make = partial(self._context.engine.create, path, title=path.stem, method=method)
        self.enter(path, make, partial(begin, self._context, method))

    def open(self, path: Path, then: Callable[[], object] = lambda: None) -> None:
        """Open the audit at *path*, then go on with *then*."""
        self.enter(path, partial(self._context.engine.open, path), then)

    def enter(self, path: Path, way: Callable[[], OpenAudit], then: Callable[[], object] = lambda: None) -> None:
        """Open or make the audit at *path* by *way*, off the window's thread, then go on with *then*.

        An audit that is open already is not opened again; while a round is asked in another one, the auditor is
        asked first, because leaving it stops the round. While another command is under way it follows that one.
        """
        if self._waits(partial(self.enter, path, way, then)):
            return
        self._context.messages.clear(FILE_TOPIC)
        current = self._context.engine.current
        if current is not None and current.path == path.absolute():
            then()
            return
        self._leaving.leave(partial(self._enter, path, way, then))

    def save_copy(self, path: Path) -> None:
        """Write the open audit, as it is now, to *path*."""
        self._context.bridge.run(
            self._context.engine.open_audit.save_copy,
            path,
            then=lambda _: self._context.messages.success(
                tr("Copy saved as {name}.", name=path.name), topic=FILE_TOPIC
            ),
            failed=partial(self._failed, path),
            owner=self,
            anywhere=True,
        )

    def close_audit(self) -> None:
        """Close the audit, once it is said what becomes of a round that is being asked."""
        self._leaving.leave(self._close)

    def _close(self) -> None:
        if self._waits(self.close_audit):
            return
        self._start()
        self._context.bridge.run(
            self._context.engine.close_audit, then=lambda _: self._closed(), failed=self._stuck, owner=self,
            anywhere=True,
        )  # fmt: skip

    def _enter(self, path: Path, way: Callable[[], OpenAudit], then: Callable[[], object]) -> None:
        # Asked again: another command may have begun while the auditor chose what becomes of the round.
        if self._waits(partial(self.enter, path, way, then)):
            return
        self.entering = path
        self._start()
        self._context.bridge.run(
            way,
            then=lambda _: self._opened(path, then),
            failed=partial(self._failed, path),
            owner=self,
            anywhere=True,
        )

    def _waits(self, command: Callable[[], None]) -> bool:
        """Whether *command* has to wait for the one that is under way, and then follows it."""
        if self._busy:
            self._next = command
        return self._busy

    def _start(self) -> None:
        self._busy = True
        self._context.messages.clear(FILE_TOPIC)
        # What is typed goes into the audit that it was typed for; from here on nothing is done to it any more.
        self.leaving.emit()
        self._context.bridge.leave()
        self._context.actions.set_fact(Fact.AUDIT_OPEN, False)
        self.busy.emit(True)

    def _go_on(self) -> None:
        self._busy, self.entering = False, None
        self.busy.emit(False)
        command, self._next = self._next, None
        if command is not None:
            command()

    def _opened(self, path: Path, then: Callable[[], object]) -> None:
        self._recent.add(path)
        if not is_of_the_program(path):
            begin_in(path.absolute().parent)
        self._context.actions.set_fact(Fact.AUDIT_OPEN, True)
        # In this order: the steps that *then* takes belong to the new audit, and what waits may leave that again.
        self._context.navigator.forget()
        # The page that it goes to is built without a look at each of its events.
        self.busy.emit(False)
        then()
        self._go_on()

    def _closed(self) -> None:
        self._context.actions.set_fact(Fact.AUDIT_OPEN, False)
        self._context.navigator.forget()
        self._context.navigator.go("home")
        self._go_on()

    def _stuck(self, error: BaseException) -> None:
        self._give_up()
        self._context.messages.failure(error, topic=FILE_TOPIC)

    def _give_up(self) -> None:
        """Leave undone what was to follow: the auditor reads what went wrong first."""
        self._busy, self.entering, self._next = False, None, None
        self._context.bridge.stay()
        self._context.actions.set_fact(Fact.AUDIT_OPEN, self._context.engine.has_open_audit)
        self.busy.emit(False)

    def _failed(self, path: Path, error: BaseException) -> None:
        self._give_up()
        remedies: tuple[Remedy, ...] = ()
        if isinstance(error, StorageError):
            again = Remedy(text=tr("Try again"), do=partial(self.open, path))
            other = Remedy(text=tr("Open another file …"), do=self.ask_for_existing)
            copies = Remedy(text=tr("Daily copies …"), do=partial(self._context.actions.start, "file.copies"))
            remedies = (again, other) if error.fault in _PASSING else (copies, other)
        self._context.messages.failure(error, *remedies, topic=FILE_TOPIC)
