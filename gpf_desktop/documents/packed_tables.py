"""Tables that are packed, one by gzip and its like, or any number in a zip: unpacked for as long as they are read.

No more is unpacked than files of answers hold."""

import bz2
import gzip
import lzma
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path, PurePosixPath
from typing import IO, Any, Final

from gpf_desktop.documents.answer_files import READABLE, that_are_read
from gpf_desktop.documents.file_names import safe_name
from gpf_desktop.documents.targets import check_path, not_read
from gpf_desktop.documents.whole_files import temporary_folder
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.text import tr

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

ZIP: Final = ".zip"
_OPENED_BY: Final[dict[str, Callable[[Path], Any]]] = {
    ".gz": gzip.GzipFile,
    ".bz2": bz2.BZ2File,
    ".xz": lzma.LZMAFile,
    ".zst": zstd.ZstdFile,
}
PACKED: Final = (ZIP, *_OPENED_BY)
_OF_A_SHARED_FILE: Final = "manifest.json"
_LARGEST: Final = 512 * 2**20
"""Bytes of all that is unpacked at once: where it lies may be memory."""
_MOST: Final = 1000
_PIECE: Final = 2**20
_BROKEN: Final = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, zstd.ZstdError, EOFError, RuntimeError, ValueError)
"""RuntimeError is what zipfile says of parts that are encrypted, or packed in a way that it does not know."""


def has_tables(path: Path) -> bool:
    """Whether *path* is a zip of tables, and no shared file."""
    try:
        with zipfile.ZipFile(path) as archive:
            return _OF_A_SHARED_FILE not in archive.namelist() and bool(_parts(archive))
    except (OSError, *_BROKEN):
        return False


@contextmanager
def unpacked(paths: Sequence[Path], go_on: Callable[[], object] = lambda: None) -> Iterator[list[Path]]:
    """The files of answers that *paths* are, hold as folders, or hold packed; what was packed is there until the end.

    Raises `UserError` for what holds none or too much, and what *go_on* raises.
    """
    folders: dict[str, Path] = {}
    with ExitStack() as stack:
        found: list[Path] = []
        room = _Room(go_on)
        for path in files_in(paths):
            if path.suffix.lower() not in PACKED:
                found.append(path)
                continue
            # Of its name, by which tables of unlike names are called together.
            folder = stack.enter_context(temporary_folder()) / safe_name(path.stem)
            folder.mkdir()
            folders[str(folder)] = path
            found += _unpack(path, folder, room)
        try:
            yield found
        except UserError as error:
            # Nobody else knows of the folder that is gone now.
            if inner := next((each for each in folders if each in error.what), ""):
                what = error.what.replace(inner, str(folders[inner]))
                raise UserError(what, error.remedy, details=error.details) from error
            raise


def files_in(paths: Sequence[Path]) -> list[Path]:
    """*paths*, each folder among them replaced by its files of answers, by name, or by those of its folders where it
    has none; what is packed is left out where some are not. Raises `UserError` for a folder without any."""
    found: list[Path] = []
    for path in paths:
        if not path.is_dir():
            found.append(path)
            continue
        try:
            its = _inside(path)
            below = (inner for each in its if each.is_dir() for inner in _inside(each))
            of_kind = (_of(suffixes, within) for within in (its, list(below)) for suffixes in (READABLE, PACKED))
            its = next(filter(None, of_kind), [])
        except OSError as error:
            raise not_read(path, error) from error
        if not its:
            raise UserError(tr("The folder {path} has no file of answers.", path=str(path)), that_are_read())
        its = _without_results(its)
        its.sort(key=lambda each: (str(each.parent).casefold(), each.name.casefold()))
        for each in its:
            # A pipe or a device is read for ever, and was typed by nobody.
            check_path(each)
        found += its
    return found


def _inside(folder: Path) -> list[Path]:
    return [each for each in folder.iterdir() if not each.name.startswith(".")]


