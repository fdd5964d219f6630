"""Files that are no audits, or no longer: a clear refusal, and not a byte of them changed."""

import os
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from gpf_desktop.domain.errors import StorageError, StorageFault
from gpf_desktop.domain.responses import Miss, Missing, Reply
from gpf_desktop.storage import audit_file, audits, responses, schema
from gpf_desktop.storage.audit_file import AuditFile
from tests.storage import rows


def _refused(path: Path) -> StorageError:
    """The error that opening *path* raises; everything in its folder is as before but for the lock."""
    before = _content(path.parent)
    with pytest.raises(StorageError) as caught:
        AuditFile.open(path)
    assert _content(path.parent) == before
    assert path.name in caught.value.what
    assert caught.value.remedy
    return caught.value


def _content(folder: Path) -> dict[str, bytes]:
    return {each.name: each.read_bytes() for each in folder.iterdir() if each.is_file() and each.suffix != ".lock"}


def _change(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.execute("PRAGMA journal_mode = DELETE")


@pytest.mark.parametrize(
    ("planted", "said"),
    [
        ("CREATE TRIGGER planted AFTER INSERT ON response BEGIN DELETE FROM review_entry; END", "trigger of another"),
        ("CREATE VIEW planted AS SELECT * FROM response", "what another program made in it: planted"),
        ("CREATE TABLE planted (x)", "what another program made in it: planted"),
        (f'CREATE TABLE "{"x" * 300}" (x)', "xxx …."),
        ("CREATE INDEX planted ON response (text)", "what another program made in it: planted"),
        ("DROP INDEX cell_to_ask", "damaged or incomplete"),
        ("ALTER TABLE response ADD COLUMN planted TEXT", "damaged or incomplete"),
    ],
)
def test_that_only_the_known_schema_is_accepted(closed: Path, planted: str, said: str) -> None:
    _change(closed, planted)
    error = _refused(closed)
    assert error.fault is StorageFault.DAMAGED
    assert said in error.what


def test_that_of_all_that_was_planted_a_trigger_is_named_first(closed: Path) -> None:
    _change(closed, "CREATE TABLE a (x)", "CREATE TRIGGER z AFTER INSERT ON a BEGIN DELETE FROM review_entry; END")
    assert "a trigger of another program: z." in _refused(closed).what


@pytest.mark.parametrize(
    ("kind", "name", "sql"),
    [
        ("trigger", "sqlite_evil", "CREATE TRIGGER sqlite_evil AFTER UPDATE ON run BEGIN DELETE FROM response; END"),
        ("trigger", "SQLITE_stat1", "CREATE TRIGGER SQLITE_stat1 AFTER UPDATE ON run BEGIN DELETE FROM response; END"),
        ("index", "sqlite_autoindex_x", "CREATE TRIGGER sqlite_autoindex_x AFTER UPDATE ON run BEGIN SELECT 1; END"),
        ("view", "sqlite_sequence", "CREATE VIEW sqlite_sequence AS SELECT text FROM response"),
        ("table", "sqlite_stat1", "CREATE TRIGGER sqlite_stat1 AFTER UPDATE ON run BEGIN DELETE FROM response; END"),
    ],
)
def test_that_nothing_passes_as_sqlite_s_own_by_its_name(closed: Path, kind: str, name: str, sql: str) -> None:
    with closing(sqlite3.connect(closed, isolation_level=None)) as connection:
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("INSERT INTO sqlite_schema VALUES (?, ?, 'run', 0, ?)", (kind, name, sql))
    assert _refused(closed).fault is StorageFault.DAMAGED


@pytest.mark.parametrize(("was", "now"), [(b"created_at", b"created_\x98t"), (b"CREATE TABLE", b"CREATE \x98ABLE")])
def test_that_a_schema_whose_bytes_are_no_text_is_damage(closed: Path, was: bytes, now: bytes) -> None:
    closed.write_bytes(closed.read_bytes().replace(was, now, 1))
    assert _refused(closed).fault is StorageFault.DAMAGED


def test_that_what_sqlite_keeps_itself_is_accepted(closed: Path) -> None:
    _change(closed, "INSERT INTO setting VALUES ('a', 'b')", "ANALYZE")
    AuditFile.open(closed).close()


def test_that_a_table_replaced_by_a_view_of_the_same_name_is_refused(closed: Path) -> None:
    _change(closed, "DROP TABLE flag", "CREATE VIEW flag AS SELECT 1 AS cell_id, 'x' AS name, '' AS detail")
    assert _refused(closed).fault is StorageFault.DAMAGED


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("UPDATE fit_group SET answers = answers + 1", "a fit counts other answers"),
        ("UPDATE fit_group SET answers = answers - 1", "a fit counts other answers"),
        ("UPDATE fit_group SET unended = unended + 1", "a fit counts other cells without an end"),
        ("UPDATE fit_group SET stages_left = stages_left + 1", "a fit counts other cells without an end"),
        ("DELETE FROM cell WHERE id = (SELECT max(id) FROM cell WHERE state = 'open')", "a fit counts other cells"),
    ],
)
def test_that_counts_edited_by_hand_are_told_when_an_audit_is_opened(closed: Path, change: str, said: str) -> None:
    def ask(connection: sqlite3.Connection) -> None:
        of = [rows.factors(name, family=family) for name in "AB" for family in ("X", "Y")]
        first, second, *_ = rows.planned(connection, rows.run(connection), *of)
        outcomes = Reply(text="An answer."), Miss(reason=Missing.HTTP_ERROR, detail="", status=500)
        responses.save(
            connection,
            [
                responses.CellResult(cell_id=cell, attempt=1, outcome=outcome, seconds=1.0, microdollars=0)
                for cell, outcome in zip((first, second), outcomes, strict=True)
            ],
        )

    audit = AuditFile.open(closed)
    audit.write(ask).result()
    audit.close()
    AuditFile.open(closed).close()
    _change(closed, change)
    error = _refused(closed)
    assert error.fault is StorageFault.DAMAGED
    assert said in error.what
    assert "gpf-desktop doctor" in error.remedy
    # Which looks at it by reading alone.
    AuditFile.open(closed, read_only=True).close()


