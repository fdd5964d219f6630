"""Takes a key out of what a server says, however the server spelt it.

A key comes back as it was sent, or escaped for JSON (``\\u0073``, ``\\/``), for an address (``%73``), for HTML
(``&#115;``), each of them several times over, backwards, letters moved by 13, as hexadecimal digits, Base32, Base64 or
Base85 of its UTF-8 or UTF-16, wherever within them it begins, or with signs, spaces and line ends between its letters,
in whatever width. What is compressed, encrypted or told in words is not found.
"""

import base64
import codecs
import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache
from html.entities import html5
from typing import Final

from gpf_desktop.domain.models import Secret

SHORTEST_KEY: Final = 4
"""Characters; anything shorter would be found in ordinary words."""
_SHORTEST_PACKED: Final = 8
"""Characters of a key that is looked for backwards, packed, or in other letters, capitals or small, where four make no
more than a word."""

_SHORTEST_SPACED: Final = 12
"""Letters and digits of a key that is looked for with anything between them: fewer may stand so in a sentence."""
_BETWEEN: Final = re.compile(
    r"(?:\\{1,8}(?:[nrtbf]|u(?:200[b-fB-F]|00[aA][0dD]|2060|[fF]{2}[eE][fF]))|<[^<>]{1,20}>|[\W_])+"
)

_BACKSLASH: Final = r"(?:\\|%5[Cc]|&bsol;|&\#92;)"
_AMPERSAND: Final = rf"(?:&|{_BACKSLASH}{{1,8}}u0026|%26)(?:amp;|\#38;|\#x26;)*"
_PERCENT: Final = rf"(?:%|{_BACKSLASH}{{1,8}}u0025|{_AMPERSAND}(?:percnt|\#37);)(?:25)*"
_ESCAPING: Final = re.compile(r"[\\%&]")
_PACKED: Final = re.compile(r"[A-Za-z0-9+/_=-]")


def without(text: str, key: Secret | None, mark: str) -> str:
    """*text* with *mark* wherever *key* stands in it."""
    secret = "" if key is None else key.reveal()
    if len(secret) < SHORTEST_KEY:
        return text
    text = text.replace(secret, mark)
    if len(secret) >= _SHORTEST_PACKED and secret.lower() in text.lower():
        text = re.sub(re.escape(secret), lambda _found: mark, text, flags=re.IGNORECASE)
    # Most texts have no escapes, and a pattern takes its time over long ones.
    if _ESCAPING.search(text):
        text = _escaped(secret).sub(lambda _found: mark, text)
    if len(secret) >= _SHORTEST_PACKED and any(part in text for part in _packed(secret)):
        text = _runs(secret).sub(lambda _found: mark, text)
    return _without_spaced(text, secret, mark)


def _without_spaced(text: str, secret: str, mark: str) -> str:
    core = _folded(secret)
    # Most texts do not hold it, which is seen at once.
    if len(core) < _SHORTEST_SPACED or core not in _folded(text):
        return text
    letters, places = [], []
    at = 0
    while at < len(text):
        if (between := _BETWEEN.match(text, at)) is not None:
            at = between.end()
            continue
        folded = unicodedata.normalize("NFKC", text[at]).casefold()
        letters.append(folded)
        places += [at] * len(folded)
        at += 1
    plain, found = "".join(letters), []
    at = plain.find(core)
    while at >= 0:
        found.append((places[at], places[at + len(core) - 1] + 1))
        at = plain.find(core, at + len(core))
    for start, end in reversed(found):
        text = f"{text[:start]}{mark}{text[end:]}"
    return text


def _folded(text: str) -> str:
    """Letters and digits alone, in one width and case."""
    return unicodedata.normalize("NFKC", _BETWEEN.sub("", text)).casefold()


@lru_cache(maxsize=32)
def _escaped(secret: str) -> re.Pattern[str]:
    flags = re.IGNORECASE if len(secret) >= _SHORTEST_PACKED else re.NOFLAG
    return re.compile("".join(map(_spellings, secret)), flags)


def _spellings(sign: str) -> str:
    """Every way to write *sign*, as a pattern."""
    code = ord(sign)
    octets = "".join(rf"(?:{_PERCENT}|=){_digits(each)}" for each in sign.encode("utf-8", "surrogatepass"))
    names = "".join(f"|{re.escape(name[:-1])}" for name, value in html5.items() if value == sign and name[-1] == ";")
    units = sign.encode("utf-16-be", "surrogatepass")
    halves = "".join(
        rf"{_BACKSLASH}{{1,8}}[uU]0{{0,4}}{_digits(units[at], 2)}{_digits(units[at + 1], 2)}"
        for at in range(0, len(units), 2)
    )
    forms = [
        rf"{_BACKSLASH}{{0,8}}{re.escape(sign)}",
        halves,
        rf"{_BACKSLASH}{{1,8}}(?:x0{{0,6}}|u\{{0{{0,6}}){_hex(code)}\}}?",
        octets,
        rf"{_AMPERSAND}(?:\#0{{0,6}}{code}|\#[xX]0{{0,6}}{_hex(code)}{names});?",
    ]
    return f"(?:{'|'.join(forms)})"


def _digits(value: int, width: int = 2) -> str:
    return _either_case(f"{value:0{width}x}")


def _hex(code: int) -> str:
    return _either_case(f"{code:x}")


def _either_case(digits: str) -> str:
    return "".join(f"[{each}{each.upper()}]" if each.isalpha() else each for each in digits)


@lru_cache(maxsize=32)
def _packed(secret: str) -> tuple[str, ...]:
    """The strings found in a text that holds *secret* backwards, in hexadecimal digits, in Base32 or in Base64."""
    found = [secret[::-1], codecs.encode(secret, "rot13")]
    for data in (secret.encode(text, "surrogatepass") for text in ("utf-8", "utf-16-le", "utf-16-be")):
        digits = [data.hex(), *(data.hex(between) for between in " :-")]
        found += digits + [each.upper() for each in digits]
        for before in range(3):
            core = _core(base64.b64encode, 6, before, data)
            # Each with its own two signs, and with the slash as JSON may escape it.
            found += [core, core.translate({43: "-", 47: "_"}), core.replace("/", r"\/")]
        for pack in (base64.b85encode, base64.a85encode):
            # Four bytes make five signs: whole groups alone, wherever the first begins.
            groups = (data[start:] for start in range(4))
            found += [pack(each[: len(each) // 4 * 4]).decode() for each in groups if len(each) >= _SHORTEST_PACKED]
        for before in range(5):
            core = _core(base64.b32encode, 5, before, data)
            found += [core, core.lower()]
    return tuple(dict.fromkeys(found))


def _core(pack: Callable[[bytes], bytes], bits: int, before: int, data: bytes) -> str:
    """*data* packed after *before* bytes, less the first and last signs, which hold bits of what stands beside it."""
    return pack(bytes(before) + data).decode()[(before * 8 + bits - 1) // bits : (before + len(data)) * 8 // bits]


@lru_cache(maxsize=32)
def _runs(secret: str) -> re.Pattern[str]:
    """The whole runs of such characters: the bits of a key reach into those beside it."""
    around = f"(?:{_PACKED.pattern}|\\\\/)*"
    return re.compile(f"{around}(?:{'|'.join(map(re.escape, _packed(secret)))}){around}")
