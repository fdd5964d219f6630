"""From what a source's document says to items: the part that is the same for every kind of source.

RawEntry (strings as they stood in the document) → kept as an Item, or Dropped with its reason
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice

from gpf_desktop.documents.addresses import (
    article_key,
    has_scheme,
    resolve,
    revision_of,
    site_names,
    web_address,
    without_tracking,
)
from gpf_desktop.documents.encodings import decoded_once, decoding
from gpf_desktop.documents.guessed_encodings import stated_language
from gpf_desktop.documents.plain_text import only_repeats, plain, shorten, without_publisher
from gpf_desktop.documents.sniffing import is_binary
from gpf_desktop.documents.stated_times import StatedTime, read_time
from gpf_desktop.domain.articles import Document, Dropped, Harvest, Item
from gpf_desktop.domain.text import tr

HEADLINE_LIMIT = 300
DESCRIPTION_LIMIT = 2000
"""Characters of an anchor; what is longer is shortened after a sentence, and the item's notes say so."""

ENTRY_LIMIT = 200_000
"""Entries of which the newest are chosen; what a document lists after them is counted only."""

_NAME_LIMIT = 300
"""Characters of a publisher's name; what is longer is none, and would be compared with every headline."""

_RAW_LIMIT = 400_000
"""Characters of a field that are looked at: far more than an anchor takes, far less than a hostile title has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RawEntry:
    """One entry as it stood in a document, markup and all."""

    headline: str
    description: str = ""
    url: str = ""
    guid: str = ""
    published: str = ""
    revision: str = ""
    publishers: tuple[str, ...] = ()
    """Names that the headline may carry at its end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Timed:
    entry: RawEntry
    time: StatedTime


class _Kept:
    """The items of one document by their keys, so that one article is kept once and two stay two."""

    def __init__(self) -> None:
        self.items: list[Item] = []
        self._guids: list[str] = []
        self._places: dict[str, int] = {}
        self._shared: set[str] = set()
        """Keys under which several articles came: each of them is known by its guid too."""

    def add(self, made: Item, guid: str) -> Dropped | None:
        """Keep *made*; or the reason not to, where it is an article that is kept already."""
        # Two articles under one address: both get their guid into the key, so that neither depends on which came first.
        if made.key in self._places and self._differs(made, guid, self._places[made.key]):
            first = self._places[made.key]
            self._shared.add(made.key)
            self.items[first] = replace(self.items[first], key=_apart(made.key, self._guids[first]))
            self._places[self.items[first].key] = first
        if made.key in self._shared and guid:
            made = replace(made, key=_apart(made.key, guid))
        if made.key in self._places:
            return _again(made, self.items[self._places[made.key]])
        self._places[made.key] = len(self.items)
        self.items.append(made)
        self._guids.append(guid)
        return None

    def _differs(self, made: Item, guid: str, place: int) -> bool:
        other = self._guids[place]
        return bool(guid and other) and guid != other and made.headline != self.items[place].headline


def harvest(
    document: Document,
    title: str,
    entries: Iterable[RawEntry],
    *,
    limit: int,
    dropped: Sequence[Dropped] = (),
    uncounted: int = 0,
    follow: Sequence[str] = (),
) -> Harvest:
    """The newest *limit* usable entries as items; the rest dropped with a reason or, beyond the cap, counted.

    Entries without a usable time come after the dated ones, in their own order. *dropped* and *uncounted* are
    what the caller has already put aside. Of two entries for one article the newer is kept.
    """
    left = iter(entries)
    looked_at = islice(left, ENTRY_LIMIT)
    now, language = document.retrieved, stated_language(document.body)
    timed = [_Timed(entry=entry, time=read_time(entry.published, now=now, language=language)) for entry in looked_at]
    dated: list[tuple[datetime, _Timed]] = [(one.time.when, one) for one in timed if one.time.when is not None]
    # Stable in reverse too: entries of one moment stay in the document's order.
    dated.sort(key=lambda pair: pair[0], reverse=True)
    kept = _Kept()
    decoded = "" if is_binary(document) else decoding(document).note
    refused: list[Dropped] = []
    over = sum(1 for _ in left) + max(0, len(dropped) - limit)
    for one in (*(one for _, one in dated), *(one for one in timed if one.time.when is None)):
        if len(kept.items) >= limit:
            over += 1
            continue
        made = _item(one, document.address, decoded)
        reason_not = kept.add(made, _identity(one.entry.guid)) if isinstance(made, Item) else made
        if reason_not is not None and len(refused) < limit:
            refused.append(reason_not)
        elif reason_not is not None:
            over += 1
    if document.cut:
        reason = tr("the document breaks off here; what came after it was not received")
        refused.append(Dropped(headline="", url=document.address, reason=reason))
    return Harvest(
        title=shorten(plain(title[:_RAW_LIMIT]), HEADLINE_LIMIT),
        items=tuple(kept.items),
        dropped=(*dropped[:limit], *refused),
        uncounted=uncounted + over,
        follow=tuple(dict.fromkeys(follow)),
    )


