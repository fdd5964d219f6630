"""Translates SQLite's and the disk's errors into `StorageError`, in this one place."""

import errno
import os
import sqlite3
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from gpf_desktop.domain.disk_errors import fault_of
from gpf_desktop.domain.errors import StorageError, StorageFault
from gpf_desktop.domain.text import tr
from gpf_desktop.storage.stored import BadRowError

_PROBE: Final = 2**16
"""Bytes that are written to find out what the disk says: SQLite keeps the kind of error and not its number."""
_Fault = Callable[[Path, str], StorageError]


@contextmanager
def translated(path: Path, *, part: Path | None = None) -> Iterator[None]:
    """Raises what goes wrong with *path* inside the block as a `StorageError` with a remedy.

    *part*: the file that is written and then takes its place.
    """
    try:
        yield
    except sqlite3.Error as error:
        fault = _of_sqlite(path, error, part or path)
        if fault is None:
            raise
        raise fault from error
    except (BadRowError, UnicodeDecodeError) as error:
        # Python cannot read what SQLite says of a table whose definition is no text.
        raise damaged(path, str(error)) from error
    except OSError as error:
        raise of_os(path, error) from error


_LONGEST_NAME: Final = 60
_of_functions: Final = threading.local()


def remember(error: Exception) -> None:
    """Keep, for this thread, what a function that SQLite called raised: `translated` raises it in the place of SQLite's
    word that one failed."""
    _of_functions.error = error


def _of_sqlite(path: Path, error: sqlite3.Error, written: Path) -> StorageError | None:
    """None: our own mistake (a bad statement, a broken constraint), which must surface as what it is."""
    if "user-defined function" in str(error) and (kept := _of_functions.__dict__.pop("error", None)):
        raise kept from error
    # Errors that Python's module raises by itself have no code. The lowest byte of one is what it is a special case of.
    code = getattr(error, "sqlite_errorcode", None)
    primary = None if code is None else code & 0xFF
    details = str(error)
    told = _TOLD.get(code) or _TOLD.get(primary)
    if primary in _OF_THE_DISK and code not in _TOLD:
        told = _kept_from(written) or _OF_THE_DISK[primary]
    # SQLite sorts in files of its own elsewhere.
    if primary == sqlite3.SQLITE_FULL and _kept_from(written) is None and _kept_from(temporary := _temporary()):
        return temporary_full(temporary.parent, details)
    if told is not None:
        return told(path, details)
    # Python's own error, with no code of SQLite's to tell it: a column of text holds other bytes.
    return damaged(path, details) if "Could not decode to UTF-8" in details else None


def _kept_from(path: Path) -> _Fault | None:
    """The fault that keeps SQLite from writing *path*, found by writing a little beside it; None where nothing does."""
    try:
        with tempfile.TemporaryFile(dir=path.parent) as file:
            # As far in as the file is long: file systems and accounts have a largest file too.
            file.seek(max(_size(path), _size(path.with_name(f"{path.name}-wal"))))
            file.write(bytes(_PROBE))
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        # A folder that is there no more while a file in it is open: its drive has gone.
        kinds = {
            StorageFault.FULL: disk_full,
            StorageFault.UNREACHABLE: unreachable,
            StorageFault.MISSING: unreachable,
        }
        return kinds.get(fault_of(error))
    # What SQLite was writing may be gone by now, and no file here may become as large.
    return disk_full if _are_files_limited() else None


def _are_files_limited() -> bool:
    if sys.platform == "win32":
        return False
    import resource

    return resource.getrlimit(resource.RLIMIT_FSIZE)[0] != resource.RLIM_INFINITY


