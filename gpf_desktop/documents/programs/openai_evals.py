"""Logs of OpenAI's evals: events of samples, of which ``sampling`` holds what was asked and answered."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from gpf_desktop.documents.programs.chat_messages import said_by
from gpf_desktop.documents.programs.flat_records import mapping, words
from gpf_desktop.documents.tables import TableRow


def is_record(record: Mapping[str, Any]) -> bool:
    return "completion_fns" in mapping(record.get("spec")) or (
        {"run_id", "event_id", "sample_id", "type", "data"} <= record.keys()
    )


def record_rows(records: Iterable[tuple[int, Mapping[str, Any]]]) -> Iterator[TableRow]:
    """A row for each sampled answer."""
    model = ""
    seen: Counter[str] = Counter()
    for number, record in records:
        if asked := mapping(record.get("spec")).get("completion_fns"):
            model = words(asked[0] if isinstance(asked, list) else asked)
        if record.get("type") != "sampling":
            continue
        data, sample = mapping(record.get("data")), words(record.get("sample_id"))
        prompt, sampled = data.get("prompt"), data.get("sampled")
        told = {
            "model": words(data.get("model")) or model,
            "id": sample,
            "prompt": said_by(prompt, "user", last=True),
            "system": said_by(prompt, "system") if isinstance(prompt, list) else "",
        }
        for answer in sampled if isinstance(sampled, list) else [sampled]:
            # A text that was completed has no messages, and an eval may ask more than once.
            yield TableRow(number, {**told, "repeat": str(seen[sample] or ""), "response": words(answer)})
            seen[sample] += 1
