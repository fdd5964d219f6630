"""The place that the window shows, and the way back to earlier places."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from PySide6.QtCore import QObject, Signal

_NOTHING: Mapping[str, object] = MappingProxyType({})
_DEPTH = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A page and what was selected, filtered and scrolled on it."""

    page: str
    state: Mapping[str, object] = field(default_factory=lambda: _NOTHING)


class Navigator(QObject):
    """Goes to places and remembers the way. Whoever shows pages sets *here*, which tells the present place."""

    moved = Signal(object)
    """A `Place` to show."""
    history_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.here: Callable[[], Place | None] = lambda: None
        self._back: list[Place] = []
        self._forward: list[Place] = []

    @property
    def can_go_back(self) -> bool:
        return bool(self._back)

    @property
    def can_go_forward(self) -> bool:
        return bool(self._forward)

    def go(self, page: str, **state: object) -> None:
        """Show *page*; without *state* it is shown as it was left."""
        now = self.here()
        # The page that is shown, asked for as it is, is no step that anyone would want to go back.
        if now is not None and (now.page != page or state):
            self._back = [*self._back, now][-_DEPTH:]
            self._forward.clear()
        self._move(Place(page=page, state=state))

    def back(self) -> None:
        self._step(self._back, self._forward)

    def forward(self) -> None:
        self._step(self._forward, self._back)

    def forget(self) -> None:
        """Another audit was opened: places of the old one mean nothing."""
        self._back.clear()
        self._forward.clear()
        self.history_changed.emit()

    def _step(self, taken_from: list[Place], put_on: list[Place]) -> None:
        if not taken_from:
            return
        now = self.here()
        if now is not None:
            put_on.append(now)
        self._move(taken_from.pop())

    def _move(self, place: Place) -> None:
        self.moved.emit(place)
        self.history_changed.emit()
