"""Tells whoever works in another window that a round has ended or needs someone, and starts repeated rounds."""

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QApplication, QSystemTrayIcon

from gpf_desktop.domain.events import AuditOpened, RunRested, TaskFailed, TaskSucceeded
from gpf_desktop.domain.schedules import REPEAT_TASK
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.runs.rest_message import words_for
from gpf_desktop.ui.widgets.plain import plain_tip


class RoundNotices(QObject):
    """Lives as long as *window*, its parent."""

    def __init__(self, context: Context, window: MainWindow) -> None:
        super().__init__(window)
        self._context = context
        self._window = window
        self._tray = QSystemTrayIcon(window.windowIcon(), self) if QSystemTrayIcon.isSystemTrayAvailable() else None
        application = QApplication.instance()
        if self._tray is not None and isinstance(application, QApplication):
            self._tray.activated.connect(lambda _: window.come_forward())
            application.applicationStateChanged.connect(self._seen)
        context.bridge.subscribe(self, self._opened, AuditOpened)
        context.bridge.subscribe(self, self._rested, RunRested)
        context.bridge.subscribe(self, self._repeated, TaskSucceeded)
        context.bridge.subscribe(self, self._not_repeated, TaskFailed)

    def _opened(self, _: AuditOpened) -> None:
        self._context.bridge.run(self._context.engine.repeater, owner=self)

    def _rested(self, event: RunRested) -> None:
        if not self._window.isActiveWindow():
            self.notify(words_for(event))

    def _repeated(self, event: TaskSucceeded) -> None:
        if event.task == REPEAT_TASK:
            self._context.messages.info(event.sentence, topic="repeat")

    def _not_repeated(self, event: TaskFailed) -> None:
        if event.task == REPEAT_TASK:
            self._context.messages.warning(
                f"{event.what} {event.remedy}".strip(), topic="repeat", details=event.details
            )
            self.notify(event.what)

    def notify(self, words: str) -> None:
        """Mark the window in the task bar and, where the desktop has a tray, show *words* there."""
        QApplication.alert(self._window)
        if self._window.leaving.tell(words) or self._tray is None:
            return
        # Qt shows no message of an icon that is hidden.
        self._tray.show()
        self._tray.setToolTip(plain_tip(f"GPF Desktop: {words}"))
        self._tray.showMessage("GPF Desktop", words)

    def _seen(self, state: Qt.ApplicationState) -> None:
        if self._tray is not None and state is Qt.ApplicationState.ApplicationActive:
            self._tray.hide()
