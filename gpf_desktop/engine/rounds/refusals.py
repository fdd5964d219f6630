"""Tells refusals that come of asking too fast from those that come anyway: pure, and without a clock."""

from collections import deque
from copy import copy
from math import log
from typing import Final

ALARM: Final = 7.5
"""Log odds at which refusals are taken for more than noise: three in a row where none are expected, not two."""
_SURE: Final = 3.0
"""Log odds (20 to 1) at which a trial is over."""
_MOST_TRIED: Final = 60
"""Calls after which a slowing down is judged by what is more likely."""
_LONGEST_TRIAL: Final = 2.0
"""Seconds after which it is judged by as few as `_TRIED` calls."""
_TRIED: Final = 8
_LEAST: Final = 0.01
"""Share of refusals that is expected of every provider."""
_RAISED: Final = 0.15
"""Above the expected share by so much, refusals say that the pace is too fast."""
HIGHEST_FLOOR: Final = 0.3
_MEMORY: Final = 300.0
"""Calls that the learnt floor looks back at."""
_LATELY: Final = 100.0
"""Calls that the share of refusals in all looks back at."""
_IN_A_ROW: Final = 3
"""Calls, sent one after the other and all refused, after which the account rests as a whole."""
_LONGEST_RUN: Final = 16
"""More refusals in a row than that say nothing more."""


class Floor:
    """The share of calls that is refused at any pace.

    Learnt from calls that were sent well below what the provider had just answered, and from refusals among answers
    that came to no alarm; it never lies above what is refused in all, and what was learnt fades unless it is seen
    again.
    """

    def __init__(self) -> None:
        self._refused = 0.0
        # As if twenty calls had been answered before: the first refusals of a run are not yet a floor.
        self._sent = 20.0
        # From the top, so that it bounds the floor (`share`) only once enough calls have brought it down.
        self._all = HIGHEST_FLOOR
        """Running share of refusals among all calls but probes."""

    @property
    def share(self) -> float:
        return min(HIGHEST_FLOOR, self._refused / self._sent, 1.5 * self._all)

    @property
    def expected(self) -> float:
        """The share that raises no doubt."""
        # Never 0: alarms and trials take logarithms of ratios to it.
        return _LEAST + 1.25 * self.share

    def seen(self, *, refused: bool) -> None:
        """A call that was no probe ended."""
        self._all += (refused - self._all) / _LATELY

    def seen_slow(self, refused: int, sent: int) -> None:
        """Record that *refused* of *sent* calls were refused for no matter of the pace."""
        # Never less than half is kept: a long trial alone would otherwise wipe out, or turn negative, all that was
        # learnt.
        keep = 1.0 - min(0.5, sent / _MEMORY)
        self._refused = keep * self._refused + refused
        self._sent = keep * self._sent + sent

    def with_slow(self, refused: int, sent: int) -> "Floor":
        """A copy of the floor as it would be after `seen_slow`."""
        other = copy(self)
        other.seen_slow(refused, sent)
        return other


class Trial:
    """Wald's sequential test of two shares of refusals."""

    def __init__(self, low: float, high: float) -> None:
        self._refusal = log(high / low)
        self._answer = log((1.0 - high) / (1.0 - low))
        self.odds = 0.0
        """Log odds that the higher share is the true one."""
        self.refused = 0
        self.ended = 0

    def take(self, *, refused: bool) -> None:
        self.ended += 1
        self.refused += refused
        self.odds += self._refusal if refused else self._answer

    @property
    def tried(self) -> bool:
        """Calls enough for a share of them to mean something."""
        return self.ended >= _TRIED

    def enough(self, seconds: float) -> bool:
        """Whether it is to be judged by what is more likely, having lasted so many *seconds*."""
        return self.ended >= _MOST_TRIED or (self.tried and seconds >= _LONGEST_TRIAL)

    @property
    def says_high(self) -> bool:
        return self.odds > _SURE

    def odds_with(self, out: int) -> float:
        """The log odds if *out* more calls are answered: refusals come back sooner."""
        return self.odds + out * self._answer

    def says_high_with(self, out: int) -> bool:
        return self.odds_with(out) > _SURE

    @property
    def says_low(self) -> bool:
        return self.odds < -_SURE


