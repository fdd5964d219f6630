"""An audit whose file, folder or lock goes away while it is open, one that is only read, and one that nobody closed."""

import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from gpf_desktop.domain.errors import StorageError, StorageFault
from gpf_desktop.storage import audits
from gpf_desktop.storage.audit_file import AuditFile
from gpf_desktop.storage.reserved_space import RESERVED_BYTES


def _put(audit: AuditFile, name: str) -> None:
    audit.write(lambda connection: audits.set_setting(connection, name, "x")).result()


def _get(audit: AuditFile, name: str) -> str:
    return audit.read(lambda connection: audits.setting(connection, name))


def _open_elsewhere(path: Path) -> str:
    """What another program says that opens *path*."""
    script = (
        "import sys; from pathlib import Path\n"
        "from gpf_desktop.domain.errors import StorageError\n"
        "from gpf_desktop.storage.audit_file import AuditFile\n"
        "try: AuditFile.open(Path(sys.argv[1])).close()\n"
        "except StorageError as error: print(error.fault)\n"
        "else: print('opened')\n"
    )
    command = [sys.executable, "-c", script, str(path)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def _delete(audit: AuditFile) -> None:
    shutil.rmtree(audit.path.parent)


def _move(audit: AuditFile) -> None:
    audit.path.rename(audit.path.with_name("moved.gpf"))


def _replace(audit: AuditFile) -> None:
    AuditFile.create(audit.path.with_name("other.gpf"), title="Other").close()
    audit.path.with_name("other.gpf").replace(audit.path)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows refuses to delete or move a file that is open")
@pytest.mark.parametrize("away", [_delete, _move, _replace])
def test_that_a_file_gone_from_its_place_is_told_and_can_be_saved_elsewhere(
    tmp_path: Path, away: "type[AuditFile]"
) -> None:
    folder = tmp_path / "audits"
    folder.mkdir()
    audit = AuditFile.create(folder / "audit.gpf", title="Evening round")
    _put(audit, "before")
    away(audit)
    with pytest.raises(StorageError, match="deleted, moved or replaced") as caught:
        _put(audit, "after")
    assert caught.value.fault is StorageFault.GONE
    assert "Save a copy" in caught.value.remedy
    audit.save_copy(tmp_path / "saved.gpf")
    audit.close()
    copy = AuditFile.open(tmp_path / "saved.gpf")
    assert [_get(copy, name) for name in ("before", "after")] == ["x", "x"]
    copy.close()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows refuses to delete a file that is open")
def test_that_an_audit_whose_lock_was_deleted_is_still_held(audit: AuditFile) -> None:
    with pytest.raises(StorageError):
        AuditFile.open(audit.path)
    audit.path.with_name(f".{audit.path.name}.lock").unlink()
    assert _open_elsewhere(audit.path) == "locked"
    _put(audit, "still mine")
    audit.close()
    assert _open_elsewhere(audit.path) == "opened"


def test_that_an_audit_opened_to_read_keeps_every_byte(closed: Path) -> None:
    before = {each.name: each.read_bytes() for each in closed.parent.iterdir() if each.suffix != ".lock"}
    audit = AuditFile.open(closed, read_only=True)
    assert audit.read(audits.facts).title == "Evening round"
    error = audit.write(lambda connection: audits.rename(connection, "x")).exception()
    assert isinstance(error, StorageError)
    assert "reading only" in error.what
    audit.save_copy(closed.with_name("copy.gpf"))
    audit.close()
    closed.with_name("copy.gpf").unlink()
    assert {each.name: each.read_bytes() for each in closed.parent.iterdir() if each.suffix != ".lock"} == before


def test_that_a_text_larger_than_any_of_ours_is_not_read(closed: Path) -> None:
    with closing(sqlite3.connect(closed)) as connection, connection:
        connection.execute("INSERT INTO setting VALUES ('review.guideline', ?)", ("x" * 17 * 2**20,))
    audit = AuditFile.open(closed)
    with pytest.raises(StorageError, match="more than 16 MB"):
        audit.read(audits.guideline)
    audit.close()


def test_that_answers_are_written_through_to_the_disk(audit: AuditFile) -> None:
    def pragmas(connection: object) -> tuple[int, str, int, int]:
        names = ("synchronous", "journal_mode", "trusted_schema", "temp_store")
        return tuple(connection.execute(f"PRAGMA {name}").fetchone()[0] for name in names)  # type: ignore[attr-defined, return-value]

    full = memory = 2
    # What undoes half a write is in no folder for temporary files, which may be full where the audit's disk is not.
    assert audit.write(pragmas).result() == (full, "wal", 0, memory)


def test_that_a_program_that_fails_without_closing_ends_and_keeps_what_it_queued(closed: Path) -> None:
    script = (
        "import sys; from pathlib import Path\n"
        "from gpf_desktop.storage import audits\n"
        "from gpf_desktop.storage.audit_file import AuditFile\n"
        "audit = AuditFile.open(Path(sys.argv[1]))\n"
        "audit.write(lambda c: audits.set_setting(c, 'note', 'x'))\n"
        "raise SystemExit(7)\n"
    )
    ended = subprocess.run([sys.executable, "-c", script, str(closed)], timeout=250, check=False)
    assert ended.returncode == 7
    audit = AuditFile.open(closed)
    assert _get(audit, "note") == "x"
    audit.close()


def test_that_room_is_kept_beside_an_open_audit_and_given_back(audit: AuditFile) -> None:
    assert audit.reserved.path.stat().st_size == RESERVED_BYTES
    audit.reserved.release()
    assert not audit.reserved.path.exists()
    older = audit.path.with_name(f".{audit.path.name}.ballast")
    older.write_bytes(b"of a program that was killed")
    audit.reserved.take()
    assert not older.exists()
    audit.close()
    assert [each.name for each in audit.path.parent.iterdir() if each.suffix != ".lock"] == [audit.path.name]
