"""One spelling of what a reader sees as the same (method, "Scores of a bundle"): accents composed, signs as typed."""

import re
import unicodedata
from typing import Final

APOSTROPHES: Final = str.maketrans(dict.fromkeys("‘’ʼʹꞌ＇´′", "'"))
"""Signs for an apostrophe as the typed one: each a character for a character, so that places stay what they are."""
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
        # Soft hyphens, joiners and spaces of no width, that nobody sees.
        "\u200b": "",
        "\u00ad": "",
        "\u2060": "",
        "\ufeff": "",
    }
)
"""What every other sign is read as: always ASCII, so that nothing is read twice."""
_FOREIGN: Final = re.compile(r"[^\x00-\x7f]")


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
    return text
