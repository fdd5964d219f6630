"""Reports of garak: attempts with their outputs (``report.jsonl``), and hits (``hitlog.jsonl``)."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from gpf_desktop.documents.programs.chat_messages import said_by
from gpf_desktop.documents.programs.flat_records import mapping, words
from gpf_desktop.documents.tables import TableRow
from gpf_desktop.domain.responses import Missing

_EVALUATED = 2
"""Of an attempt's states the last: each earlier one stands in the file too."""


def is_record(record: Mapping[str, Any]) -> bool:
    return words(record.get("entry_type")) in {"start_run setup", "init", "attempt"} or (
        {"generator", "probe", "prompt", "output"} <= record.keys()
    )


def record_rows(records: Iterable[tuple[int, Mapping[str, Any]]]) -> Iterator[TableRow]:
    """A row for each output of each attempt that was evaluated."""
    model = ""
    for number, record in records:
        if record.get("entry_type") == "start_run setup":
            model = words(record.get("plugins.target_name") or record.get("plugins.model_name"))
        elif record.get("entry_type") == "attempt" and record.get("status") == _EVALUATED:
            outputs = record.get("outputs")
            asked = {"model": model, "probe": words(record.get("probe_classname")), **_asked(record.get("prompt"))}
            for repeat, output in enumerate(outputs if isinstance(outputs, list) else ()):
                yield TableRow(number, {**asked, "repeat": str(repeat) if repeat else "", **_said(output)})
        elif "generator" in record:
            its = {"model": words(record["generator"]), "probe": words(record.get("probe"))}
            yield TableRow(number, {**its, **_asked(record.get("prompt")), **_said(record.get("output"))})


def _asked(prompt: Any) -> dict[str, str]:
    """The last question of a conversation; older versions have a text."""
    turns = mapping(prompt).get("turns")
    if not isinstance(turns, list):
        return {"prompt": words(mapping(prompt).get("text") or prompt)}
    said = [{"role": each.get("role"), "content": _text(each.get("content"))} for each in map(mapping, turns)]
    return {"prompt": said_by(said, "user", last=True), "system": said_by(said, "system")}


def _said(output: Any) -> dict[str, str]:
    # An output that is null did not come.
    return {"response": "", "missing": Missing.UNKNOWN} if output is None else {"response": _text(output)}


def _text(message: Any) -> str:
    return words(message["text"] if "text" in mapping(message) else message)