def broken_off(document: Document, reason: str) -> tuple[Dropped, ...]:
    """A note that the XML of *document* stops being well-formed for *reason*; none where that is empty.

    Nor where the document was cut: `harvest` says so itself.
    """
    if not reason or document.cut:
        return ()
    why = tr("the document is not well-formed here ({reason}); what comes after it was not read", reason=reason)
    return (Dropped(headline="", url=document.address, reason=why),)


def _item(one: _Timed, base: str, decoded: str) -> Item | Dropped:
    said, text = decoded_once(one.entry.headline), decoded_once(one.entry.description)
    entry, notes = replace(one.entry, headline=said, description=text), [one.time.note, decoded]
    if (said, text) != (one.entry.headline, one.entry.description):
        notes.append(tr("its text was encoded twice: once too often was undone"))
    url = _link(entry, base)
    if entry.url.strip() and not url:
        notes.append(tr("its link is no web address and was left out"))
    publishers = [name for name in (*entry.publishers, *site_names(url)) if len(name) <= _NAME_LIMIT]
    headline = without_publisher(plain(entry.headline[:_RAW_LIMIT]), publishers)
    if not headline:
        return Dropped(headline="", url=url, reason=tr("it has no headline"))
    description = plain(entry.description[:_RAW_LIMIT])
    if description and only_repeats(description, headline, publishers):
        description = ""
        notes.append(tr("its description only repeats the headline: headline only"))
    elif not description:
        notes.append(tr("no description: headline only"))
    if len(headline) > HEADLINE_LIMIT:
        notes.append(tr("headline shortened from {n} characters", n=len(headline)))
    if len(description) > DESCRIPTION_LIMIT:
        notes.append(tr("description shortened from {n} characters", n=len(description)))
    headline = shorten(headline, HEADLINE_LIMIT)
    description = shorten(description, DESCRIPTION_LIMIT)
    return Item(
        headline=headline,
        description=description,
        url=url,
        key=_key(entry, url, headline),
        published=one.time.when,
        revision=entry.revision or revision_of(entry.guid),
        notes=tuple(note for note in notes if note),
    )


def _link(entry: RawEntry, base: str) -> str:
    stated = entry.url.strip()
    if stated and not has_scheme(stated) and base and not stated.startswith(("/", "?", ".")):
        host, path, _ = stated.partition("/")
        whole = web_address(stated) if "." in host and path else None
        stated = whole or stated
    return without_tracking(resolve(base, stated)) if stated else ""


def _key(entry: RawEntry, url: str, headline: str) -> str:
    if url:
        return article_key(url)
    guid = _identity(entry.guid)
    return f"guid:{guid}" if guid else f"headline:{headline.casefold()}"


def _identity(guid: str) -> str:
    """*guid* without the counter of revisions that some publishers append to an address."""
    guid = guid.strip()
    counted = "://" in guid and revision_of(guid)
    return (guid.rpartition("#")[0] if counted else guid)[:300]


def _apart(key: str, guid: str) -> str:
    return f"{key} guid:{guid}"


def _again(made: Item, kept: Item) -> Dropped:
    same = replace(made, published=kept.published, notes=kept.notes, revision=kept.revision) == kept
    reason = tr("the same article is listed twice") if same else tr("an older entry of an article that is kept")
    return Dropped(headline=made.headline, url=made.url, reason=reason)