def are_likely(expected: float, refused: int, ended: int) -> bool:
    """Whether so many refusals of the calls that *ended* are no alarm where *expected* raises no doubt."""
    # Against the share that explains them best: a limit refuses far more than `_raised`.
    return _odds(max(expected, min(0.99, refused / ended)), expected, refused, ended) <= ALARM


def _odds(raised: float, expected: float, refused: int, ended: int) -> float:
    """Log odds that the share *raised*, not *expected*, refused so many of the calls that *ended*."""
    return refused * log(raised / expected) + (ended - refused) * log((1.0 - raised) / (1.0 - expected))


def _raised(expected: float) -> float:
    return min(0.9, expected + _RAISED)


class RefusalEvidence:
    """Page's cumulative sum: how much the latest calls speak for a share of refusals well above the floor.

    By the order in which calls were sent: refusals come back sooner than answers, and counted as they come even a few
    strays among calls that are out look like a limit. A call that was not refused so far counts as answered.
    """

    def __init__(self) -> None:
        self._odds = 0.0
        self._first = self.last = 0
        self._dismissed = 0
        self.refused = 0
        self.shortest: float | None = None
        """Seconds that one of the refusals since then asked to wait at least; None where none named a time."""

    def answered(self, expected: float, number: int) -> None:
        """Call *number* was answered, and none that was sent since has been refused as yet."""
        if self.refused and number > self.last:
            self._pass(expected, number - self.last)
            self.last = number

    def take(self, expected: float, number: int, after: float | None = None) -> bool:
        """Call *number* was refused; whether that is enough to act."""
        if self.refused:
            # One that was sent before the latest known one had counted as answered.
            self._pass(expected, number - self.last - 1 if number > self.last else -1)
        self._odds += _odds(_raised(expected), expected, 1, 1)
        self._first = min(self._first, number) if self.refused else number
        self.last = max(self.last, number)
        self.refused += 1
        if after is not None:
            self.shortest = after if self.shortest is None else min(self.shortest, after)
        return self._odds > ALARM

    def _pass(self, expected: float, answers: int) -> None:
        self._odds += _odds(_raised(expected), expected, 0, answers)
        # Page's sum starts anew at 0: calls that were answered long ago speak against no later alarm.
        if self._odds <= 0.0:
            self._dismissed += self.refused
            self.forget()

    def dismissed(self) -> int:
        """Refusals that have turned out to be noise since this was last asked."""
        dismissed, self._dismissed = self._dismissed, 0
        return dismissed

    def forget(self) -> None:
        self._odds = 0.0
        self._first = self.last = 0
        self.refused = 0
        self.shortest = None

    @property
    def ended(self) -> int:
        """Calls sent since refusals began to pile up."""
        return self.last - self._first + 1 if self.refused else 0

    @property
    def share(self) -> float:
        return self.refused / self.ended if self.refused else 0.0


class RefusalStreak:
    """Calls sent one right after the other that were all refused.

    By the order in which they were sent: refusals come back sooner than answers, so that among many calls that started
    together even a few strays arrive in a row.
    """

    def __init__(self) -> None:
        self.length = 0
        """Of the run that the latest refusal belongs to; 0 after an answer."""
        self._numbers: deque[int] = deque(maxlen=_LONGEST_RUN)

    @property
    def long(self) -> bool:
        return self.length >= _IN_A_ROW

    def answered(self) -> None:
        self.length = 0

    def refused(self, number: int) -> None:
        """*number*: the place of the call among all that were sent."""
        self._numbers.append(number)
        first = last = number
        while first - 1 in self._numbers:
            first -= 1
        while last + 1 in self._numbers:
            last += 1
        self.length = last - first + 1
