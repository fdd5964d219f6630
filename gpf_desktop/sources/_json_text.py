"""JSON from outside as Python values, its faults as sentences."""

import json
from collections.abc import Iterable
from typing import Any

from gpf_desktop.documents.encodings import text
from gpf_desktop.domain.articles import Document
from gpf_desktop.domain.errors import SourceError
from gpf_desktop.domain.text import tr

JSON_LIMIT = 24 * 1024 * 1024
"""JSON must be read whole, and brackets take thirty times their size in memory."""


def read_json(document: Document) -> Any:
    """The whole body. Raises `SourceError` with the place of the fault."""
    if len(document.body) > JSON_LIMIT:
        size = JSON_LIMIT // (1024 * 1024)
        raise SourceError(
            tr("The JSON is larger than {size} MB.", size=size),
            tr("Give one object per line (JSONL), or fewer of them."),
        )
    try:
        return json.loads(text(document))
    except json.JSONDecodeError as error:
        raise SourceError(
            tr(
                "The JSON breaks at line {line}, column {column}: {why}.",
                line=error.lineno,
                column=error.colno,
                why=error.msg,
            )
        ) from error
    # CPython refuses to make an int of more than 4,300 digits, as a plain ValueError.
    except (RecursionError, ValueError) as error:
        raise SourceError(tr("The JSON is nested too deeply or holds a number that is too long.")) from error


def strings(record: Any, names: Iterable[str]) -> str:
    """The first text or number that *record* holds under one of *names*; objects are asked for their text."""
    if not isinstance(record, dict):
        return ""
    for name in names:
        value = record.get(name)
        if isinstance(value, dict):
            value = value.get("name") or value.get("title") or value.get("text") or value.get("rendered")
        if isinstance(value, str) and value.strip():
            return value
        if isinstance(value, int | float) and not isinstance(value, bool):
            return str(value)
    return ""
