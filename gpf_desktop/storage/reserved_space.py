"""Room kept free beside an open audit, given back when its disk is full so that what was received can be saved."""

import os
from contextlib import suppress
from pathlib import Path
from typing import Final

RESERVED_BYTES: Final = 8 * 2**20
"""Some thousand answers with their indexes."""
_BLOCK: Final = 2**20


class ReservedSpace:
    """A hidden file beside the audit at *path*; gone while the audit is closed."""

    def __init__(self, path: Path) -> None:
        self.path = path.with_name(f".{path.name}.reserved")
        self._older = path.with_name(f".{path.name}.ballast")
        """What earlier versions called it: one that was killed left it."""

    def take(self) -> None:
        """Take the space, unless it is taken already. A disk without it is left alone: that is no reason to stop."""
        self._remove(self._older)
        with suppress(OSError):
            # One of another size was cut off by a kill or a full disk, and is written anew.
            if self.path.exists() and self.path.stat().st_size == RESERVED_BYTES:
                return
            try:
                with self.path.open("wb") as file:
                    # Random: a file system that packs zeros would keep no room for them. None looks further than a
                    # block for what it could pack, and eight random ones would take 20 ms at each opening.
                    file.write(os.urandom(_BLOCK) * (RESERVED_BYTES // _BLOCK))
            except OSError:
                self.release()

    def release(self) -> None:
        self._remove(self.path)

    @staticmethod
    def _remove(path: Path) -> None:
        with suppress(OSError):
            path.unlink(missing_ok=True)
