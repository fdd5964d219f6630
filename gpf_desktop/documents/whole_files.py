"""Files that are there whole or not at all."""

import glob
import os
import platform
import re
import shutil
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import Final

from gpf_desktop.documents.targets import guard

MACHINE: Final = f"{zlib.crc32(platform.node().encode()):08x}"
"""Which computer this is: in a shared folder the number of a process says nothing on another one."""
_PARTS: Final = ("", "-wal", "-shm", "-journal")
"""What SQLite adds to the name of a database."""
_PART: Final = re.compile(rf"\.{MACHINE}-(\d{{1,9}})\.part(?:{'|'.join(_PARTS)})$")


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
        beside.replace(target)
    finally:
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
            if not part or not _is_gone(int(part[1])):
                continue
            if not each.is_dir():
                each.unlink()
            elif os.name != "nt":
                # Of a folder's files none need be open while its program works on.
                shutil.rmtree(each, ignore_errors=True)


def _is_gone(process: int) -> bool:
    if os.name == "nt":
        # There is no harmless question, and no need of one: Windows removes no file that somebody has open.
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    except (OSError, OverflowError):
        return False
    return False
