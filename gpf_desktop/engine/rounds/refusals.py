"""Tells refusals that come of asking too fast from those that come anyway: pure, and without a clock."""

from math import log
from typing import Final

ALARM: Final = 6.0
"""Log odds at which refusals are taken for more than noise: three in a row where none are expected."""
_SURE: Final = 3.0
"""Log odds (20 to 1) at which a trial is over."""
_LEAST: Final = 0.01
"""Share of refusals that is expected of every provider."""
_RAISED: Final = 0.15
"""Above the expected share by so much, refusals say that the pace is too fast."""
HIGHEST_FLOOR: Final = 0.3
_MEMORY: Final = 300.0
"""Calls that the learnt floor looks back at."""
_LATELY: Final = 100.0
"""Calls that the share of refusals in all looks back at."""


class Floor:
    """The share of calls that is refused at any pace.

    Learnt from calls that were sent well below what the provider had just answered; it never lies above what is
    refused in all, and what was learnt fades unless it is seen again.
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
        """So many of *sent* calls were refused although they were sent slowly."""
        # Never less than half is kept: a long trial alone would otherwise wipe out, or turn negative, all that was
        # learnt.
        keep = 1.0 - min(0.5, sent / _MEMORY)
        self._refused = keep * self._refused + refused
        self._sent = keep * self._sent + sent


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
    def says_high(self) -> bool:
        return self.odds > _SURE

    @property
    def says_low(self) -> bool:
        return self.odds < -_SURE


class RefusalEvidence:
    """Page's cumulative sum: how much the latest calls speak for a share of refusals well above the floor."""

    def __init__(self) -> None:
        self._odds = 0.0
        self.refused = 0
        self.ended = 0
        """Calls since refusals began to pile up."""
        self.shortest: float | None = None
        """Seconds that one of the refusals since then asked to wait at least; None where none named a time."""

    def take(self, expected: float, *, refused: bool, after: float | None = None) -> bool:
        """Whether it is enough to act."""
        raised = min(0.9, expected + _RAISED)
        self._odds += log(raised / expected) if refused else log((1.0 - raised) / (1.0 - expected))
        # Page's sum starts anew at 0: calls that were answered long ago speak against no later alarm.
        if self._odds <= 0.0:
            self.forget()
            return False
        self.ended += 1
        self.refused += refused
        if refused and after is not None:
            self.shortest = after if self.shortest is None else min(self.shortest, after)
        return self._odds > ALARM

    def forget(self) -> None:
        self._odds = 0.0
        self.refused = self.ended = 0
        self.shortest = None

    @property
    def share(self) -> float:
        return self.refused / self.ended if self.ended else 0.0
