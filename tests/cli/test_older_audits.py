"""Commands that only read, on audits of an earlier version."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from gpf_desktop.__main__ import main
from gpf_desktop.storage import schema
from gpf_desktop.storage.migrations import migrations


@pytest.fixture
def older(tmp_path: Path) -> Path:
    path = tmp_path / "older.gpf"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        for sql in migrations()[:8]:
            schema._run(connection, sql)
        connection.execute(f"PRAGMA application_id = {schema.APPLICATION_ID}")
        connection.execute("PRAGMA user_version = 8")
        connection.executemany(
            "INSERT INTO schema_history VALUES (?, '2026-11-20T12:00:00+00:00', '0.1.0')", [(n,) for n in range(1, 9)]
        )
        connection.execute("INSERT INTO audit VALUES (1, 'an-id', 'Old audit', '2026-11-20T12:00:00+00:00', 0)")
    return path


def test_that_an_audit_of_an_earlier_version_is_brought_up_to_date_and_that_is_told(
    older: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = older.read_bytes()
    main(["conclusions", str(older), "--json"])
    said = capsys.readouterr().err
    assert "is of an earlier version of this program (format 8). It was brought up to date" in said
    assert older.with_name("older.gpf.backup-format-8").exists()
    assert older.read_bytes() != before
    main(["conclusions", str(older), "--json"])
    assert "earlier version" not in capsys.readouterr().err
