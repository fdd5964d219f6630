"""Making, opening, reading, copying and closing the one file of an audit."""

import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from gpf_desktop.domain.errors import StorageError, StorageFault, UserError
from gpf_desktop.storage import audits
from gpf_desktop.storage.audit_file import AuditFile, filled


def _names(folder: Path) -> set[str]:
    """Files in *folder* that a user sees."""
    return {each.name for each in folder.iterdir() if not each.name.startswith(".")}


def _put(audit: AuditFile, name: str, value: str) -> None:
    audit.write(lambda connection: audits.set_setting(connection, name, value)).result()


def _get(audit: AuditFile, name: str) -> str:
    return audit.read(lambda connection: audits.setting(connection, name))


def test_that_a_new_audit_knows_its_title_and_gets_an_identity_of_its_own(tmp_path: Path) -> None:
    facts = []
    for name in ("first.gpf", "second.gpf"):
        audit = AuditFile.create(tmp_path / name, title=name, sample=name == "second.gpf")
        facts.append(audit.read(audits.facts))
        audit.close()
    assert [each.title for each in facts] == ["first.gpf", "second.gpf"]
    assert [each.sample for each in facts] == [False, True]
    assert facts[0].uuid != facts[1].uuid


def test_that_a_title_of_bytes_that_are_no_text_is_kept_as_far_as_it_is(path: Path) -> None:
    audit = AuditFile.create(path, title="a\udcff")
    assert audit.read(audits.facts).title == "a?"
    audit.close()


def test_that_what_was_written_is_there_after_closing_and_opening(audit: AuditFile) -> None:
    _put(audit, "note", "kept")
    audit.close()
    again = AuditFile.open(audit.path)
    assert _get(again, "note") == "kept"
    again.close()


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
@pytest.mark.parametrize("dies_in", ["schema.migrate", "audit_file._lay_out"])
def test_that_a_kill_while_an_audit_is_made_leaves_none_or_a_whole_one(path: Path, dies_in: str) -> None:
    words = (
        "import os, signal, sys; from pathlib import Path; from gpf_desktop.storage import audit_file, schema;"
        f"whole = {dies_in};"
        f"{dies_in} = lambda *a, **k: (whole(*a, **k), os.kill(os.getpid(), signal.SIGKILL));"
        "audit_file.AuditFile.create(Path(sys.argv[1]), title='x')"
    )
    done = subprocess.run([sys.executable, "-c", words, str(path)], timeout=250, check=False)
    assert done.returncode == -signal.SIGKILL
    audit = AuditFile.open(path) if path.exists() else AuditFile.create(path, title="x")
    assert audit.read(audits.facts).title == "x"
    audit.close()
    assert _names(path.parent) == {path.name}
    assert not [each for each in path.parent.iterdir() if ".part" in each.name]


def test_that_a_file_is_never_overwritten_by_a_new_audit(path: Path) -> None:
    path.write_text("somebody's notes")
    with pytest.raises(StorageError, match="already a file"):
        AuditFile.create(path, title="x")
    assert path.read_text() == "somebody's notes"


def test_that_an_audit_is_not_made_in_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="no folder") as caught:
        AuditFile.create(tmp_path / "gone" / "audit.gpf", title="x")
    assert caught.value.fault is StorageFault.MISSING
    assert not (tmp_path / "gone").exists()


def test_that_closing_leaves_one_file_even_while_something_reads(audit: AuditFile) -> None:
    _put(audit, "note", "kept")
    reading, go_on = threading.Event(), threading.Event()

    def slow(connection: object) -> None:
        reading.set()
        assert go_on.wait(250)

    with ThreadPoolExecutor() as threads:
        read = threads.submit(audit.read, slow)
        assert reading.wait(250)
        closing = threads.submit(audit.close)
        go_on.set()
        read.result()
        closing.result()
    assert _names(audit.path.parent) == {audit.path.name}


def test_that_closing_twice_is_harmless_and_using_it_afterwards_is_a_bug(audit: AuditFile) -> None:
    audit.close()
    audit.close()
    with pytest.raises(RuntimeError, match="closed"):
        _get(audit, "note")
    with pytest.raises(RuntimeError, match="closed"):
        audit.write(lambda connection: None)


def test_that_a_second_opener_is_told_who_holds_the_file(audit: AuditFile) -> None:
    with pytest.raises(StorageError, match="open in another window") as caught:
        AuditFile.open(audit.path)
    assert caught.value.fault is StorageFault.LOCKED


