"""ChainForge's tables of responses, the objects that its nodes keep, and whole flows with both."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from gpf_desktop.documents.programs.flat_records import flat, mapping, words
from gpf_desktop.documents.tables import TableRow

FLOW: Final = ".cforge"
"""How the names of files of whole flows end."""
_LAST: Final = "responses_last_run"
_TEXTS: Final = "__s"
"""In a flow, the list of texts for which whole numbers stand in its responses."""
_INTERNED: Final = frozenset({"prompt", "responses", "vars", "metavars"})
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


def is_flow(document: Any) -> bool:
    return "flow" in mapping(document) and isinstance(mapping(document).get("cache"), dict)


def flow_records(document: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """What each node that asked models kept of its last run, as records of `record_rows`; nodes that only judge keep
    the same responses again."""
    cache = document["cache"]
    kept = [mapping(node).get(_LAST) for node in cache.values()]
    listed = cache.get(_TEXTS)
    texts = listed if isinstance(listed, list) else []
    return [_in_words(mapping(each), texts) for run in kept if isinstance(run, list) for each in run]


def _in_words(record: Mapping[str, Any], texts: Sequence[Any]) -> dict[str, Any]:
    def text(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: text(each) for name, each in value.items()}
        if isinstance(value, list):
            return [text(each) for each in value]
        return texts[value] if type(value) is int and 0 <= value < len(texts) else value

    return {name: text(value) if name in _INTERNED else value for name, value in record.items()}


def _renamed(name: str) -> str:
    return "model" if name in {"method", "llm"} else _VARIABLE.sub("vars.", name)
