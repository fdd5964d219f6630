"""Markdown as words: marks are taken away and stressed words told; links stay text, nothing is fetched or run."""

import re
from array import array
from typing import Final

from gpf_desktop.engine.review.reading_aids.shown_text import ShownText
from gpf_desktop.engine.review.reading_aids.words import Stretch

_HEADING: Final = re.compile(r"^ {0,3}#{1,6} +(?=\S)")
_BULLET: Final = re.compile(r"^(?P<indent> *)[-*+] +(?=\S)")
_RULE: Final = re.compile(r"^ {0,3}([-*_])(?: *\1){2,} *$")
_QUOTE: Final = re.compile(r"^ {0,3}> ?")
_STRESS: Final = re.compile(
    r"(?<![\w*])(\*\*\*|\*\*|\*)(?=\S)(?P<said>[^*\n]*?[^\s*])\1(?![\w*])|(?<!\w)(__|_)(?=\S)(?P<also>[^_\n]*?[^\s_])\3(?!\w)"
)
_CODE: Final = re.compile(r"`([^`\n]+)`")


def shown(stored: str) -> ShownText:
    """*stored* as it is read."""
    if not any(mark in stored for mark in "*_#`->+"):
        return ShownText.plain(stored)
    out = _Builder()
    at = 0
    for line in stored.split("\n"):
        if at:
            out.keep("\n", at - 1)
        _line(line, at, out)
        at += len(line) + 1
    return out.finished()


def _line(line: str, at: int, out: "_Builder") -> None:
    start = 0
    heading = _HEADING.match(line)
    bullet = _BULLET.match(line)
    quote = _QUOTE.match(line)
    if _RULE.match(line):
        return
    if heading:
        start = heading.end()
    elif bullet:
        out.keep(bullet["indent"], at)
        # Two characters for two, the mark and the first space behind it, so that places keep ascending.
        out.keep("• ", at + len(bullet["indent"]))
        start = bullet.end()
    elif quote:
        start = quote.end()
    begin = out.length
    end = len(line.rstrip("# ")) if heading else len(line)
    _inline(line, start, end, at, out)
    if heading:
        out.stress(begin, out.length)


def _inline(line: str, start: int, end: int, at: int, out: "_Builder") -> None:
    while start < end:
        found = [match for match in (_STRESS.search(line, start, end), _CODE.search(line, start, end)) if match]
        if not found:
            break
        match = min(found, key=lambda each: each.start())
        out.keep(line[start : match.start()], at + start)
        group = 1 if match.re is _CODE else "said" if match["said"] is not None else "also"
        inner_start, inner_end = match.span(group)
        begin = out.length
        out.keep(line[inner_start:inner_end], at + inner_start)
        # Of a single mark, italics, nothing is told.
        if match.re is _STRESS and inner_start - match.start() > 1:
            out.stress(begin, out.length)
        start = match.end()
    out.keep(line[start:end], at + start)


class _Builder:
    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._origins = array("l")
        self._strong: list[Stretch] = []
        self.length = 0

    def keep(self, text: str, origin: int) -> None:
        self._pieces.append(text)
        self._origins.extend(range(origin, origin + len(text)))
        self.length += len(text)

    def stress(self, start: int, end: int) -> None:
        if end > start:
            self._strong.append(Stretch(start, end))

    def finished(self) -> ShownText:
        return ShownText("".join(self._pieces), self._origins, tuple(self._strong))
