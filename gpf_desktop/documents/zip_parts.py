"""The parts of a zip, those that are packed with Zstandard too: so Inspect packs its logs."""

import struct
import zipfile
import zlib
from pathlib import Path
from typing import Final

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.text import tr

_ZSTANDARD: Final = 93
_LOCAL_HEADER: Final = struct.Struct("<26x2H")
"""Of a part, before its name and what else is told of it, whose lengths it ends with."""


def part_of(archive: zipfile.ZipFile, path: Path, name: str) -> bytes:
    """All of *name* in *archive*, which lies at *path*; never more than its header says.

    Raises what `zipfile` raises, and `UserError` where Zstandard needs a package that is not installed.
    """
    part = archive.getinfo(name)
    if part.compress_type != _ZSTANDARD:
        return archive.read(name)
    try:
        return archive.read(name)
    except NotImplementedError:
        # Before Python 3.14.
        pass
    if part.flag_bits & 1:
        raise RuntimeError("encrypted")
    with path.open("rb") as file:
        file.seek(part.header_offset)
        head = file.read(_LOCAL_HEADER.size)
        if len(head) < _LOCAL_HEADER.size:
            raise EOFError
        # Measured here, since the extra field of the central directory may have another length than the local one.
        file.seek(sum(_LOCAL_HEADER.unpack(head)), 1)
        packed = file.read(part.compress_size)
    found = _unpacked(packed, part.file_size)
    if len(found) != part.file_size or zlib.crc32(found) != part.CRC:
        raise zipfile.BadZipFile(name)
    return found


def _unpacked(packed: bytes, size: int) -> bytes:
    try:
        from pyarrow import BufferReader, CompressedInputStream
    except ImportError:
        raise UserError(
            tr("This log is packed with Zstandard, which needs the package pyarrow, and that is not installed."),
            tr(
                "Install it with: pip install 'gpf-desktop[parquet]', or convert the log: inspect log convert --to json"
            ),
        ) from None
    try:
        with CompressedInputStream(BufferReader(packed), "zstd") as stream:
            # One byte more than was promised tells a part that unpacks to too much.
            found: bytes = stream.read(size + 1)
            return found
    except OSError as error:
        raise zipfile.BadZipFile(str(error)) from error
