"""Whether names of models and readers are hidden from who reads at this machine."""

from collections.abc import Callable
from dataclasses import dataclass


def _never() -> bool:
    return False


@dataclass(slots=True)
class _Reading:
    """The way in which the reviewer at this machine reads the open audit."""

    hidden: Callable[[], bool] = _never


_reading = _Reading()


def hide_names_while(hidden: Callable[[], bool] = _never) -> None:
    """Hide names from now on while *hidden*, which asks neither disk nor engine, says so."""
    _reading.hidden = hidden


def names_hidden() -> bool:
    """Whether the reviewer at this machine reads with names hidden."""
    return _reading.hidden()
