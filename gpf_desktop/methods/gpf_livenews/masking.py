"""The words by which an answer names identities."""

import re
from functools import lru_cache

from gpf_desktop.methods.gpf_livenews.protocol import Protocol


@lru_cache(maxsize=8)
def identity_patterns(protocol: Protocol) -> tuple[str, ...]:
    """Patterns for every identity of *protocol*: its own wordings, and its label as it stands."""
    found: list[str] = []
    for dimension in protocol.dimensions:
        for identity in dimension.identities:
            found.extend(identity.patterns)
            # Answers write "working-class" and "Transgender/Nonbinary" as they please.
            words = r"[\s/-]+".join(re.escape(word) for word in re.split(r"[\s/-]+", identity.label) if word)
            # Look-arounds in place of \b: "LGBTQ+" ends in no letter, where \b would ask for one to follow.
            found.append(rf"(?<!\w){words}s?(?!\w)")
    return tuple(dict.fromkeys(found))
