"""The rate at which answers came, with the time left out in which nothing was asked: pure, with the time handed in."""

from collections import deque
from itertools import takewhile
from typing import Final

_SHORTEST: Final = 1.0
"""Seconds that a rate is taken over at least, so that answers landing together are no rate."""
ENOUGH: Final = 20
"""Answers that an allowance is measured by at least."""
_SAVED_UP: Final = 1.0
"""Seconds' worth of calls that a server is taken to have saved up."""
_BELOW: Final = 0.97
"""Share of a guessed allowance that is used."""


class Delivery:
    """Starts or answers of one account; *at* is a clock that stands still while the account is paused."""

    def __init__(self) -> None:
        self.count = 0
        """How many so far."""
        self._first: float | None = None
        self._times: deque[float] = deque(maxlen=4000)

    def add(self, at: float) -> None:
        self.count += 1
        self._first = at if self._first is None else self._first
        self._times.append(at)

    def since_first(self, at: float) -> float:
        """Seconds since the first one; 0 where there was none."""
        return 0.0 if self._first is None else at - self._first

    def within(self, seconds: float, at: float) -> int:
        """The number of starts or answers in the last *seconds*."""
        return sum(1 for _ in takewhile(lambda time: time >= at - seconds, reversed(self._times)))

    def lately(self, at: float) -> float:
        """Calls a second over the last second, or since the first one."""
        # By a fifth of a second at least: right after the first start the span is next to nothing, and one call would
        # be a rate of thousands.
        return self.within(_SHORTEST, at) / max(0.2, min(_SHORTEST, self.since_first(at)))


class Traffic:
    """The calls sent to an account and its answers; *at* is as in `Delivery`."""

    def __init__(self) -> None:
        self._starts = Delivery()
        self._answers = Delivery()
        self._answered: deque[int] = deque(maxlen=256)
        """The numbers of the latest calls that were answered."""
        self._out = 0

    def started(self, at: float) -> None:
        self._out += 1
        self._starts.add(at)

    def ended(self) -> None:
        """A call is not out any more, however it ended."""
        self._out -= 1

    def answered(self, at: float, number: int) -> None:
        """Call *number* was."""
        self._answers.add(at)
        self._answered.append(number)

    def answered_after(self, number: int) -> int:
        """The number of answered calls, of the latest ones, that were sent after call *number*."""
        return sum(each > number for each in self._answered)

    def answered_within(self, seconds: float, at: float) -> int:
        """The number of calls answered in the last *seconds*."""
        return self._answers.within(seconds, at)

    @property
    def accepted(self) -> int:
        """Calls that were not refused, as far as is known: answers, and calls that are out."""
        return self._answers.count + self._out

    def sent_lately(self, at: float) -> float:
        return self._starts.lately(at)

    def answered_lately(self, at: float) -> float:
        return self._answers.lately(at)

    def guess(self, unsure: int, call: float, at: float) -> float:
        """Calls a second that a server allows which was asked ever faster and has begun to refuse.

        It is taken to have saved up a second's worth before. A *call* takes so many seconds; *unsure*: calls that are
        out and may yet be refused.
        """
        # What was answered in the last second was sent up to a call's time before it.
        seconds = min(self._starts.since_first(at), _SHORTEST + call)
        return _BELOW * (self._answers.within(_SHORTEST, at) + self._out - unsure) / (_SAVED_UP + seconds)


class MeasuredAllowance:
    """The rate that a server allows, measured between two moments when it was used up, so that nothing saved up
    counts."""

    def __init__(self) -> None:
        self.strays = 0
        """Refusals since the last such moment of calls that were no probe."""
        self._mark: tuple[float, int] | None = None

    def since(self, now: float) -> float:
        """Seconds since the allowance was last used up; 0 where that is not known."""
        return 0.0 if self._mark is None else now - self._mark[0]

    def since_mark(self, answers: int) -> int:
        """Answers since the allowance was last used up."""
        return 0 if self._mark is None else answers - self._mark[1]

    def stray_share(self, answers: int) -> float:
        """The share of refusals that were no probe's among the calls since the last such moment; 0 for too few
        calls."""
        calls = self.since_mark(answers) + self.strays
        return self.strays / calls if calls >= ENOUGH else 0.0

    def used_up(self, now: float, answers: int, floor: float) -> float | None:
        """Measure from now on; what `measured` says up to now. *answers*: how many there have been in all."""
        measured = self.measured(now, answers, floor)
        # Two such moments close together tell nothing: the earlier one is measured from.
        if self._mark is None or answers - self._mark[1] >= ENOUGH:
            self._mark, self.strays = (now, answers), 0
        return measured

    def forget(self) -> None:
        self._mark = None

    def measured(self, now: float, answers: int, floor: float) -> float | None:
        """Calls a second, of which a share of *floor* is refused in any case; None where there were too few answers."""
        if self._mark is None or (answered := answers - self._mark[1]) < ENOUGH:
            return None
        in_any_case = min(self.strays, floor * answered)
        # One answer less: where few were counted, one more or less makes a difference.
        return (answered - 1 + in_any_case) / (now - self._mark[0])
