"""Tables of duels, as of Chatbot Arena: ``model_a, model_b, prompt, response_a, response_b``; texts of several turns
stand as lists."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final

from gpf_desktop.documents.programs.chat_messages import parsed
from gpf_desktop.documents.programs.message_lists import record_rows
from gpf_desktop.documents.tables import TableRow

_SIDES: Final = ("a", "b")
_TEXTS: Final = ("response", "answer", "output", "completion")
_CHAT: Final = "conversation"


def is_table(names: Collection[str]) -> bool:
    """Whether both models stand in columns of their own, and what each said in others."""
    return any(
        {f"{name}_{side}" for name in ("model", said) for side in _SIDES} <= {*names} for said in (*_TEXTS, _CHAT)
    )


def table_rows(rows: Iterable[TableRow]) -> Iterator[TableRow]:
    """A row for each answer of each side, with its place in the conversation where there were several."""
    for row in rows:
        of_sides = {f"{name}_{side}" for name in ("model", _CHAT, *_TEXTS) for side in _SIDES}
        shared = {name: text for name, text in row.values.items() if name not in of_sides}
        for side in _SIDES:
            for told in _answers(shared, row.values, side):
                yield replace(row, values={**shared, "model": row.values[f"model_{side}"], **told})


def _answers(shared: Mapping[str, str], values: Mapping[str, str], side: str) -> Iterator[Mapping[str, str]]:
    chat = parsed(values.get(f"{_CHAT}_{side}", ""))
    if isinstance(chat, list):
        yield from (row.values for row in record_rows([(0, {"messages": chat})]))
        return
    said = _listed(next((values[name] for name in (f"{text}_{side}" for text in _TEXTS) if name in values), ""))
    beside = {name: _listed(text) for name, text in shared.items() if text[:1] == "["}
    for turn, answer in enumerate(said):
        own = {name: texts[turn] for name, texts in beside.items() if len(texts) == len(said)}
        yield {**own, "response": answer, **({"turn": str(turn + 1)} if len(said) > 1 else {})}


def _listed(cell: str) -> list[str]:
    """The texts of a JSON list; *cell* alone where it holds another thing."""
    told = parsed(cell) if cell[:1] == "[" else None
    return (
        [text or "" for text in told]
        if isinstance(told, list) and all(isinstance(x, str | None) for x in told)
        else [cell]
    )
