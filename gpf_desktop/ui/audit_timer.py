"""A timer that belongs to the audit that was open when it was started."""

from collections.abc import Callable

import shiboken6
from PySide6.QtCore import QObject, QTimer

from gpf_desktop.ui.bridge import Bridge


class AuditTimer(QTimer):
    """Calls *then* after *interval* ms, once or, where it *repeats*, again and again; never for the next audit.

    What comes up while its audit is being left waits with all else of it (`Bridge.leave`).
    """

    def __init__(
        self, bridge: Bridge, owner: QObject, interval: int, then: Callable[[], object], *, repeats: bool = False
    ) -> None:
        # Begun anew after each time: what waits for its audit waits once.
        super().__init__(owner, singleShot=True, interval=interval)
        self._bridge, self._then, self._repeats = bridge, then, repeats
        self._bound: Callable[[], None] | None = None
        """None: not started, or stopped, also where it came up already and waits."""
        self.timeout.connect(self._come_up)

    def start(self) -> None:  # type: ignore[override]  # for its own interval alone
        """Begin, or begin anew, for the audit that is open now."""
        self._bound = self._bridge.bind(self._call)
        super().start()

    def stop(self) -> None:
        """Call nothing any more, nor what came up and waits."""
        self._bound = None
        super().stop()

    def _come_up(self) -> None:
        if self._bound is not None:
            self._bound()

    def _call(self) -> None:
        if self._bound is None or not shiboken6.isValid(self):
            return
        if self._repeats:
            super().start()
        else:
            self._bound = None
        self._then()