def _without_results(files: Sequence[Path]) -> list[Path]:
    """*files* without the totals that lm-evaluation-harness writes beside its samples."""
    sampled = {each.parent for each in files if each.name.startswith("samples_")}
    return [each for each in files if not (each.parent in sampled and each.name.startswith("results_"))]


def _of(suffixes: Sequence[str], files: Sequence[Path]) -> list[Path]:
    return [each for each in files if each.suffix.lower() in suffixes]


class _Room:
    """The number of bytes that may still be unpacked."""

    def __init__(self, go_on: Callable[[], object]) -> None:
        self._go_on = go_on
        self._left = _LARGEST

    def copy(self, packed: IO[bytes], target: Path, path: Path) -> Path:
        with target.open("wb") as file:
            while piece := packed.read(_PIECE):
                self._go_on()
                self._left -= len(piece)
                if self._left < 0:
                    raise _too_much(path)
                file.write(piece)
        return target


def _too_much(path: Path) -> UserError:
    return UserError(
        tr("{path} unpacks to more than {most} MB.", path=str(path), most=_LARGEST >> 20),
        tr("Unpack it, and import what is in it."),
    )


def _unpack(path: Path, folder: Path, room: _Room) -> list[Path]:
    suffix = path.suffix.lower()
    try:
        if suffix == ZIP:
            return _of_zip(path, folder, room)
        inner = path.with_suffix("")
        if inner.suffix.lower() in {".tar", *PACKED}:
            raise UserError(
                tr("{path} is packed ({suffix}).", path=str(path), suffix=inner.suffix + path.suffix),
                tr("Unpack it, and import what is in it."),
            )
        with _OPENED_BY[suffix](path) as packed:
            return [room.copy(packed, folder / inner.name, path)]
    # Before OSError, of which gzip's own is one.
    except (gzip.BadGzipFile, *_BROKEN) as error:
        raise UserError(
            tr("{path} cannot be unpacked.", path=str(path)), tr("Pack it once more."), details=repr(error)
        ) from error
    except OSError as error:
        raise not_read(path, error) from error


def _of_zip(path: Path, folder: Path, room: _Room) -> list[Path]:
    with zipfile.ZipFile(path) as archive:
        if _OF_A_SHARED_FILE in archive.namelist():
            raise UserError(
                tr("{path} is a shared file, and no table.", path=str(path)),
                tr("Open it by “Open a shared file”, or by: gpf-desktop open"),
            )
        parts = _parts(archive)
        if not parts:
            raise UserError(tr("{path} holds no file of answers.", path=str(path)), that_are_read())
        # What it promises bounds what zipfile hands out.
        if len(parts) > _MOST or sum(part.file_size for part in parts) > _LARGEST:
            raise _too_much(path)
        found = []
        for part in parts:
            target = folder.joinpath(*map(safe_name, _steps(part)[:-1]), _plain_name(_steps(part)[-1]))
            while target.exists():
                target = target.parent / "again" / target.name
            target.parent.mkdir(parents=True, exist_ok=True)
            with archive.open(part) as packed:
                found.append(room.copy(packed, target, path))
        return found


def _parts(archive: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    """The files of answers in *archive*, told by the names' endings, in the order of names; what systems put beside
    them begins with a dot."""
    found = [
        part
        for part in archive.infolist()
        # Spark writes a folder of parts that is called as a file.
        if not part.is_dir()
        and PurePosixPath(part.filename).suffix.lower() in READABLE
        and not any(step[0] in "._" for step in _steps(part))
    ]
    return sorted(found, key=lambda part: part.filename.casefold())


def _steps(part: zipfile.ZipInfo) -> list[str]:
    return [step for step in part.filename.replace("\\", "/").split("/") if step.strip(". ")]


def _plain_name(name: str) -> str:
    return safe_name(PurePosixPath(name).stem) + PurePosixPath(name).suffix.lower()
