"""Keeps Python from looking for cycles while that would do harm."""

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager


class _Pauses:
    """Counter of overlapping pauses of the garbage collector, in any threads."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._count = 0
        self._collects = False

    def begin(self) -> None:
        with self._guard:
            if not self._count:
                self._collects = gc.isenabled()
                gc.disable()
            self._count += 1

    def end(self) -> None:
        with self._guard:
            self._count -= 1
            if not self._count and self._collects:
                gc.enable()


_pauses = _Pauses()


@contextmanager
def gc_paused() -> Iterator[None]:
    """Pause the garbage collector in every thread, until the last of the pauses that overlap is over.

    Of a widget in the middle of what Qt does with it: code of ours runs on the way, and Qt would go on with a widget
    that is gone. Of a million objects that are made and stay: walking over them again and again took a third of an
    import.
    """
    _pauses.begin()
    try:
        yield
    finally:
        _pauses.end()
