"""A retry decision is a value (providers' retry rules, shared by all of them)."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class NoRetry:
    """Asking again would get the same answer."""

    after: float | None = None
    """Seconds after which it would not, as the provider said; None where it did not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Transient:
    """Worth asking again after a growing, jittered wait."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RateLimited:
    """The provider asks for fewer calls; it lowers the account's limit."""

    after: float | None = None
    """Seconds to wait as the provider said; None where it did not."""


RetryDecision = NoRetry | Transient | RateLimited
