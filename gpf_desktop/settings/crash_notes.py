"""Notes on what went wrong inside the program, in a file that can be sent in: without keys, and not for ever."""

import os
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import platformdirs

from gpf_desktop.domain.redaction import details_of

_KEPT: Final = 20
"""Files; older ones go."""


def folder() -> Path:
    """The folder in which the operating system wants logs of this user."""
    return platformdirs.user_log_path("gpf-desktop", appauthor=False)


def keep_details(error: BaseException) -> Path | None:
    """Write the traceback of *error*, secrets removed, for this user's eyes; None where nothing can be written."""
    name = f"crash-{datetime.now(UTC):%Y%m%d-%H%M%S}-{os.getpid()}.txt"
    try:
        place = folder()
        place.mkdir(parents=True, exist_ok=True)
        path = place / name
        # With its mode from the first moment: a file that is narrowed later can be opened in between.
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(details_of(error).encode("utf-8", "replace"))
    except OSError:
        return None
    # Names begin with the time, so the oldest come first.
    for old in sorted(place.glob("crash-*.txt"))[:-_KEPT]:
        with suppress(OSError):
            old.unlink()
    return path