def _temporary() -> Path:
    """A file where SQLite puts those of its own."""
    if os.name == "nt":
        return Path(tempfile.gettempdir(), "gpf-desktop")
    # Not as Python looks for it, which passes over a full one.
    named = [Path(folder) for name in ("SQLITE_TMPDIR", "TMPDIR") if (folder := os.environ.get(name))]
    usual = [Path(os.sep, *parts) for parts in (("var", "tmp"), ("usr", "tmp"), ("tmp",))]
    usable = (each for each in (*named, *usual) if each.is_dir() and os.access(each, os.W_OK | os.X_OK))
    return next(usable, Path()) / "gpf-desktop"


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def of_os(path: Path, error: OSError) -> StorageError:
    """The error for what the disk said about *path*."""
    if error.errno == errno.EEXIST:
        return StorageError(
            tr("There is already a file {path}.", path=str(path)),
            tr("Choose another name, or open that file."),
            fault=StorageFault.READ_ONLY,
        )
    match fault_of(error):
        case StorageFault.FULL:
            return disk_full(path, str(error))
        case StorageFault.UNREACHABLE:
            return unreachable(path, str(error))
        case StorageFault.MISSING if not path.parent.is_dir():
            return no_folder(path.parent)
        case StorageFault.MISSING:
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


def temporary_full(folder: Path, details: str) -> StorageError:
    return StorageError(
        tr("The disk that holds {path}, the folder for temporary files, is full.", path=str(folder)),
        tr("Everything saved so far is safe. Free some space, then resume."),
        fault=StorageFault.FULL,
        details=details,
    )


def unreachable(path: Path, details: str) -> StorageError:
    return StorageError(
        tr("The disk or network drive that holds {path} does not answer.", path=str(path)),
        tr("Everything saved so far is safe. Connect it again, then try once more."),
        fault=StorageFault.UNREACHABLE,
        details=details,
    )


def foreign_journal(path: Path, _details: str = "") -> StorageError:
    name = f"{path.name}-journal"
    return StorageError(
        tr(
            "{path} was not opened: beside it lies {name}, the unfinished change of another database.",
            path=str(path),
            name=name,
        ),
        tr(
            "An audit has no such file, and opened together it would overwrite the audit."
            " Move {name} to another folder, then open the audit again. Nothing was changed.",
            name=name,
        ),
        fault=StorageFault.FOREIGN,
    )


def foreign_wal(path: Path) -> StorageError:
    name = f"{path.name}-wal"
    return StorageError(
        tr(
            "{path} was not opened: {name} beside it belongs to another file or an older copy.",
            path=str(path),
            name=name,
        ),
        tr(
            "Opened together it would overwrite the audit. If the audit is whole without it, move {name} to another"
            " folder. If not, copy both again from one place. Nothing was changed.",
            name=name,
        ),
        fault=StorageFault.FOREIGN,
    )


def cut_short(path: Path) -> StorageError:
    name = f"{path.name}-wal"
    return StorageError(
        tr(
            "{name} beside {path} holds what was saved last, and is damaged.",
            path=str(path),
            name=name,
        ),
        tr(
            "Copy both again from where they are whole. Else keep what can be read: gpf-desktop doctor {path}"
            " -o COPY.gpf. Nothing was changed.",
            path=str(path),
        ),
        fault=StorageFault.INCOMPLETE,
    )


def left_behind(path: Path, other: Path) -> StorageError:
    return StorageError(
        tr(
            "{path} was not written: {name} lies there, a part of a database that is missing.",
            path=str(path),
            name=other.name,
        ),
        tr("Choose another name, or move {name} to another folder. Nothing was changed.", name=other.name),
        fault=StorageFault.FOREIGN,
    )


def locked(path: Path, _details: str = "") -> StorageError:
    return StorageError(
        tr("{path} is open in another window or program.", path=str(path)),
        tr("Close it there first; one program writes an audit at a time."),
        fault=StorageFault.LOCKED,
    )


