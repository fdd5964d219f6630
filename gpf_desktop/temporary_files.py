"""Temporary files of SQLite where Python has its own."""

import os
from contextlib import suppress


def in_one_place() -> None:
    """Call before sqlite3 is imported, which reads this once.

    Python passes over a TMPDIR that is full or cannot be written. SQLite would sort there all the same, and end a
    command after minutes of work.
    """
    if "TMPDIR" not in os.environ or "SQLITE_TMPDIR" in os.environ:
        return
    import tempfile

    # Where none can be written Python says so itself, once one is needed.
    with suppress(OSError):
        os.environ["SQLITE_TMPDIR"] = tempfile.gettempdir()
