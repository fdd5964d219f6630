"""Traces of MLflow: what a call was given and gave stands as JSON in its first span."""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from gpf_desktop.documents.programs.flat_records import mapping, words
from gpf_desktop.documents.tables import TableRow


def is_record(record: Mapping[str, Any]) -> bool:
    return isinstance(mapping(record.get("data")).get("spans"), list) and "info" in record


def record_rows(records: Iterable[tuple[int, Mapping[str, Any]]]) -> Iterator[TableRow]:
    for number, record in records:
        spans = [mapping(span) for span in mapping(record["data"])["spans"]]
        first = next((span for span in spans if not span.get("parent_id") and not span.get("parent_span_id")), {})
        attributes = mapping(first.get("attributes"))
        given, got = attributes.get("mlflow.spanInputs"), attributes.get("mlflow.spanOutputs")
        info = mapping(record["info"])
        failed = words(info.get("state") or info.get("status")) == "ERROR"
        yield TableRow(
            number,
            {
                "model": words(mapping(_parsed(given)).get("model")),
                "prompt": _text(given),
                "response": _text(got),
                "error": words(info.get("response_preview")) or "ERROR" if failed else "",
            },
        )


def _text(told: Any) -> str:
    """A text by itself, which JSON wraps in quotation marks; all else stays for whoever unwraps messages."""
    parsed = _parsed(told)
    return parsed if isinstance(parsed, str) else words(told)


def _parsed(told: Any) -> Any:
    try:
        return json.loads(told) if isinstance(told, str) else told
    except (ValueError, RecursionError):
        return told
