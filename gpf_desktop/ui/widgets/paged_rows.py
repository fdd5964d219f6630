"""Rows that are loaded as they are looked at, whatever shows them."""

from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Generic, TypeVar

R = TypeVar("R")
K = TypeVar("K")
Load = Callable[[Sequence[K], Callable[[Sequence[R]], None]], object]
"""Must not block; hands the rows of some keys to its second argument on the GUI thread, as `Bridge.run` does."""


class PagedRows(Generic[K, R]):
    """Some thousand rows by key; those seen longest ago are let go."""

    KEPT = 4000

    def __init__(self, load: Load[K, R], key: Callable[[R], K], arrived: Callable[[], object]) -> None:
        self._load = load
        self._key = key
        self._arrived = arrived
        self._rows: OrderedDict[K, R] = OrderedDict()
        self._asked: set[K] = set()
        self._generation = 0

    def get(self, key: K) -> R | None:
        """The row of *key*; None while it is not there."""
        row = self._rows.get(key)
        if row is not None:
            self._rows.move_to_end(key)
        return row

    def want(self, keys: Iterable[K]) -> None:
        """Load the rows of those of *keys* that are not there and were not asked for."""
        if wanted := [key for key in keys if key not in self._rows and key not in self._asked]:
            self._asked.update(wanted)
            self._ask(wanted)

    def renew(self, keys: Collection[K], most: int) -> None:
        """Load those of *keys* that are there again (all where empty); the old rows are shown until the new ones come.

        Of more than *most* only those seen last: the others are let go.
        """
        wanted = set(keys or self._rows)
        newest = [key for key in reversed(self._rows) if key in wanted]
        for key in newest[most:]:
            del self._rows[key]
        if newest:
            self._ask(newest[:most])

    def forget(self) -> None:
        """None is there any more, nor will be what was asked for."""
        self._generation += 1
        self._rows.clear()
        self._asked.clear()

    def _ask(self, keys: Sequence[K]) -> None:
        generation = self._generation
        self._load(keys, lambda rows: self._take(generation, rows))

    def _take(self, generation: int, rows: Sequence[R]) -> None:
        if generation != self._generation:
            return
        for row in rows:
            key = self._key(row)
            self._rows[key] = row
            self._rows.move_to_end(key)
            # A key that no row came for stays asked for: another try would find no more.
            self._asked.discard(key)
        while len(self._rows) > self.KEPT:
            self._rows.popitem(last=False)
        self._arrived()
