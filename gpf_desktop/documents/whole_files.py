"""Files that are there whole or not at all."""

import glob
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from typing import Final

from gpf_desktop.documents.targets import guard
from gpf_desktop.documents.unfinished import MACHINE, is_gone, take_places

_PARTS: Final = ("", "-wal", "-shm", "-journal")
"""What SQLite adds to the name of a database."""
_PART: Final = re.compile(rf"\.{MACHINE}-(\d{{1,9}})\.part(?:{'|'.join(_PARTS)})$")

_waiting: ContextVar[list[tuple[Path, Path]] | None] = ContextVar("_waiting", default=None)
"""Within `together`: files that are whole, and where they go."""


@contextmanager
def whole_file(target: Path, *, over_audits: bool = False) -> Iterator[Path]:
    """A path beside *target* to write to; it takes *target*'s place when the block ends well, and goes when it does
    not. What a program that was killed left there of *target* goes first. Raises `OSError`, and `UserError` for a
    *target* that is an audit or belongs to one, unless it may be written *over_audits*."""
    if not over_audits:
        guard(target)
    # Cut, because a name that fills the 255 bytes of most file systems would be too long with what is added. With
    # machine and process, so that two programs that write to one place do not write into each other's file.
    name = target.name[:50]
    beside = target.with_name(f".{name}.{MACHINE}-{os.getpid()}.part")
    clear_leftovers(target.parent, glob.escape(name))
    try:
        yield beside
        # Again: an audit may have been made there while this was written.
        if not over_audits:
            guard(target)
        if (waiting := _waiting.get()) is None:
            beside.replace(target)
        else:
            waiting.append((beside, target))
    finally:
        if (beside, target) not in (_waiting.get() or ()):
            _remove(beside)


@contextmanager
def together() -> Iterator[None]:
    """Files that `whole_file` makes in the block take their places when it ends well, and go when it does not. A kill
    in the middle of that leaves none that the same command would not replace."""
    waiting: list[tuple[Path, Path]] = []
    token = _waiting.set(waiting)
    try:
        yield
        take_places(waiting)
    finally:
        _waiting.reset(token)
        for beside, _ in waiting:
            _remove(beside)


def _remove(beside: Path) -> None:
    # After a rename nothing is there any more; of a database that was not finished there may be more than one file.
    for suffix in _PARTS:
        with suppress(OSError):
            beside.with_name(beside.name + suffix).unlink(missing_ok=True)


@contextmanager
def working_folder(folder: Path, name: str) -> Iterator[Path]:
    """A new folder in *folder*, for what *name* tells; it goes when the block ends. What programs that were killed left
    there of that *name* goes first. Raises `OSError`."""
    clear_leftovers(folder, glob.escape(name[:50]))
    made = Path(tempfile.mkdtemp(prefix=f".{name[:50]}.", suffix=f".{MACHINE}-{os.getpid()}.part", dir=folder))
    try:
        yield made
    finally:
        shutil.rmtree(made, ignore_errors=True)


def temporary_folder() -> AbstractContextManager[Path]:
    """A `working_folder` where the system keeps what is temporary: what killed programs left there, copies of audits
    too, does not wait for the next start of the machine."""
    return working_folder(Path(tempfile.gettempdir()), "gpf-desktop")


def clear_leftovers(folder: Path, names: str) -> None:
    """Remove what `whole_file` and `working_folder` had begun in *folder*, of targets called as the pattern *names*, by
    processes of this computer that are gone."""
    with suppress(OSError):
        for each in folder.glob(f".{names}.*.part*"):
            part = _PART.search(each.name)
            if not part or not is_gone(int(part[1])):
                continue
            if not each.is_dir():
                each.unlink()
            elif os.name != "nt":
                # Of a folder's files none need be open while its program works on.
                shutil.rmtree(each, ignore_errors=True)
