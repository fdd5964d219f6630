"""Moments as audit files hold them: ISO 8601 in UTC, to the millisecond, so that text order is time order."""

from datetime import UTC, datetime

from gpf_desktop.storage.stored import BadRowError


def now() -> str:
    return as_text(datetime.now(UTC))


def as_text(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="milliseconds")


def as_moment(text: str) -> datetime:
    """Raises `BadRowError` for what `as_text` does not write."""
    try:
        return datetime.fromisoformat(text)
    except ValueError as error:
        raise BadRowError(str(error)) from error


def as_moment_or_none(text: str | None) -> datetime | None:
    return None if text is None else as_moment(text)


def as_text_not_before(earlier: str) -> str:
    """Now, or *earlier* where this machine's clock was set back since: a history never runs backwards."""
    return max(now(), earlier)
