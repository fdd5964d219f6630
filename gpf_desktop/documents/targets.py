"""Checks of where results may be written: the one place that every output path passes, of commands, dialogs and
services.

check_target    before anything is computed: a file that is to be written
check_folder    likewise, a folder that files are put into
check_audit     likewise, an audit that is to be made
guard           when the file takes its place: never over an audit, whoever writes
"""

import errno
import os
import stat
import unicodedata
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import platformdirs

from gpf_desktop.documents.audit_marks import AUDIT_SUFFIX, LONGEST_COMPANION, audit_beside, is_audit
from gpf_desktop.documents.unfinished import was_cut_off
from gpf_desktop.domain.disk_errors import fault_of
from gpf_desktop.domain.errors import GpfError, StorageError, StorageFault, UserError
from gpf_desktop.domain.text import tr

_LONGEST: Final = 255
"""Bytes of a name on nearly every file system, where the system does not tell."""
_OF_THE_NAME: Final = frozenset(
    {errno.ENAMETOOLONG, errno.EINVAL, errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.ELOOP, errno.EEXIST}
)
"""What is wrong with a path as it was given; other errors are of the machine."""
_UNSEEN: Final = frozenset({"Cc", "Zl", "Zp"})
_DIRECTS: Final = frozenset({"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"})


def check_target(target: Path, *, reads: Iterable[Path] = (), replaces: bool = False) -> None:
    """Raises `UserError` or `StorageError` where *target* cannot be written, or something would be lost by it.

    An audit, what belongs to one, and what is read (*reads*: files, and all that is in folders) are never replaced,
    through links and other spellings neither; any other file only where the user wants it (*replaces*), or where a
    command that was killed left it.
    """
    try:
        _check_name(target)
        # A dialog asks where a new audit or a copy of one goes as it asks for any other file.
        _check_place(target, reads, LONGEST_COMPANION if target.suffix.casefold() == AUDIT_SUFFIX else 0)
        if target.is_dir():
            raise UserError(tr("{path} is a folder.", path=str(target)), tr("Give the name of a file in it."))
        if not os.path.lexists(target):
            return
        if is_of_the_program(target):
            raise UserError(
                tr("{path} lies where the program keeps its settings and keys.", path=str(target)),
                tr("Choose another name."),
            )
        if target.exists() and not target.is_file():
            raise UserError(tr("{path} is a device, not a file.", path=str(target)), tr("Choose a file."))
        if not replaces and not was_cut_off(target):
            raise StandsAlreadyError(target)
        if target.exists() and not os.access(target, os.W_OK):
            raise StorageError(
                tr("{path} is write-protected.", path=str(target)),
                tr("Choose another name, or lift the protection first."),
                fault=StorageFault.READ_ONLY,
            )
    except OSError as error:
        raise of_the_disk(error, target) from error


def check_folder(
    folder: Path, *, reads: Iterable[Path] = (), names: Iterable[str] = (), replaces: bool = False
) -> None:
    """Raises `UserError` or `StorageError` where *folder* cannot be written into, and as `check_target` does for each
    of the *names* that will be written there."""
    try:
        _check_name(folder)
        if folder.is_symlink() and not folder.exists():
            raise UserError(tr("{path} is a link that leads nowhere.", path=str(folder)), tr("Choose another name."))
        if folder.exists() and not folder.is_dir():
            raise UserError(tr("{path} is a file.", path=str(folder)), tr("Give the name of a folder."))
        inside = folder / "file" if folder.exists() else folder
        _check_place(inside, ())
        for name in names if folder.is_dir() else ():
            check_target(folder / name, reads=reads, replaces=replaces)
    except OSError as error:
        raise of_the_disk(error, folder) from error


def check_audit(target: Path) -> None:
    """Raises `UserError` or `StorageError` where no audit can be made at *target*, or something is there."""
    try:
        _check_name(target)
        if target.is_dir():
            raise UserError(tr("{path} is a folder.", path=str(target)), tr("Give the name of a file in it."))
        if os.path.lexists(target):
            raise UserError(tr("{path} is there already.", path=str(target)), tr("Choose another name."))
        _check_place(target, (), LONGEST_COMPANION)
    except OSError as error:
        raise of_the_disk(error, target) from error


def guard(target: Path, reads: Iterable[Path] = ()) -> None:
    """Raises `UserError` where an audit, what belongs to one or one of *reads* lies at *target*, `OSError` for what the
    disk says."""
    if is_audit(target):
        raise UserError(
            tr("{path} is an audit, and an audit is never written over.", path=str(target)), tr("Choose another name.")
        )
    if (audit := audit_beside(target)) is not None:
        raise UserError(
            tr("{path} belongs to the audit {audit}.", path=str(target), audit=audit.name), tr("Choose another name.")
        )
    if target.exists():
        read = next((each for each in _files(reads) if each.samefile(target)), None)
        if read is not None:
            raise UserError(
                tr("{path} would overwrite {read}, which is read for it.", path=str(target), read=read.name),
                tr("Choose another name."),
            )


class StandsAlreadyError(UserError):
    """A file is there that nobody said may be replaced; how that is said, whoever asks knows."""

    def __init__(self, target: Path) -> None:
        super().__init__(tr("{path} is there already.", path=str(target)), tr("Choose another name."))


