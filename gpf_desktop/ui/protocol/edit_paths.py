"""Changes to a protocol by the path of a field; each returns a protocol of its own."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, TypeVar

from gpf_desktop.domain.protocol_problems import Path

T = TypeVar("T")


def at(value: Any, path: Path) -> Any:
    """The value at *path* in *value*."""
    for part in path:
        value = value[part] if isinstance(part, int) else getattr(value, part)
    return value


def stands(value: Any, path: Path) -> bool:
    """Whether there is something at *path*."""
    try:
        at(value, path)
    except (LookupError, AttributeError):
        return False
    return True


def put(value: T, path: Path, new: Any) -> T:
    """*value* with *new* at *path*."""
    if not path:
        return new  # type: ignore[no-any-return]
    part, rest = path[0], path[1:]
    if isinstance(part, int):
        items = list(value)  # type: ignore[call-overload]
        items[part] = put(items[part], rest, new)
        return tuple(items)  # type: ignore[return-value]
    return replace(value, **{part: put(getattr(value, part), rest, new)})  # type: ignore[type-var]


def without(value: T, path: Path) -> T:
    """*value* without the item of a list at *path*."""
    items, number = at(value, path[:-1]), path[-1]
    return put(value, path[:-1], tuple(each for n, each in enumerate(items) if n != number))


def swapped(value: T, path: Path, other: int) -> T:
    """*value* with the item of a list at *path* and the one numbered *other* in each other's places."""
    items = list(at(value, path[:-1]))
    number = path[-1]
    assert isinstance(number, int)
    items[number], items[other] = items[other], items[number]
    return put(value, path[:-1], tuple(items))


def paths_without(paths: Iterable[Path], gone: Path) -> frozenset[Path]:
    """*paths* after the item at *gone* was removed."""
    depth, number = len(gone) - 1, gone[-1]
    assert isinstance(number, int)

    def shifted(path: Path) -> Path | None:
        if path[:depth] != gone[:-1] or len(path) <= depth or not isinstance(here := path[depth], int):
            return path
        return None if here == number else (*path[:depth], here - (here > number), *path[depth + 1 :])

    return frozenset(moved for path in paths if (moved := shifted(path)) is not None)


def paths_swapped(paths: Iterable[Path], moved: Path, other: int) -> frozenset[Path]:
    """*paths* after the items at *moved* and at number *other* beside it changed places."""
    depth = len(moved) - 1
    places = {moved[-1]: other, other: moved[-1]}
    return frozenset(
        (*path[:depth], places.get(path[depth], path[depth]), *path[depth + 1 :])
        if path[:depth] == moved[:-1] and len(path) > depth
        else path
        for path in paths
    )
