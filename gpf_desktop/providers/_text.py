"""Makes what a server sent fit to keep and to show."""

import re

from gpf_desktop.domain.key_echoes import without
from gpf_desktop.domain.models import Secret
from gpf_desktop.domain.served import Served

TEXT_CAP = 1_000_000
"""Characters of one answer that are kept; the longest model answers have some ten thousand."""
DETAIL_CAP = 300
"""Characters of an error's own words."""
_READ = 4_000

# Stars and dots count as parts of a key: servers quote one with its middle blotted out (sk-ab****yz).
_KEY_LIKE = re.compile(r"\b(?:sk|pk|gsk|xai|AIza)[-_A-Za-z0-9*.…]{6,}|(?i:(?<=bearer )|(?<=key=))[^\s\"',&]{4,}")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]+")


def storable(text: str) -> str:
    """*text* without what UTF-8 and SQLite cannot hold: lone surrogates and NUL become U+FFFD, the rest stays."""
    if text.isascii() and "\x00" not in text:
        return text
    # UTF-16 joins two halves that stand side by side into their character; only a lone one is replaced.
    whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return whole.replace("\x00", "\ufffd")


def detail(words: str, key: Secret | None, *, most: int = DETAIL_CAP) -> str:
    """*words* of a server on one line, *most* characters, without *key* and without anything that looks like a key."""
    # With a margin, so that no key is cut before it is found.
    shown = without(words[: 2 * _READ], key, "…")[:_READ]
    # Before the last cut, which could leave the part of a key that no pattern finds.
    shown = _KEY_LIKE.sub("…", storable(_CONTROL.sub(" ", shown))).strip()
    return shown if len(shown) <= most else shown[: most - 1] + "…"


def served(told: Served, key: Secret | None) -> Served:
    """*told*, each name as `detail` has it."""
    return Served(model=detail(told.model, key), fingerprint=detail(told.fingerprint, key), host=detail(told.host, key))
