"""One spelling of what a reader sees as the same (method, "Scores of a bundle"): accents composed, signs as typed."""

import unicodedata
from typing import Final

APOSTROPHES: Final = str.maketrans(dict.fromkeys("‘’ʼʹꞌ＇´′", "'"))
"""Signs for an apostrophe as the typed one: each a character for a character, so that places stay what they are."""
_SIGNS: Final = APOSTROPHES | str.maketrans(
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


def one_spelling(token: str) -> str:
    """*token* (without whitespace) as it is scored; typed ASCII stays what it is. It never gains whitespace."""
    if token.isascii():
        return token
    return unicodedata.normalize("NFC", token).translate(_SIGNS)
