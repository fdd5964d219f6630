"""Moments as audit files hold them: ISO 8601 in UTC, to the millisecond, so that text order is time order."""

from datetime import UTC, datetime, timedelta
from typing import Final

from gpf_desktop.storage.stored import BadRowError

_FIRST: Final = 1
_LAST: Final = 9999
"""Years that a clock elsewhere on the globe may not have."""


def now() -> str:
    return as_text(datetime.now(UTC))


def as_text(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="milliseconds")


def as_moment(text: str) -> datetime:
    """Raises `BadRowError` for what `as_text` does not write."""
    try:
        moment = datetime.fromisoformat(text)
    except (TypeError, ValueError) as error:
        raise BadRowError(str(error)) from error
    if moment.utcoffset() != timedelta() or not _FIRST < moment.year < _LAST:
        raise BadRowError(f"no moment in UTC: {text[:40]!r}")
    return moment


def as_moment_or_none(text: str | None) -> datetime | None:
    return None if text is None else as_moment(text)


def as_text_not_before(*earlier: str | None) -> str:
    """Now, or the latest of *earlier* where this machine's clock was set back since: a history never runs backwards."""
    return max((now(), *filter(None, earlier)))


def next_after(earlier: str | None) -> str | None:
    """A millisecond later than *earlier*, for what must lie behind it though the clock stands still; None of None."""
    return as_text(as_moment(earlier) + timedelta(milliseconds=1)) if earlier else None
