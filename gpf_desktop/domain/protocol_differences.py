"""The differences of two protocols of one method, field by field, read off their plain data."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Any, Final

from gpf_desktop.domain.text import tr

Place = tuple[str, ...]
_NAMES: Final = ("name", "label", "key")
"""Fields by which an entry of a list is told from the others, where every entry has one of its own."""
_MISSING: Final = object()


@dataclass(frozen=True, slots=True, kw_only=True)
class ProtocolDifference:
    """One field that two protocols fill differently."""

    field: str
    """Its place, in words: ``parts › Health › wordings › 2``."""
    before: str | None
    """None: the field is not there."""
    after: str | None


def differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[ProtocolDifference]:
    """Every field in which *after* differs, in the order of the file, but for the number of the version.

    Both as `Method.protocol_data` gives them. Entries of lists go by their names where they have some; others that were
    put in or taken out move none of those behind them.
    """
    return list(_of(_unnumbered(before), _unnumbered(after), ()))


def _unnumbered(data: Mapping[str, Any]) -> Mapping[str, Any]:
    return {name: value for name, value in data.items() if name != "version"}


def _of(old: Any, new: Any, place: Place) -> Iterator[ProtocolDifference]:
    if old == new:
        return
    kinds = [type(each) for each in (old, new) if each is not _MISSING]
    if all(issubclass(kind, Mapping) for kind in kinds):
        yield from _of_maps({} if old is _MISSING else old, {} if new is _MISSING else new, place)
    elif all(issubclass(kind, list | tuple) for kind in kinds):
        yield from _of_lists([] if old is _MISSING else old, [] if new is _MISSING else new, place)
    else:
        field = " › ".join(part.replace("_", " ") for part in place)
        yield ProtocolDifference(field=field, before=_words(old), after=_words(new))


def _of_maps(old: Mapping[str, Any], new: Mapping[str, Any], place: Place) -> Iterator[ProtocolDifference]:
    for name in (*old, *(name for name in new if name not in old)):
        yield from _of(old.get(name, _MISSING), new.get(name, _MISSING), (*place, str(name)))


def _of_lists(old: Sequence[Any], new: Sequence[Any], place: Place) -> Iterator[ProtocolDifference]:
    for name in _NAMES:
        ours, theirs = _by_name(old, name), _by_name(new, name)
        if ours is not None and theirs is not None:
            yield from _of_maps(ours, theirs, place)
            return
    # By their words: difflib hashes what it compares, and entries may be dictionaries.
    steps = SequenceMatcher(None, [*map(repr, old)], [*map(repr, new)], autojunk=False).get_opcodes()
    for tag, first, last, other_first, other_last in steps:
        if tag == "equal":
            continue
        pairs = zip_longest(old[first:last], new[other_first:other_last], fillvalue=_MISSING)
        for n, (one, other) in enumerate(pairs, start=1 + (first if tag == "delete" else other_first)):
            yield from _of(one, other, (*place, str(n)))


def _by_name(entries: Sequence[Any], name: str) -> dict[str, Any] | None:
    """None: not all of them have one, or two have the same."""
    if not all(isinstance(each, Mapping) and isinstance(each.get(name), str) for each in entries):
        return None
    found = {each[name]: each for each in entries}
    return found if len(found) == len(entries) else None


def _words(value: Any) -> str | None:
    if value is _MISSING:
        return None
    if value is None:
        return tr("not set")
    if isinstance(value, bool):
        return tr("yes") if value else tr("no")
    return str(value)
