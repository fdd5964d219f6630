"""Work for the GUI thread in small steps, between which the window answers."""

from collections import deque
from collections.abc import Callable, Iterable

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QWidget

from gpf_desktop.domain.events import AuditClosed
from gpf_desktop.ui.audit_timer import AuditTimer
from gpf_desktop.ui.bridge import Bridge


class StepByStep(QObject):
    """Does one step in each turn of the event loop, in the order in which they were given; none for the next audit."""

    def __init__(self, bridge: Bridge, parent: QObject) -> None:
        super().__init__(parent)
        self._steps: deque[tuple[str, Callable[[], object]]] = deque()
        self._turn = AuditTimer(bridge, self, 0, self._one, repeats=True)
        bridge.subscribe(self, lambda _event: self._steps.clear(), AuditClosed)

    @property
    def busy(self) -> bool:
        return bool(self._steps)

    def do(self, what: str, steps: Iterable[Callable[[], object]]) -> None:
        """Do *steps* one after the other; those of an earlier call for the same *what* that are left are dropped."""
        self.drop(what)
        self._steps.extend((what, step) for step in steps)
        if self._steps:
            self._turn.start()

    def drop(self, what: str) -> None:
        """Do no more steps of *what*."""
        self._steps = deque(step for step in self._steps if step[0] != what)

    def _one(self) -> None:
        if self._steps:
            _, step = self._steps.popleft()
            step()
        if not self._steps:
            self._turn.stop()


class HiddenHolder(QWidget):
    """Holds widgets, unseen, between the step that makes them and the step that gives them their place."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.hide()

    def clear(self) -> None:
        """Let go of what never got its place."""
        for left in self.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly):
            left.setParent(None)
            left.deleteLater()

    def hold(self, widget: QWidget) -> None:
        widget.setParent(self)
