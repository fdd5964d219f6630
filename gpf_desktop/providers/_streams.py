"""Answers that come in pieces though nobody asked for that: the pieces joined into the body of one answer."""

import codecs
import json
import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any, Final

from gpf_desktop.domain.reasoning import FIELDS

_DATA: Final = b"data:"
_DONE: Final = b"[DONE]"
_LINES: Final = re.compile(
    rb"""\s{0,9}\{"model": ?"[^\n]{0,2000}"done": ?false\b[^\n]{0,2000}\}\r?\n\s{0,9}(?:\{|\Z)"""
)
_BLANK: Final = re.compile(r"\s*")
_EVENTS: Final = re.compile(rb"(?:\xef\xbb\xbf)?\s{0,9}(?:data|event|id|retry)?:\s")


def joined(body: bytes) -> Mapping[str, Any] | None:
    """The whole answer in *body*, a stream of events or of JSON lines; None where it is none, or ends too early.

    An error among the pieces is the body that comes back.
    """
    pieces: list[dict[str, Any]] = []
    done = False
    for data in _data(body.removeprefix(codecs.BOM_UTF8)):
        if data == _DONE:
            done = True
        elif data[:1] == b"{":
            several = _objects(data)
            if not several:
                return None
            if (broken := next((piece for piece in several if piece.get("error")), None)) is not None:
                return broken
            pieces += several
    # An error that no field calls one comes alone (DashScope), or in an event of that name.
    error = next((piece for piece in pieces if isinstance(piece.get("message"), str) and "choices" not in piece), None)
    if (whole := _joined(pieces, done=done)) is not None or error is None:
        return whole
    return error if len(pieces) == 1 else {"error": error}


def is_stream(body: bytes) -> bool:
    """Whether *body* is a stream of events or Ollama's of lines, be it whole or not."""
    return _EVENTS.match(body) is not None or _LINES.match(body) is not None


def _data(body: bytes) -> Iterator[bytes]:
    """The data that the lines of *body* carry; data of one event in several lines come together."""
    held: list[bytes] = []
    for line in body.splitlines():
        bare = line.strip()
        told = bare.removeprefix(_DATA).strip()
        if held or (told[:1] == b"{" and bare != told and _object(told) is None):
            if bare and bare != told:
                held.append(told)
            if not bare:
                yield b"\n".join(held)
                held = []
        else:
            yield told
    if held:
        yield b"\n".join(held)


def _object(data: bytes) -> dict[str, Any] | None:
    try:
        found = json.loads(data, strict=False)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _objects(data: bytes) -> list[dict[str, Any]]:
    """The objects that *data* is, one or several without anything between them; empty where it is something else."""
    if (one := _object(data)) is not None:
        return [one]
    decoder, at, found = json.JSONDecoder(strict=False), 0, []
    told = data.decode("utf-8", "replace")
    while at < len(told):
        try:
            piece, end = decoder.raw_decode(told, at)
        except (ValueError, RecursionError):
            return []
        if not isinstance(piece, dict):
            return []
        found.append(piece)
        blank = _BLANK.match(told, end)
        at = blank.end() if blank else end
    return found


def of_list(body: object) -> object:
    """The object in *body* where it is a list: its only entry, or the answer that its pieces make."""
    if not isinstance(body, list) or not body:
        return body
    pieces = [piece for piece in body if isinstance(piece, dict)]
    whole = _joined(pieces, done=False) if len(pieces) > 1 else None
    error = next((piece for piece in pieces if piece.get("error")), None)
    return error or whole or body[0]


def _joined(pieces: list[dict[str, Any]], *, done: bool) -> Mapping[str, Any] | None:
    kinds = {name for piece in pieces for name in piece}
    if "choices" in kinds:
        return _chat(pieces, done=done)
    if "candidates" in kinds:
        return _gemini(pieces)
    if "message" in kinds and "done" in kinds:
        return _ollama(pieces)
    return _anthropic(pieces) if any(piece.get("type") == "message_stop" for piece in pieces) else None


