"""The arithmetic of limits: pure, with the time handed in."""

from collections import deque
from dataclasses import dataclass
from itertools import takewhile
from typing import Final

from gpf_desktop.engine.rounds.quotas import Quota, Unit

FIRST_LIMIT: Final = 4
SLOW_START_TO: Final = 64
"""Up to here each answer lets one more call start; above, growth is additive."""
HIGHEST_LIMIT: Final = 128
_STEPS_PER_ROUND: Final = 8
"""Additive growth: calls more after each round of answers."""
_FEWEST: Final = 3
"""Answers that make their rate a measurement, if a rough one."""
_RECENT_CALLS: Final = 20
_RECENT_SECONDS: Final = 2.0
"""What a measurement looks back at: so many answers or so many seconds, whichever is longer."""
_SHORTEST: Final = 0.1
"""Seconds that a measurement takes at least."""
_BELOW: Final = 0.98
"""Share of the estimated rate that is used after a refusal."""
_CREEP: Final = 0.00005
"""Growth of a learnt rate by the first answer after a refusal; by the two hundredth it is twice that, and so on."""
_CALM: Final = 30.0
"""Calls per second from which an answer counts for less: a refusal there meets several calls at once."""
_PATIENCE: Final = 60.0
"""Seconds without a refusal after which a learnt rate is doubted and grows by time as well."""
_DOUBT: Final = 0.02
"""That growth, per second."""
_LONGEST_REFILL: Final = 60.0
"""Seconds that a remaining quota alone may hold calls back; a refusal says it better."""
_BURST: Final = 0.05
"""Seconds by which a paced start may be early, to make up for timers that fire late."""


class Ramp:
    """Calls in flight: slow start, additive increase, multiplicative decrease."""

    def __init__(self, *, fixed: int | None = None) -> None:
        self._ceiling = float(fixed or HIGHEST_LIMIT)
        self._threshold = float(fixed or SLOW_START_TO)
        self._value = self._ceiling if fixed else float(FIRST_LIMIT)
        self._held_until = 0.0

    @property
    def limit(self) -> int:
        return int(self._value)

    def grow(self, now: float) -> None:
        """An answer came while every slot was in use."""
        if now < self._held_until:
            return
        step = 1.0 if self._value < self._threshold else _STEPS_PER_ROUND / self._value
        self._value = min(self._ceiling, self._value + step)

    def hold(self, until: float) -> None:
        """No growth before *until*."""
        self._held_until = max(self._held_until, until)

    def lower(self) -> None:
        self._value = max(1.0, self._value / 2)
        self._threshold = self._value


class LearntPace:
    """Calls per second: the auditor's number, or none until a server refuses, and from then on a learnt rate.

    A refusal says that the allowance is used up: what was answered lately is about what the server allows. That is
    used with a little taken off, and creeps up again, so that a raised allowance is found at the price of about one
    refusal in some hundred calls.
    """

    def __init__(self, *, fixed: float | None = None) -> None:
        self._fixed = fixed is not None
        self._rate = None if fixed is None else fixed / 60.0
        self._next = 0.0
        self._answers: deque[float] = deque(maxlen=1000)
        """When the latest answers came."""
        self._since = 0
        """Answers since the last refusal."""
        self._refused_at = 0.0
        self._in_a_row = 0

    @property
    def rate(self) -> float | None:
        """Calls per second; None while nothing limits them."""
        return self._rate

    @property
    def pause_without_word(self) -> float:
        """Seconds to wait after a refusal that names no time: longer with each one in a row."""
        return min(60.0, 0.5 * 2.0 ** min(self._in_a_row, 10))

    def delay(self, now: float) -> float:
        return 0.0 if self._rate is None else max(0.0, self._next - _BURST - now)

    def started(self, now: float) -> None:
        if self._rate is not None:
            self._next = max(self._next, now - _BURST) + 1.0 / self._rate

    def accepted(self, now: float) -> None:
        self._in_a_row = 0
        self._since += 1
        if self._rate is not None and not self._fixed:
            growth = _CREEP * min(1.0, _CALM / self._rate) * (1.0 + self._since / 200.0)
            if now - self._refused_at > _PATIENCE and self._answers:
                growth += _DOUBT * (now - self._answers[-1])
            self._rate *= 1.0 + growth
        self._answers.append(now)

    def refused(self, now: float) -> None:
        self._in_a_row += 1
        measured = self._measured(now)
        self._refused_at = now
        self._since = 0
        if self._fixed:
            return
        if self._rate is None:
            self._rate = None if measured is None else _BELOW * measured
        elif measured is not None:
            self._rate *= _BELOW * min(1.0, max(0.5, measured / self._rate))

    def _measured(self, now: float) -> float | None:
        """Answers per second of late; None where there are too few."""
        if len(self._answers) < _FEWEST:
            return None
        start = min(now - _RECENT_SECONDS, self._answers[-min(_RECENT_CALLS, len(self._answers))])
        if self._since >= _FEWEST and now - self._refused_at > _SHORTEST:
            # The allowance was used up then, so that nothing saved up earlier blurs the measurement.
            start = max(start, self._refused_at)
        recent = sum(1 for _ in takewhile(lambda at: at >= start, reversed(self._answers)))
        return None if recent < _FEWEST else recent / max(_SHORTEST, now - max(start, self._answers[0]))


class TokenPace:
    """Tokens per minute, counted when an answer tells what it took: a bucket of six seconds that may run into debt."""

    def __init__(self, per_minute: float | None) -> None:
        self._rate = None if per_minute is None else per_minute / 60.0
        self._free_at = 0.0

    def delay(self, now: float) -> float:
        return 0.0 if self._rate is None else max(0.0, self._free_at - 6.0 - now)

    def spend(self, tokens: int, now: float) -> None:
        if self._rate is not None and tokens:
            self._free_at = max(self._free_at, now) + tokens / self._rate


class QuotaPace:
    """Starts no call that the remaining quota has no room for, so that the refusal behind it never comes.

    Providers refill evenly: of an allowance that is full again after some seconds, a part comes back each moment.
    """

    def __init__(self) -> None:
        self._allowances: dict[Unit, _Allowance] = {}
        self._tokens_a_call = 0.0

    def delay(self, now: float) -> float:
        return max((one.delay(self._cost(unit), now) for unit, one in self._allowances.items()), default=0.0)

    def started(self) -> None:
        for unit, one in self._allowances.items():
            one.left -= self._cost(unit)

    def used(self, tokens: int) -> None:
        """A call took *tokens*; a running mean says what the next ones take."""
        if tokens:
            self._tokens_a_call += (tokens - self._tokens_a_call) / (8 if self._tokens_a_call else 1)

    def told(self, quota: Quota, others: int, now: float) -> None:
        """*others* are in flight: counted in *quota* or not; taken as not, which errs on the quiet side."""
        limit = max(quota.limit, quota.left + 1.0)
        self._allowances[quota.unit] = _Allowance(
            left=quota.left - others * self._cost(quota.unit),
            limit=limit,
            a_second=(limit - quota.left) / max(quota.seconds, 0.001),
            at=now,
        )

    def _cost(self, unit: Unit) -> float:
        return 1.0 if unit is Unit.REQUESTS else self._tokens_a_call


@dataclass(slots=True)
class _Allowance:
    left: float
    limit: float
    a_second: float
    at: float

    def delay(self, cost: float, now: float) -> float:
        cost = min(cost, self.limit)
        left = min(self.limit, self.left + self.a_second * (now - self.at))
        return min(_LONGEST_REFILL, max(0.0, (cost - left) / self.a_second))
