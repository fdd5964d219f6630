"""What the disk says, told as what it is: full, away, or damaged."""

import errno
import json
import os
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

from gpf_desktop.domain.errors import StorageError, StorageFault
from gpf_desktop.storage.audit_file import AuditFile
from gpf_desktop.storage.faults import of_os, translated

FULL, AWAY, DAMAGED, READ_ONLY = (
    StorageFault.FULL,
    StorageFault.UNREACHABLE,
    StorageFault.DAMAGED,
    StorageFault.READ_ONLY,
)


def _told(path: Path, error: Exception) -> StorageError:
    with pytest.raises(StorageError) as caught, translated(path):
        raise error
    return caught.value


def _of_sqlite(code: int) -> sqlite3.Error:
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorcode = code
    return error


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("SQLITE_IOERR", AWAY),
        ("SQLITE_IOERR_READ", AWAY),
        ("SQLITE_IOERR_WRITE", AWAY),
        ("SQLITE_IOERR_FSYNC", AWAY),
        ("SQLITE_IOERR_FSTAT", AWAY),
        ("SQLITE_IOERR_LOCK", AWAY),
        ("SQLITE_IOERR_RDLOCK", AWAY),
        ("SQLITE_IOERR_SHMMAP", AWAY),
        ("SQLITE_IOERR_DELETE", AWAY),
        ("SQLITE_PROTOCOL", AWAY),
        ("SQLITE_IOERR_SHORT_READ", DAMAGED),
        ("SQLITE_IOERR_DATA", DAMAGED),
        ("SQLITE_IOERR_CORRUPTFS", DAMAGED),
        ("SQLITE_CORRUPT", DAMAGED),
        ("SQLITE_CORRUPT_INDEX", DAMAGED),
        ("SQLITE_FULL", FULL),
        ("SQLITE_CANTOPEN", READ_ONLY),
        ("SQLITE_READONLY", READ_ONLY),
        ("SQLITE_READONLY_ROLLBACK", StorageFault.FOREIGN),
    ],
)
def test_that_an_error_of_sqlite_is_told_by_what_it_is(path: Path, name: str, fault: StorageFault) -> None:
    error = _told(path, _of_sqlite(getattr(sqlite3, name)))
    assert error.fault is fault
    assert ("backup" in error.remedy) == (fault is DAMAGED)


