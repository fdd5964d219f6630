"""One spelling of what a reader sees as the same (method, "Scores of a bundle"): accents composed, signs as typed."""

import unicodedata
from typing import Final

_SIGNS: Final = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛ʼ＇‹›", "'"),
        **dict.fromkeys("“”„‟«»＂", '"'),
        **dict.fromkeys("‐‑‒–—―", "-"),
        "…": "...",
        "！": "!",
        "？": "?",
        # Soft hyphens and joiners that nobody sees.
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