def _map(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _first(value: object) -> dict[str, Any]:
    return _map(value[0]) if isinstance(value, list) and value else {}


def _texts(parts: list[dict[str, Any]], name: str) -> str:
    return "".join(part[name] for part in parts if isinstance(part.get(name), str))


def _chat(pieces: list[dict[str, Any]], *, done: bool) -> Mapping[str, Any] | None:
    choices = [choice for piece in pieces if (choice := _first(piece.get("choices"))) and not choice.get("index")]
    if sum("message" in choice and "delta" not in choice for choice in choices) > 1:
        # Several answers, not the parts of one.
        return None
    deltas = [
        _map(choice["delta"] if "delta" in choice else choice.get("message")) or {"content": choice.get("text")}
        for choice in choices
    ]
    finish = next((word for choice in reversed(choices) if (word := choice.get("finish_reason"))), None)
    if not done and finish is None:
        return None
    message: dict[str, Any] = {name: told for name in _OF_CHAT if (told := _told(deltas, name))}
    message["reasoning_details"] = [part for delta in deltas for part in _list(delta.get("reasoning_details"))]
    # Mistral's reasoning models send typed parts, and text once they answer.
    if any(isinstance(delta.get("content"), list) for delta in deltas):
        message["content"] = [part for delta in deltas for part in _parts(delta.get("content"))]
    error = next((choice["error"] for choice in choices if choice.get("error")), None)
    whole = {**_last_of(choices), "message": {"content": "", **message}, "finish_reason": finish, "error": error}
    return {**_last_of(pieces), "choices": [whole]}


def _told(deltas: list[dict[str, Any]], name: str) -> str:
    """The text of field *name*, of some servers that send all of it so far in every piece."""
    texts = [delta[name] for delta in deltas if isinstance(delta.get(name), str) and delta[name]]
    grows = len(texts) > _FEW and all(later.startswith(earlier) for earlier, later in pairwise(texts))
    return texts[-1] if grows and texts[-1] != texts[0] else "".join(texts)


_FEW: Final = 2
"""Pieces of which one may begin as the one before by chance."""


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _parts(content: object) -> list[Any]:
    return content if isinstance(content, list) else [{"type": "text", "text": content}]


_OF_CHAT: Final = ("content", *FIELDS, "refusal")


def _last_of(pieces: list[dict[str, Any]]) -> dict[str, Any]:
    """The fields of the pieces beside the text; a later piece has the last word, unless its value is None."""
    return {name: value for piece in pieces for name, value in piece.items() if value is not None}


def _gemini(pieces: list[dict[str, Any]]) -> Mapping[str, Any] | None:
    candidates = [_first(piece.get("candidates")) for piece in pieces]
    finish = next((each for each in reversed(candidates) if each.get("finishReason")), None)
    if finish is None:
        return None
    several = [_map(each.get("content")).get("parts") for each in candidates]
    parts = [part for each in several if isinstance(each, list) for part in each]
    return {**_last_of(pieces), "candidates": [{**finish, "content": {"parts": parts}}]}


def _ollama(pieces: list[dict[str, Any]]) -> Mapping[str, Any] | None:
    messages = [_map(piece.get("message")) for piece in pieces]
    if pieces[-1].get("done") is not True:
        return None
    return {**_last_of(pieces), "message": {name: _texts(messages, name) for name in ("content", "thinking")}}


def _anthropic(pieces: list[dict[str, Any]]) -> Mapping[str, Any]:
    start = next((_map(piece.get("message")) for piece in pieces if piece.get("type") == "message_start"), {})
    # A block may begin with text.
    deltas = [
        _map(piece.get("content_block") or piece.get("delta"))
        for piece in pieces
        if piece.get("type") in ("content_block_start", "content_block_delta")
    ]
    ends = [piece for piece in pieces if piece.get("type") == "message_delta"]
    usage = {**_map(start.get("usage")), **_map(_last_of(ends).get("usage"))}
    content = [
        {"type": "thinking", "thinking": _texts(deltas, "thinking")},
        {"type": "text", "text": _texts(deltas, "text")},
    ]
    return {**start, **_map(_last_of(ends).get("delta")), "usage": usage, "content": content}