@pytest.mark.skipif(sys.platform == "win32", reason="what Windows calls temporary is no variable's")
def test_that_a_full_disk_for_temporary_files_is_told_as_what_is_full(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    full, real = tmp_path / "full", tempfile.TemporaryFile
    full.mkdir()
    monkeypatch.setenv("TMPDIR", str(full))

    def made(**of: Any) -> Any:
        if of["dir"] == full:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return real(**of)

    monkeypatch.setattr(tempfile, "TemporaryFile", made)
    error = _told(path, _of_sqlite(sqlite3.SQLITE_FULL))
    assert (error.fault, str(full) in error.what, path.name in error.what) == (FULL, True, False)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    assert path.name in _told(path, _of_sqlite(sqlite3.SQLITE_FULL)).what


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such limit")
def test_that_a_limit_of_files_is_told_as_a_full_disk_where_what_grew_too_large_is_gone(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import resource

    monkeypatch.setattr(resource, "getrlimit", lambda _: (10**9, 10**9))
    assert _told(path, _of_sqlite(sqlite3.SQLITE_IOERR_WRITE)).fault is FULL


@pytest.mark.parametrize("name", ["SQLITE_IOERR_WRITE", "SQLITE_CANTOPEN"])
def test_that_a_folder_that_went_away_is_told_as_a_drive_that_did(tmp_path: Path, name: str) -> None:
    assert _told(tmp_path / "drive" / "audit.gpf", _of_sqlite(getattr(sqlite3, name))).fault is AWAY


@pytest.mark.parametrize(
    ("number", "fault"),
    [
        (errno.ENOSPC, FULL),
        (errno.EDQUOT, FULL),
        (errno.EFBIG, FULL),
        (errno.EIO, AWAY),
        (errno.ESTALE, AWAY),
        (errno.ETIMEDOUT, AWAY),
        (errno.ENOTCONN, AWAY),
        (errno.EHOSTDOWN, AWAY),
        (errno.EACCES, READ_ONLY),
        (errno.EROFS, READ_ONLY),
        (errno.ENOENT, StorageFault.MISSING),
    ],
)
def test_that_an_error_of_the_system_is_told_by_what_it_is(path: Path, number: int, fault: StorageFault) -> None:
    assert of_os(path, OSError(number, os.strerror(number))).fault is fault


def test_that_a_network_drive_of_windows_that_went_away_is_told_as_such(path: Path) -> None:
    error = OSError(errno.EINVAL, "The specified network name is no longer available")
    error.winerror = 64  # type: ignore[attr-defined]
    assert of_os(path, error).fault is AWAY


_ON_A_FULL_DISK = """
import json, sys
from pathlib import Path
from gpf_desktop.domain.errors import StorageError
from gpf_desktop.storage import audits
from gpf_desktop.storage.audit_file import AuditFile, filled
from gpf_desktop.storage.files import written_whole

folder, other = Path(sys.argv[1]), Path(sys.argv[2])

def fill():
    with filled(folder / "filled.gpf", title="x") as c:
        for n in range(300):
            audits.set_setting(c, f"s{n}", "x" * 100_000)

def write():
    with written_whole(folder / "report.txt") as part:
        part.write_bytes(bytes(40_000_000))

def copy():
    audit = AuditFile.open(other)
    try:
        audit.save_copy(folder / "copy.gpf")
    finally:
        audit.close()

def create():
    (folder / "filler").touch()
    with (folder / "filler").open("ab", buffering=0) as file:
        try:
            while file.write(bytes(4096)): pass
        except OSError: pass
    try:
        AuditFile.create(folder / "new.gpf", title="x")
    finally:
        (folder / "filler").unlink()

def reopen():
    with (folder / "filler").open("ab", buffering=0) as file:
        try:
            while file.write(bytes(4096)): pass
        except OSError: pass
    try:
        AuditFile.open(folder / "there.gpf").close()
    finally:
        (folder / "filler").unlink()

AuditFile.create(folder / "there.gpf", title="kept").close()
large = AuditFile.create(other, title="large")
"""


def _limited(tmp_path: Path, limit: str, steps: str) -> dict[str, list[object]]:
    folder = tmp_path / "disk"
    folder.mkdir()
    loop = f"""
told = {{}}
for each in ({steps}):
    before = sorted(p.name for p in folder.iterdir())
    try:
        each()
        said = "done"
    except StorageError as error:
        said = error.fault.value
    left = [p.name for p in folder.iterdir() if p.name not in before and not p.name.endswith(".lock")]
    told[each.__name__] = [said, left]
print(json.dumps(told))
"""
    grow_other = """
for n in range(300):
    large.write(lambda c: audits.set_setting(c, f"s{n}", "x" * 100_000)).result()
large.close()
"""
    script = _ON_A_FULL_DISK + grow_other + limit + loop
    command = [sys.executable, "-c", script, str(folder), str(tmp_path / "large.gpf")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)  # type: ignore[no-any-return]


@pytest.mark.skipif(sys.platform != "linux", reason="RLIMIT_FSIZE is asked for as Linux has it")
def test_that_a_file_that_may_grow_no_further_is_told_as_a_full_disk_and_leaves_nothing(tmp_path: Path) -> None:
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (12_000_000, 12_000_000))\n"
    told = _limited(tmp_path, limit, "fill, write, copy")
    assert told == {name: ["full", []] for name in ("fill", "write", "copy")}


def test_that_a_full_disk_is_told_as_such_and_leaves_nothing(tmp_path: Path) -> None:
    mount = """
import subprocess
subprocess.run(["mount", "-t", "tmpfs", "-o", "size=14m", "tmpfs", str(folder)], check=True)
AuditFile.create(folder / "there.gpf", title="kept").close()
"""
    namespace = ["unshare", "--map-root-user", "--user", "--mount"]
    if sys.platform != "linux" or subprocess.run([*namespace, "true"], capture_output=True, check=False).returncode:
        pytest.skip("a small disk of its own needs a name space of mounts, which is not to be had here")
    folder = tmp_path / "outer"
    folder.mkdir()
    inner = "import sys\nfrom pathlib import Path\nfrom tests.storage.test_faults import _limited\n"
    inner += (
        f"import json; print(json.dumps(_limited(Path(sys.argv[1]), {mount!r}, 'fill, write, copy, create, reopen')))"
    )
    command = [*namespace, sys.executable, "-c", inner, str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {name: ["full", []] for name in ("fill", "write", "copy", "create", "reopen")}


def test_that_after_a_full_disk_what_was_saved_is_there(tmp_path: Path) -> None:
    path = tmp_path / "audit.gpf"
    script = """
import resource, sys
from pathlib import Path
from gpf_desktop.domain.errors import StorageError
from gpf_desktop.storage import audits
from gpf_desktop.storage.audit_file import AuditFile
audit = AuditFile.create(Path(sys.argv[1]), title="x")
resource.setrlimit(resource.RLIMIT_FSIZE, (9_000_000, 9_000_000))
done = 0
try:
    for n in range(300):
        audit.write(lambda c: audits.set_setting(c, f"s{n}", "x" * 100_000)).result()
        done += 1
except StorageError as error:
    print(error.fault.value, done)
audit.close()
"""
    if sys.platform != "linux":
        pytest.skip("RLIMIT_FSIZE is asked for as Linux has it")
    said = subprocess.run([sys.executable, "-c", script, str(path)], capture_output=True, text=True, check=True).stdout
    fault, done = said.split()
    assert fault == "full"
    assert int(done) > 0
    audit = AuditFile.open(path)
    stored = audit.read(lambda c: c.execute("SELECT count(*) FROM setting WHERE name LIKE 's%'").fetchone()[0])
    audit.close()
    assert stored == int(done)
