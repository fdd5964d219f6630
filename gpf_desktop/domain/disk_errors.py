"""The storage fault that an error of the operating system tells of."""

import errno
from typing import Final

from gpf_desktop.domain.errors import StorageFault

# Not every system has every one of these; no error has the number -1.
_FULL: Final = {getattr(errno, name, -1) for name in ("ENOSPC", "EDQUOT", "EFBIG")}
_UNREACHABLE: Final = {
    getattr(errno, name, -1)
    for name in (
        *("EIO", "ENXIO", "ENODEV", "ESTALE", "EREMOTEIO", "ENOTCONN", "ETIMEDOUT", "ENOLINK", "ESHUTDOWN"),
        *("ENETDOWN", "ENETUNREACH", "ENETRESET", "ECONNABORTED", "ECONNREFUSED", "ECONNRESET"),
        *("EHOSTDOWN", "EHOSTUNREACH"),
    )
}
_FULL_ON_WINDOWS: Final = {39, 112, 1295}
"""Its own numbers, of which Python tells most as EINVAL: handle disk full, disk full, disk quota exceeded."""
_UNREACHABLE_ON_WINDOWS: Final = {21, 23, 31, 51, 53, 54, 55, 59, 64, 67, 121, 1117, 1167, 1231, 1232}
"""Not ready, CRC, general failure, and what networks and their drives say."""


def fault_of(error: OSError) -> StorageFault:
    """`FULL`, `UNREACHABLE`, `MISSING`, or `READ_ONLY` for all else that keeps a file from being used."""
    windows = getattr(error, "winerror", None)
    if error.errno in _FULL or windows in _FULL_ON_WINDOWS:
        return StorageFault.FULL
    if error.errno in _UNREACHABLE or windows in _UNREACHABLE_ON_WINDOWS:
        return StorageFault.UNREACHABLE
    return StorageFault.MISSING if error.errno == errno.ENOENT else StorageFault.READ_ONLY
