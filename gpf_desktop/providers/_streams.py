"""Answers that come in pieces though nobody asked for that: the pieces joined into the body of one answer."""

import codecs
import json
from collections.abc import Mapping
from typing import Any, Final

_DATA: Final = b"data:"
_DONE: Final = b"[DONE]"


def joined(body: bytes) -> Mapping[str, Any] | None:
    """The whole answer in *body*, a stream of events or of JSON lines; None where it is none, or ends too early.

    An error among the pieces is the body that comes back.
    """
    pieces: list[dict[str, Any]] = []
    done = False
    for line in body.removeprefix(codecs.BOM_UTF8).splitlines():
        data = line.strip().removeprefix(_DATA).strip()
        if data == _DONE:
            done = True
        elif data[:1] == b"{" and (line.lstrip().startswith(_DATA) or line.lstrip()[:1] == b"{"):
            try:
                piece = json.loads(data, strict=False)
            except (ValueError, RecursionError):
                return None
            if piece.get("error"):
                return dict(piece)
            pieces.append(piece)
    return _joined(pieces, done=done)


def of_list(body: object) -> object:
    """What stands in *body* where it is a list: its only entry, or the answer that its pieces make."""
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
    deltas = [_map(choice.get("delta")) or _map(choice.get("message")) for choice in choices]
    finish = next((word for choice in reversed(choices) if (word := choice.get("finish_reason"))), None)
    if not done and finish is None:
        return None
    message = {name: told for name in _OF_CHAT if (told := _texts(deltas, name))}
    whole = _last_of(pieces)
    error = next((choice["error"] for choice in choices if choice.get("error")), None)
    choice = {"message": {"content": "", **message}, "finish_reason": finish, "error": error}
    return {**whole, "choices": [choice]}


_OF_CHAT: Final = ("content", "reasoning_content", "reasoning", "refusal")


def _last_of(pieces: list[dict[str, Any]]) -> dict[str, Any]:
    """What the pieces say beside the text; a later one has the last word, but for nothing."""
    return {name: value for piece in pieces for name, value in piece.items() if value is not None}


def _gemini(pieces: list[dict[str, Any]]) -> Mapping[str, Any] | None:
    candidates = [_first(piece.get("candidates")) for piece in pieces]
    finish = next((each for each in reversed(candidates) if each.get("finishReason")), None)
    if finish is None:
        return None
    parts = [part for each in candidates for part in _map(each.get("content")).get("parts") or []]
    return {**_last_of(pieces), "candidates": [{**finish, "content": {"parts": parts}}]}


def _ollama(pieces: list[dict[str, Any]]) -> Mapping[str, Any] | None:
    messages = [_map(piece.get("message")) for piece in pieces]
    if pieces[-1].get("done") is not True:
        return None
    return {**_last_of(pieces), "message": {name: _texts(messages, name) for name in ("content", "thinking")}}


def _anthropic(pieces: list[dict[str, Any]]) -> Mapping[str, Any]:
    start = next((_map(piece.get("message")) for piece in pieces if piece.get("type") == "message_start"), {})
    deltas = [_map(piece.get("delta")) for piece in pieces if piece.get("type") == "content_block_delta"]
    ends = [piece for piece in pieces if piece.get("type") == "message_delta"]
    usage = {**_map(start.get("usage")), **_map(_last_of(ends).get("usage"))}
    content = [
        {"type": "thinking", "thinking": _texts(deltas, "thinking")},
        {"type": "text", "text": _texts(deltas, "text")},
    ]
    return {**start, **_map(_last_of(ends).get("delta")), "usage": usage, "content": content}
