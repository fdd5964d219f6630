"""Audits whose stored counts were found right when they were closed, told by how their files lay there then.

Counting every cell at each opening took a tenth of it. A file that is the very one that this program closed holds what
was counted then; whatever another program writes into it gives it another time. Kept in the user's cache folder, one
small file for each audit's place.
"""

import os
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

import platformdirs


def are_right(path: Path) -> bool:
    """Whether the audit at *path* is the one that was counted last."""
    try:
        return _place(path).read_text(encoding="ascii") == _as_it_lies(path)
    except (OSError, ValueError):
        return False


def keep(path: Path) -> None:
    """The audit at *path*, which is closed, counts right as it lies there. What cannot be kept is not said."""
    with suppress(OSError):
        found = path.stat()
        # To a nanosecond that no clock of a file system ticks at: a change within the same tick is seen too.
        own = found.st_mtime_ns - found.st_mtime_ns % 1000 - 1
        os.utime(path, ns=(found.st_atime_ns, own))
        if path.stat().st_mtime_ns != own:
            return
        place = _place(path)
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        beside = place.with_suffix(f".{os.getpid()}")
        try:
            beside.write_text(_as_it_lies(path), encoding="ascii")
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
