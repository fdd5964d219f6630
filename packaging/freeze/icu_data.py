"""Qt's library of Unicode data without what Qt never asks it for: on Linux 30 MB of 32.

Of ICU Qt calls its order of strings, names of time zones and converters; the last decode what is not UTF-8, which the
program does itself. Words of languages that the program does not speak come from the root, as for those that ICU lacks.
"""

import re
import struct
import subprocess
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Final

_KIND: Final = b"CmnD"
_BEFORE_KIND: Final = 12
"""Bytes between the beginning and the name of the kind: lengths, a mark, the machine's properties."""
_ALIGNED: Final = 16
_FOLDERS: Final = ("", "coll", "zone")
_LANGUAGE: Final = re.compile(r"([a-z]{2,3})(?:_\w*)?\.res")
"""The name of a language's words; `root.res`, `pool.res` and the tables have longer ones or none such."""
_LEFT_OUT: Final = (".cnv", ".spp", ".cfu", "unames.icu")
_ASSEMBLED: Final = """\
    .section .rodata
    .globl {symbol}
    .type {symbol}, @object
    .balign {aligned}
{symbol}:
    .incbin "{file}"
    .size {symbol}, . - {symbol}
    .section .note.GNU-stack, "", @progbits
"""


def kept(name: str, languages: Iterable[str]) -> bool:
    """Whether the item *name*, as `icudt73l/coll/de.res`, stays where *languages* are spoken."""
    _, _, inside = name.partition("/")
    folder, _, file = inside.rpartition("/")
    language = _LANGUAGE.fullmatch(file)
    return (
        folder in _FOLDERS and not file.endswith(_LEFT_OUT) and (language is None or language[1] in {"en", *languages})
    )


def items(data: bytes) -> tuple[bytes, dict[str, bytes]]:
    """The head and the items of ICU's common data, as they follow each other. Raises `ValueError` for other data."""
    if data[_BEFORE_KIND : _BEFORE_KIND + len(_KIND)] != _KIND:
        raise ValueError("these are no common data of ICU")
    (head,) = struct.unpack_from("<H", data)
    (count,) = struct.unpack_from("<I", data, head)
    places = [struct.unpack_from("<II", data, head + 4 + 8 * at) for at in range(count)]
    names = [data[head + name : data.index(b"\0", head + name)].decode("ascii") for name, _ in places]
    ends = [*(begin for _, begin in places), len(data) - head]
    found = {name: data[head + begin : head + end] for name, (begin, end) in zip(names, pairwise(ends), strict=True)}
    return data[:head], found


def packed(head: bytes, chosen: dict[str, bytes]) -> bytes:
    """Common data of *chosen* items, by name, as `items` reads them."""
    names = sorted(chosen)
    at = 4 + 8 * len(names)
    places, told = [], b""
    for name in names:
        places.append(at + len(told))
        told += name.encode("ascii") + b"\0"
    body = b""
    begins = []
    at += len(told)
    for name in names:
        gap = -at % _ALIGNED
        begins.append(at + gap)
        body += b"\0" * gap + chosen[name]
        at += gap + len(chosen[name])
    table = b"".join(struct.pack("<II", *both) for both in zip(places, begins, strict=True))
    return head + struct.pack("<I", len(names)) + table + told + body


def slim(library: Path, languages: Iterable[str], place: Path) -> None:
    """Put a library of what stays in *library*'s place, by way of *place*; *languages* are those spoken.

    By the programs `as` and `ld`. Raises `CalledProcessError`.
    """
    symbol, begin, size = _symbol(library)
    head, found = items(library.read_bytes()[begin : begin + size])
    spoken = tuple(languages)
    place.mkdir(parents=True, exist_ok=True)
    data, source, made = (place / f"icu.{suffix}" for suffix in ("dat", "s", "o"))
    data.write_bytes(packed(head, {name: each for name, each in found.items() if kept(name, spoken)}))
    source.write_text(_ASSEMBLED.format(symbol=symbol, aligned=_ALIGNED, file=data), "ascii")
    subprocess.run(["as", "-o", str(made), str(source)], check=True)
    shared = ("-shared", "-soname", library.name, "-z", "noexecstack", "--hash-style=gnu")
    subprocess.run(["ld", *shared, "-o", str(library), str(made)], check=True)


def _symbol(library: Path) -> tuple[str, int, int]:
    """The name of the data in *library*, where in the file they begin, and how far they reach at most."""
    content = library.read_bytes()
    begin = content.index(_KIND) - _BEFORE_KIND
    (name,) = {match.decode("ascii") for match in _names(content)}
    return name, begin, len(content) - begin


def _names(content: bytes) -> Iterator[bytes]:
    return (match[1] for match in re.finditer(rb"\0(icudt\d+_dat)\0", content))
