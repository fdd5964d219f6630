"""A second start with the same audit, or with none, brings the first window forward instead of making another."""

import os
from hashlib import blake2b
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket

from gpf_desktop.settings.preferences import HERE

_WAIT_MS = 500


def _name(audit: Path | None) -> str:
    # Who has settings of their own has windows of their own.
    told = f"any window by {HERE.path}" if audit is None else str(audit.resolve())
    # A digest: names of sockets are short (108 bytes on Linux), paths are not.
    return "gpf-desktop-" + blake2b(os.fsencode(told), digest_size=12).hexdigest()


def bring_forward(audit: Path | None) -> bool:
    """Ask a window that has *audit* open (None: any) to come to the front; False where there is none."""
    socket = QLocalSocket()
    socket.connectToServer(_name(audit))
    if not socket.waitForConnected(_WAIT_MS):
        return False
    socket.disconnectFromServer()
    return True


class SingleInstance(QObject):
    """Listens for second starts: about one audit at a time, or about none."""

    called = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._answer)

    def hold(self, audit: Path | None) -> None:
        """Answer for *audit* (None: for starts that name none) from now on, and for nothing else."""
        self.release()
        name = _name(audit)
        # A window that answers keeps the name; to remove it would make that window deaf.
        if not bring_forward(audit):
            # A socket file that a killed process left behind would refuse the name.
            QLocalServer.removeServer(name)
            self._server.listen(name)

    def release(self) -> None:
        self._server.close()

    def _answer(self) -> None:
        while (socket := self._server.nextPendingConnection()) is not None:
            socket.disconnected.connect(socket.deleteLater)
            self.called.emit()