def check_path(path: Path) -> None:
    """Raises `UserError` or `StorageError` for a path that the system cannot even look for, and for what may be read
    for ever: a device, or a pipe in a folder; one where nothing is is let through."""
    try:
        kind = path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return
    except OSError as error:
        raise of_the_disk(error, path) from error
    except ValueError as error:
        # A NUL, which no system has in a name.
        raise _no_name(path) from error
    if stat.S_ISCHR(kind) or stat.S_ISBLK(kind) or stat.S_ISSOCK(kind):
        raise UserError(tr("{path} is a device, not a file.", path=str(path)), tr("Choose a file."))
    # What a shell hands over by `<(…)` or `|` is written to by somebody, and ends.
    if stat.S_ISFIFO(kind) and path.absolute().parts[1:2] not in {("dev",), ("proc",)}:
        raise UserError(
            tr("{path} is a pipe, not a file.", path=str(path)), tr("Write what comes through it to a file first.")
        )


def _no_name(path: Path) -> UserError:
    shown = "".join("�" if unicodedata.category(each) in _UNSEEN else each for each in _short(str(path)))
    return UserError(tr("“{path}” cannot be the name of a file.", path=shown.encode(errors="replace").decode()))


def check_here() -> None:
    """Raises `UserError` where the current folder was deleted, and no name leads anywhere."""
    try:
        Path.cwd()
    except FileNotFoundError as error:
        raise UserError(
            tr("The folder that this command runs in was deleted."), tr("Run it again in another folder.")
        ) from error


def there(path: Path) -> bool:
    """Whether anything is at *path*; False, too, for what cannot be a path."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def not_read(path: Path, error: Exception) -> UserError:
    """The error where *error* kept *path* from being read."""
    why = getattr(error, "strerror", None) or str(error)
    return UserError(
        tr("{path} cannot be read: {why}.", path=str(path), why=why),
        tr("Check the name and the permissions of the file."),
    )


def of_the_disk(error: OSError, path: Path | None = None) -> GpfError:
    """The error for what the system says of *path*, or of the path that *error* names."""
    named = path if path is not None else Path(os.fsdecode(error.filename)) if error.filename else None
    where = _short(str(named)) if named is not None else tr("A file")
    if error.errno == errno.ENAMETOOLONG:
        return UserError(tr("The name {path} is too long.", path=where), tr("Choose a shorter one."))
    why = error.strerror or str(error)
    if error.errno in _OF_THE_NAME:
        return UserError(tr("{path} cannot be used: {why}.", path=where, why=why), tr("Check its name."))
    fault = fault_of(error)
    full = fault is StorageFault.FULL
    return StorageError(
        tr("{path} cannot be used: {why}.", path=where, why=why),
        tr("Free some space there, or use another disk.") if full else tr("Check the permissions of file and folder."),
        fault=fault,
        details=str(error),
    )


def _check_name(target: Path) -> None:
    """Raises `UserError` for a name that no file can have, or that holds what nobody sees or what turns the order."""
    try:
        os.fsencode(target)
    except UnicodeEncodeError as error:
        raise _no_name(target) from error
    unseen = [
        each
        for each in target.name
        if unicodedata.category(each) in _UNSEEN or unicodedata.bidirectional(each) in _DIRECTS
    ]
    if unseen:
        seen = "".join("�" if each in unseen else each for each in str(target))
        raise UserError(
            tr(
                "The name {name} holds a character that does not show: U+{code}.",
                name=seen,
                code=f"{ord(unseen[0]):04X}",
            ),
            tr("Choose a name without it."),
        )


def is_of_the_program(target: Path) -> bool:
    """True within the folders of the program's settings and data, where nobody looks for files of their own."""
    own = (
        place("gpf-desktop", appauthor=False) for place in (platformdirs.user_config_path, platformdirs.user_data_path)
    )
    # Not `Path.resolve`, which raises for links that lead round in a circle.
    real = Path(os.path.realpath(target))
    return any(real.is_relative_to(os.path.realpath(folder)) for folder in own)


def _check_place(target: Path, reads: Iterable[Path], longer: int = 0) -> None:
    """Raises `GpfError` for a place where nothing may or can be written; what is there is looked at otherwise."""
    folder = target.absolute().parent
    if not folder.is_dir():
        raise UserError(tr("There is no folder {path}.", path=_short(str(target.parent))), tr("Make it first."))
    most = _longest_name(folder) - longer
    if (length := len(os.fsencode(target.name))) > most:
        raise UserError(
            tr("The name {name} is too long: {n} bytes.", name=_short(target.name), n=length),
            tr("Up to {most} can be used here.", most=most),
        )
    guard(target, reads)
    if not os.access(folder, os.W_OK):
        raise StorageError(
            tr("Nothing can be written in {path}.", path=str(folder)),
            tr("Choose another folder, or ask for permission to write there."),
            fault=StorageFault.READ_ONLY,
        )


def _files(reads: Iterable[Path]) -> Iterator[Path]:
    for each in reads:
        if not there(each):
            continue
        if each.is_dir():
            yield from (file for file in each.rglob("*") if file.is_file())
        else:
            yield each


def _longest_name(folder: Path) -> int:
    try:
        return os.pathconf(folder, "PC_NAME_MAX")
    except (AttributeError, OSError, ValueError):
        return _LONGEST


def _short(path: str) -> str:
    return path if len(path) <= 160 else f"{path[:60]} … {path[-60:]}"
