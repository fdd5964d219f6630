"""Text from outside as SQLite can hold it."""

import re

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def storable(text: str) -> str:
    """*text* with U+FFFD for halves of characters, which JSON can carry (``"\\ud83d"``) and UTF-8 cannot.

    Without it a paid answer that holds one could not be stored at all.
    """
    try:
        # Ten times as fast as to look for them, and nearly every text passes.
        text.encode()
    except UnicodeEncodeError:
        return _LONE_SURROGATE.sub("\ufffd", text)
    return text
