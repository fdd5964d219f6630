"""Logs of the program `llm`: ``llm logs list --json``, a record for each answer with the reply that it came in; the
``logs.db`` that these are from is read in `documents.databases`."""

from collections.abc import Mapping
from typing import Any, Final

from gpf_desktop.documents.programs.flat_records import mapping, words
from gpf_desktop.documents.programs.whole_replies import said_in

_MARKS: Final = frozenset({"conversation_id", "prompt", "response", "response_json"})
_BESIDE: Final = frozenset({"model", "prompt", "system", "options_json"})


def is_record(record: Mapping[str, Any]) -> bool:
    return record.keys() >= _MARKS


def answered(record: Mapping[str, Any]) -> Mapping[str, Any]:
    """The question and the answer of *record*, by the names of columns. Of a stream the last part alone is kept, with
    its ending."""
    reply = mapping(record.get("response_json"))
    told = said_in(reply) or {"finish": words(reply.get("finish_reason"))}
    thought = words(record.get("reasoning"))
    said = (f"<think>{thought}</think>" if thought else "") + words(record.get("response"))
    asked = {name: record[name] for name in _BESIDE if record.get(name)}
    return {**asked, **told, "response": said or told.get("response", "")}
