"""A JSON text of many entries, read entry by entry: at one go it would hold Python's lock for seconds."""

import json
from collections.abc import Callable
from json import decoder
from typing import Any, Final

GoOn = Callable[[], object]
"""Called by the way, some thousand times; what it raises ends the reading."""

_STEP: Final = 500
# What Python's own reader is made of, and its stubs do not name.
_parts: Any = decoder
_fast: Callable[[str, int], tuple[Any, int]] = _parts.JSONDecoder().scan_once


def loaded(text: str, go_on: GoOn) -> Any:
    """What `json.loads` makes of *text*, with its errors."""
    entries = 0

    def entry(text: str, at: int) -> tuple[Any, int]:
        nonlocal entries
        entries += 1
        if entries % _STEP == 0:
            go_on()
        return _fast(text, at)

    def value(text: str, at: int) -> Any:
        match text[at : at + 1]:
            case "{":
                parsed = _parts.JSONObject((text, at + 1), True, value, None, None, {})
            case "[":
                parsed = _parts.JSONArray((text, at + 1), entry)
            case _:
                parsed = _fast(text, at)
        return parsed

    try:
        found, end = value(text, _begin(text, 0))
    except StopIteration as error:
        raise json.JSONDecodeError("Expecting value", text, error.value) from None
    if (end := _begin(text, end)) != len(text):
        raise json.JSONDecodeError("Extra data", text, end)
    return found


def _begin(text: str, at: int) -> int:
    """Where the blanks end that stand at *at*."""
    return int(_parts.WHITESPACE.match(text, at).end())
