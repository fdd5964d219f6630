"""lm-evaluation-harness' samples: a line for each document and filter, answers in lists of lists."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from gpf_desktop.documents.programs.flat_records import flat, words
from gpf_desktop.documents.tables import TableRow


def is_sample(record: Mapping[str, Any]) -> bool:
    return {"doc", "resps", "filtered_resps"} <= record.keys()


def sample_rows(
    records: Iterable[tuple[int, Mapping[str, Any]]], path: Path, beside: Sequence[Path] = ()
) -> Iterator[TableRow]:
    """A row for each answer to each document; what filters made of it stands beside, by their names. *beside*: all
    files that are read together.

    Each filter's line holds the same answers once more: as answers they are one.
    """
    model = _model(path, beside)
    by_document: dict[str, tuple[int, dict[str, Any], dict[str, str]]] = {}
    for number, record in records:
        key = words(record.get("doc_id")) or words(record.get("doc_hash")) or str(number)
        _, _, filtered = by_document.setdefault(key, (number, dict(record), {}))
        filtered[f"filter.{words(record.get('filter')) or 'none'}"] = words(_alone(record.get("filtered_resps")))
    for number, record, filtered in by_document.values():
        asked = {"doc": record["doc"]} if isinstance(record["doc"], dict) else {}
        prompt = record.get("arguments")
        common = {**flat(asked), "model": model, "prompt": _prompt(prompt), **filtered}
        for repeat, answer in enumerate(_answers(record.get("resps"))):
            yield TableRow(number, {**common, "repeat": str(repeat) if repeat else "", **answer})


def _answers(resps: Any) -> list[dict[str, str]]:
    """One for each sample of the first request; a likelihood is no answer, and is said to be none."""
    first = resps[0] if isinstance(resps, list) and resps else resps
    given = first if isinstance(first, list) else [first]
    return [
        {"response": each}
        if isinstance(each, str)
        else {"response": "", "missing": "unreadable", "error": "a likelihood and no text: " + words(each)[:60]}
        for each in given
    ]


def _alone(value: Any) -> Any:
    while isinstance(value, list) and len(value) == 1:
        value = value[0]
    return value


def _prompt(arguments: Any) -> str:
    """The text of the first request, which is a list of lists or an object of objects."""
    while isinstance(arguments, dict | list) and arguments:
        arguments = next(iter(arguments.values())) if isinstance(arguments, dict) else arguments[0]
    return words(arguments)


def _model(path: Path, beside: Sequence[Path]) -> str:
    """The model's name by the results beside the samples, or by their folder (``maker__model``), or by their file."""
    for results in sorted(path.parent.glob("results*.json"), reverse=True)[:20]:
        try:
            told = json.loads(results.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            continue
        if isinstance(told, dict) and (name := told.get("model_name")) and isinstance(name, str):
            return name
    folder = path.absolute().parent.name
    # A name without a maker shows in the folder where several models have one each.
    several = len({each.absolute().parent for each in beside}) > 1
    return folder.replace("__", "/") if "__" in folder or several else path.stem
