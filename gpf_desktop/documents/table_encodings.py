"""The encoding of a table that came from elsewhere, and the file opened as text by it.

A mark decides, or the zeros of UTF-16, or that all of it is valid UTF-8. Else it is guessed; lines that are UTF-8 among
others stay so, as where tables of two programs were put together.
"""

import codecs
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TextIO

from gpf_desktop.documents.guessed_encodings import guessed, label
from gpf_desktop.domain.text import tr

# UTF-32's mark in little endian begins with UTF-16's, so it is looked for first. These codecs take the mark away.
_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_PIECE: Final = 1 << 20
_LOOKED_AT: Final = 4096
"""Bytes by which UTF-16 is told."""
_ENOUGH: Final = 2
"""Letters beyond ASCII in lines of valid UTF-8, which other encodings make by chance in single letters alone."""
_REMEMBERED: Final = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class TableEncoding:
    """How the bytes of a table are read as text."""

    codec: str
    errors: str = "replace"
    """What becomes of bytes that the codec does not know."""
    note: str = ""
    """In words, where it was guessed."""


_known: dict[tuple[str, int, int], TableEncoding] = {}


def opened(path: Path, go_on: Callable[[], object] = lambda: None, *, newline: str | None = None) -> TextIO:
    """*path* as text. *go_on* is heard by the way; what it raises ends the reading. Raises `OSError`."""
    how = encoding_of(path, go_on)
    return path.open(encoding=how.codec, errors=how.errors, newline=newline)


def encoding_of(path: Path, go_on: Callable[[], object] = lambda: None) -> TableEncoding:
    """How *path* is read; told at once where it was read before. Raises `OSError`, and what *go_on* raises."""
    state = path.stat()
    key = (str(path), state.st_mtime_ns, state.st_size)
    if key not in _known:
        found = _found(path, go_on)
        if len(_known) >= _REMEMBERED:
            _known.clear()
        _known[key] = found
    return _known[key]


def _found(path: Path, go_on: Callable[[], object]) -> TableEncoding:
    with path.open("rb") as file:
        head = file.read(_LOOKED_AT)
        for mark, name in _MARKS:
            if head.startswith(mark):
                return TableEncoding(codec=name)
        # UTF-32 without a mark has three zeros to each of its letters.
        for name, first in (("utf-32-le", 0), ("utf-32-be", 3)):
            wide = [head[place::4] for place in range(4)]
            letters, zeros = wide.pop(first), b"".join(wide)
            if zeros.count(0) > len(zeros) * 3 // 4 and letters.count(0) < len(letters) // 10 + 1:
                return TableEncoding(codec=name)
        # UTF-16 without a mark has a zero beside each of its letters of ASCII.
        for name, zeros, letters in (("utf-16-le", head[1::2], head[::2]), ("utf-16-be", head[::2], head[1::2])):
            if zeros.count(0) > len(zeros) // 2 and letters.count(0) < len(letters) // 10 + 1:
                return TableEncoding(codec=name)
        file.seek(0)
        decoder = codecs.getincrementaldecoder("utf-8")()
        before = piece = b""
        try:
            while piece := file.read(_PIECE):
                decoder.decode(piece)
                before = piece
                go_on()
            decoder.decode(b"", final=True)
        except UnicodeDecodeError:
            return _guessed(before + piece + file.read(_PIECE))
    return TableEncoding(codec="utf-8")


def _guessed(sample: bytes) -> TableEncoding:
    """The encoding guessed from *sample*, bytes around the first that are no UTF-8."""
    lines = [line for line in sample.splitlines() if not line.isascii()]
    good = [line for line in lines if _is_utf8(line)]
    codec = guessed(b"\n".join(line for line in lines if not _is_utf8(line)))
    name = label(codec)
    letters = sum(ord(each) > 127 for line in good for each in line.decode())
    if letters >= _ENOUGH and codecs.lookup(codec).name in _of_one_byte():
        return TableEncoding(
            codec="utf-8", errors=_stray(codec), note=tr("UTF-8, with bytes of {encoding} in it", encoding=name)
        )
    return TableEncoding(codec=codec, note=tr("{encoding}, which was guessed", encoding=name))


def _is_utf8(line: bytes) -> bool:
    try:
        line.decode()
    except UnicodeDecodeError:
        return False
    return True


def _of_one_byte() -> frozenset[str]:
    return frozenset({*(f"cp125{number}" for number in range(9)), "cp874", "koi8-r"})


def _stray(codec: str) -> str:
    """The name of what reads bytes that are no UTF-8 by *codec*."""

    def read(error: UnicodeError) -> tuple[str, int]:
        if not isinstance(error, UnicodeDecodeError):
            raise error
        return error.object[error.start : error.end].decode(codec, "replace"), error.end

    name = f"gpf-stray-{codec}"
    codecs.register_error(name, read)
    return name
