"""What lies beside an audit under its name and is another database's: never written into it, never deleted."""

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from gpf_desktop.domain.errors import StorageError, StorageFault
from gpf_desktop.storage import audits, neighbour_files, wal_marker
from gpf_desktop.storage.audit_file import AuditFile, filled
from gpf_desktop.storage.cut_off import cut_off
from gpf_desktop.storage.faults import disk_full

_MAGIC = bytes.fromhex("d9d505f920a163d7")


def _content(folder: Path) -> dict[str, bytes]:
    """What stands in *folder*, but for what is made anew whenever an audit is opened."""
    return {
        each.name: each.read_bytes()
        for each in folder.iterdir()
        if each.is_file() and not each.name.endswith((".lock", "-shm"))
    }


def _refused(path: Path, read: Callable[[], object]) -> StorageError:
    before = _content(path.parent)
    with pytest.raises(StorageError) as caught:
        read()
    assert caught.value.fault is StorageFault.FOREIGN
    assert _content(path.parent) == before
    assert "Nothing was changed" in caught.value.remedy
    return caught.value


def _opened(path: Path, *, read_only: bool = False) -> str:
    """The title of the audit at *path*; opened and closed."""
    audit = AuditFile.open(path, read_only=read_only)
    try:
        return audit.read(audits.facts).title
    finally:
        audit.close()


