"""Character references as publishers write them, made such that every XML parser takes them.

A reference to half of a surrogate pair, or to a character that XML has no place for, makes parsers refuse the whole
document; so does an ampersand that begins no reference at all, which forgiving readers take for itself.
"""

import re
from html.entities import html5

_REFERENCE = re.compile(rb"&#(?:[xX]([0-9a-fA-F]++)|([0-9]++));?")
_AMPERSAND = re.compile(rb"&(?:#[xX]?[0-9a-fA-F]{1,12};|(\w{1,32});)?")
_LONE_BRACKET = re.compile(rb"<(?![A-Za-z_:/!?\x80-\xff])")
CONTROLS = bytes(set(range(32)) - {9, 10, 13})
"""No characters of XML."""
_SECTION = re.compile(rb"<(?:!\[CDATA\[|!--)")
_HIGH, _LOW, _END = 0xD800, 0xDC00, 0xE000
_OF_XML = frozenset({b"amp", b"lt", b"gt", b"quot", b"apos"})


def with_whole_characters(markup: bytes) -> bytes:
    """*markup* (UTF-8) with pairs of references to surrogates as one character, and U+FFFD for impossible ones."""
    if b"&#" not in markup:
        return markup
    parts: list[bytes] = []
    at = 0
    high: re.Match[bytes] | None = None
    for reference in _REFERENCE.finditer(markup):
        number = _code(reference)
        if high is not None and _LOW <= number < _END and reference.start() == high.end():
            joined = 0x10000 + (_code(high) - _HIGH) * 0x400 + number - _LOW
            parts[-1] = chr(joined).encode()
            at, high = reference.end(), None
            continue
        high = None
        if _possible(number):
            continue
        parts += (markup[at : reference.start()], "\ufffd".encode())
        at = reference.end()
        if _HIGH <= number < _LOW:
            high = reference
    return b"".join((*parts, markup[at:])) if parts else markup


def with_escaped_ampersands(markup: bytes, *, lone_brackets: bool = False) -> bytes:
    """*markup* (UTF-8) with bare ampersands escaped and the names of HTML's characters as these, outside CDATA.

    *lone_brackets*: each “<” that begins nothing, too.
    """

    def mended(text: bytes) -> bytes:
        text = _AMPERSAND.sub(_escaped, text)
        return _LONE_BRACKET.sub(b"&lt;", text) if lone_brackets else text

    parts: list[bytes] = []
    at = 0
    for opening in _SECTION.finditer(markup):
        if opening.start() < at:
            continue
        closing = b"]]>" if opening[0].endswith(b"[") else b"-->"
        end = markup.find(closing, opening.end())
        if end < 0:
            break
        parts += (mended(markup[at : opening.start()]), markup[opening.start() : end])
        at = end
    return b"".join((*parts, mended(markup[at:])))


def _code(reference: re.Match[bytes]) -> int:
    digits, base = (reference[1], 16) if reference[1] else (reference[2], 10)
    digits = digits.lstrip(b"0") or b"0"
    # CPython makes no int of thousands of digits.
    return int(digits, base) if len(digits) <= 10 else 0x110000


def _possible(number: int) -> bool:
    return number in {9, 10, 13} or 0x20 <= number < _HIGH or _END <= number <= 0xFFFD or 0x10000 <= number <= 0x10FFFF


def _escaped(match: re.Match[bytes]) -> bytes:
    if len(match[0]) > 1 and (match[1] is None or match[1] in _OF_XML):
        return match[0]
    character = html5.get(match[1].decode("utf-8", "replace") + ";") if match[1] else None
    if character is None or character in "<&":
        return b"&lt;" if character == "<" else b"&amp;" if character else b"&amp;" + match[0][1:]
    return character.encode()
