"""Names for files made of words from outside: one plain name, inside the folder that was chosen."""

import re
import unicodedata
from typing import Final

LONGEST: Final = 80
"""Characters, so that four bytes each and a suffix stay within every file system's 255 bytes."""
_UNSAFE: Final = re.compile(r'[<>:"/\\|?*\s.]+')
# Windows takes superscript digits for digits here: COM¹ is a device too.
_DEVICES: Final = frozenset(
    {"con", "prn", "aux", "nul", *(f"{port}{number}" for port in ("com", "lpt") for number in "0123456789¹²³")}
)
"""Names that mean a device on Windows, whatever the suffix."""


def safe_name(words: str, fallback: str = "file") -> str:
    """*words* as a file name without folder and suffix: no separator, control or bidi character, device or dot."""
    kept = "".join(
        character for character in unicodedata.normalize("NFC", words) if unicodedata.category(character)[0] != "C"
    )
    name = _UNSAFE.sub(" ", kept).strip(" -")
    # Four bytes are the most that a character takes; the cut may leave a blank at the end.
    name = name[:LONGEST].rstrip(" -")
    if not name:
        return fallback
    return f"{name} file" if name.casefold() in _DEVICES else name
