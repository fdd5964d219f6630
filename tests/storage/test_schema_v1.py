"""Version 1 of the audit file, as it was published: what it holds, and that today's program opens it.

Until a program with version 1 is released, ``python -m tests.storage.test_schema_v1`` takes a new snapshot.
"""

import sqlite3
from contextlib import closing
from pathlib import Path

from gpf_desktop.storage import audits, schema
from gpf_desktop.storage.audit_file import AuditFile
from gpf_desktop.storage.migrations import migrations

PUBLISHED = Path(__file__).with_name("schema_v1.sql")


def _statements(connection: sqlite3.Connection) -> str:
    rows = connection.execute(
        "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY type = 'trigger', type DESC, name"
    )
    return "".join(f"{row[0]};\n\n" for row in rows)


def _fresh() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    for statement in migrations()[0].split(";\n"):
        connection.execute(statement)
    return connection


def test_that_version_1_is_what_was_published() -> None:
    with closing(_fresh()) as connection:
        assert _statements(connection) == PUBLISHED.read_text(encoding="utf-8")


def test_that_a_file_of_version_1_is_opened_and_brought_forward(path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.executescript(PUBLISHED.read_text(encoding="utf-8"))
        connection.execute(f"PRAGMA application_id = {schema.APPLICATION_ID}")
        connection.execute("PRAGMA user_version = 1")
        connection.execute("INSERT INTO schema_history VALUES (1, '2026-11-20T12:00:00+00:00', '0.1.0')")
        connection.execute("INSERT INTO audit VALUES (1, 'an-id', 'Old audit', '2026-11-20T12:00:00+00:00', 0)")
    audit = AuditFile.open(path)
    facts = audit.read(audits.facts)
    version = audit.read(lambda c: c.execute("PRAGMA user_version").fetchone()[0])
    history = audit.read(lambda c: [row[0] for row in c.execute("SELECT version FROM schema_history ORDER BY version")])
    audit.close()
    assert (facts.title, facts.uuid) == ("Old audit", "an-id")
    assert version == schema.current_version()
    assert history == list(range(1, schema.current_version() + 1))


if __name__ == "__main__":
    with closing(_fresh()) as made:
        PUBLISHED.write_text(_statements(made), encoding="utf-8")
