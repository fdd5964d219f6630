"""How fast answers came, with the time left out in which nothing was asked: pure, with the time handed in."""

from collections import deque
from itertools import takewhile
from typing import Final

_SHORTEST: Final = 1.0
"""Seconds that a rate is taken over at least, so that answers landing together are no rate."""
_ENOUGH: Final = 20
"""Answers that an allowance is measured by at least."""
_BELOW: Final = 0.995
"""Share of a measured allowance that is used."""


class Delivery:
    """Starts or answers of one account; *at* is a clock that stands still while the account is paused."""

    def __init__(self) -> None:
        self.count = 0
        """How many so far."""
        self._times: deque[float] = deque(maxlen=4000)

    def add(self, at: float) -> None:
        self.count += 1
        self._times.append(at)

    def lately(self, at: float) -> float:
        """Calls a second over the last second, or since the first one."""
        if not self._times:
            return 0.0
        since = max(at - _SHORTEST, self._times[0])
        # By a fifth of a second at least: right after the first start the span is next to nothing, and one call would
        # be a rate of thousands.
        return sum(1 for _ in takewhile(lambda time: time >= since, reversed(self._times))) / max(0.2, at - since)


class MeasuredAllowance:
    """What a server allows, measured between two moments when it was used up, so that nothing saved up counts."""

    def __init__(self) -> None:
        self.strays = 0
        """Refusals since the last such moment of calls that were no probe."""
        self._mark: tuple[float, int] | None = None

    def since(self, now: float) -> float:
        """Seconds since the allowance was last used up; 0 where that is not known."""
        return 0.0 if self._mark is None else now - self._mark[0]

    def used_up(self, now: float, answers: int) -> None:
        """*answers*: how many there have been in all."""
        self._mark, self.strays = (now, answers), 0

    def forget(self) -> None:
        self._mark = None

    def measured(self, now: float, answers: int, floor: float) -> float | None:
        """Calls a second, of which a share of *floor* is refused in any case; None where there were too few answers."""
        if self._mark is None or (answered := answers - self._mark[1]) < _ENOUGH:
            return None
        in_any_case = min(0.5 * self.strays, floor * answered)
        return _BELOW * (answered + in_any_case) / (now - self._mark[0])
