"""Whole conversations as lists of messages, the answers among them: Oumi, ShareGPT's shape, Ragas, DeepEval's turns."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from gpf_desktop.documents.column_names import MODEL, RESPONSE
from gpf_desktop.documents.programs.chat_messages import content
from gpf_desktop.documents.programs.flat_records import flat, mapping, words
from gpf_desktop.documents.tables import TableRow

_LISTS: Final = ("messages", "conversations", "conversation", "turns", "user_input")
_ROLES: Final = {
    **dict.fromkeys(("user", "human", "prompter"), "user"),
    **dict.fromkeys(("assistant", "ai", "gpt", "model", "bot", "chatgpt", "bard"), "assistant"),
    **dict.fromkeys(("system", "developer"), "system"),
}


def is_record(record: Mapping[str, Any]) -> bool:
    """Whether an answer stands in a list of messages, and none beside it."""
    return not {"response", *RESPONSE} & record.keys() and any(role == "assistant" for role, _ in _said(record))


def record_rows(records: Iterable[tuple[int, Mapping[str, Any]]]) -> Iterator[TableRow]:
    """A row for each answer, with the question before it and its place in the conversation."""
    for number, record in records:
        beside = flat({name: value for name, value in record.items() if name not in _LISTS})
        ends = (beside.get(name) or beside.get(f"metadata.{name}") for name in ("model", *MODEL))
        model = next(filter(None, ends), "")
        system = asked = ""
        turn = 0
        for role, text in _said(record):
            if role == "system":
                system = text
            elif role == "user":
                asked, turn = text, turn + 1
            elif role == "assistant":
                told = {"system": system, "prompt": asked, "turn": str(turn), "response": text}
                yield TableRow(number, {**beside, **told, **({"model": model} if model else {})})


def _said(record: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Role and words of each message; nothing where there is no such list."""
    each = [mapping(one) for name in _LISTS if isinstance(its := record.get(name), list) for one in its]
    said = [
        (
            _ROLES.get(words(one.get("role") or one.get("from") or one.get("type")).lower(), ""),
            content(one.get("content", one.get("value"))),
        )
        for one in each
    ]
    return said if all({"content", "value"} & one.keys() for one in each) else []
