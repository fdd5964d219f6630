"""From one version to the next: a backup first, each step whole or not at all."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from gpf_desktop import __version__
from gpf_desktop.domain.errors import StorageError, StorageFault
from gpf_desktop.storage import audits, reviewers, schema, scores, served, study_entries
from gpf_desktop.storage.audit_file import AuditFile
from gpf_desktop.storage.migrations import migrations

Upgrade = list[str]


@pytest.fixture
def upgrade(monkeypatch: pytest.MonkeyPatch) -> Iterator[Upgrade]:
    """SQL of further versions, as a later program would have them; append to it."""
    further: Upgrade = []
    monkeypatch.setattr(schema, "migrations", lambda: (*migrations(), *further))
    schema._expected.cache_clear()
    yield further
    schema._expected.cache_clear()


def _version(audit: AuditFile) -> int:
    return int(audit.read(lambda connection: connection.execute("PRAGMA user_version").fetchone()[0]))


def test_that_a_new_audit_runs_through_every_version_and_its_history_says_so(audit: AuditFile) -> None:
    rows = audit.read(lambda connection: connection.execute("SELECT version, program FROM schema_history").fetchall())
    assert rows == [(version, __version__) for version in range(1, len(migrations()) + 1)]
    assert _version(audit) == len(migrations()) == schema.current_version()


def test_that_the_history_beside_the_migrations_tells_of_every_version() -> None:
    text = (Path(schema.__file__).parent / "migrations" / "HISTORY.md").read_text(encoding="utf-8")
    told = [int(line.split("|")[1]) for line in text.splitlines() if line.startswith("| ") and line[2].isdigit()]
    assert told == list(range(1, len(migrations()) + 1))


def test_that_an_older_file_is_backed_up_and_then_brought_forward(closed: Path, upgrade: Upgrade) -> None:
    before = schema.current_version()
    upgrade.append("CREATE TABLE later (x TEXT NOT NULL) STRICT;\nINSERT INTO later VALUES ('made');\n")
    audit = AuditFile.open(closed)
    assert _version(audit) == before + 1
    assert audit.read(lambda c: c.execute("SELECT x FROM later").fetchall()) == [("made",)]
    assert audit.read(audits.facts).title == "Evening round"
    audit.close()
    backup = closed.with_name(f"audit.gpf.backup-format-{before}")
    upgrade.clear()
    schema._expected.cache_clear()
    older = AuditFile.open(backup)
    assert _version(older) == before
    older.close()


def test_that_an_earlier_backup_stays(closed: Path, upgrade: Upgrade) -> None:
    backup = closed.with_name(f"audit.gpf.backup-format-{schema.current_version()}")
    backup.write_bytes(b"an earlier one")
    upgrade.append("CREATE TABLE later (x TEXT) STRICT;\n")
    AuditFile.open(closed).close()
    assert backup.read_bytes() == b"an earlier one"
    assert backup.with_name(f"{backup.name}-2").stat().st_size > 100_000


def test_that_a_step_that_fails_leaves_the_file_at_the_version_before_it(closed: Path, upgrade: Upgrade) -> None:
    before = schema.current_version()
    upgrade.append("CREATE TABLE first_step (x TEXT) STRICT;\n")
    upgrade.append("CREATE TABLE half_done (x TEXT) STRICT;\nINSERT INTO nowhere VALUES (1);\n")
    with pytest.raises(Exception, match="nowhere"):
        AuditFile.open(closed)
    upgrade.pop()
    schema._expected.cache_clear()
    audit = AuditFile.open(closed)
    assert _version(audit) == before + 1
    assert audit.read(lambda c: c.execute("SELECT name FROM sqlite_schema WHERE name = 'half_done'").fetchall()) == []
    audit.close()


def test_that_the_program_before_refuses_what_the_next_one_made(closed: Path, upgrade: Upgrade) -> None:
    upgrade.append("CREATE TABLE later (x TEXT) STRICT;\n")
    AuditFile.open(closed).close()
    upgrade.clear()
    with pytest.raises(StorageError) as caught:
        AuditFile.open(closed)
    assert caught.value.fault is StorageFault.NEWER


def test_that_a_file_of_version_6_keeps_its_answers_and_says_of_none_who_gave_it(path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for sql in migrations()[:6]:
            schema._run(connection, sql)
        connection.execute(f"PRAGMA application_id = {schema.APPLICATION_ID}")
        connection.execute("PRAGMA user_version = 6")
        connection.executemany(
            "INSERT INTO schema_history VALUES (?, '2026-11-20T12:00:00+00:00', '0.1.0')", [(n,) for n in range(1, 7)]
        )
        connection.execute("INSERT INTO audit VALUES (1, 'an-id', 'Old audit', '2026-11-20T12:00:00+00:00', 0)")
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.execute("INSERT INTO response (cell_id, text, received_at) VALUES (7, 'Kept.', '2026-11-20')")
    audit = AuditFile.open(path)
    assert _version(audit) == schema.current_version()
    assert audit.read(lambda c: c.execute("SELECT text, served_id FROM response").fetchall()) == [("Kept.", None)]
    assert audit.read(served.by_round) == []
    audit.close()
    assert path.with_name(f"{path.name}.backup-format-6").exists()


def test_that_a_file_of_version_8_keeps_its_readings_and_gets_an_empty_code_book(path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for sql in migrations()[:8]:
            schema._run(connection, sql)
        connection.execute(f"PRAGMA application_id = {schema.APPLICATION_ID}")
        connection.execute("PRAGMA user_version = 8")
        connection.executemany(
            "INSERT INTO schema_history VALUES (?, '2026-11-20T12:00:00+00:00', '0.1.0')", [(n,) for n in range(1, 9)]
        )
        connection.execute("INSERT INTO audit VALUES (1, 'an-id', 'Old audit', '2026-11-20T12:00:00+00:00', 0)")
        connection.execute("INSERT INTO reviewer VALUES (1, 'u-1', 'Ana', '2026-11-20T12:00:00+00:00')")
        connection.executemany(
            "INSERT INTO score_setting (method, scorer, version, options, hash, created_at)"
            " VALUES (?, 's', '1', '{}', ?, '')",
            [("a", "first"), ("b", "second"), ("a", "third")],
        )
    audit = AuditFile.open(path)
    assert _version(audit) == schema.current_version()
    assert [each.name for each in audit.read(reviewers.every)] == ["Ana"]
    assert audit.read(study_entries.code_book).codes == ()
    assert audit.read(study_entries.groups) == {}
    # From version 10 on their order is stored; it is the order in which they came.
    assert [each.hash for each in audit.read(scores.settings)] == ["first", "second", "third"]
    assert [audit.read(lambda c, m=m: scores.primary(c, m)) for m in ("a", "b")] == [1, 2]
    audit.close()
    assert path.with_name(f"{path.name}.backup-format-8").exists()
