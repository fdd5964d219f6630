"""The lock beside an audit, by which programs of this kind know that one of them has it open."""

from pathlib import Path

from filelock import FileLock, Timeout

from gpf_desktop.domain.errors import StorageError, StorageFault
from gpf_desktop.storage import faults
from gpf_desktop.storage.faults import translated


def locked(path: Path) -> FileLock:
    """The lock of the audit at *path*, taken. Raises `StorageError`."""
    lock = _beside(path)
    with translated(path):
        if not path.parent.is_dir():
            raise faults.no_folder(path.parent)
        # Where it is the lock that keeps the audit from being opened, as one of another user, it is named.
        named = Path(lock.lock_file) if Path(lock.lock_file).exists() else path
    with translated(named):
        try:
            lock.acquire()
        except Timeout:
            raise faults.locked(path) from None
    return lock


def locked_to_read(path: Path) -> FileLock:
    """As `locked`; where nothing may be written beside the audit, as on a read-only drive, a lock that nobody holds.

    Whoever writes the audit from elsewhere has a -wal file there, and with one it is refused all the same.
    """
    try:
        return locked(path)
    except StorageError as error:
        if error.fault is not StorageFault.READ_ONLY or path.with_name(f"{path.name}-wal").exists():
            raise
        return _beside(path)


def _beside(path: Path) -> FileLock:
    # Not per thread: an audit is closed by another thread than the one that opened it.
    return FileLock(path.with_name(f".{path.name}.lock"), timeout=0, thread_local=False)
