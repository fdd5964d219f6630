"""Cuts a feed into its entries before the real parser sees it, so that size and depth are settled cheaply.

A parse of 100,000 entries costs twenty seconds and a gigabyte, of which the newest 2,000 are wanted. One pass
over the bytes finds where entries begin and end, a second finds their dates; only the chosen ones go on, in the
frame (everything outside the entries) that they came in.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from gpf_desktop.documents.character_references import CONTROLS, with_whole_characters
from gpf_desktop.documents.plain_text import plain, shorten
from gpf_desktop.documents.stated_times import read_time
from gpf_desktop.documents.xml_events import DEEPEST, defines_entities, too_deep
from gpf_desktop.domain.articles import Dropped
from gpf_desktop.domain.errors import SourceError
from gpf_desktop.domain.text import tr
from gpf_desktop.sources._entry_parts import media_prefixes, own_parts

ENTRY_LIMIT = 512 * 1024
FRAME_LIMIT = 4 * 1024 * 1024
TOTAL_LIMIT = 24 * 1024 * 1024
TAG_LIMIT = 20_000
TOTAL_TAG_LIMIT = 500_000
"""The parser takes 10 µs per tag whatever it says: this is its time limit, and it does not depend on the machine."""

# No possessive groups, `(...)?+`: Python 3.11.0 to 3.11.4 (Debian 12 has 3.11.2) match them wrongly (gh-106052).
_OUTSIDE = re.compile(rb"<(?:!\[CDATA\[|!--|((?:[A-Za-z_][\w.-]*+:)?(?:item|entry))(?=[\s/>]))")
_XML_DECLARATION = re.compile(rb"^\s*<\?xml[^>]*+>")
_ENTITY = re.compile(rb"""<!ENTITY\s+(?:[\w.:-]++\s+(?:"([^"]*+)"|'([^']*+)')\s*+>)?""")
# A few characters that name no other entity: what old feeds declare for &nbsp; and the like, and nothing that can grow.
_HARMLESS = re.compile(rb"^(?:[^&%<]|&#x?[0-9a-fA-F]{1,6};){0,8}$")
_SECTION = re.compile(rb"<!(?:\[CDATA\[|--)")
_TAG = re.compile(rb"<(/?)[A-Za-z_][^<>]*+>")
_TITLE = re.compile(rb"<title[^<>]*+>\s*+(?:<!\[CDATA\[)?([^<]{0,400})")
_DATE = re.compile(rb"<(?:[a-z]+:)?(pubDate|published|updated|issued|date)\b[^<>]*+>\s*+(?:<!\[CDATA\[)?([^<\]]{1,80})")
# Updates last: an old entry that is edited again and again would else be among the newest for ever.
_PREFERRED = (b"pubDate", b"published", b"issued", b"date", b"updated")


@dataclass(frozen=True, slots=True, kw_only=True)
class CutFeed:
    """A feed small enough to parse, and what was left out of it."""

    body: bytes
    dropped: tuple[Dropped, ...]
    uncounted: int


def cut_feed(body: bytes, *, limit: int, now: datetime | None, language: str = "") -> CutFeed:
    """The frame of *body* (UTF-8) with its newest *limit* entries.

    Raises `SourceError` where the frame itself is unreasonable: entities, depth, size.
    """
    # The declaration may name the encoding that the body no longer has. Controls are no XML, and parsers stop there.
    body = with_whole_characters(_XML_DECLARATION.sub(b"", body, count=1).translate(None, CONTROLS))
    spans, unfinished = _spans(body)
    frame = _frame(body, spans, unfinished)
    dropped: list[Dropped] = []
    usable: list[bytes] = []
    for start, end in spans:
        entry = body[start:end]
        reason = _unreasonable(entry)
        if reason:
            dropped.append(Dropped(headline=_title(entry), url="", reason=reason))
        else:
            usable.append(entry)
    if unfinished is not None:
        title = _title(body[unfinished : unfinished + ENTRY_LIMIT])
        dropped.append(Dropped(headline=title, url="", reason=tr("the entry is cut off in the middle")))
    chosen = _newest(usable, limit, lambda entry: _when(entry, now, language))
    before, after = frame
    of_media = media_prefixes(before)
    parts = (own_parts(entry, of_media) for entry in chosen)
    whole = b"".join((b'<?xml version="1.0" encoding="utf-8"?>\n', before, *parts, after))
    return CutFeed(
        body=whole, dropped=tuple(dropped[:limit]), uncounted=len(usable) - len(chosen) + len(dropped[limit:])
    )


def _spans(body: bytes) -> tuple[list[tuple[int, int]], int | None]:
    """The places of whole entries, and the place where one begins that never ends; None: every entry ends."""
    spans: list[tuple[int, int]] = []
    at = 0
    while match := _OUTSIDE.search(body, at):
        # A CDATA section or a comment: an “<item>” in it is text and begins no entry.
        if match[1] is None:
            at = _end_of_section(body, match.start())
            if at < 0:
                break
            continue
        tag_end = body.find(b">", match.end())
        if tag_end < 0:
            return spans, match.start()
        if body[tag_end - 1 : tag_end] == b"/":
            at = tag_end + 1
            continue
        end, next_at = _end_of_entry(body, match[1], tag_end + 1)
        if end < 0:
            return spans, match.start()
        spans.append((match.start(), end))
        at = next_at
    return spans, None