def read_only(path: Path, details: str) -> StorageError:
    # Not by opening it: closing it again would give up the locks that SQLite has on it.
    readable = os.access(path, os.R_OK, effective_ids=os.access in os.supports_effective_ids)
    if path.exists() and not readable:
        return StorageError(
            tr("{path} cannot be read.", path=str(path)),
            tr("Check the permissions of the file, or ask its owner for a copy."),
            fault=StorageFault.READ_ONLY,
            details=details,
        )
    return StorageError(
        tr("{path} cannot be opened for writing.", path=str(path)),
        tr("Check the permissions of the file and its folder, or save a copy elsewhere."),
        fault=StorageFault.READ_ONLY,
        details=details,
    )


def not_an_audit(path: Path, _details: str = "") -> StorageError:
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


def planted(path: Path, kind: str, name: str) -> StorageError:
    """For an audit in which another program made something of its own."""
    shown = name if len(name) <= _LONGEST_NAME and name.isprintable() else f"{ascii(name)[:_LONGEST_NAME]} …"
    if kind == "trigger":
        what = tr("{path} holds a trigger of another program: {name}.", path=str(path), name=shown)
        remedy = tr("It would change this audit by itself. Open a copy from before, or take it out.")
    else:
        what = tr("{path} holds what another program made in it: {name}.", path=str(path), name=shown)
        remedy = tr("Take it out by that program, or open a copy from before.")
    return StorageError(what, remedy, fault=StorageFault.DAMAGED, details=f"{kind} {shown}")


def unsound(path: Path, problem: str) -> StorageError:
    """The error for an audit that opens, and holds what this program never writes."""
    return StorageError(
        tr("{path} is damaged: {problem}.", path=str(path), problem=problem),
        tr(
            "Go back to a copy or backup from before. All that is wrong with it: gpf-desktop doctor {path}",
            path=str(path),
        ),
        fault=StorageFault.DAMAGED,
        details=problem,
    )


def incomplete(path: Path) -> StorageError:
    return StorageError(
        tr("{path} is a copy without its newest answers: it was copied while the audit was open.", path=str(path)),
        tr(
            "Copy it again when no program has it open, or together with its -wal file. Else keep what can be read:"
            " gpf-desktop doctor {path} -o COPY.gpf. Nothing was changed.",
            path=str(path),
        ),
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


def older(path: Path, version: int) -> StorageError:
    return StorageError(
        tr("{path} is of an earlier version of this program (format {n}).", path=str(path), n=version),
        tr("Open it in the window once: it is brought up to date, and a backup of it as it was is kept beside it."),
        fault=StorageFault.OLDER,
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


_TOLD: Final[Mapping[int | None, _Fault]] = {
    # Those of reading that say that the file ends too early, or holds other bytes than were written.
    sqlite3.SQLITE_IOERR_SHORT_READ: damaged,
    sqlite3.SQLITE_IOERR_DATA: damaged,
    sqlite3.SQLITE_IOERR_CORRUPTFS: damaged,
    sqlite3.SQLITE_READONLY_ROLLBACK: foreign_journal,
    sqlite3.SQLITE_FULL: disk_full,
    sqlite3.SQLITE_BUSY: locked,
    sqlite3.SQLITE_LOCKED: locked,
    sqlite3.SQLITE_READONLY: read_only,
    sqlite3.SQLITE_PERM: read_only,
    sqlite3.SQLITE_AUTH: read_only,
    sqlite3.SQLITE_NOTADB: not_an_audit,
    sqlite3.SQLITE_TOOBIG: too_large,
    sqlite3.SQLITE_CORRUPT: damaged,
    sqlite3.SQLITE_FORMAT: damaged,
}
"""By SQLite's code, extended or primary."""
_OF_THE_DISK: Final[Mapping[int | None, _Fault]] = {
    sqlite3.SQLITE_IOERR: unreachable,
    sqlite3.SQLITE_PROTOCOL: unreachable,
    sqlite3.SQLITE_CANTOPEN: read_only,
}
"""SQLite says that it cannot open a file, or that a write failed, whatever kept it from that: what is said where the
disk itself has nothing to say."""
