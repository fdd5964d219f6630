"""Quotas read from a provider's reply: the calls and tokens that an account has left."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from enum import StrEnum
from typing import Final

from gpf_desktop.domain.responses import Miss
from gpf_desktop.domain.wire import Send, WireReply, WireRequest


class Unit(StrEnum):
    """The unit in which a quota counts."""

    REQUESTS = "requests"
    TOKENS = "tokens"


@dataclass(frozen=True, slots=True, kw_only=True)
class Quota:
    """The rest of one allowance."""

    unit: Unit
    limit: float
    """The full allowance; 0 where the provider does not say."""
    left: float
    seconds: float
    """Until it is full again."""


_NAMES: Final = (
    ("x-ratelimit-{what}-{unit}", (Unit.REQUESTS, Unit.TOKENS)),
    ("anthropic-ratelimit-{unit}-{what}", (Unit.REQUESTS, Unit.TOKENS)),
)
_SPAN: Final = re.compile(r"(\d+(?:\.\d+)?)(ms|h|m|s)")
_SECONDS: Final = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}


async def heeding(send: Send, heed: Callable[[Quota], None], request: WireRequest) -> WireReply | Miss:
    """*send*, with what the reply says of the account's remaining quota told to *heed*."""
    reply = await send(request)
    if isinstance(reply, WireReply) and tells_quotas(reply.headers):
        # Refusals are looked at too: whatever its status, a reply tells what the account has left.
        for quota in quotas_in(reply.headers, moment_of(reply.headers) or datetime.now(UTC)):
            heed(quota)
    return reply


def tells_quotas(headers: Mapping[str, str]) -> bool:
    """Whether `quotas_in` may find any; most servers tell none, and to look for each takes longer."""
    return any("ratelimit" in name for name in headers)


def quotas_in(headers: Mapping[str, str], now: datetime) -> Iterator[Quota]:
    """Every quota that *headers* (lower-case names) tell whole: OpenAI's and Anthropic's, and servers like them."""
    for pattern, units in _NAMES:
        for unit in units:
            left = _number(headers.get(pattern.format(what="remaining", unit=unit), ""))
            seconds = _seconds(headers.get(pattern.format(what="reset", unit=unit), ""), now)
            if left is not None and seconds is not None:
                limit = _number(headers.get(pattern.format(what="limit", unit=unit), "")) or 0.0
                yield Quota(unit=unit, limit=limit, left=left, seconds=seconds)


def moment_of(headers: Mapping[str, str]) -> datetime | None:
    """The server's own time, so that a wrong clock here shifts no reset; None where it tells none."""
    try:
        date = parsedate_to_datetime(headers.get("date", ""))
    except (ValueError, OverflowError):
        return None
    return date if date.tzinfo else date.replace(tzinfo=UTC)


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    # "nan" and "inf" are numbers to `float`, and NaN fails both comparisons.
    return number if 0 <= number < float("inf") else None


def _seconds(text: str, now: datetime) -> float | None:
    """``6m0s``, ``20ms``, ``1.5`` or a moment such as ``2026-11-20T10:00:00Z``."""
    plain = _number(text)
    if plain is not None:
        return plain
    parts = _SPAN.findall(text)
    # `findall` passes over what is between its finds: the text has to be made of spans alone.
    if parts and "".join(amount + unit for amount, unit in parts) == text:
        return sum(float(amount) * _SECONDS[unit] for amount, unit in parts)
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return max(0.0, (moment - now).total_seconds())