def _end_of_entry(body: bytes, name: bytes, at: int) -> tuple[int, int]:
    """Just behind the closing tag; -1 where there is none. Text in CDATA and comments is passed over."""
    inside = _inside(name)
    while match := inside.search(body, at):
        if match[1] is not None:
            end = body.find(b">", match.end())
            return (end + 1, end + 1) if end >= 0 else (-1, -1)
        at = _end_of_section(body, match.start())
        if at < 0:
            break
    return -1, -1


def _inside(name: bytes) -> re.Pattern[bytes]:
    return re.compile(rb"<(?:!\[CDATA\[|!--|(/" + re.escape(name) + rb")(?=[\s>]))")


def _end_of_section(body: bytes, start: int) -> int:
    closing = b"-->" if body.startswith(b"<!--", start) else b"]]>"
    end = body.find(closing, start)
    return end + 3 if end >= 0 else -1


def _frame(body: bytes, spans: Sequence[tuple[int, int]], unfinished: int | None) -> tuple[bytes, bytes]:
    stop = len(body) if unfinished is None else unfinished
    edges = [0, *(edge for span in spans for edge in span), stop]
    gaps = list(zip(edges[::2], edges[1::2], strict=True))
    if sum(end - start for start, end in gaps) > FRAME_LIMIT:
        size = FRAME_LIMIT // (1024 * 1024)
        raise SourceError(
            tr("The feed holds more than {size} MB outside its entries.", size=size),
            tr("No feed needs that; it was not read further."),
        )
    before = body[gaps[0][0] : gaps[0][1]]
    after = b"".join(body[start:end] for start, end in gaps[1:])
    for entity in _ENTITY.finditer(before):
        value = entity[1] if entity[1] is not None else entity[2]
        if value is None or not _HARMLESS.match(value):
            raise defines_entities()
    if _depth(before + after) > DEEPEST:
        raise too_deep()
    if before.count(b"<") + after.count(b"<") > TAG_LIMIT:
        raise SourceError(tr("The document has no entries that this program knows, but thousands of other elements."))
    return before, after


def _unreasonable(entry: bytes) -> str:
    if len(entry) > ENTRY_LIMIT:
        return tr("the entry is larger than {size} kB", size=ENTRY_LIMIT // 1024)
    tags = entry.count(b"<")
    if tags > TAG_LIMIT:
        return tr("the entry has more than {n} tags", n=TAG_LIMIT)
    # Counting is cheap, and without so many tags an entry cannot be so deep.
    if tags > DEEPEST and _depth(entry) > DEEPEST:
        return tr("the entry nests its elements more than {depth} levels deep", depth=DEEPEST)
    return ""


def _depth(markup: bytes) -> int:
    deepest = depth = 0
    for match in _TAG.finditer(_without_sections(markup)):
        if match[1]:
            depth -= 1
        elif not match[0].endswith(b"/>"):
            depth += 1
            deepest = max(deepest, depth)
    return deepest


def _without_sections(markup: bytes) -> bytes:
    """*markup* without CDATA and comments, whose tags are text. By `find`: a lazy pattern is quadratic where they never
    end."""
    parts: list[bytes] = []
    at = 0
    for opening in _SECTION.finditer(markup):
        if opening.start() < at:
            continue
        end = _end_of_section(markup, opening.start())
        if end < 0:
            break
        parts.append(markup[at : opening.start()])
        at = end
    return b"".join((*parts, markup[at:]))


def _newest(entries: list[bytes], limit: int, when: Callable[[bytes], float]) -> list[bytes]:
    """The entries that are parsed: newest first, undated ones after the dated, within the limits on work."""
    if len(entries) > limit:
        # The index is negated, so that of one moment the first in the document stays first in a reversed sort.
        order = [(when(entry), -index) for index, entry in enumerate(entries)]
        order.sort(reverse=True)
        entries = [entries[-index] for _, index in order[:limit]]
    size = tags = 0
    for count, entry in enumerate(entries):
        size += len(entry)
        tags += entry.count(b"<")
        if size > TOTAL_LIMIT or tags > TOTAL_TAG_LIMIT:
            return entries[:count]
    return entries


def _when(entry: bytes, now: datetime | None, language: str) -> float:
    stated = {match[1]: match[2] for match in _DATE.finditer(entry)}
    for name in _PREFERRED:
        if name in stated:
            when = read_time(plain(stated[name].decode("utf-8", "replace")), now=now, language=language).when
            return when.timestamp() if when else 0.0
    return 0.0


def _title(entry: bytes) -> str:
    match = _TITLE.search(entry)
    return shorten(plain(match[1].decode("utf-8", "replace")), 200) if match else ""
