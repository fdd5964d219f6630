"""Files that are there whole or not at all."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def whole_file(target: Path) -> Iterator[Path]:
    """A path beside *target* to write to; it takes *target*'s place when the block ends well, and goes when it does
    not. Raises `OSError`."""
    # Cut, because a name that fills the 255 bytes of most file systems would be too long with what is added. With the
    # process's number, so that two programs that write to one place do not write into each other's file.
    beside = target.with_name(f".{target.name[:80]}.{os.getpid()}.part")
    try:
        yield beside
        beside.replace(target)
    finally:
        # After a rename nothing is there any more.
        with suppress(OSError):
            beside.unlink()
