"""New, open, save a copy, close: what the File menu does with audits."""

from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from gpf_desktop.domain.errors import StorageError, StorageFault
from gpf_desktop.domain.text import tr
from gpf_desktop.ui.actions import Fact
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.file_dialogs import AUDIT_SUFFIX, ask_to_open, ask_to_save, audit_filter
from gpf_desktop.ui.messages import Remedy
from gpf_desktop.ui.shell.recent import RecentFiles
from gpf_desktop.ui.shell.sample import ready_sample

_TOPIC = "file"


class FileCommands(QObject):
    """Opening and closing block in the engine, so they run off the window's thread, one at a time."""

    def __init__(self, context: Context, recent: RecentFiles, window: QWidget) -> None:
        super().__init__(window)
        self._context = context
        self._recent = recent
        self._window = window
        self._busy = False
        actions = context.actions
        actions.on("file.new", self.ask_for_new)
        actions.on("file.open", self.ask_for_existing)
        actions.on("file.copy", self.ask_for_copy)
        actions.on("file.close", self.close_audit)

    def ask_for_new(self) -> None:
        ask_to_save(self._window, tr("New audit"), audit_filter(), AUDIT_SUFFIX, self.create, suggested=tr("My audit"))

    def ask_for_existing(self) -> None:
        ask_to_open(self._window, tr("Open an audit"), audit_filter(), self.open)

    def ask_for_copy(self) -> None:
        ask_to_save(self._window, tr("Save a copy"), audit_filter(), AUDIT_SUFFIX, self.save_copy)

    def create(self, path: Path) -> None:
        """Make a new audit at *path* and show Sources, the first of its four steps."""
        if self._start():
            self._context.bridge.run(
                partial(self._context.workshop.create, path, title=path.stem),
                then=lambda _: self._opened(path, "sources"),
                failed=partial(self._failed, path),
                owner=self,
            )

    def open(self, path: Path) -> None:
        """Open the audit at *path*."""
        if self._start():
            self._context.bridge.run(
                self._context.workshop.open,
                path,
                then=lambda _: self._opened(path, ""),
                failed=partial(self._failed, path),
                owner=self,
            )

    def open_sample(self, path: Path | None = None) -> None:
        """Open the sample audit at *path*, or at its usual place, making it first where it is not there yet."""
        if self._start():
            self._context.messages.info(tr("Making the sample audit. This takes less than a minute."), topic=_TOPIC)
            self._context.bridge.run(
                ready_sample,
                path,
                then=self._open_made,
                failed=partial(self._failed, path or Path()),
            )

    def save_copy(self, path: Path) -> None:
        """Write the open audit, as it is now, to *path*."""
        self._context.bridge.run(
            self._context.workshop.session.save_copy,
            path,
            then=lambda _: self._context.messages.success(tr("Copy saved as {name}.", name=path.name), topic=_TOPIC),
            failed=partial(self._failed, path),
            owner=self,
        )

    def close_audit(self) -> None:
        if self._start():
            self._context.bridge.run(
                self._context.workshop.close_audit, then=lambda _: self._closed(), failed=self._stuck, owner=self
            )

    def _open_made(self, path: Path) -> None:
        self._context.messages.clear(_TOPIC)
        self._context.bridge.run(
            self._context.workshop.open,
            path,
            then=lambda _: self._opened(path, "review"),
            failed=partial(self._failed, path),
            owner=self,
        )

    def _start(self) -> bool:
        if self._busy:
            return False
        self._busy = True
        self._context.messages.clear(_TOPIC)
        return True

    def _opened(self, path: Path, page: str) -> None:
        self._busy = False
        self._recent.add(path)
        self._context.actions.set_fact(Fact.AUDIT_OPEN, True)
        self._context.navigator.forget()
        if page:
            self._context.navigator.go(page)

    def _closed(self) -> None:
        self._busy = False
        self._context.actions.set_fact(Fact.AUDIT_OPEN, False)
        self._context.navigator.forget()
        self._context.navigator.go("home")

    def _stuck(self, error: BaseException) -> None:
        self._busy = False
        self._context.messages.failure(error, topic=_TOPIC)

    def _failed(self, path: Path, error: BaseException) -> None:
        self._busy = False
        remedies: tuple[Remedy, ...] = ()
        if isinstance(error, StorageError):
            again = Remedy(text=tr("Try again"), do=partial(self.open, path))
            other = Remedy(text=tr("Open another file …"), do=self.ask_for_existing)
            retryable = error.fault in (StorageFault.LOCKED, StorageFault.FULL, StorageFault.READ_ONLY)
            remedies = (again, other) if retryable else (other,)
        self._context.messages.failure(error, *remedies, topic=_TOPIC)
