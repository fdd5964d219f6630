"""One spelling of what a reader sees as the same (method, "Scores of a bundle"): accents composed, signs as typed."""

import re
import unicodedata
from typing import Final

APOSTROPHES: Final = str.maketrans(dict.fromkeys("‘’ʼʹꞌ＇´′", "'"))
"""Signs for an apostrophe as the typed one: each a character for a character, so that places stay what they are."""
SPACES: Final = str.maketrans(
    dict.fromkeys("\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f", " ")
)
_CONTROLS: Final = "\x00-\x08\x0e-\x1b\x7f"
UNSEEN: Final = (
    f"{_CONTROLS}\x80-\x84\x86-\x9f\u00ad\u034f\u061c\u17b4\u17b5\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufdd0-\ufdef\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
) + "".join(f"{chr(last - 1)}{chr(last)}" for last in range(0xFFFF, 0x110000, 0x10000))
"""Controls that are no white space, soft hyphens, spaces of no width, marks of direction and of notation, fillers,
places without a character: nobody sees them. For a class of a pattern."""
_UNSEEN: Final = [
    chr(each)
    for first, last in re.findall("(.)(?:-(.))?", UNSEEN, re.DOTALL)
    for each in range(ord(first), ord(last or first) + 1)
]
SIGNS: Final = APOSTROPHES | str.maketrans(
    {
        **dict.fromkeys("‚‛‹›", "'"),
        **dict.fromkeys("“”„‟«»＂", '"'),
        **dict.fromkeys("‐‑‒–—―", "-"),
        "…": "...",
        "！": "!",
        "？": "?",
        "\ufb00": "ff",
        "\ufb01": "fi",
        "\ufb02": "fl",
        "\ufb03": "ffi",
        "\ufb04": "ffl",
        **dict.fromkeys(_UNSEEN, ""),
    }
)
"""What every other sign is read as: always ASCII, so that nothing is read twice."""
_TYPED: Final = bytes(each for each in range(128) if chr(each) not in _UNSEEN)
_FOREIGN: Final = re.compile(f"[^\x00-\x7f]|[{_CONTROLS}]")
_LETTER: Final = "[!-~\u00a1-\u058f]"
"""ASCII's signs, and Latin, Greek, Cyrillic and Armenian letters: none is joined to another, or kept from it."""
_JOINERS: Final = "\u115f\u1160\u180b-\u180f\u200c\u200d"
JOINING: Final = _JOINERS + "\ufe00-\ufe0f\U000e0000-\U000e0fff"
"""Joiners, variants and tags, for a class of a pattern."""
NEEDLESS: Final = re.compile(
    # Variants and tags follow what they are of, so what follows them does not tell.
    f"(?:(?<={_LETTER})|(?<!\\S))[{JOINING}]+|[{_JOINERS}]+(?={_LETTER})"
)
"""Joiners, variants and tags where no script has any: Persian and Hindi words and emoji keep theirs."""


def one_spelling(text: str) -> str:
    """*text* as it is scored; typed ASCII stays what it is. It never gains whitespace."""
    # Taking out bytes is ten times as fast as a pattern, and nearly all tokens are printable.
    if text.isascii() and (text.isprintable() or not text.encode().translate(None, _TYPED)):
        return text
    text = unicodedata.normalize("NFC", text)
    # Sign by sign: a whole answer has two or three kinds, and `str.translate` would look up each of its letters.
    for sign in set(_FOREIGN.findall(text)):
        typed = SIGNS.get(ord(sign))
        if typed is not None:
            text = text.replace(sign, typed)
    return text if text.isascii() else NEEDLESS.sub("", text)
