"""Codes and memos in review packs: what goes out with a reviewer's readings, and what of it comes in."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, fields
from datetime import datetime, timedelta
from typing import Any, Final

from gpf_desktop.domain.codes import LONGEST_NAME, plain_name
from gpf_desktop.domain.reviews import SealedEntry, first_break
from gpf_desktop.domain.study_entries import check_content, join_study
from gpf_desktop.engine.review.code_service import MOST_GROUPS
from gpf_desktop.engine.review.signatures import Doubt, first_doubt
from gpf_desktop.storage import study_entries
from gpf_desktop.storage.times import as_text
from gpf_desktop.storage.writer import Connection

_FIELDS: Final = {field.name for field in fields(SealedEntry)} - {"reviewer"}


def written(connection: Connection, uuid: str, *, groups: bool) -> dict[str, Any]:
    """The part of a pack about the reviewer *uuid* beside their readings, with their *groups* if that is chosen."""
    entries = [
        {name: value for name, value in asdict(entry).items() if name != "reviewer"}
        for entry in study_entries.sealed(connection, uuid)
    ]
    told = study_entries.groups(connection).get(uuid, ()) if groups else ()
    return ({"study": entries} if entries else {}) | ({"groups": list(told)} if told else {})


def entries_of(uuid: str, data: Mapping[str, Any]) -> tuple[SealedEntry, ...]:
    """Raises `ValueError`, `KeyError` or `TypeError` where *data* is not as `written` gives it."""
    return tuple(_entry(uuid, each) for each in data.get("study", ()))


def groups_of(data: Mapping[str, Any]) -> tuple[str, ...]:
    """Raises as `entries_of`."""
    told = data.get("groups", [])
    if not isinstance(told, list) or len(told) > MOST_GROUPS:
        raise ValueError("groups")
    found = tuple(plain_name(each) for each in told)
    if not all(found) or any(len(each) > LONGEST_NAME for each in found):
        raise ValueError("groups")
    return found


def _entry(uuid: str, data: Mapping[str, Any]) -> SealedEntry:
    if set(data) != _FIELDS or not all(isinstance(value, str) for value in data.values()):
        raise ValueError("entry")
    check_content(data["action"], data["judgement"])
    moment = datetime.fromisoformat(data["at"])
    if moment.utcoffset() != timedelta() or as_text(moment) != data["at"]:
        raise ValueError("moment")
    return SealedEntry(reviewer=uuid, **data)


def new_of(connection: Connection, uuid: str, entries: Sequence[SealedEntry]) -> list[SealedEntry]:
    """The *entries* that this audit does not hold."""
    here = {entry.hash for entry in study_entries.sealed(connection, uuid)}
    return [entry for entry in entries if entry.hash not in here]


def broken_at(entries: Sequence[SealedEntry]) -> int | None:
    """The number of the first that was changed after it was sealed."""
    return first_break(list(entries))


def doubt(connection: Connection, uuid: str, entries: Sequence[SealedEntry], known: Collection[str]) -> Doubt | None:
    """The reason not to take *entries* as their author's; *known*: keys that sign the author's readings."""
    keys = {entry.key for entry in study_entries.sealed(connection, uuid) if entry.key} | set(known)
    return first_doubt(entries, keys, {entry.hash for entry in new_of(connection, uuid, entries)})


def merge(connection: Connection, uuid: str, entries: Sequence[SealedEntry], groups: Sequence[str]) -> int:
    """Take what is new of *entries*, and *groups* where there are any; how many entries were new."""
    held = study_entries.sealed(connection, uuid)
    new = new_of(connection, uuid, entries)
    there = {entry.hash for entry in entries}
    own = [entry for entry in held if entry.hash not in there]
    for entry in new:
        study_entries.store(connection, entry)
    if new and own:
        study_entries.store(connection, join_study((held[-1], entries[-1])))
    if groups:
        study_entries.set_groups(connection, uuid, groups)
    return len(new)
