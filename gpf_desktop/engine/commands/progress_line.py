"""One line on standard error that says how far something is."""

import sys
from types import TracebackType
from typing import Self


class ProgressLine:
    """A line on a terminal in which each text overwrites the one before; in a file nothing is written. ``with`` clears
    it."""

    def __init__(self) -> None:
        self._shown = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.clear()

    def show(self, line: str) -> None:
        if sys.stderr.isatty() and line != self._shown:
            print(f"\r{line:<{len(self._shown)}}", end="", file=sys.stderr, flush=True)
            self._shown = line

    def told(self, doing: str, done: int, of: int | None) -> None:
        """A `domain.imports.Told`."""
        self.show(f"{doing} … {done / of:.0%}" if of else f"{doing} …")

    def clear(self) -> None:
        if self._shown:
            print(f"\r{'':<{len(self._shown)}}\r", end="", file=sys.stderr, flush=True)
            self._shown = ""
