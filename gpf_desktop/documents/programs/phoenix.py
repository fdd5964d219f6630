"""Spans of calls in the words of OpenInference, as Phoenix exports them: a table, or objects."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, Final

from gpf_desktop.documents.programs.flat_records import flat
from gpf_desktop.documents.tables import TableRow
from gpf_desktop.domain.text import tr

_INPUT, _OUTPUT = "attributes.input.value", "attributes.output.value"
_ASKED, _SAID = "attributes.llm.input_messages", "attributes.llm.output_messages"
_KINDS: Final = ("attributes.openinference.span.kind", "span_kind")


def is_record(names: Collection[str]) -> bool:
    """Whether an object, or a table, has such names."""
    pairs = ({_INPUT, _OUTPUT}, {_ASKED, _SAID})
    return any(pair <= {*names} for pair in pairs) and any(name in names for name in _KINDS)


def record_rows(records: Iterable[tuple[int, Mapping[str, Any]]]) -> Iterator[TableRow]:
    return table_rows(TableRow(number, flat(record)) for number, record in records)


def table_rows(rows: Iterable[TableRow]) -> Iterator[TableRow]:
    """A row for each call of a model; steps of other kinds are left out, and say so."""
    for row in rows:
        values = row.values
        kind = next((values[name] for name in _KINDS if values.get(name)), "")
        told = {
            "model": values.get("attributes.llm.model_name", ""),
            # Whole requests and replies as they were sent, or the text alone.
            "prompt": values.get(_INPUT) or values.get(_ASKED, ""),
            "response": values.get(_OUTPUT) or values.get(_SAID, ""),
            "error": values.get("status_message", "") if values.get("status_code", "").upper() == "ERROR" else "",
        }
        other = "" if kind.upper() in {"LLM", ""} else tr("it is a step of the kind {kind}", kind=kind[:40])
        yield TableRow(row.line, told, left_out=other)
