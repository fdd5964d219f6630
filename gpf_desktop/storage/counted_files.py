"""Audits whose stored counts were found right when they were closed, told by how their files lay there then.

Counting every cell at each opening took a tenth of it. A file that is the very one that this program closed holds what
was counted then; whatever another program writes into it gives it another time. Kept in the user's cache folder, one
small file for each audit's place.
"""

import os
import time
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import Final

import platformdirs

_LONGEST_TICK: Final = 12_000_000
"""Nanoseconds within which two changes may get one time: systems count them by a hundredth of a second or finer."""


def are_right(path: Path) -> bool:
    """Whether the audit at *path* is the one that was counted last."""
    try:
        return _place(path).read_text(encoding="ascii") == _as_it_lies(path)
    except (OSError, ValueError):
        return False


def at_rest(path: Path) -> str:
    """How the audit at *path* lies there, in words for `keep`, said once a later change would have another time.

    Empty where that cannot be known: of a file system that keeps whole seconds, or whose clock is ahead of this one.
    """
    try:
        written = path.stat().st_mtime_ns
        left = written + _LONGEST_TICK - time.time_ns()
        if left > _LONGEST_TICK or not written % 1_000_000_000:
            return ""
        time.sleep(max(left, 0) / 1_000_000_000)
        return _as_it_lies(path)
    except OSError:
        return ""


def keep(path: Path, lay: str) -> None:
    """The audit at *path*, which is closed, counts right if it still lies as it *lay* before it was counted.

    What cannot be kept is not said.
    """
    with suppress(OSError):
        if not lay or _as_it_lies(path) != lay:
            return
        place = _place(path)
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        beside = place.with_suffix(f".{os.getpid()}")
        try:
            beside.write_text(lay, encoding="ascii")
            beside.replace(place)
        finally:
            beside.unlink(missing_ok=True)


def _as_it_lies(path: Path) -> str:
    found = path.stat()
    told = (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)
    return " ".join(map(str, told))


def _place(path: Path) -> Path:
    name = blake2b(os.fsencode(path.resolve()), digest_size=20).hexdigest()
    return platformdirs.user_cache_path("gpf-desktop", appauthor=False) / "counted" / name
