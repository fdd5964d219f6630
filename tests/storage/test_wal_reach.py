"""A -wal file whose bytes were changed: what was saved last is not lost without a word."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from gpf_desktop.__main__ import main
from gpf_desktop.domain.errors import StorageError, StorageFault
from gpf_desktop.storage import audits
from gpf_desktop.storage.audit_file import AuditFile

_FRAME = 24 + 4096


def _cut_off(path: Path) -> Path:
    """Make an audit at *path* with three commits in its -wal file, never closed; its -wal file."""
    script = (
        "import os, sys\nfrom pathlib import Path\n"
        "from gpf_desktop.storage import audits\nfrom gpf_desktop.storage.audit_file import AuditFile\n"
        "audit = AuditFile.create(Path(sys.argv[1]), title='Evening round')\n"
        # The first one is folded into the audit at once.
        "audit.write(lambda c: audits.set_setting(c, 'begun', 'x')).result()\n"
        "for n in range(3): audit.write(lambda c: audits.set_setting(c, f'saved {n}', 'kept')).result()\n"
        "os._exit(0)\n"
    )
    subprocess.run([sys.executable, "-c", script, str(path)], check=True)
    return path.with_name(f"{path.name}-wal")


def _saved(path: Path, *, accept_incomplete: bool = False) -> list[str]:
    audit = AuditFile.open(path, accept_incomplete=accept_incomplete)
    try:
        return [n for n in "012" if audit.read(lambda c, n=n: audits.setting(c, f"saved {n}")) == "kept"]
    finally:
        audit.close()


def _flip(at: int) -> Callable[[bytes], bytes]:
    return lambda whole: whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :]


_CHANGES: dict[str, Callable[[bytes], bytes]] = {
    "magic": _flip(1),
    "salt": _flip(17),
    "checksum of the head": _flip(25),
    "first page": _flip(32 + 24 + 100),
    "second commit's salt": _flip(32 + _FRAME + 9),
    "all zero": lambda whole: bytes(len(whole)),
    "not one of SQLite": lambda whole: os.urandom(len(whole)),
}


@pytest.mark.parametrize("kind", _CHANGES)
@pytest.mark.parametrize("read_only", [False, True])
def test_that_saved_work_that_sqlite_would_pass_over_is_told(path: Path, kind: str, *, read_only: bool) -> None:
    wal = _cut_off(path)
    changed = _CHANGES[kind](wal.read_bytes())
    wal.write_bytes(changed)
    before = path.read_bytes()
    with pytest.raises(StorageError) as caught:
        AuditFile.open(path, read_only=read_only)
    assert caught.value.fault is StorageFault.INCOMPLETE
    assert wal.name in caught.value.what
    assert (path.read_bytes(), wal.read_bytes()) == (before, changed)


def test_that_the_commit_under_way_at_a_crash_is_passed_over(path: Path) -> None:
    wal = _cut_off(path)
    whole = wal.read_bytes()
    wal.write_bytes(whole[: -_FRAME // 2])
    assert _saved(path) == ["0", "1"]


def test_that_the_last_commit_alone_may_be_torn_in_the_middle(path: Path) -> None:
    wal = _cut_off(path)
    wal.write_bytes(_flip(len(wal.read_bytes()) - _FRAME + 50)(wal.read_bytes()))
    assert _saved(path) == ["0", "1"]


def test_that_frames_of_an_earlier_use_of_the_file_are_none_of_this_one_s(path: Path) -> None:
    wal = _cut_off(path)
    older = bytearray(wal.read_bytes())
    for at in range(32, len(older), _FRAME):
        older[at + 8 : at + 16] = bytes(8)
    wal.write_bytes(wal.read_bytes() + older[32:])
    assert _saved(path) == ["0", "1", "2"]


def test_that_doctor_keeps_what_can_be_read(path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wal = _cut_off(path)
    changed = _flip(len(wal.read_bytes()) - 2 * _FRAME + 50)(wal.read_bytes())
    wal.write_bytes(changed)
    assert main(["doctor", str(path)]) == 2
    assert "doctor" in capsys.readouterr().err
    copy = tmp_path / "copy.gpf"
    assert main(["doctor", str(path), "-o", str(copy)]) == 1
    assert "holds what was saved last" in capsys.readouterr().out
    assert _saved(copy) == ["0"]
    assert wal.read_bytes() == changed
