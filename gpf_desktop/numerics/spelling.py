"""One spelling of what a reader sees as the same (method, "Scores of a bundle"): accents composed, signs as typed."""

import re
import unicodedata
from typing import Final

APOSTROPHES: Final = str.maketrans(dict.fromkeys("‘’ʼʹꞌ＇´′", "'"))
"""Signs for an apostrophe as the typed one: each a character for a character, so that places stay what they are."""
SPACES: Final = str.maketrans(
    dict.fromkeys("\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f", " ")
)
UNSEEN: Final = (
    "\u00ad\u034f\u061c\u200b\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2061\u2062\u2063\u2064"
    "\u2066\u2067\u2068\u2069\u206a\u206b\u206c\u206d\u206e\u206f\ufeff\ufff9\ufffa\ufffb"
)
"""Soft hyphens, spaces of no width, marks of direction and of notation: nobody sees them."""
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
        **dict.fromkeys(UNSEEN, ""),
    }
)
"""What every other sign is read as: always ASCII, so that nothing is read twice."""
_FOREIGN: Final = re.compile(r"[^\x00-\x7f]")
_LETTER: Final = "[!-~\u00a1-\u058f]"
"""ASCII's signs, and Latin, Greek, Cyrillic and Armenian letters: none is joined to another, or kept from it."""
_JOINERS: Final = "\u180e\u200c\u200d"
JOINING: Final = _JOINERS + "\ufe00-\ufe0f\U000e0000-\U000e01ef"
"""Joiners, variants and tags, for a class of a pattern."""
NEEDLESS: Final = re.compile(
    # Variants and tags follow what they are of, so what follows them does not tell.
    f"(?:(?<={_LETTER})|(?<!\\S))[{JOINING}]+|[{_JOINERS}]+(?={_LETTER})"
)
"""Joiners, variants and tags where no script has any: Persian and Hindi words and emoji keep theirs."""


def one_spelling(text: str) -> str:
    """*text* as it is scored; typed ASCII stays what it is. It never gains whitespace."""
    if text.isascii():
        return text
    text = unicodedata.normalize("NFC", text)
    # Sign by sign: a whole answer has two or three kinds, and `str.translate` would look up each of its letters.
    for sign in set(_FOREIGN.findall(text)):
        typed = SIGNS.get(ord(sign))
        if typed is not None:
            text = text.replace(sign, typed)
    return text if text.isascii() else NEEDLESS.sub("", text)
