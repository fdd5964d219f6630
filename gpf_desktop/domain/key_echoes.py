"""Takes a key out of what a server says, however the server spelt it.

A key comes back as it was sent, or escaped for JSON (``\\u0073``, ``\\/``), for an address (``%73``), for HTML
(``&#115;``), each of them several times over, as hexadecimal digits, or within Base64 at any of its three places.
"""

import base64
import re
from functools import lru_cache
from html.entities import html5
from typing import Final

from gpf_desktop.domain.models import Secret

SHORTEST_KEY: Final = 4
"""Characters; anything shorter would be found in ordinary words."""
_SHORTEST_PACKED: Final = 8
"""Characters of a key that is looked for in Base64 and hexadecimal digits, where four make no more than a word."""

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
    # Most texts have no escapes, and a pattern takes its time over long ones.
    if _ESCAPING.search(text):
        text = _escaped(secret).sub(lambda _found: mark, text)
    if len(secret) >= _SHORTEST_PACKED and any(part in text for part in _packed(secret)):
        text = _runs(secret).sub(lambda _found: mark, text)
    return text


@lru_cache(maxsize=32)
def _escaped(secret: str) -> re.Pattern[str]:
    return re.compile("".join(map(_spellings, secret)))


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
    """What stands in Base64 and in hexadecimal digits wherever *secret* does."""
    data = secret.encode("utf-8", "surrogatepass")
    found = [data.hex(), data.hex().upper()]
    for before in range(3):
        packed = base64.b64encode(bytes(before) + data).decode()
        # The first and the last characters hold bits of what stands beside the key.
        core = packed[(before * 8 + 5) // 6 : (before + len(data)) * 8 // 6]
        # Each with its own two signs, and with the slash as JSON may escape it.
        found += [core, core.translate({43: "-", 47: "_"}), core.replace("/", r"\/")]
    return tuple(dict.fromkeys(found))


@lru_cache(maxsize=32)
def _runs(secret: str) -> re.Pattern[str]:
    """The whole runs of such characters: the bits of a key reach into those beside it."""
    around = f"(?:{_PACKED.pattern}|\\\\/)*"
    return re.compile(f"{around}(?:{'|'.join(map(re.escape, _packed(secret)))}){around}")
