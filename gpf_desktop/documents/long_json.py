"""A JSON text of many entries, read entry by entry: at one go it would hold Python's lock for seconds."""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from json import decoder
from typing import Any, Final

from gpf_desktop.documents.json_names import once
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.text import tr

GoOn = Callable[[], object]
"""Called by the way, some thousand times; what it raises ends the reading."""

_STEP: Final = 500
_QUOTED: Final = re.compile(r'(?<!\\)(?:\\\\)*"')
_MARK: Final = re.compile(r'["\[\]{}]')
# What Python's own reader is made of, and its stubs do not name.
_parts: Any = decoder
_fast: Callable[[str, int], tuple[Any, int]] = _parts.JSONDecoder(object_pairs_hook=once).scan_once


def loaded(text: str, go_on: GoOn) -> Any:
    """The value that `json.loads` makes of *text*, with its errors and that of `json_names`."""
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
                parsed = _parts.JSONObject((text, at + 1), True, value, None, once, {})
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


def short_pieces(pieces: Iterable[str], longest: int) -> Iterator[str]:
    """*pieces* of a JSON text. Raises `UserError` once one text in it is known to be longer than *longest* characters,
    so that what would fill the memory is not read to its end."""
    read: list[str] = []
    inside = 0
    for piece in pieces:
        # Within a text nearly all pieces are without a quotation mark, and outside of one none is.
        inside = 0 if _QUOTED.search(piece) else inside + len(piece)
        if inside > longest:
            raise UserError(
                tr("Entry {n}: a text is longer than {most} MB.", n=_entry_at("".join(read)), most=longest >> 20),
                tr("Shorten it, or take the entry out."),
            )
        read.append(piece)
        yield piece


def _entry_at(text: str) -> int:
    """The number, from 1, of the entry of the outermost list that is open where *text* ends."""
    lists = entries = depth = 0
    for bracket in _brackets(text):
        match bracket:
            case "[" | "{":
                depth += 1
                if bracket == "[" and not lists:
                    lists = depth
                elif lists and depth == lists + 1:
                    entries += 1
            case "]" | "}":
                depth -= 1
                if lists and depth < lists:
                    lists = entries = 0
    return max(entries, 1)


def _brackets(text: str) -> Iterator[str]:
    """Brackets outside of texts, of which the last may be open where *text* ends."""
    at = 0
    while (found := _MARK.search(text, at)) is not None:
        at = found.end()
        if found[0] != '"':
            yield found[0]
        elif (closing := _QUOTED.search(text, at)) is not None:
            at = closing.end()
        else:
            return


def _begin(text: str, at: int) -> int:
    """The place where the blanks end that begin at *at*."""
    return int(_parts.WHITESPACE.match(text, at).end())
