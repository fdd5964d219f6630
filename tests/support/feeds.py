"""Feeds in a few words."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from hashlib import blake2b
from html import escape

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


def rss(
    headlines: Sequence[str], *, title: str = "Example news", start: datetime = NOON, host: str = "news.example"
) -> str:
    """An RSS 2.0 feed; the first headline is the newest, each next one an hour older."""
    items = "".join(
        f"<item><title>{escape(headline)}</title>"
        f"<description>What happened, in a sentence: {escape(headline)}, they said.</description><link>https://{host}/{hash_of(headline)}</link>"
        f"<pubDate>{format_datetime(start - timedelta(hours=n))}</pubDate></item>"
        for n, headline in enumerate(headlines)
    )
    return f'<?xml version="1.0"?><rss version="2.0"><channel><title>{escape(title)}</title>{items}</channel></rss>'


def hash_of(text: str) -> int:
    """A number that a text has in every process."""
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest())
