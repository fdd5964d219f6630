"""Whether more calls at once bring more answers: pure, with the time handed in."""

from typing import Final

_CLEAR: Final = 0.6
"""Share of what more calls at once could bring at best that leaves no doubt."""
_WORTH: Final = 0.2
"""Share of it that is worth their longer waits."""
_NOTHING: Final = 0.05
"""Share of it that is none."""
_FIRST_GAP: Final = 16
"""Answers until more is tried again where it brought nothing; twice as many after each time."""
_LONGEST_GAP: Final = 256
_LEAST: Final = 4
"""Answers that a rate is measured by at least."""
_MORE: Final = 4
"""Times as many are counted in a doubtful case."""


class Crowding:
    """The number of calls at once that a server can use.

    A server that works on two calls at a time keeps a third one waiting: answers per second stay what they were, and
    each takes longer, up to the time at which nobody waits any more. So the number is doubled as long as answers per
    second rise with it, and taken back to the last number that brought more. Where that is in doubt the smaller number
    is measured once more, since the first time calls had only begun to be so many. Counted are the answers' tokens
    where the server tells them: answers differ in length a hundredfold.
    """

    def __init__(self, level: int, most: int) -> None:
        self.level = level
        """Calls at once."""
        self._most = most
        self._fewer: tuple[int, float] | None = None
        """While *level* is on trial the number before it, and what that brought a second."""
        self._doubt: tuple[int, float] | None = None
        """While *level* is measured once more the number above it that is in doubt, and what that brought a second."""
        self._gap = _FIRST_GAP
        self._rests = 0
        """Answers until more is tried."""
        self._since: float | None = None
        self._skips = self._answers = self._full = 0
        self._work = 0.0
        self._enough = self._enough_first = 0
        self._start(None)

    @property
    def tries(self) -> bool:
        """Whether more calls at once are on trial."""
        return self._fewer is not None or self._doubt is not None

    def answered(self, work: float, now: float, *, full: bool, may: bool = True) -> None:
        """A call ended with an answer of so much *work*, while as many were out as may be where it was *full*; how many
        may be now stands in `level`, which changes where it *may*."""
        if self._skips > 0 or self._since is None:
            # Calls of another number that were still out. The very first answer is never counted either: a server that
            # loads its model at the first call is slow once.
            self._skips -= 1
            self._since = now
            return
        self._answers += 1
        self._full += full
        self._work += work
        self._rests -= 1
        if not may or self._answers < self._enough or self._rests > 0:
            return
        # Once a round is enough: of answers that come together only the first finds all places taken.
        if self._full * self.level < self._answers:
            # So many were not wanted: what was answered measures what was asked.
            self._start(now)
            return
        self._judge(self._work / max(now - self._since, 1e-9), now)

    def _judge(self, rate: float, now: float) -> None:
        """The present number brings so much a second."""
        if self._doubt is not None:
            level, more = self._doubt
            if _gain(self.level, rate, level, more) < _WORTH:
                self._settle(self.level, now)
            else:
                self._doubt = None
                self.level = level
                self._climb(more, now)
        elif self._fewer is None or (gain := _gain(*self._fewer, self.level, rate)) >= _CLEAR:
            self._climb(rate, now)
        elif gain < _NOTHING:
            self._settle(self._fewer[0], now)
        elif self._answers < _MORE * self._enough_first:
            self._enough = _MORE * self._enough_first
        else:
            self._doubt = (self.level, rate)
            self.level = self._fewer[0]
            self._fewer = None
            self._start(now, skips=self._doubt[0])
            self._enough = _MORE * self._enough_first

    def set_to(self, level: int) -> None:
        """Something else has decided on so many."""
        if level != self.level:
            self._fewer = self._doubt = None
            self.level = level
            self._start(None)

    def too_many(self, level: int) -> None:
        """Calls were waited for in vain: go on with *level*, and try more later."""
        self._settle(level, None)

    def _climb(self, rate: float, now: float) -> None:
        self._fewer = None
        if self.level < self._most:
            self._fewer = (self.level, rate)
            self.level = min(self._most, 2 * self.level)
        self._start(now)

    def _settle(self, level: int, now: float | None) -> None:
        skips = self.level if now is not None else 0
        self.level, self._rests = level, self._gap
        self._fewer = self._doubt = None
        self._gap = min(_LONGEST_GAP, 2 * self._gap)
        self._start(now, skips=skips)

    def _start(self, now: float | None, *, skips: int = 0) -> None:
        """Measure from *now* on, or from the next answer, or once *skips* more have come."""
        self._since, self._skips = now, skips
        self._answers = self._full = 0
        self._work = 0.0
        self._enough = self._enough_first = max(_LEAST, 2 * self.level)


def _gain(fewer: int, rate: float, more: int, brings: float) -> float:
    """The share that *more* calls at once bring of the gain over the *rate* of *fewer* that they could bring at
    best."""
    return (brings / rate - 1.0) / (more / fewer - 1.0)
