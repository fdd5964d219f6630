"""One set-up at a time in one folder, whoever started it; the operating system lets go when a process dies."""

import contextlib
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

from bootstrapping.machine import CannotSetUp


@contextlib.contextmanager
def locked(path: Path, on_wait: Callable[[], None]) -> Iterator[None]:
    """Hold the lock file *path*; calls *on_wait* once if somebody else holds it."""
    try:
        # Never removed: whoever waits for this file and whoever made a new one of its name would both hold the lock.
        file = path.open("a+b")
    except OSError as error:
        raise CannotSetUp(
            f"This folder cannot be written to ({error.strerror}); "
            f"copy the project to a folder of your own and run the same command there."
        ) from error
    with file:
        if not _take(file):
            on_wait()
            # Asked again and again: Windows gives up waiting by itself after ten seconds, and Ctrl+C is to be heard.
            while not _take(file):
                time.sleep(0.2)
        yield


if sys.platform == "win32":
    import msvcrt

    def _take(file: IO[bytes]) -> bool:
        # The lock is on the byte at the file's place, which opening for appending leaves at the end.
        file.seek(0)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _take(file: IO[bytes]) -> bool:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
