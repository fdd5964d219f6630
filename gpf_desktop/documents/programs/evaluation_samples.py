"""Samples in the schema of Every Eval Ever: what was put in, and what came out of it, in a list."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from gpf_desktop.documents.programs.chat_messages import said_by
from gpf_desktop.documents.programs.flat_records import mapping, words
from gpf_desktop.documents.tables import TableRow


def is_record(record: Mapping[str, Any]) -> bool:
    return {"evaluation_name", "sample_id", "model_id", "input"} <= record.keys()


def record_rows(records: Iterable[tuple[int, Mapping[str, Any]]]) -> Iterator[TableRow]:
    """A row for each output of each sample; of a conversation the last answer, after its last question."""
    for number, record in records:
        turns = record.get("messages") or record.get("interactions")
        said = turns if isinstance(turns, list) else []
        output, asked = mapping(record.get("output")), mapping(record.get("input")).get("raw")
        raw = output.get("raw") if output else said_by(said, "assistant", last=True)
        trace = output.get("reasoning_trace")
        thought = "\n".join(map(words, trace)) if isinstance(trace, list) else words(trace)
        told = {
            "model": words(record["model_id"]),
            "id": words(record["sample_id"]),
            "task": words(record["evaluation_name"]),
            "question": said_by(asked, "user", last=True) or said_by(said, "user", last=True),
            "error": words(record.get("error")),
        }
        for repeat, text in enumerate(raw if isinstance(raw, list) else [raw]):
            before = f"<think>{thought}</think>" if thought else ""
            yield TableRow(number, {**told, "repeat": str(repeat or ""), "response": before + words(text)})
