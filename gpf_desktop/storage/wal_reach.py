"""How far SQLite reads a -wal file, and whether saved work stands behind that place.

SQLite reads up to the first frame whose checksum is wrong, and takes the rest for what a crash cut off. So one flipped
bit loses all that was saved after it, without a word. Each commit is on the disk before the next one begins: behind the
last frame that is read at most one commit can stand, the one under way at the crash. Where two do, they were saved.
"""

import sys
from pathlib import Path
from typing import BinaryIO, Final

_HEAD: Final = 32
"""Bytes before the first frame: magic, version, page size, sequence, two salts, two checksums."""
_FRAME_HEAD: Final = 24
"""Bytes before each page: its number, pages of the database where it ends a commit, the two salts, two checksums."""
_MAGIC: Final = (0x377F0682, 0x377F0683)
_LAST_FRAME: Final = slice(16, 20)
"""Where the -shm file says how many frames are read, in the machine's own order of bytes."""


def is_cut_short(wal: Path, index: Path) -> bool:
    """Whether *wal* holds saved work that SQLite does not read; *index*: the -shm file, which says how far it does.

    To be asked while a connection has the audit open that has read through it.
    """
    with wal.open("rb") as file:
        head = file.read(_HEAD)
        # On the disk before the first frame is written: what cannot be read here was changed since.
        if not _is_sound(head):
            return bool(file.read(1))
        try:
            told = index.read_bytes()[_LAST_FRAME]
        except OSError:
            # In a folder that nobody may write to SQLite keeps it to itself, and changes nothing either.
            return False
        return _commits_behind(file, head, int.from_bytes(told, sys.byteorder)) > 1


def _is_sound(head: bytes) -> bool:
    if len(head) < _HEAD or int.from_bytes(head[:4]) not in _MAGIC:
        return False
    big = bool(head[3] & 1)
    words = [int.from_bytes(head[at : at + 4], "big" if big else "little") for at in range(0, _FRAME_HEAD, 4)]
    first = second = 0
    for one, other in zip(words[::2], words[1::2], strict=True):
        first = (first + one + second) % 2**32
        second = (second + other + first) % 2**32
    return head[_FRAME_HEAD:] == first.to_bytes(4) + second.to_bytes(4)


def _commits_behind(file: BinaryIO, head: bytes, frames: int) -> int:
    """Ends of commits behind the first *frames*; those of an earlier use of the file have other salts."""
    size = _FRAME_HEAD + int.from_bytes(head[8:12])
    commits, at = 0, _HEAD + frames * size
    while len(each := _read_at(file, at)) == _FRAME_HEAD:
        commits += each[8:16] == head[16:24] and each[4:8] != bytes(4)
        at += size
    return commits


def _read_at(file: BinaryIO, place: int) -> bytes:
    file.seek(place)
    return file.read(_FRAME_HEAD)
