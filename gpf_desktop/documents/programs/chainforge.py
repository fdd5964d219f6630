"""ChainForge's tables of responses, and the objects that its nodes keep."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, Final

from gpf_desktop.documents.programs.flat_records import flat, words
from gpf_desktop.documents.tables import TableRow

_MARKS: Final = frozenset({"prompt", "response", "batch id"})
_VARIABLE: Final = re.compile(r"(?:meta)?var: ", re.IGNORECASE)


def is_table(names: Collection[str]) -> bool:
    return set(names) >= _MARKS and ("method" in names or "llm" in names)


def table_rows(rows: Iterable[TableRow]) -> Iterator[TableRow]:
    """The same rows with the names that tables have elsewhere: its “Method” is the model."""
    for row in rows:
        yield TableRow(row.line, {_renamed(name): text for name, text in row.values.items()})


def is_record(record: Mapping[str, Any]) -> bool:
    return isinstance(record.get("responses"), list) and "llm" in record and "prompt" in record


def record_rows(records: Iterable[tuple[int, Mapping[str, Any]]]) -> Iterator[TableRow]:
    """A row for each response; several to one prompt are repeats."""
    for number, record in records:
        llm, responses = record.get("llm"), record.get("responses")
        model = (llm.get("model") or llm.get("name")) if isinstance(llm, dict) else llm
        beside = flat({name: record[name] for name in ("vars", "metavars") if isinstance(record.get(name), dict)})
        for repeat, response in enumerate(responses if isinstance(responses, list) else ()):
            said = {"model": words(model), "prompt": words(record.get("prompt")), "response": words(response)}
            yield TableRow(number, {**beside, **said, "repeat": str(repeat)})


def _renamed(name: str) -> str:
    return "model" if name in {"method", "llm"} else _VARIABLE.sub("vars.", name)
