"""Reads words and structures that stand in a row; a file that somebody else made may hold anything there."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from functools import lru_cache
from typing import Any, Final, TypeVar

from gpf_desktop.domain.coordinates import Coordinates

W = TypeVar("W", bound=StrEnum)


class BadRowError(ValueError):
    """A row holds what this program never writes; `faults.translated` makes it a `StorageError`."""


OF_ODD_SHAPES: Final = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError)
"""What reading raises where something else stands than was expected."""


@contextmanager
def reading(what: str) -> Iterator[None]:
    """Raises what goes wrong inside, where *what* is made of a row, as `BadRowError`."""
    try:
        yield
    except BadRowError:
        raise
    except OF_ODD_SHAPES as error:
        raise BadRowError(f"{what}: {error!r}") from error


def structure(text: str) -> Any:
    """The JSON in *text*. Raises `BadRowError`."""
    try:
        return json.loads(text)
    except (ValueError, TypeError, RecursionError) as error:
        raise BadRowError(f"bad JSON: {error}") from error


@lru_cache(maxsize=4096)
def coordinates(text: str) -> Coordinates:
    """The coordinates in *text*, as `Coordinates.text` wrote them. Raises `BadRowError`."""
    try:
        return Coordinates.from_text(text)
    except (ValueError, TypeError, RecursionError) as error:
        raise BadRowError(f"no coordinates: {error}") from error


@lru_cache(maxsize=4096)
def joined_coordinates(texts: str) -> Coordinates:
    """The coordinates in the two lines of *texts*, as one. Raises `BadRowError`."""
    fixed, _, varying = texts.partition("\n")
    return coordinates(fixed).joined(coordinates(varying))


def word(kind: type[W], text: str) -> W:
    """The member of *kind* that is written *text*. Raises `BadRowError`."""
    try:
        return kind(text)
    except ValueError as error:
        raise BadRowError(str(error)) from error
