"""What pip is doing, told while it does it: a set-up takes minutes, and silence looks like a fault."""

import re
import sys
import threading
from collections.abc import Callable
from pathlib import Path

_DOWNLOAD = re.compile(
    r"\s*(?:Downloading|Using cached) (?:\S*/)?(?P<name>\w+)-(?P<version>[^-\s]+)-\S+\.whl \((?P<size>[^)]+)\)"
)
_INSTALLING = "Installing collected packages: "
STEP = 10
"""Libraries put into place between one line and the next."""


class Progress:
    """Takes pip's lines as they come; a terminal gets one line that changes, a log a line for each."""

    def __init__(self, site: Callable[[], int], *, terminal: bool | None = None) -> None:
        """*site* counts the libraries that are in place."""
        self._site = site
        self._terminal = sys.stderr.isatty() if terminal is None else terminal
        self._here = 0
        self._width = 0
        self._over = threading.Event()
        self._counting: threading.Thread | None = None

    def take(self, line: str) -> None:
        """Look at one line of pip's."""
        if found := _DOWNLOAD.match(line):
            self._here += 1
            # pip names libraries as it fetches them, so how many there will be is not known before the last.
            self._show(f"  library {self._here}: {found['name']} {found['version']}, {found['size']}")
        elif line.startswith(_INSTALLING):
            total = line.count(",") + 1
            if total > STEP:
                self._counting = threading.Thread(target=self._count, args=(total, self._site()), daemon=True)
                self._counting.start()

    def end(self) -> None:
        """pip is done; safe to call where nothing was told."""
        self._over.set()
        if self._counting is not None:
            self._counting.join()
        if self._width:
            print(f"\r{'':<{self._width}}\r", end="", file=sys.stderr, flush=True)

    def _count(self, total: int, before: int) -> None:
        # pip names all that it will put into place in one line and says nothing more until it is done.
        told = -STEP
        while not self._over.wait(0.5):
            done = min(total, self._site() - before)
            if done >= told + (1 if self._terminal else STEP):
                told = done
                self._show(f"  {done} of {total} libraries in place")

    def _show(self, line: str) -> None:
        if self._terminal:
            print(f"\r{line:<{self._width}}", end="", file=sys.stderr, flush=True)
            self._width = max(self._width, len(line))
        else:
            print(line, file=sys.stderr, flush=True)


def installed(environment: Path) -> int:
    """How many libraries are in place in the virtual *environment*."""
    places = ("lib/python*/site-packages", "Lib/site-packages")
    return sum(1 for place in places for _ in environment.glob(f"{place}/*.dist-info"))
