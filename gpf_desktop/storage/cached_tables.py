"""Tables of audits that are only read, kept in the user's cache folder, as no byte of such an audit is changed.

A table is found again for the file as it lay there when the table was made, and for no other. Whatever else it rests on
is named by who keeps it; what a file here holds is no more to be trusted than what an audit holds.
"""

import os
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import Final

import platformdirs

from gpf_desktop.storage.audit_file import AuditFile
from gpf_desktop.storage.connections import LARGEST_VALUE

MOST_BYTES: Final = 256 * 2**20
"""Of all tables together; those that were not asked for the longest go first."""


def kept(audit: AuditFile, rests_on: object) -> bytes:
    """The table kept of *audit* for *rests_on*, anything whose `repr` tells it; empty where there is none."""
    place = _place(audit, rests_on)
    try:
        if place is None or place.stat().st_size > LARGEST_VALUE:
            return b""
        data = place.read_bytes()
        os.utime(place)
    except OSError:
        return b""
    return data


def keep(audit: AuditFile, rests_on: object, data: bytes) -> None:
    """Keep *data* for the next time; not where *audit* may be written, and nothing is said where it cannot be done."""
    place = _place(audit, rests_on)
    if place is None or len(data) > LARGEST_VALUE:
        return
    beside = place.with_suffix(f".{os.getpid()}")
    with suppress(OSError):
        # What is in it tells of somebody's audits.
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            beside.write_bytes(data)
            beside.replace(place)
        finally:
            beside.unlink(missing_ok=True)
        _make_room(place.parent)


def _place(audit: AuditFile, rests_on: object) -> Path | None:
    as_it_lies = audit.as_it_lies
    if not as_it_lies:
        return None
    name = blake2b(repr((as_it_lies, rests_on)).encode(), digest_size=20).hexdigest()
    return platformdirs.user_cache_path("gpf-desktop", appauthor=False) / "tables" / name


def _make_room(folder: Path) -> None:
    found = sorted(((each.stat(), each) for each in folder.iterdir()), key=lambda one: one[0].st_mtime_ns, reverse=True)
    total = 0
    for stat, each in found:
        total += stat.st_size
        if total > MOST_BYTES:
            each.unlink(missing_ok=True)
