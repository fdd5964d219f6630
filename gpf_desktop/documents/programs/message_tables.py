"""Tables with a row for each message of a chat: who wrote it and what, as Copilot exports the chats of its app."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from gpf_desktop.documents.programs.chat_apps import ChatMessage, answers_of, in_line, numbered, role_of
from gpf_desktop.documents.tables import TableRow
from gpf_desktop.domain.imports import COPILOT_APP, TRANSCRIPT

_COPILOT: Final = frozenset({"conversation", "time", "author", "message"})
_WHO: Final = ("author", "role", "sender", "speaker", "from")
_WHAT: Final = ("message", "content", "text")
_WHERE: Final = ("conversation", "conversation_id", "chat_id", "session_id", "thread_id", "chat", "session", "thread")
_WHEN: Final = ("time", "timestamp", "created_at", "date")
_SAYS: Final = ("response", "answer", "question", "prompt")


def is_table(values: Mapping[str, str]) -> bool:
    """Whether a row is one message: somebody who speaks in chats, words, and the chat that they are of."""
    named = all(_first(values, names) for names in (_WHAT, _WHERE)) and not values.keys() & {*_SAYS}
    return named and bool(role_of(values.get(_first(values, _WHO), "")))


def table_rows(rows: Iterable[TableRow]) -> Iterator[TableRow]:
    """A row for each answer, with the question before it; messages of a chat in the order of their times, where all
    have one that sorts as it is written."""
    chats: dict[str, list[tuple[str, int, ChatMessage, str]]] = {}
    app = ""
    for row in rows:
        values = row.values
        app = app or (COPILOT_APP if values.keys() >= _COPILOT else TRANSCRIPT)
        said = ChatMessage(
            role=role_of(values.get(_first(values, _WHO), "")),
            text=values.get(_first(values, _WHAT), "").strip(),
            model=values.get("model", ""),
            at=values.get(_first(values, _WHEN), ""),
        )
        chat = values.get(_first(values, _WHERE), "")
        chats.setdefault(chat, []).append((said.at if said.at[:4].isdigit() else "", row.line, said, chat))
    asked: Counter[tuple[str, str]] = Counter()
    for messages in chats.values():
        if all(at for at, _, _, _ in messages):
            messages.sort(key=lambda each: each[0])
        spoken = [said for _, _, said, _ in messages if said.role]
        for told in answers_of(in_line(spoken), app, messages[0][3]):
            yield TableRow(messages[0][1], numbered(told, asked))


def _first(values: Mapping[str, str], names: Iterable[str]) -> str:
    """The first of *names* that is a column."""
    return next((name for name in names if name in values), "")