def _database(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE diary (day INTEGER PRIMARY KEY, said TEXT)")
        connection.executemany("INSERT INTO diary VALUES (?, ?)", [(n, "x" * 100) for n in range(2000)])


def _hot_journal(folder: Path, *, statement: str = "UPDATE diary SET said = 'y'", of: Path | None = None) -> bytes:
    """The rollback journal of another database that was killed in the middle of a change."""
    database = of or folder / "diary.db"
    if of is None:
        _database(database)
    script = (
        "import os, sqlite3, sys\n"
        "c = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
        "for each in ('PRAGMA cache_size = 2', 'BEGIN IMMEDIATE', sys.argv[2]): c.execute(each)\n"
        "os._exit(0)\n"
    )
    subprocess.run([sys.executable, "-c", script, str(database), statement], check=True)
    return database.with_name(f"{database.name}-journal").read_bytes()


def _killed(path: Path, name: str = "note") -> None:
    """Open the audit at *path*, write to it, and go without closing: its -wal file stays."""
    script = (
        "import os, sys\nfrom pathlib import Path\n"
        "from gpf_desktop.storage import audits\nfrom gpf_desktop.storage.audit_file import AuditFile\n"
        "audit = AuditFile.open(Path(sys.argv[1]))\n"
        "audit.write(lambda c: audits.set_setting(c, sys.argv[2], 'kept')).result()\n"
        "os._exit(0)\n"
    )
    subprocess.run([sys.executable, "-c", script, str(path), name], check=True)


@pytest.mark.parametrize("read_only", [False, True])
@pytest.mark.parametrize("kind", ["hot", "garbage", "empty", "of an audit"])
def test_that_a_rollback_journal_beside_an_audit_is_refused(
    closed: Path, tmp_path: Path, kind: str, *, read_only: bool
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    if kind == "of an audit":
        other = Path(shutil.copy(closed, elsewhere))
        with closing(sqlite3.connect(other)) as connection:
            connection.execute("PRAGMA journal_mode = DELETE")
        rows = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)"
        grow = f"INSERT INTO setting {rows} SELECT 's' || i, hex(randomblob(100)) FROM n"
        data = _hot_journal(elsewhere, statement=grow, of=other)
    else:
        data = {"hot": _hot_journal(elsewhere), "garbage": os.urandom(9000), "empty": b""}[kind]
    journal = closed.with_name(f"{closed.name}-journal")
    journal.write_bytes(data)
    error = _refused(closed, lambda: AuditFile.open(closed, read_only=read_only))
    assert journal.name in error.what
    assert journal.name in error.remedy
    journal.rename(tmp_path / "moved away")
    assert _opened(closed, read_only=read_only) == "Evening round"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes in folders")
def test_that_a_pipe_in_a_journal_s_place_is_not_waited_at(closed: Path) -> None:
    journal = closed.with_name(f"{closed.name}-journal")
    os.mkfifo(journal)
    # Somebody who writes, so that reading the pipe ends, and is found out by what it took.
    writer = os.open(journal, os.O_RDWR | os.O_NONBLOCK)
    os.write(writer, _MAGIC)
    _refused(closed, lambda: AuditFile.open(closed))
    assert os.read(writer, 8) == _MAGIC
    os.close(writer)


def test_that_a_journal_beside_an_audit_that_was_cut_off_is_left_alone_by_who_only_looks(
    closed: Path, tmp_path: Path
) -> None:
    _killed(closed)
    closed.with_name(f"{closed.name}-journal").write_bytes(_hot_journal(tmp_path))
    before = _content(tmp_path)
    assert cut_off(closed) is None
    assert _content(tmp_path) == before


def test_that_a_journal_that_appears_while_an_audit_is_open_changes_nothing(closed: Path, tmp_path: Path) -> None:
    data = _hot_journal(tmp_path)
    audit = AuditFile.open(closed)
    journal = closed.with_name(f"{closed.name}-journal")
    journal.write_bytes(data)
    audit.write(lambda connection: audits.set_setting(connection, "note", "kept")).result()
    # A reader of its own, that is opened now.
    with pytest.raises(StorageError) as caught:
        audit.read(lambda connection: audits.setting(connection, "note"))
    assert caught.value.fault is StorageFault.FOREIGN
    audit.save_copy(tmp_path / "copy.gpf")
    audit.close()
    assert journal.read_bytes() == data
    journal.unlink()
    for path in (closed, tmp_path / "copy.gpf"):
        again = AuditFile.open(path)
        assert again.read(lambda connection: audits.setting(connection, "note")) == "kept"
        again.close()


def _cut_off_in_the_switch(path: Path, *, pages: int = 0, sector: int = 512, size: int = 4096) -> bytearray:
    """Leave the audit at *path* as a kill would while it is switched to WAL mode; what its journal holds.

    That is a head, told otherwise by what is given, and after 512 bytes a page's number, its content and a checksum.
    """
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
    # SQLite's own change of the first page, and its journal as a kill would leave it.
    script = (
        "import os, sqlite3, sys\n"
        "c = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
        "for each in ('PRAGMA journal_mode = PERSIST', 'BEGIN IMMEDIATE'): c.execute(each)\n"
        "c.execute('PRAGMA user_version = ' + str(c.execute('PRAGMA user_version').fetchone()[0]))\n"
        "c.execute('COMMIT')\n"
    )
    subprocess.run([sys.executable, "-c", script, str(path)], check=True)
    journal = path.with_name(f"{path.name}-journal")
    data = bytearray(journal.read_bytes()[: 512 + 4096 + 8])
    journal.unlink()
    # PERSIST keeps the journal and blots out its header, which is put back.
    of = pages or path.stat().st_size // 4096
    data[:28] = _MAGIC + b"\xff" * 4 + bytes(4) + of.to_bytes(4) + sector.to_bytes(4) + size.to_bytes(4)
    switched = bytearray(path.read_bytes())
    switched[18:20] = b"\x02\x02"
    path.write_bytes(switched)
    return data


@pytest.mark.parametrize("until", [512, None], ids=["no record yet", "a record"])
def test_that_a_kill_while_a_copy_is_switched_to_wal_loses_nothing(closed: Path, until: int | None) -> None:
    data = _cut_off_in_the_switch(closed)
    journal = closed.with_name(f"{closed.name}-journal")
    journal.write_bytes(data[:until])
    assert _opened(closed) == "Evening round"
    assert not journal.exists()


@pytest.mark.parametrize(
    ("head", "number", "rest"),
    [
        ({}, 2, 0),
        ({}, 1, 1),
        ({}, 1, -1),
        ({"pages": 1}, 1, 0),
        ({"pages": 1}, 1, -4104),
        ({"size": 8192}, 1, 0),
        ({"size": 512}, 1, -4104),
        ({"size": 2**31}, 1, 0),
        ({"sector": 2**17}, 1, 0),
    ],
    ids=[
        "another page", "longer", "shorter", "fewer pages", "fewer pages and no record",
        "larger pages", "smaller pages and no record", "no such pages", "no such sector",
    ],
)  # fmt: skip
def test_that_a_journal_that_could_do_more_than_undo_the_switch_is_refused(
    closed: Path, head: dict[str, int], number: int, rest: int
) -> None:
    data = _cut_off_in_the_switch(closed, **head)
    data[512:516] = number.to_bytes(4)
    journal = closed.with_name(f"{closed.name}-journal")
    journal.write_bytes(data + b"x" * rest if rest >= 0 else data[:rest])
    _refused(closed, lambda: AuditFile.open(closed))


@pytest.mark.parametrize("size", [2048, 8192])
@pytest.mark.parametrize("record", [False, True])
def test_that_a_journal_of_pages_of_another_size_is_refused(closed: Path, size: int, *, record: bool) -> None:
    """Of the audit's length all in all, and its record is what stands there."""
    with closing(sqlite3.connect(closed, isolation_level=None)) as connection:
        while closed.stat().st_size % size:
            row = ("note " * (connection.total_changes + 1), "x" * 1000)
            connection.execute("INSERT INTO setting (name, value) VALUES (?, ?)", row)
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    data = _cut_off_in_the_switch(closed, pages=closed.stat().st_size // size, size=size)
    own = (1).to_bytes(4) + closed.read_bytes()[:size] + bytes(4)
    closed.with_name(f"{closed.name}-journal").write_bytes(data[:512] + own * record)
    _refused(closed, lambda: AuditFile.open(closed))


def _of_another_audit(folder: Path, closed: Path) -> Path:
    other = folder / "audit.gpf"
    AuditFile.create(other, title="Morning round").close()
    _killed(other)
    return other


def _of_an_older_state(folder: Path, closed: Path) -> Path:
    """The file that lies there was put back from a copy, beside what the one before left."""
    other = Path(shutil.copy(closed, folder))
    _killed(other)
    return other


def _of_a_saved_copy(folder: Path, closed: Path) -> Path:
    other = Path(shutil.copy(closed, folder))
    audit = AuditFile.open(closed)
    audit.save_copy(folder / "saved.gpf")
    audit.close()
    _killed(other)
    (folder / "saved.gpf").replace(closed)
    return other


def _of_another_program(folder: Path, closed: Path) -> Path:
    other = folder / "diary.db"
    script = (
        "import os, sqlite3, sys\n"
        "c = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
        "c.execute('PRAGMA journal_mode = WAL')\n"
        "c.execute('PRAGMA synchronous = OFF')\n"
        "c.execute('CREATE TABLE diary (day INTEGER PRIMARY KEY, said TEXT)')\n"
        "c.executemany('INSERT INTO diary VALUES (?, ?)', [(n, 'x' * 100) for n in range(3000)])\n"
        "os._exit(0)\n"
    )
    subprocess.run([sys.executable, "-c", script, str(other)], check=True)
    return other


@pytest.mark.parametrize("left", [_of_another_audit, _of_an_older_state, _of_a_saved_copy, _of_another_program])
@pytest.mark.parametrize("read_only", [False, True])
def test_that_a_wal_file_of_another_file_is_refused(
    closed: Path, tmp_path: Path, left: Callable[[Path, Path], Path], *, read_only: bool
) -> None:
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    other = left(folder, closed)
    wal = closed.with_name(f"{closed.name}-wal")
    data = other.with_name(f"{other.name}-wal").read_bytes()
    assert data
    wal.write_bytes(data)
    error = _refused(closed, lambda: AuditFile.open(closed, read_only=read_only))
    assert wal.name in error.remedy
    assert cut_off(closed) is None
    wal.unlink()
    assert _opened(closed, read_only=read_only) == "Evening round"


def test_that_a_wal_file_left_by_an_audit_that_was_replaced_is_not_played_into_the_new_one(closed: Path) -> None:
    new = closed.with_name("new.gpf")
    AuditFile.create(new, title="New").close()
    _killed(closed)
    new.replace(closed)
    _refused(closed, lambda: AuditFile.open(closed))


def test_that_a_foreign_shm_file_is_of_no_harm(closed: Path) -> None:
    closed.with_name(f"{closed.name}-shm").write_bytes(os.urandom(32768))
    assert _opened(closed) == "Evening round"


def test_that_an_empty_wal_file_is_of_no_harm(closed: Path) -> None:
    closed.with_name(f"{closed.name}-wal").write_bytes(b"")
    assert _opened(closed) == "Evening round"


@pytest.mark.parametrize("read", [False, True])
@pytest.mark.parametrize("fold", [False, True])
def test_that_a_kill_at_any_step_of_opening_and_closing_leaves_an_audit_that_opens(
    closed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, fold: bool, read: bool
) -> None:
    monkeypatch.setattr(wal_marker, "_FIRST_PATIENCE", 0)
    states = tmp_path / "states"
    states.mkdir()
    if fold:
        _killed(closed)

    def keep(_statement: str) -> None:
        folder = states / str(len(list(states.iterdir())))
        folder.mkdir()
        for suffix in ("", "-wal"):
            each = closed.with_name(closed.name + suffix)
            if each.exists():
                shutil.copy(each, folder)

    with closing(sqlite3.connect(closed, isolation_level=None)) as connection:
        connection.set_trace_callback(keep)
        with closing(sqlite3.connect(closed, isolation_level=None)) as reader:
            # A long read under way keeps the first fold from the audit.
            reader.execute("BEGIN" if read else "SELECT 1")
            reader.execute("SELECT count(*) FROM setting").fetchone()
            connection.execute("BEGIN IMMEDIATE")
            wal_marker.begin(connection)
            audits.set_setting(connection, "note", "newest")
            connection.execute("COMMIT")
            wal_marker.begun(connection)
            wal_marker.keep_short(connection, closed)
        wal_marker.keep_short(connection, closed)
        wal_marker.end(connection)
        keep("")
        connection.set_trace_callback(None)
    folders = list(states.iterdir())
    assert len(folders) > 8
    for folder in folders:
        assert _opened(folder / closed.name) == "Evening round"


@pytest.mark.parametrize("suffix", ["-journal", "-wal"])
@pytest.mark.parametrize("how", ["create", "fill", "copy"])
def test_that_what_a_missing_database_left_is_not_deleted_by_what_is_written_at_its_place(
    audit: AuditFile, tmp_path: Path, suffix: str, how: str
) -> None:
    folder = tmp_path / "there"
    folder.mkdir()
    target = folder / "lost.gpf"
    target.with_name(target.name + suffix).write_bytes(b"the only copy of somebody's newest answers")

    def fill() -> None:
        with filled(target, title="x"):
            pass

    made = {
        "create": lambda: AuditFile.create(target, title="x"),
        "fill": fill,
        "copy": lambda: audit.save_copy(target),
    }
    error = _refused(target, made[how])
    assert f"lost.gpf{suffix}" in error.what
    assert not target.exists()


def test_that_a_copy_over_an_audit_takes_nothing_of_that_one_s_wal_file(audit: AuditFile, tmp_path: Path) -> None:
    other = tmp_path / "other.gpf"
    AuditFile.create(other, title="Another").close()
    _killed(other)
    wal = other.with_name("other.gpf-wal")
    assert wal.stat().st_size
    audit.save_copy(other)
    assert not wal.exists()
    assert _opened(other) == "Evening round"


def test_that_an_audit_opened_through_a_link_takes_its_wal_file_with_it(closed: Path, tmp_path: Path) -> None:
    _killed(closed)
    link = tmp_path / "links"
    link.mkdir()
    (link / "to.gpf").symlink_to(closed)
    audit = AuditFile.open(link / "to.gpf")
    assert audit.read(lambda connection: audits.setting(connection, "note")) == "kept"
    with pytest.raises(StorageError, match="open in another"):
        AuditFile.open(closed)
    audit.close()


@pytest.mark.parametrize(
    ("there", "wal", "stays"),
    [(False, b"", False), (False, b"saved work", True), (False, None, False), (True, b"", True)],
)
def test_that_a_full_disk_takes_away_what_was_begun_in_vain_and_nothing_else(
    tmp_path: Path, there: bool, wal: bytes | None, stays: bool
) -> None:
    path = tmp_path / "a.gpf"
    if there:
        (tmp_path / "a.gpf-shm").touch()

    def opens() -> None:
        with neighbour_files.begun_in_vain(path):
            if wal is not None:
                (tmp_path / "a.gpf-wal").write_bytes(wal)
            (tmp_path / "a.gpf-shm").touch()
            raise disk_full(path, "")

    with pytest.raises(StorageError):
        opens()
    assert (tmp_path / "a.gpf-wal").exists() is stays