def test_that_a_newer_file_is_refused_politely_and_untouched(closed: Path) -> None:
    _change(closed, f"PRAGMA user_version = {schema.current_version() + 1}", "CREATE TABLE of_the_future (x)")
    error = _refused(closed)
    assert error.fault is StorageFault.NEWER
    assert "Update the program" in error.remedy


def test_that_another_program_s_database_is_refused(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE moz_places (id INTEGER PRIMARY KEY)")
    assert _refused(path).fault is StorageFault.NOT_AN_AUDIT


def test_that_a_database_without_a_version_is_refused(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA application_id = {schema.APPLICATION_ID}")
        connection.execute("CREATE TABLE audit (id INTEGER)")
    assert _refused(path).fault is StorageFault.NOT_AN_AUDIT


@pytest.mark.parametrize("content", [b"", b"%PDF-1.7", b"SQLite format 3", b"SQLite format 3\0" + b"\xff" * 5000])
def test_that_what_is_no_database_is_refused(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    assert _refused(path).fault is StorageFault.NOT_AN_AUDIT


def test_that_a_folder_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "audit.gpf"
    folder.mkdir()
    assert _refused(folder).fault is StorageFault.NOT_AN_AUDIT


@pytest.mark.skipif(sys.platform == "win32", reason="there are no named pipes in folders")
def test_that_a_pipe_is_no_audit(path: Path) -> None:
    os.mkfifo(path)
    assert _refused(path).fault is StorageFault.NOT_AN_AUDIT


def test_that_a_missing_file_is_called_missing_and_not_made(path: Path) -> None:
    assert _refused(path).fault is StorageFault.MISSING
    assert not path.exists()


@pytest.mark.parametrize("share", [0.05, 0.3, 0.6, 0.95])
def test_that_a_truncated_file_is_refused(closed: Path, share: float) -> None:
    whole = closed.read_bytes()
    closed.write_bytes(whole[: int(share * len(whole))])
    assert _refused(closed).fault is StorageFault.DAMAGED


def test_that_pages_overwritten_in_the_middle_are_found_when_opening(closed: Path) -> None:
    whole = bytearray(closed.read_bytes())
    whole[3 * 4096 : 5 * 4096] = b"\xa5" * (2 * 4096)
    closed.write_bytes(whole)
    assert _refused(closed).fault is StorageFault.DAMAGED


def _write(audit: AuditFile, name: str) -> None:
    audit.write(lambda connection: audits.set_setting(connection, name, "x")).result()


def test_that_a_copy_made_of_an_open_audit_without_its_wal_is_refused_and_can_be_opened_knowingly(
    audit: AuditFile, tmp_path: Path
) -> None:
    # The first one is folded into the audit at once.
    _write(audit, "earlier answer")
    _write(audit, "newest answer")
    folder = tmp_path / "copied"
    folder.mkdir()
    copy = Path(shutil.copy(audit.path, folder))
    error = _refused(copy)
    assert error.fault is StorageFault.INCOMPLETE
    assert "-wal" in error.remedy
    opened = AuditFile.open(copy, accept_incomplete=True)
    assert opened.read(lambda connection: audits.setting(connection, "newest answer")) == ""
    opened.close()
    AuditFile.open(copy).close()


def test_that_a_copy_made_together_with_the_wal_file_holds_everything(audit: AuditFile, tmp_path: Path) -> None:
    _write(audit, "newest answer")
    folder = tmp_path / "copied"
    folder.mkdir()
    for name in ("audit.gpf", "audit.gpf-wal"):
        shutil.copy(tmp_path / name, folder)
    copy = AuditFile.open(folder / "audit.gpf")
    assert copy.read(lambda connection: audits.setting(connection, "newest answer")) == "x"
    copy.close()


@pytest.fixture
def public() -> Iterator[Path]:
    """A folder whose permissions bind whoever runs the tests: root takes an ordinary user's rights inside `plain`."""
    folder = Path(tempfile.mkdtemp(prefix="gpf-read-only-"))
    folder.chmod(0o755)
    yield folder
    folder.chmod(0o755)
    shutil.rmtree(folder)


@contextmanager
def _plain_user() -> Iterator[None]:
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


def _own(path: Path) -> None:
    if os.geteuid() == 0:
        os.chown(path, 65534, 65534)


@pytest.mark.parametrize(
    "use",
    [
        lambda folder: AuditFile.open(folder / "audit.gpf"),
        lambda folder: AuditFile.create(folder / "new.gpf", title="x"),
    ],
    ids=["open", "create"],
)
def test_that_a_read_only_folder_is_said_to_be_read_only(public: Path, use: Callable[[Path], AuditFile]) -> None:
    AuditFile.create(public / "audit.gpf", title="x").close()
    before = _content(public)
    for each in (*public.iterdir(), public):
        _own(each)
        each.chmod(0o555 if each.is_dir() else 0o444)
    with _plain_user(), pytest.raises(StorageError) as caught:
        use(public)
    assert caught.value.fault is StorageFault.READ_ONLY
    assert "permissions" in caught.value.remedy
    assert _content(public) == before


def test_that_an_audit_in_a_read_only_folder_is_read_and_told_when_it_changed_meanwhile(public: Path) -> None:
    path = public / "audit.gpf"
    AuditFile.create(path, title="x").close()
    before = _content(public)
    (public / ".audit.gpf.lock").unlink()
    public.chmod(0o555)
    with _plain_user():
        audit = AuditFile.open(path, read_only=True)
        assert audit.read(audits.facts).title == "x"
    os.utime(path, (0, 0))
    with closing(audit), pytest.raises(StorageError, match="open in another") as caught:
        audit.read(audits.facts)
    assert _content(public) == before
    assert caught.value.fault is StorageFault.LOCKED


def test_that_a_read_only_file_in_a_writable_folder_is_said_to_be_read_only(public: Path) -> None:
    AuditFile.create(public / "audit.gpf", title="x").close()
    for each in (*public.iterdir(), public):
        _own(each)
    (public / "audit.gpf").chmod(0o444)
    with _plain_user():
        assert _refused(public / "audit.gpf").fault is StorageFault.READ_ONLY
    (public / ".audit.gpf.lock").chmod(0)
    with _plain_user(), pytest.raises(StorageError, match=r"\.audit\.gpf\.lock cannot be"):
        AuditFile.open(public / "audit.gpf")
    (public / "audit.gpf").chmod(0)
    with _plain_user(), pytest.raises(StorageError, match=r"audit\.gpf cannot be read"):
        AuditFile.open(public / "audit.gpf", read_only=True)


def test_that_a_disk_that_is_full_at_once_is_named_and_no_half_file_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    connect = audit_file.connect

    def full(path: Path, **how: bool) -> sqlite3.Connection:
        connection = connect(path, **how)
        connection.execute("PRAGMA max_page_count = 8")
        return connection

    monkeypatch.setattr(audit_file, "connect", full)
    with pytest.raises(StorageError, match="is full") as caught:
        AuditFile.create(tmp_path / "audit.gpf", title="Audit")
    assert caught.value.fault is StorageFault.FULL
    assert [each.name for each in tmp_path.iterdir() if "lock" not in each.name] == []
