"""The parts of a zip, those that are packed with Zstandard too: so Inspect packs its logs."""

import struct
import sys
import zipfile
import zlib
from typing import Final

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

_ZSTANDARD: Final = 93
_LOCAL_HEADER: Final = struct.Struct("<26x2H")
"""Of a part, before its name and what else is told of it, whose lengths it ends with."""


def part_of(archive: zipfile.ZipFile, name: str) -> bytes:
    """All of *name* in *archive*; never more than its header says.

    Raises what `zipfile` raises.
    """
    part = archive.getinfo(name)
    if part.flag_bits & 1 or part.compress_type not in (zipfile.ZIP_DEFLATED, _ZSTANDARD):
        return archive.read(name)
    # Not by zipfile, which makes three objects for each part, and unpacks Zstandard from Python 3.14 on only: a log has
    # a part for each sample.
    file = archive.fp
    assert file is not None
    file.seek(part.header_offset)
    head = file.read(_LOCAL_HEADER.size)
    if len(head) < _LOCAL_HEADER.size:
        raise EOFError
    # Measured here, since the extra field of the central directory may have another length than the local one.
    file.seek(sum(_LOCAL_HEADER.unpack(head)), 1)
    unpack = _inflated if part.compress_type == zipfile.ZIP_DEFLATED else _unpacked
    found = unpack(file.read(part.compress_size), part.file_size)
    if len(found) != part.file_size or zlib.crc32(found) != part.CRC:
        raise zipfile.BadZipFile(name)
    return found


def _inflated(packed: bytes, size: int) -> bytes:
    # One byte more than was promised tells a part that unpacks to too much.
    return zlib.decompressobj(-zlib.MAX_WBITS).decompress(packed, size + 1)


def _unpacked(packed: bytes, size: int) -> bytes:
    found = b""
    try:
        # A part may be several frames, one after the other.
        while packed and len(found) <= size:
            frame = zstd.ZstdDecompressor()
            found += frame.decompress(packed, size + 1 - len(found))
            packed = frame.unused_data
    except zstd.ZstdError as error:
        raise zipfile.BadZipFile(str(error)) from error
    return found
