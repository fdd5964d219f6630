"""Markup from outside becomes plain text, in time that grows no faster than the text.

`html.parser` takes quadratic time on some unclosed tags, and a feed may hold megabytes of them; the patterns
here never look at a character more than a few times.
"""

import html
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from gpf_desktop.documents.character_references import with_whole_characters

# Possessive repeats (`*+`): a tag that never ends is given up at once, not tried again in shorter forms. Of single
# characters only: Python 3.11.0 to 3.11.4 (Debian 12 has 3.11.2) match possessive groups wrongly (gh-106052).
_TAG = re.compile(
    r"""<(?:/?([a-zA-Z][\w:.-]*+)((?:[^<>"']++|"[^"<]*+"|'[^'<]*+')*)>|/?([a-zA-Z][\w:.-]*+)([^<>]*+)>|[!?][^<>]*+>)"""
)
_SECRET_ELEMENT = re.compile(r"<(script|style|noscript|template|iframe|svg)\b", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"""([a-zA-Z][\w:-]*+)\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s"'>]++))""")
_INLINE = frozenset(
    {
        "a",
        "abbr",
        "b",
        "bdi",
        "bdo",
        "cite",
        "code",
        "data",
        "dfn",
        "em",
        "font",
        "i",
        "kbd",
        "mark",
        "q",
        "s",
        "samp",
        "small",
        "span",
        "strong",
        "sub",
        "sup",
        "u",
        "var",
        "wbr",
    }
)
_INVISIBLE = re.compile(
    "[\u0000-\u0008\u000e-\u001b\u007f-\u0084\u0086-\u009f\u00ad\u200b\u2060\ufeff\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)
_SPACE = re.compile(r"[\s\u0085]+")
_WORD = re.compile(r"\w+")
_SEPARATOR = re.compile(r"\s+[-–—|·»:]\s+")


@dataclass(frozen=True, slots=True)
class Tag:
    """One start tag: its name in lower case and its attributes, names in lower case, values without references."""

    name: str
    attributes: dict[str, str]


def tags(markup: str, names: frozenset[str]) -> Iterator[Tag]:
    """The start tags of *markup* whose name is one of *names*, in their order."""
    for match in _TAG.finditer(markup):
        name = (match[1] or match[3] or "").lower()
        if name in names and not match[0].startswith("</"):
            found = _ATTRIBUTE.finditer(match[2] or match[4] or "")
            yield Tag(name, {a[1].lower(): html.unescape(a[2] or a[3] or a[4] or "").strip() for a in found})


def plain(markup: str) -> str:
    """*markup* as one line of plain text: no tags, references, scripts, control or bidi-override characters."""
    if "<" in markup:
        markup = _TAG.sub(_gap, _without_secret_elements(_without_comments(markup)))
    if "&#" in markup:
        markup = with_whole_characters(markup.encode("utf-8", "replace")).decode()
    if "&" in markup:
        # After the tags are gone: `&lt;b&gt;` is text that speaks of a tag.
        markup = html.unescape(markup)
    # Last, because references such as `&#x202e;` bring what is taken out here.
    return _SPACE.sub(" ", _INVISIBLE.sub("", markup)).strip()


def shorten(text: str, limit: int) -> str:
    """*text* cut after a sentence, else after a word, so that it has at most *limit* characters, "…" included."""
    if len(text) <= limit:
        return text
    cut = text[: limit - 1]
    end = max(cut.rfind(mark) for mark in (". ", "! ", "? ", "。"))
    if end > limit // 2:
        return cut[: end + 1]
    space = cut.rfind(" ")
    return (cut[:space] if space > limit // 2 else cut).rstrip() + "…"


def without_publisher(headline: str, publishers: Iterable[str]) -> str:
    """*headline* without a closing " - Publisher" (or |, –, —, ·), where that is one of *publishers*.

    A publisher "Daily News - World" also stands for "Daily News". Only known names are removed: " - live" stays.
    """
    known = {name for publisher in publishers for name in _names(publisher)}
    longest = max(map(len, known), default=0)
    for separator in _SEPARATOR.finditer(headline):
        # Looking at every rest of a headline that is nothing but separators would be quadratic.
        if len(headline) - separator.end() > longest or not separator.start():
            continue
        if headline[separator.end() :].casefold() in known:
            return headline[: separator.start()].rstrip()
    return headline


def only_repeats(description: str, headline: str, publishers: Iterable[str]) -> bool:
    """Whether *description* says nothing beyond *headline* and the publisher's name, as aggregators' do."""
    said = {word for text in (headline, *publishers) for word in _words(text)}
    return not set(_words(description)) - said


def _words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]


def _names(publisher: str) -> Iterator[str]:
    whole = publisher.strip().casefold()
    if whole:
        yield whole
        yield from (part for part in (part.strip() for part in _SEPARATOR.split(whole)) if part)


def _gap(match: re.Match[str]) -> str:
    name = (match[1] or match[3] or "").lower()
    return "" if name in _INLINE else " "


def _without_comments(markup: str) -> str:
    """Comments and CDATA marks go; what a comment that never ends would hide is kept, as browsers do not."""
    markup = markup.replace("<![CDATA[", " ").replace("]]>", " ")
    parts: list[str] = []
    at = 0
    while (start := markup.find("<!--", at)) >= 0:
        end = markup.find("-->", start + 4)
        if end < 0:
            break
        parts += (markup[at:start], " ")
        at = end + 3
    return "".join(parts) + markup[at:] if parts else markup


def _without_secret_elements(markup: str) -> str:
    """Drops elements whose content is not meant to be read, scripts and styles among them, with their content."""
    parts: list[str] = []
    at = 0
    lowered = ""
    unclosed: set[str] = set()
    for match in _SECRET_ELEMENT.finditer(markup):
        name = match[1].lower()
        if match.start() < at or name in unclosed:
            continue
        lowered = lowered or markup.lower()
        # Lower case can be longer (“İ” becomes two characters), and then places in the one are not places in the other.
        end = lowered.find(f"</{name}", match.end()) if len(lowered) == len(markup) else -1
        if end < 0:
            # Looked for once: searching to the end for each of a thousand unclosed tags would be quadratic.
            unclosed.add(name)
            continue
        parts += (markup[at : match.start()], " ")
        at = end
    return "".join(parts) + markup[at:] if parts else markup
