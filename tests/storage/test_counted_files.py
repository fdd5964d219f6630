"""What was counted when an audit was closed is not counted again when it is opened, and nothing else is trusted."""

import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from gpf_desktop.domain.errors import StorageError
from gpf_desktop.storage import counted_files, soundness
from gpf_desktop.storage.audit_file import AuditFile
from gpf_desktop.storage.writer import Connection
from tests.storage.rows import factors, planned, run

WRONG = "UPDATE fit_group SET answers = answers + 1"
SAID = "a fit counts other answers than its cells have"


@pytest.fixture
def counted(path: Path) -> Path:
    """An audit with cells, that was closed."""
    audit = AuditFile.create(path, title="Evening round")
    audit.write(lambda c: planned(c, run(c), factors("Left"), factors("Right"))).result()
    audit.close()
    return path


def _change(path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(WRONG)


def test_that_the_file_that_was_closed_is_not_counted_again(counted: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def count(connection: Connection) -> str:
        raise AssertionError("counted")

    with monkeypatch.context() as patched:
        patched.setattr(soundness, "miscounted", count)
        opened = AuditFile.open(counted)
    opened.close()
    copied = shutil.copy2(counted, counted.with_name("copied.gpf"))
    monkeypatch.setattr(soundness, "miscounted", count)
    with pytest.raises(AssertionError, match="counted"):
        AuditFile.open(Path(copied))


def test_that_closing_changes_no_time_of_the_file(counted: Path) -> None:
    audit = AuditFile.open(counted)
    audit.write(lambda c: c.execute("UPDATE audit SET title = 'Night round'").rowcount).result()
    audit.close()
    # A write sets both alike; whoever sets the one leaves his own moment in the other.
    assert counted.stat().st_mtime_ns == counted.stat().st_ctime_ns


def test_that_nothing_is_kept_of_a_file_that_changed_while_it_was_counted(counted: Path) -> None:
    lay = counted_files.at_rest(counted)
    _change(counted)
    counted_files.keep(counted, lay)
    assert not counted_files.are_right(counted)


def test_that_nothing_is_kept_where_a_later_change_could_have_the_same_time(counted: Path) -> None:
    for moment in (1_800_000_000 * 10**9, 4_000_000_000 * 10**9 + 5):
        os.utime(counted, ns=(moment, moment))
        assert counted_files.at_rest(counted) == ""


def test_that_one_that_was_changed_since_is_counted(counted: Path) -> None:
    _change(counted)
    with pytest.raises(StorageError, match=SAID):
        AuditFile.open(counted)


def test_that_one_that_was_closed_with_wrong_counts_is_counted(counted: Path) -> None:
    audit = AuditFile.open(counted)
    audit.write(lambda c: c.execute(WRONG).rowcount).result()
    audit.close()
    with pytest.raises(StorageError, match=SAID):
        AuditFile.open(counted)


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("UPDATE fit_group SET answers = 1", SAID),
        ("UPDATE fit_group SET unended = unended - 1", "a fit counts other cells without an end than it has"),
        ("UPDATE cell SET state = 'missing' WHERE id = (SELECT min(id) FROM cell)", ""),
        ("DELETE FROM cell WHERE id = (SELECT min(id) FROM cell)", "a fit counts other cells without an end"),
    ],
)
def test_that_what_is_counted_is_what_it_was(counted: Path, statement: str, said: str) -> None:
    with closing(sqlite3.connect(counted)) as connection:
        connection.execute(statement)
        found = soundness.miscounted(connection)
    assert (found == "") is (said == "")
    assert found.startswith(said)
