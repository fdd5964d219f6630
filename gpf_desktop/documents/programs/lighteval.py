"""Details of lighteval: a row for each document, with the model's texts in a list."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from gpf_desktop.documents.programs.flat_records import mapping, words
from gpf_desktop.documents.tables import TableRow
from gpf_desktop.domain.responses import Missing

_DETAILS = "details"


def is_record(record: Mapping[str, Any]) -> bool:
    return "query" in mapping(record.get("doc")) and "text" in mapping(record.get("model_response"))


def record_rows(records: Iterable[tuple[int, Mapping[str, Any]]], path: Path) -> Iterator[TableRow]:
    """A row for each text; of a document that was scored by likelihoods one that says that there is none."""
    model = _model(path)
    for number, record in records:
        doc, reply = mapping(record["doc"]), mapping(record["model_response"])
        told = {
            **({"model": model} if model else {}),
            "question": words(doc.get("query")),
            "system": words(doc.get("instruction")),
            "task": words(doc.get("task_name")),
        }
        texts, thoughts = reply.get("text"), reply.get("reasonings")
        given = texts if isinstance(texts, list) else [texts]
        if not given:
            none = {"response": "", "missing": Missing.UNREADABLE, "error": "likelihoods and no text"}
            yield TableRow(number, {**told, **none})
        for repeat, text in enumerate(given):
            thought = thoughts[repeat] if isinstance(thoughts, list) and repeat < len(thoughts) else ""
            before = f"<think>{thought}</think>" if thought else ""
            yield TableRow(number, {**told, "repeat": str(repeat or ""), "response": before + words(text)})


def _model(path: Path) -> str:
    """The model's name from the folders below ``details``, the last of which is a date; a file
    alone does not say it."""
    folders = path.absolute().parts
    if _DETAILS not in folders:
        return ""
    return "/".join(folders[len(folders) - folders[::-1].index(_DETAILS) : -2])
