"""Translates SQLite's and the disk's errors into `StorageError`, in this one place."""

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gpf_desktop.domain.errors import StorageError, StorageFault
from gpf_desktop.domain.text import tr
from gpf_desktop.storage.stored import BadRowError


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Raises what goes wrong with *path* inside the block as a `StorageError` with a remedy."""
    try:
        yield
    except sqlite3.Error as error:
        fault = _of_sqlite(path, error)
        if fault is None:
            raise
        raise fault from error
    except BadRowError as error:
        raise damaged(path, str(error)) from error
    except OSError as error:
        raise of_os(path, error) from error


def _of_sqlite(path: Path, error: sqlite3.Error) -> StorageError | None:
    """None: our own mistake (a bad statement, a broken constraint), which must surface as what it is."""
    # Errors that Python's module raises by itself have no code. The lowest byte of one is what it is a special case of.
    code = getattr(error, "sqlite_errorcode", None)
    primary = None if code is None else code & 0xFF
    details = str(error)
    match primary:
        case sqlite3.SQLITE_FULL:
            return disk_full(path, details)
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return locked(path)
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_PERM | sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_AUTH:
            return read_only(path, details)
        case sqlite3.SQLITE_NOTADB:
            return not_an_audit(path)
        case (
            sqlite3.SQLITE_TOOBIG
            | sqlite3.SQLITE_CORRUPT
            | sqlite3.SQLITE_IOERR
            | sqlite3.SQLITE_PROTOCOL
            | sqlite3.SQLITE_FORMAT
        ):
            return (too_large if primary == sqlite3.SQLITE_TOOBIG else damaged)(path, details)
        case _:
            # Python's own error, with no code of SQLite's to tell it: a column of text holds other bytes.
            return damaged(path, details) if "Could not decode to UTF-8" in details else None


def of_os(path: Path, error: OSError) -> StorageError:
    """What the disk said about *path*."""
    match error.errno:
        case errno.ENOSPC | errno.EDQUOT:
            return disk_full(path, str(error))
        case errno.EEXIST:
            return StorageError(
                tr("There is already a file {path}.", path=str(path)),
                tr("Choose another name, or open that file."),
                fault=StorageFault.READ_ONLY,
            )
        case errno.ENOENT:
            return StorageError(
                tr("There is no file {path}.", path=str(path)),
                tr("Check the name, or choose it with File › Open."),
                fault=StorageFault.MISSING,
            )
        case _:
            return read_only(path, str(error))


def disk_full(path: Path, details: str) -> StorageError:
    return StorageError(
        tr("The disk that holds {path} is full.", path=str(path)),
        tr("Everything saved so far is safe. Free some space, then resume."),
        fault=StorageFault.FULL,
        details=details,
    )


def locked(path: Path) -> StorageError:
    return StorageError(
        tr("{path} is open in another window or program.", path=str(path)),
        tr("Close it there first; one program writes an audit at a time."),
        fault=StorageFault.LOCKED,
    )


def read_only(path: Path, details: str) -> StorageError:
    return StorageError(
        tr("{path} cannot be opened for writing.", path=str(path)),
        tr("Check the permissions of the file and its folder, or save a copy elsewhere."),
        fault=StorageFault.READ_ONLY,
        details=details,
    )


def not_an_audit(path: Path) -> StorageError:
    return StorageError(
        tr("{path} is not an audit file of GPF Desktop.", path=str(path)),
        tr("Choose a file that ends in .gpf and was made by this program. It was left untouched."),
        fault=StorageFault.NOT_AN_AUDIT,
    )


def damaged(path: Path, details: str) -> StorageError:
    return StorageError(
        tr("{path} is damaged or incomplete.", path=str(path)),
        tr("Open the newest backup beside it. If it was copied, copy it again together with its -wal file."),
        fault=StorageFault.DAMAGED,
        details=details,
    )


def incomplete(path: Path) -> StorageError:
    return StorageError(
        tr("{path} is a copy without its newest answers: it was copied while the audit was open.", path=str(path)),
        tr("Copy it again with File › Save a copy, or together with its -wal file. It was left untouched."),
        fault=StorageFault.INCOMPLETE,
    )


def too_large(path: Path, details: str) -> StorageError:
    return StorageError(
        tr("{path} holds a text of more than 16 MB, which this program never writes.", path=str(path)),
        tr("It was not read. Ask whoever made the file for a sound copy."),
        fault=StorageFault.DAMAGED,
        details=details,
    )


def gone(path: Path) -> StorageError:
    return StorageError(
        tr("{path} was deleted, moved or replaced while it was open.", path=str(path)),
        tr("Nothing that was received is lost yet: choose File › Save a copy before you close the audit."),
        fault=StorageFault.GONE,
    )


def only_read(path: Path) -> StorageError:
    return StorageError(
        tr("{path} was opened for reading only.", path=str(path)),
        tr("Open it in the window to change it."),
        fault=StorageFault.READ_ONLY,
    )


def no_folder(path: Path) -> StorageError:
    return StorageError(
        tr("There is no folder {path}.", path=str(path)),
        tr("Make it first, or choose another folder."),
        fault=StorageFault.MISSING,
    )


def newer(path: Path, version: int, known: int) -> StorageError:
    return StorageError(
        tr(
            "{path} was made by a newer version of GPF Desktop (format {version}, this program knows {known}).",
            path=str(path),
            version=version,
            known=known,
        ),
        tr("Update the program. The file was left untouched."),
        fault=StorageFault.NEWER,
    )
