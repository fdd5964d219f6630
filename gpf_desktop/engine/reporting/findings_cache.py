"""Findings, and what is concluded from them, kept between calls for as long as the frames they were made of are."""

from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any, Final, TypeVar

from gpf_desktop.engine.reporting.score_frame import FrameTables

_Made = TypeVar("_Made")

_FILTERS: Final = 8
"""How many filters' findings are kept: those of Results, the report and its evidence."""


class FindingsCache:
    """Cache of findings, by what they were made from and by name. Threads may share it."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._found: dict[Hashable, dict[str, Any]] = {}

    def forget(self) -> None:
        with self._lock:
            self._found.clear()

    def of(self, key: tuple[FrameTables, Hashable], name: str, make: Callable[[], _Made]) -> _Made:
        """The cached result called *name* for *key* (its tables, filter and options); made by *make* if it is not
        there."""
        with self._lock:
            there: _Made | None = self._found.get(key, {}).get(name)
        if there is not None:
            return there
        # Made outside the lock, which would hold up every other thread for seconds.
        made = make()
        with self._lock:
            # Put in anew, so that the filter that was used longest ago is the first.
            self._found[key] = {**self._found.pop(key, {}), name: made}
            while len(self._found) > _FILTERS:
                del self._found[next(iter(self._found))]
        return made
