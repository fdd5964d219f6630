"""StereoSet's own ``dev.json`` (Nadeem, Bethke and Reddy 2021), which an auditor downloads: none of it is shipped here.

``{"version": …, "data": {"intersentence": [item, …], "intrasentence": [item, …]}}``; an item has ``id``, ``target``,
``bias_type``, ``context`` and three ``sentences``, each with ``sentence`` and ``gold_label``.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from gpf_desktop.documents.encodings import file_text
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.text import tr
from gpf_desktop.methods.contextual_stereoset.items import (
    ChoiceItem,
    ItemSet,
    checked,
    type_said,
    without_doubles,
)

PARTS: Final = ("intersentence", "intrasentence")
GOLD: Final = ("stereotype", "anti-stereotype", "unrelated")
LICENCE: Final = "CC BY-SA 4.0"


def read_dev_json(path: Path) -> ItemSet:
    """The items of the file at *path*. Raises `UserError` naming the line of what is wrong."""
    written = file_text(path)
    data = _object(written, path)
    parts = data.get("data")
    if not isinstance(parts, dict) or not any(isinstance(parts.get(part), list) for part in PARTS):
        raise UserError(
            tr("{file} has no “data” with “intersentence” or “intrasentence”.", file=path.name),
            tr("Choose the file dev.json that the authors of StereoSet publish."),
        )
    places = _Places(written)
    items = without_doubles([_item(places, part, number, each) for part, number, each in _entries(parts)])
    return ItemSet(items=items, source=_source(path, data, parts, items))


def _object(written: str, path: Path) -> Mapping[str, object]:
    if not written.strip():
        raise UserError(tr("{file} is empty.", file=path.name), tr("Download the file again."))
    try:
        data = json.loads(written)
    except json.JSONDecodeError as error:
        raise UserError(
            tr("Line {line} of {file} is not JSON: {why}.", line=error.lineno, file=path.name, why=error.msg),
            tr("Download the file again."),
        ) from error
    except (RecursionError, ValueError) as error:
        # Nested too deep, or a number of more digits than `int` reads.
        raise UserError(tr("{file} is JSON that cannot be read.", file=path.name), details=str(error)) from error
    if not isinstance(data, dict):
        raise UserError(tr("{file} is JSON, but not an object.", file=path.name), tr("Choose StereoSet’s dev.json."))
    return data


def _entries(parts: Mapping[str, object]) -> Iterator[tuple[str, int, object]]:
    for part in PARTS:
        entries = parts.get(part, [])
        if not isinstance(entries, list):
            raise UserError(tr("“{part}” is not a list of items.", part=part), tr("Download the file again."))
        for number, entry in enumerate(entries, start=1):
            yield part, number, entry


class _Places:
    """The places of items in the file, for messages: asked for in its order, so that all of it is walked once."""

    def __init__(self, written: str) -> None:
        self._written = written
        self._at, self._line = 0, 1

    def of(self, part: str, number: int, entry: object) -> str:
        key = json.dumps(entry.get("id"), ensure_ascii=False) if isinstance(entry, dict) else ""
        found = self._written.find(key, self._at) if key else -1
        # An id that the file writes with escapes is not found: the line stays that of the item before.
        if found > 0:
            self._line += self._written.count("\n", self._at, found)
            # Behind it, so that a second item of the same id is found at its own line.
            self._at = found + len(key)
        return tr("Line {line}, {part} {number}", line=self._line, part=part, number=number)


def _item(places: _Places, part: str, number: int, entry: object) -> tuple[str, ChoiceItem]:
    where = places.of(part, number, entry)
    if not isinstance(entry, dict):
        raise UserError(tr("{where}: this is no item.", where=where), tr("Download the file again."))
    kind = type_said(_text(entry, "bias_type", where), where)
    by_label = _by_label(entry.get("sentences"), where)
    item = ChoiceItem(
        id=_text(entry, "id", where),
        group=kind,
        target=_text(entry, "target", where),
        text=_text(entry, "context", where),
        options=(by_label[GOLD[0]], by_label[GOLD[1]], by_label[GOLD[2]]),
    )
    return where, checked(item, where)


def _by_label(sentences: object, where: str) -> Mapping[str, str]:
    found = [
        (_text(sentence, "gold_label", where), _text(sentence, "sentence", where))
        for sentence in (sentences if isinstance(sentences, list) else [])
        if isinstance(sentence, dict)
    ]
    labels = [label for label, _ in found]
    if sorted(labels) != sorted(GOLD):
        said = ", ".join(labels) or tr("not at all")
        raise UserError(
            tr("{where}: its sentences are labelled {found}.", where=where, found=said),
            tr("Each of {labels} is needed once.", labels=", ".join(GOLD)),
        )
    return dict(found)


def _text(entry: Mapping[str, object], field: str, where: str) -> str:
    value = entry.get(field)
    if not isinstance(value, str):
        raise UserError(
            tr("{where}: “{field}” is missing or no text.", where=where, field=field), tr("Download the file again.")
        )
    return value.strip()


def _source(path: Path, data: Mapping[str, object], parts: Mapping[str, object], items: Sequence[ChoiceItem]) -> str:
    groups = Counter(item.group for item in items)
    return tr(
        "{file}: StereoSet {version}, {n} items ({parts}; {types}), {licence}",
        file=path.name,
        version=data.get("version", tr("of no stated version")),
        n=len(items),
        parts=", ".join(f"{len(entries)} {part}" for part in PARTS if isinstance(entries := parts.get(part), list)),
        types=", ".join(f"{groups[each]} {each}" for each in sorted(groups)),
        licence=LICENCE,
    )
