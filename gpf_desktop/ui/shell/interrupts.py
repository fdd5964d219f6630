"""Ctrl+C in the terminal that started the window closes it like any other way of closing, and SIGTERM, which comes with
the end of a session, without a question that nobody is there to answer."""

import signal
import socket
from collections.abc import Callable

from PySide6.QtCore import QObject, QSocketNotifier
from PySide6.QtWidgets import QApplication


class Interrupts(QObject):
    """Lives as long as *parent*. Python's own handler would run only when Qt next calls into Python."""

    def __init__(
        self, application: QApplication, parent: QObject, leave: Callable[[Callable[[], object]], object]
    ) -> None:
        """*leave*: does what it is given once nothing is in flight, and asks nobody."""
        super().__init__(parent)
        # Sockets rather than a pipe, which Qt's notifier does not take on Windows.
        self._reader, self._writer = socket.socketpair()
        self._reader.setblocking(False)
        self._writer.setblocking(False)
        self._before = {
            signal.SIGINT: signal.signal(signal.SIGINT, lambda *_: application.closeAllWindows()),
            signal.SIGTERM: signal.signal(signal.SIGTERM, lambda *_: leave(application.closeAllWindows)),
        }
        # Python refuses a blocking descriptor here. A full buffer needs no warning: the first byte in it wakes Qt.
        self._fd_before = signal.set_wakeup_fd(self._writer.fileno(), warn_on_full_buffer=False)
        self._notifier = QSocketNotifier(self._reader.fileno(), QSocketNotifier.Type.Read, self)
        # Reading brings the interpreter to run the handler that is due.
        self._notifier.activated.connect(lambda *_: self._reader.recv(64))

    def remove(self) -> None:
        """Give the signals back as they were."""
        # Before its socket is closed, whose number the next file that is opened may get.
        self._notifier.setEnabled(False)
        signal.set_wakeup_fd(self._fd_before)
        for number, before in self._before.items():
            signal.signal(number, before)
        self._reader.close()
        self._writer.close()
