"""One line on standard error that says how far something is."""

import sys


class TerminalLine:
    """Each line overwrites the one before, on a terminal only: a file would keep them all."""

    def __init__(self) -> None:
        self._shown = ""

    def show(self, line: str) -> None:
        if sys.stderr.isatty() and line != self._shown:
            print(f"\r{line:<{len(self._shown)}}", end="", file=sys.stderr, flush=True)
            self._shown = line

    def clear(self) -> None:
        if self._shown:
            print(f"\r{'':<{len(self._shown)}}\r", end="", file=sys.stderr, flush=True)
            self._shown = ""
