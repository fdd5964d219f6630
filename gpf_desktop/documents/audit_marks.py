"""Marks that tell an audit, and the files that SQLite and this program keep beside it, from every other file.

An audit that this process has open is never opened a second time to look at it: on POSIX systems closing a file gives
up every lock that the process has on it, SQLite's too.
"""

from pathlib import Path
from typing import Final

APPLICATION_ID: Final = 0x47504641
"""``GPFA``, in the head of every audit."""
AUDIT_SUFFIX: Final = ".gpf"
_SQLITE: Final = b"SQLite format 3\0"
_ID_AT: Final = 68
_AFTER: Final = ("-wal", "-shm", "-journal")
_AROUND: Final = (".lock", ".reserved", ".ballast")
"""Of hidden files: ``.NAME.lock``."""
LONGEST_COMPANION: Final = len(".backup-format-999")
"""Bytes that the longest of the names beside an audit has more than the audit's own."""

_open_here: dict[tuple[int, int], Path] = {}


def held(path: Path) -> tuple[int, int]:
    """Remember that this process has the audit at *path* open; what is returned is for `released`. Raises `OSError`."""
    found = path.stat()
    _open_here[found.st_dev, found.st_ino] = path
    return found.st_dev, found.st_ino


def released(file: tuple[int, int]) -> None:
    """The audit is closed."""
    _open_here.pop(file, None)


def is_audit(path: Path) -> bool:
    """Whether an audit lies at *path*, or at the end of a link there, whatever it is called. Raises `OSError`.

    A file that ends in ``.gpf`` and holds anything is one too: its head may be what is damaged.
    """
    if not path.is_file():
        return False
    found = path.stat()
    if (found.st_dev, found.st_ino) in _open_here or (path.suffix.casefold() == AUDIT_SUFFIX and found.st_size):
        return True
    try:
        with path.open("rb") as file:
            head = file.read(_ID_AT + 4)
    except OSError:
        # Then nobody can tell, and it is the disk that says so when it is written to.
        return False
    return head.startswith(_SQLITE) and head[_ID_AT:] == APPLICATION_ID.to_bytes(4, "big")


def audit_beside(path: Path) -> Path | None:
    """The audit whose companion *path* is or would be; None: it belongs to none. Raises `OSError`."""
    owners = [path.with_name(path.name[: -len(end)]) for end in _AFTER if _ends(path.name, end)]
    if path.name.startswith("."):
        owners += [path.with_name(path.name[1 : -len(end)]) for end in _AROUND if _ends(path.name[1:], end)]
    return next((owner for owner in owners if is_audit(owner)), None) or _linked(path)


def _ends(name: str, end: str) -> bool:
    return len(name) > len(end) and name.casefold().endswith(end)


def _linked(path: Path) -> Path | None:
    """The audit open here whose companion *path* is by another name."""
    if not _open_here or not path.is_file():
        return None
    beside = [(audit, audit.with_name(f"{audit.name}{end}")) for audit in _open_here.values() for end in _AFTER]
    beside += [(audit, audit.with_name(f".{audit.name}{end}")) for audit in _open_here.values() for end in _AROUND]
    return next((audit for audit, each in beside if each.exists() and each.samefile(path)), None)
