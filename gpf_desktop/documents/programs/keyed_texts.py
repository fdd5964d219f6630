"""Answers by name, as scripts dump them: ``{"model": {"question": "answer"}}``, with lists or objects in the answers'
places, or with a wrapper around."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from gpf_desktop.documents.column_names import RESPONSE as CALLED_RESPONSE
from gpf_desktop.documents.level_names import (
    MODEL,
    NAME,
    NUMBER,
    QUESTION,
    REPEAT,
    RESPONSE,
    is_model,
    level_of,
    levels_of,
)
from gpf_desktop.documents.programs import arena
from gpf_desktop.documents.programs.flat_records import mapping

_ANSWERS: Final = frozenset({RESPONSE, *CALLED_RESPONSE})
_WRAPPERS: Final = _ANSWERS | {"answers", "results", "data", "items", "completions", "generations", "samples", "models"}
_ASKED: Final = frozenset({"question", "questions", "prompt", "prompts", "headline", "headlines", "items"})
_DEEPEST: Final = 4
_LEAST: Final = 2

_Found = tuple[tuple[str, ...], dict[str, Any]]
"""Keys from the outermost on, and what stands below them."""


def keyed_records(found: Any) -> list[dict[str, Any]]:
    """The rows of answers that *found* holds by name; nothing where it is of another shape."""
    if side := _side_by_side(mapping(found)):
        return side
    leaves = list(_leaves(found, ()))
    depths = {len(keys) for keys, _ in leaves}
    if len(depths) != 1 or depths == {0} or any(fields is _OTHER for _, fields in leaves):
        return []
    rows = _named(leaves)
    # One name above each text says too little where it is neither a model nor a question.
    return rows if depths != {1} or rows[0].keys() & {MODEL, QUESTION} else []


def models_apart(record: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """*record* once for each model or question that it has an answer of: in an object of its own, or a key each."""
    said = {name.strip().lower() for name in record}
    if len(wrapped := [name for name in record if name.strip().lower() in _WRAPPERS and _by_name(record[name])]) == 1:
        beside = {name: value for name, value in record.items() if name != wrapped[0]}
        leaves = list(_leaves(record[wrapped[0]], ()))
        if all(len(keys) == 1 and fields is not _OTHER for keys, fields in leaves):
            return [{**beside, **row} for row in _named(leaves, said)]
    models = [name for name, value in record.items() if is_model(name) and isinstance(value, str | None)]
    if len(models) < _LEAST or len(models) == len(record) or {MODEL, *_ANSWERS} & said or arena.is_table(said):
        return [record]
    beside = {name: value for name, value in record.items() if name not in models}
    return [{**beside, MODEL: name, RESPONSE: record[name]} for name in models]


def _by_name(value: Any) -> bool:
    return isinstance(value, dict) and level_of(list(map(str, value))) in (MODEL, QUESTION)


_OTHER: Final[dict[str, Any]] = {}
"""What is no answer."""


def _leaves(value: Any, keys: tuple[str, ...]) -> Iterator[_Found]:
    match value:
        case str() | None:
            yield keys, {RESPONSE: value}
        case [*texts] if texts and all(isinstance(each, str | None) for each in texts):
            yield from ((keys, {RESPONSE: text, NUMBER: place}) for place, text in enumerate(texts))
        case [*entries] if entries and all(isinstance(each, dict) for each in entries):
            yield from ((keys, entry) for entry in entries)
        case dict() if any(name.strip().lower() in _ANSWERS and isinstance(value[name], str) for name in value):
            yield keys, value
        case dict() if value and len(keys) < _DEEPEST:
            yield from _within(value, keys)
        case _:
            yield keys, _OTHER


def _within(value: Mapping[str, Any], keys: tuple[str, ...]) -> Iterator[_Found]:
    plain = {name: each for name, each in value.items() if isinstance(each, str | int | float | None)}
    nested = [name for name in value if name not in plain]
    if len(nested) == 1 and nested[0].strip().lower() in _WRAPPERS:
        yield from (
            (path, {**plain, **fields} if fields else _OTHER) for path, fields in _leaves(value[nested[0]], keys)
        )
        return
    for name, each in value.items():
        yield from _leaves(each, (*keys, name))


def _named(leaves: Sequence[_Found], taken: Iterable[str] = ()) -> list[dict[str, Any]]:
    """The rows of *leaves* with a column for each level of their keys."""
    inner = {*taken} | {name.strip().lower() for _, fields in leaves for name in fields}
    sets = [list(dict.fromkeys(keys)) for keys in zip(*(keys for keys, _ in leaves), strict=True)]
    levels = levels_of(sets, NAME, inner)
    numbered = REPEAT if QUESTION in {*levels, *inner} and REPEAT not in {*levels, *inner} else NUMBER
    rows = []
    for keys, fields in leaves:
        told = {numbered if name == NUMBER else name: value for name, value in fields.items()}
        rows.append({**dict(zip(levels, keys, strict=True)), **told})
    return rows


def _side_by_side(found: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The rows of lists of one length, of which one is called as what is asked is and the others as models are."""
    lists = {name: value for name, value in found.items() if isinstance(value, list)}
    asked = [name for name in lists if name.strip().lower() in _ASKED]
    models = [name for name in lists if is_model(name)]
    if len(asked) != 1 or not models or len({len(lists[name]) for name in (*asked, *models)}) != 1:
        return []
    called = asked[0].strip().lower().removesuffix("s")
    return [
        {called: text, MODEL: name, RESPONSE: answer}
        for name in models
        for text, answer in zip(lists[asked[0]], lists[name], strict=True)
    ]
