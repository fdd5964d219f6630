"""Nested records as rows of named texts."""

import json
import math
from collections.abc import Iterator, Mapping
from typing import Any


class Nested(str):
    """A list or an object, as JSON: no answer where it stands in the place of one, unless it is a reply."""

    __slots__ = ()


def flat(record: Mapping[str, Any]) -> dict[str, str]:
    """*record* with what is nested by its path; lists stand as JSON."""
    return dict(flat_pairs(record))


def flat_pairs(record: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, str]]:
    """The pairs of `flat`; a name may come twice, for neither capitals nor white space, nor a path from a name with a
    point, are told apart."""
    for name, value in record.items():
        key = f"{before}{name}".strip().lstrip("\ufeff").lower()
        # A bound, because names grow with the depth and a hostile file may nest as far as the JSON reader goes.
        if isinstance(value, dict) and before.count(".") < 8:
            yield from flat_pairs(value, f"{key}.")
        else:
            yield key, words(value)


def words(value: Any) -> str:
    """*value* as a cell of a table has it."""
    match value:
        case str():
            return value
        case None | float() if value is None or not math.isfinite(value):
            return ""
        case bytes():
            # Parquet's texts of older writers, which do not say that they are any.
            return value.decode("utf-8", "replace")
        case bool():
            # As tables of text say it, so that flags are read alike whatever file they come from.
            return "yes" if value else ""
        case dict() | list():
            return Nested(json.dumps(value, ensure_ascii=False, default=str))
        case _:
            return str(value)


def mapping(value: Any) -> Mapping[str, Any]:
    """*value* where it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def first_of(value: Any) -> Mapping[str, Any]:
    """The first entry of a list where it is an object, else an empty one."""
    return mapping(value[0]) if isinstance(value, list) and value else {}
