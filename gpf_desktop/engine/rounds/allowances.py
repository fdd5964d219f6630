"""Allowances that are known: the auditor's tokens per minute, and what a provider's replies say is left."""

from dataclasses import dataclass
from typing import Final

from gpf_desktop.engine.rounds.quotas import Quota, Unit

_LONGEST_REFILL: Final = 60.0
"""Seconds that a remaining quota alone may hold calls back; a refusal says it better."""


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
            # The first call counts whole: a mean that grew from 0 would take the next ones
            # for far cheaper than they are.
            self._tokens_a_call += (tokens - self._tokens_a_call) / (8 if self._tokens_a_call else 1)

    def take(self, quota: Quota, others: int, now: float) -> None:
        """*others* are in flight: counted in *quota* or not; taken as not, which errs on the quiet side."""
        # Above what is left, also where the provider names no limit: `delay` divides by the
        # pace that comes of the difference.
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
        # A call that takes more than the whole allowance would wait for what never comes.
        cost = min(cost, self.limit)
        left = min(self.limit, self.left + self.a_second * (now - self.at))
        return min(_LONGEST_REFILL, max(0.0, (cost - left) / self.a_second))
