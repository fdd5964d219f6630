"""Messages of a chat, as the APIs and the programs that keep their calls write them."""

import ast
import json
from collections.abc import Mapping
from typing import Any, Final

from gpf_desktop.documents.programs.flat_records import first_of, mapping, words

_WRAPPED: Final = ("role", "choices", "messages", "message.role", "message", "kwargs", "data")
_ROLES: Final = {"human": "user", "ai": "assistant", "AIMessageChunk": "assistant", "system": "system"}
"""As LangChain calls them."""
_LONGEST_PRINTED: Final = 200_000
"""Characters; Python's own reader takes a hundred times as much memory."""
_TEXTS: Final = frozenset({"text", "output_text", "input_text"})


def content(told: Any) -> str:
    """The text of a message's content, whose other parts (reasoning, pictures) are left out."""
    if isinstance(told, list):
        texts = [words(part.get("text")) for part in told if isinstance(part, dict) and part.get("type") in _TEXTS]
        return "\n".join(text for text in texts if text)
    return words(told)


def plain(entry: Any) -> Mapping[str, Any]:
    """A message by ``role`` and ``content``, whose *entry* may be as OpenInference or LangChain write it; any other
    object as it is."""
    told = mapping(entry)
    if told.keys() == {"message"} and isinstance(told["message"], dict):
        told = told["message"]
    elif "message.role" in told:
        told = {name.removeprefix("message."): value for name, value in told.items()}
    elif inside := mapping(told.get("kwargs") if "lc" in told else told.get("data")):
        role = next(filter(None, (_ROLES.get(words(each.get("type"))) for each in (inside, told))), "")
        told = {"role": role, **inside} if role and "content" in inside else told
    if "contents" in told and "content" not in told:
        parts = [mapping(part) for part in told["contents"] or () if isinstance(part, dict)]
        texts = (part.get("message_content.text") or mapping(part.get("message_content")).get("text") for part in parts)
        told = {**told, "content": "\n".join(filter(None, map(words, texts)))}
    return told


def served(body: Mapping[str, Any]) -> dict[str, str]:
    """The columns of who answered, as the *body* of a provider's reply says it."""
    return {
        "served_model": words(body.get("model") or body.get("modelVersion")),
        "served_fingerprint": words(body.get("system_fingerprint")),
        "served_host": words(body.get("provider")),
    }


def said_by(told: Any, role: str, *, last: bool = False) -> str:
    """The words of the first, or the *last*, message of *role*; a plain text is the user's."""
    if isinstance(told, list):
        found = [each for each in told if isinstance(each, dict) and each.get("role") == role]
        return content(found[-1 if last else 0].get("content")) if found else ""
    return words(told) if role == "user" else ""


def parsed(text: str) -> Any:
    """The value that *text* writes as JSON, or as Python prints it: so pandas writes a column of messages into CSV;
    None where it is neither."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        if len(text) > _LONGEST_PRINTED or "'" not in text[:3]:
            return None
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None


def unwrapped(cell: str, role: str) -> str:
    """The last words of *role* in a cell that holds a message, a list of messages or a whole reply as JSON; any other
    cell as it is: an answer may be JSON of its own."""
    text = cell.strip()
    if text[:1] not in "[{" or not any(f'"{name}"' in text or f"'{name}'" in text for name in _WRAPPED):
        return cell
    told = parsed(text)
    if isinstance(told, dict):
        inside = told.get("messages", first_of(told.get("choices")).get("message"))
        told = told if inside is None else inside
    while isinstance(told, list) and len(told) == 1 and isinstance(told[0], list):
        told = told[0]
    told = [plain(each) for each in (told if isinstance(told, list) else [told])]
    if not told or not all({"role", "content"} <= each.keys() for each in told):
        return cell
    # A lone message is what was meant, whoever is said to have written it.
    return content(told[0]["content"]) if len(told) == 1 else said_by(told, role, last=True) or cell
