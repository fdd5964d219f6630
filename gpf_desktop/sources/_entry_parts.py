"""The parts of a feed's entry that are the article's own: captions of its pictures have titles and texts too.

feedparser takes the last title or description that it meets, whoever's it is.
"""

import re

_MEDIA = re.compile(rb"""xmlns:([A-Za-z_][\w.-]*+)\s*+=\s*+["']https?://search\.yahoo\.com/mrss/?["']""")
_OPENING = re.compile(rb"<(?:!\[CDATA\[|!--|([A-Za-z_][\w.:-]*+)([^<>]*+)>)")
_MARKED_UP = re.compile(
    rb"&lt;/?(?:a|b|blockquote|br|div|em|h[1-6]|i|img|li|ol|p|span|strong|table|ul)(?=[\s/]|&gt;)", re.IGNORECASE
)
_UNCLOSED_LIMIT = 50
_TITLES = frozenset({b"title"})
_TEXTS = frozenset({b"description", b"summary", b"subtitle"})
# They hold markup, or parts that feedparser reads for what they are.
_STRUCTURED = frozenset({b"title", b"description", b"summary", b"subtitle", b"content", b"encoded", b"body", b"div"})
_HOLDERS = frozenset({b"source", b"author", b"contributor"})


def media_prefixes(frame: bytes) -> frozenset[bytes]:
    """The prefixes of Media RSS that *frame*, or a feed that forgot to declare it, uses."""
    return frozenset({b"media", *(match[1] for match in _MEDIA.finditer(frame))})


def own_parts(entry: bytes, of_media: frozenset[bytes]) -> bytes:
    """*entry* (from its start tag to its end tag) without what describes pictures, players or other articles.

    A title or text under a prefix other than the entry's own counts only where the entry has none of its own.
    """
    start = _OPENING.match(entry)
    if start is None or start[1] is None:
        return entry
    own_prefix, _, kind = start[1].rpartition(b":")
    prefixes = of_media | media_prefixes(entry)
    parts = _children(entry, start.end())
    names = {name.rpartition(b":")[2] for name, _, _ in parts if name.rpartition(b":")[0] == own_prefix}
    kept: list[bytes] = []
    at = 0
    for name, begin, end in parts:
        prefix, _, local = name.rpartition(b":")
        if _is_foreign(prefix, local, own_prefix, names, prefixes) or _is_another(local, entry[begin:end]):
            kept.append(entry[at:begin])
        elif kind == b"entry" and local in _TITLES | _TEXTS | {b"content"}:
            kept += (entry[at:begin], _typed(entry[begin:end], len(name) + 1))
        else:
            continue
        at = end
    return b"".join((*kept, entry[at:])) if kept else entry


def _children(entry: bytes, at: int) -> list[tuple[bytes, int, int]]:
    """Name, beginning and end of each element directly in *entry*; one that never ends is its start tag only."""
    found: list[tuple[bytes, int, int]] = []
    unclosed: set[bytes] = set()
    while len(unclosed) < _UNCLOSED_LIMIT and (match := _OPENING.search(entry, at)):
        name = match[1]
        if name is None:
            closing = b"]]>" if match[0].endswith(b"[") else b"-->"
            end = entry.find(closing, match.end())
            if end < 0:
                break
            at = end + 3
            continue
        at = match.end()
        if not match[2].endswith(b"/") and name not in unclosed:
            end = _end(entry, name, match.end())
            # Looked for once, and only so many: thousands that never end would take quadratic time.
            if end < 0:
                unclosed.add(name)
            else:
                at = end
        found.append((name, match.start(), at))
    return found


def _end(entry: bytes, name: bytes, at: int) -> int:
    """Just behind the end tag of the element whose start tag ends at *at*; -1 where there is none."""
    pattern = re.compile(rb"<(?:!\[CDATA\[|!--|(/?)" + re.escape(name) + rb"(?=[\s/>])([^<>]*+)>)")
    depth = 1
    while match := pattern.search(entry, at):
        at = match.end()
        if match[1] is None:
            closing = b"]]>" if match[0].endswith(b"[") else b"-->"
            at = entry.find(closing, at)
            if at < 0:
                return -1
        elif match[1]:
            depth -= 1
            if not depth:
                return at
        elif not match[2].endswith(b"/"):
            depth += 1
    return -1


def _is_foreign(prefix: bytes, local: bytes, own: bytes, names: set[bytes], of_media: frozenset[bytes]) -> bool:
    if prefix == own:
        return False
    return (
        prefix in of_media or (local in _TITLES and bool(names & _TITLES)) or (local in _TEXTS and bool(names & _TEXTS))
    )


def _is_another(local: bytes, element: bytes) -> bool:
    """An element such as `image`, with a title or text of its own in it."""
    if local in _STRUCTURED or local in _HOLDERS:
        return False
    inside = (name.rpartition(b":")[2] for name, _, _ in _children(element, element.find(b">") + 1))
    return any(name in _TITLES | _TEXTS for name in inside)


def _typed(element: bytes, name_end: int) -> bytes:
    """Atom's texts are plain where no type is stated; where such a one is markup all the same, this says so."""
    tag_end = element.find(b">")
    if b"type" in element[:tag_end] or not _MARKED_UP.search(element, tag_end):
        return element
    return element[:name_end] + b' type="html"' + element[name_end:]