def test_that_a_second_program_is_told_so_as_well(audit: AuditFile) -> None:
    script = (
        "import sys; from pathlib import Path\n"
        "from gpf_desktop.domain.errors import StorageError\n"
        "from gpf_desktop.storage.audit_file import AuditFile\n"
        "try: AuditFile.open(Path(sys.argv[1])).close()\n"
        "except StorageError as error: print(error.fault)\n"
        "else: print('opened')\n"
    )
    command = [sys.executable, "-c", script, str(audit.path)]
    held = subprocess.run(command, capture_output=True, text=True, check=True)
    audit.close()
    free = subprocess.run(command, capture_output=True, text=True, check=True)
    assert (held.stdout.strip(), free.stdout.strip()) == ("locked", "opened")


def test_that_an_audit_opened_by_one_thread_and_closed_by_another_can_be_opened_again(path: Path) -> None:
    with ThreadPoolExecutor(1) as one:
        audit = one.submit(lambda: AuditFile.create(path, title="x")).result()
    audit.close()
    AuditFile.open(path).close()


def test_that_reads_go_on_beside_a_write_and_see_only_what_is_durable(audit: AuditFile) -> None:
    _put(audit, "note", "before")
    written, go_on = threading.Event(), threading.Event()

    def slow(connection: object) -> None:
        audits.set_setting(connection, "note", "after")  # type: ignore[arg-type]
        written.set()
        assert go_on.wait(250)

    future = audit.write(slow)
    assert written.wait(250)
    seen = _get(audit, "note")
    go_on.set()
    future.result()
    assert (seen, _get(audit, "note")) == ("before", "after")


def test_that_a_read_cannot_write(audit: AuditFile) -> None:
    with pytest.raises(StorageError) as caught:
        audit.read(lambda connection: audits.set_setting(connection, "note", "x"))
    assert caught.value.fault is StorageFault.READ_ONLY


def test_that_a_copy_is_complete_and_one_file(audit: AuditFile, tmp_path: Path) -> None:
    _put(audit, "note", "in the -wal file only")
    target = tmp_path / "copies"
    target.mkdir()
    audit.save_copy(target / "copy.gpf")
    _put(audit, "note", "later")
    assert _names(target) == {"copy.gpf"}
    copy = AuditFile.open(target / "copy.gpf")
    assert _get(copy, "note") == "in the -wal file only"
    assert copy.read(audits.facts).uuid == audit.read(audits.facts).uuid
    copy.close()


def test_that_a_copy_never_replaces_an_audit_that_is_open(audit: AuditFile, tmp_path: Path) -> None:
    other = AuditFile.create(tmp_path / "other.gpf", title="other")
    for target in (audit.path, other.path):
        with pytest.raises(StorageError, match="open in another") as caught:
            audit.save_copy(target)
        assert caught.value.fault is StorageFault.LOCKED
    _put(audit, "note", "still mine")
    assert _get(audit, "note") == "still mine"
    other.close()


def test_that_a_copy_over_an_older_audit_takes_nothing_of_it_along(audit: AuditFile, tmp_path: Path) -> None:
    target = tmp_path / "older.gpf"
    AuditFile.create(target, title="older").close()
    target.with_name("older.gpf-wal").write_bytes(b"left over from a crash")
    audit.save_copy(target)
    copy = AuditFile.open(target)
    assert copy.read(audits.facts).title == "Evening round"
    copy.close()


def test_that_a_copy_that_fails_names_its_target_and_leaves_nothing(audit: AuditFile, tmp_path: Path) -> None:
    folder = tmp_path / "not a folder"
    folder.write_text("")
    with pytest.raises(StorageError) as caught:
        audit.save_copy(folder / "copy.gpf")
    assert str(folder) in caught.value.what
    assert folder.read_text() == ""
    assert not any(each.name.endswith(".part") for each in tmp_path.iterdir())


def _made(path: Path) -> Path:
    AuditFile.create(path, title="made").close()
    return path


def _copied(path: Path) -> Path:
    audit = AuditFile.open(_made(path.with_name("copied from.gpf")))
    _put(audit, "note", "kept")
    audit.save_copy(path)
    audit.close()
    return path


def _filled(path: Path) -> Path:
    with filled(path, title="filled"):
        pass
    return path


@pytest.mark.parametrize("how", [_made, _copied, _filled])
def test_that_of_an_audit_in_which_nothing_was_kept_no_byte_changes(path: Path, how: Callable[[Path], Path]) -> None:
    how(path)
    before, moment = path.read_bytes(), path.stat().st_mtime_ns
    again = AuditFile.open(path)
    assert again.read(lambda connection: audits.setting(connection, "nothing")) == ""

    def refused(connection: sqlite3.Connection) -> None:
        audits.set_setting(connection, "note", "half")
        raise UserError("No.")

    with pytest.raises(UserError):
        again.write(refused).result()
    again.write(lambda connection: connection.execute("DELETE FROM setting WHERE name = 'nothing'")).result()
    again.close()
    assert (path.read_bytes(), path.stat().st_mtime_ns) == (before, moment)
