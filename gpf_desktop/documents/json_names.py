"""Names in JSON objects that stand there twice: the standard reader keeps the last and says nothing."""

import json
from collections.abc import Sequence
from typing import Any, Final

from gpf_desktop.domain.text import shortened, tr

_SHOWN: Final = 40
"""Characters of each of the two values."""


class RepeatedNameError(ValueError):
    """An object says two things under one name; nobody knows which of them is meant."""


def once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """The object of *pairs*, for `json.loads`. Raises `RepeatedNameError` where a name has two values."""
    found = dict(pairs)
    if len(found) < len(pairs):
        for name, value in pairs:
            if value != found[name]:
                first, last = (shortened(json.dumps(each, ensure_ascii=False), _SHOWN) for each in (value, found[name]))
                raise RepeatedNameError(
                    tr("“{name}” stands there twice, as {first} and as {last}", name=name, first=first, last=last)
                )
    return found


def fault(error: Exception) -> str:
    """The fault of a text that is no JSON, in words for readers: Python's words on long numbers are for programmers."""
    return tr("a number has too many digits") if "int_max_str_digits" in str(error) else str(error)
