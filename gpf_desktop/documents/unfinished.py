"""Files that take their places together: what a kill between two of them leaves is known for what it is.

While they do, a hidden note in their folder names each as it will lie there. Where the program is killed just then, who
would write there again replaces those, for nobody but the program made them; a file that was changed since is another.
"""

import json
import os
import platform
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

MACHINE: Final = f"{zlib.crc32(platform.node().encode()):08x}"
"""Which computer this is: in a shared folder the number of a process says nothing on another one."""
_NOTE: Final = f".unfinished.{MACHINE}-"
_END: Final = ".part"


def take_places(files: Sequence[tuple[Path, Path]]) -> None:
    """Rename each first path, of a whole file, to its second one, in the same file system. Raises `OSError`."""
    folders = dict.fromkeys(target.parent for _, target in files)
    for folder in folders:
        folder.mkdir(parents=True, exist_ok=True)
    with _noted({each: {target.name: made for made, target in files if target.parent == each} for each in folders}):
        for made, target in files:
            made.replace(target)


def was_cut_off(target: Path) -> bool:
    """Whether *target* is what a killed program left of several files that belong together."""
    with suppress(OSError, ValueError):
        for note in target.parent.glob(f"{_NOTE}*{_END}"):
            if is_gone(int(note.name[len(_NOTE) : -len(_END)])):
                named = json.loads(note.read_text(encoding="utf-8"))
                if isinstance(named, dict) and named.get(target.name) == _lies(target):
                    return True
    return False


def is_gone(process: int) -> bool:
    """Whether the *process* of this computer has ended."""
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


@contextmanager
def _noted(named: dict[Path, dict[str, Path]]) -> Iterator[None]:
    notes = []
    try:
        for folder, files in named.items():
            # One file is there or not.
            if len(files) > 1 or len(named) > 1:
                notes.append(folder / f"{_NOTE}{os.getpid()}{_END}")
                beside = notes[-1]
                beside.write_text(json.dumps({name: _lies(made) for name, made in files.items()}), encoding="utf-8")
        yield
        for folder in named:
            for note in folder.glob(f"{_NOTE}*{_END}"):
                with suppress(OSError, ValueError):
                    if is_gone(int(note.name[len(_NOTE) : -len(_END)])):
                        note.unlink()
    finally:
        for note in notes:
            with suppress(OSError):
                note.unlink(missing_ok=True)


def _lies(path: Path) -> list[int]:
    """What stays of a file when it is renamed, and changes when somebody writes it."""
    found = path.stat()
    return [found.st_ino, found.st_size, found.st_mtime_ns]
