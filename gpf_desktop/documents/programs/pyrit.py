"""Memory of PyRIT as it is exported: a row for each piece of a message."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, Final

from gpf_desktop.documents.programs.flat_records import flat
from gpf_desktop.documents.tables import TableRow

_MARKS: Final = frozenset({"role", "conversation_id", "sequence", "converted_value", "original_value"})
_MODEL: Final = re.compile(r"""["'](?:underlying_)?model_name["']\s*:\s*["']([^"']+)["']""")
_FINE: Final = frozenset({"", "none"})


def is_record(record: Collection[str]) -> bool:
    """Whether an object, or a table, has such names."""
    return {*record} >= _MARKS


def record_rows(records: Iterable[tuple[int, Mapping[str, Any]]]) -> Iterator[TableRow]:
    return table_rows(TableRow(number, flat(record)) for number, record in records)


def table_rows(rows: Iterable[TableRow]) -> Iterator[TableRow]:
    """A row for each answer, with the question before it in its conversation, in whatever order they are exported."""
    told = [(row, _sequence(row)) for row in rows]
    asked: dict[str, list[tuple[int, str, str]]] = {}
    for row, at in told:
        values = row.values
        if values["role"] in {"user", "system"}:
            its = values.get("converted_value") or values["original_value"]
            asked.setdefault(values["conversation_id"], []).append((at, values["role"], its))
    for row, at in told:
        values = row.values
        if values["role"] != "assistant":
            continue
        before = sorted(each for each in asked.get(values["conversation_id"], ()) if each[0] <= at)
        fault = values.get("response_error", "")
        yield TableRow(
            row.line,
            {
                "model": _model(values),
                "system": next((text for _, role, text in before if role == "system"), ""),
                "prompt": next((text for _, role, text in reversed(before) if role == "user"), ""),
                "conversation": values["conversation_id"],
                "response": values.get("original_value", "") if fault in _FINE else "",
                "refused": "yes" if fault == "blocked" else "",
                "error": "" if fault in _FINE else fault,
            },
        )


def _sequence(row: TableRow) -> int:
    text = row.values["sequence"].removesuffix(".0")
    return int(text) if text.isascii() and text.isdecimal() else 0


def _model(values: Mapping[str, str]) -> str:
    target = "prompt_target_identifier"
    named = values.get(f"{target}.model_name") or values.get(f"{target}.underlying_model_name", "")
    found = _MODEL.search(values.get(target, ""))
    return named or (found[1] if found else "")
