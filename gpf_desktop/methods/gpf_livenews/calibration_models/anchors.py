"""Finds the news item in a message."""

import re

_NEWS = re.compile(r"(?im)^\s*news article:\s*$")


def anchor_text(user_message: str) -> str:
    """The news item inside *user_message*; the question, which names the identity, is left out.

    Layouts other than the default protocol's: everything but the first paragraph, or the whole of a single one.
    """
    marker = _NEWS.search(user_message)
    if marker is not None:
        return user_message[marker.end() :].strip()
    _question, _blank, rest = user_message.partition("\n\n")
    return rest.strip() or user_message.strip()
