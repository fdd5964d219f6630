"""Report of the items that one source yields, both kept and dropped: the command line's `fetch`."""

import asyncio
from datetime import datetime

from gpf_desktop.domain.articles import Dropped, Item
from gpf_desktop.domain.errors import SourceError
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.engine.collect.collecting import ITEM_LIMIT
from gpf_desktop.engine.collect.discovery import Candidate, candidate_of, look, offered_by
from gpf_desktop.engine.collect.parsing_pool import ParsingPool
from gpf_desktop.engine.collect.reading import WebPageError

ListingRow = dict[str, str | bool | None]
"""``headline``, ``description``, ``url``, ``published`` (ISO 8601 or None), ``kept`` and ``reason``."""


def fetch_listing(target: str, limit: int = ITEM_LIMIT) -> list[ListingRow]:
    """Items of *target* (an address, a path, or text), newest first, then what was dropped and why.

    What the Sources page shows for the same target; of a site's several sources the first. *limit* bounds the
    items kept; those beyond it are rows with ``kept`` false, and where the source's own cap was reached, one row
    with the number. Raises `SourceError` in a user's words.
    """
    if limit < 1:
        raise SourceError(tr("The limit must be at least 1."))
    with ParsingPool() as pool:
        return listing(asyncio.run(_first_source(target, pool)), limit)


def listing(candidate: Candidate, limit: int) -> list[ListingRow]:
    """Rows of one detected source, for the page and the command line alike."""
    over = tr("over the limit of {limit} items", limit=limit)
    rows = [_item(item, kept=True, reason="; ".join(item.notes)) for item in candidate.items[:limit]]
    rows += [_item(item, kept=False, reason=over) for item in candidate.items[limit:]]
    rows += [_dropped(one) for one in candidate.dropped]
    if candidate.uncounted:
        reason = trn("{n} further entry over the cap", "{n} further entries over the cap", candidate.uncounted)
        rows.append(_dropped(Dropped(headline="", url="", reason=reason)))
    return rows


async def _first_source(target: str, parse_in: ParsingPool) -> Candidate:
    found = await look(target, parse_in=parse_in)
    if isinstance(found.error, WebPageError):
        return (await offered_by(found, parse_in=parse_in)).candidates[0]
    if found.error is not None:
        raise found.error
    return candidate_of(found)


def _item(item: Item, *, kept: bool, reason: str) -> ListingRow:
    return {
        "headline": item.headline,
        "description": item.description,
        "url": item.url,
        "published": _iso(item.published),
        "kept": kept,
        "reason": reason,
    }


def _dropped(one: Dropped) -> ListingRow:
    return {
        "headline": one.headline,
        "description": "",
        "url": one.url,
        "published": None,
        "kept": False,
        "reason": one.reason,
    }


def _iso(when: datetime | None) -> str | None:
    return when.isoformat() if when else None
