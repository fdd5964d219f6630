"""A run's money: what is spent by counted usage, and what calls in flight may still cost."""

import asyncio
import sys
from collections.abc import Callable
from dataclasses import dataclass

from gpf_desktop.engine.rounds.limits import Slot


class SpendGuard:
    """Holds back the worst case of what is in flight, so that the cap is never passed."""

    def __init__(self, cap: float | None, spent: Callable[[], float]) -> None:
        self.cap = cap
        """US dollars; None: no cap."""
        self.empty = False
        """A call was refused because the cap would have been passed."""
        self.wanted = 0.0
        """US dollars that the call which was refused may cost at most."""
        self._spent = spent
        self._reserved = 0.0
        self._changed = asyncio.Event()

    async def reserve(self, worst_case: float) -> bool:
        """Hold back *worst_case* dollars for one more call; False where the cap leaves no room.

        Waits while calls in flight may still turn out cheaper than their worst case.
        """
        while self.cap is not None and self._spent() + self._reserved + worst_case > self.cap:
            # Nothing is out whose end could leave room: whoever waited would wait for ever.
            if not self._reserved:
                self.empty, self.wanted = True, worst_case
                return False
            # No await stands between the look and this, so that nothing given back meanwhile is missed.
            self._changed.clear()
            await self._changed.wait()
        self._reserved += worst_case
        return True

    @property
    def held(self) -> float:
        """US dollars that are held back now."""
        return self._reserved

    @property
    def holding(self) -> bool:
        """Something is held back that may become free again."""
        return self._reserved > 0

    def room(self, worst_case: float) -> int:
        """Calls of *worst_case* dollars each that the cap still leaves room for."""
        if self.cap is None or worst_case <= 0:
            return sys.maxsize
        return max(0, int((self.cap - self._spent() - self._reserved) / worst_case))

    def hold_back(self, dollars: float) -> None:
        """Hold back for what is under way already, whatever the cap says."""
        self._reserved += dollars

    async def raise_to(self, cap: float | None) -> None:
        """Change the cap while calls wait for it, on their loop: only there does an event wake them."""
        self.cap = cap
        self._changed.set()

    def give_back(self, worst_case: float) -> None:
        """Free what was held back for a call, once its cost is counted."""
        self._reserved = max(0.0, self._reserved - worst_case)
        # Sums of floats leave a trace behind, and `reserve` would wait for it for ever.
        if self._reserved < 1e-9:
            self._reserved = 0.0
        self._changed.set()


@dataclass(slots=True, eq=False)
class Leave:
    """The leave to ask one call: a slot, and the money that is held back for it."""

    slot: Slot
    held: float
    """US dollars."""

    def hold_more(self, guard: SpendGuard, dollars: float) -> None:
        """Hold back so many *dollars* in all for a call on the wire: another has shown what it may cost."""
        # Of one whose end nobody knows the money is in doubt already, and no longer held.
        if 0 < self.held < dollars:
            guard.hold_back(dollars - self.held)
            self.held = dollars
