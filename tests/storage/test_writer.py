"""The one thread that writes: what it acknowledges is on the disk, and one failure harms nobody else."""

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
import threading
from concurrent.futures import Future
from contextlib import closing
from pathlib import Path

import pytest

from gpf_desktop.domain.errors import StorageError, StorageFault
from gpf_desktop.storage import audits
from gpf_desktop.storage import writer as writer_module
from gpf_desktop.storage.audit_file import AuditFile


def _set(name: str, value: str = "x"):  # type: ignore[no-untyped-def]
    return lambda connection: audits.set_setting(connection, name, value)


def _get(audit: AuditFile, name: str) -> str:
    return audit.read(lambda connection: audits.setting(connection, name))


class _Held:
    """Keeps the writer busy until told, so that what is queued meanwhile is known."""

    def __init__(self, audit: AuditFile) -> None:
        self._busy, self._go_on = threading.Event(), threading.Event()
        self.future = audit.write(self._work)
        assert self._busy.wait(250)

    def _work(self, _connection: sqlite3.Connection) -> None:
        self._busy.set()
        assert self._go_on.wait(250)

    def let_go(self) -> None:
        self._go_on.set()


def _commits(audit: AuditFile, count: int) -> int:
    """Transactions that *count* queued writes take."""
    statements: list[str] = []
    audit.write(_set("begun")).result()
    audit.write(lambda connection: connection.set_trace_callback(statements.append)).result()
    held = _Held(audit)
    futures = [audit.write(_set(f"n{i}")) for i in range(count)]
    statements.clear()
    held.let_go()
    for future in futures:
        future.result()
    audit.write(lambda connection: connection.set_trace_callback(None)).result()
    return statements.count("COMMIT")


def test_that_writes_waiting_together_are_committed_together(audit: AuditFile, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer_module, "GROUP_SECONDS", 60.0)
    # The last write stops the tracing inside a transaction of its own, whose end is no longer seen.
    assert _commits(audit, 200) == 1


def test_that_a_group_ends_when_its_time_is_over(audit: AuditFile, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer_module, "GROUP_SECONDS", -1.0)
    assert _commits(audit, 20) == 21


def test_that_a_write_returns_what_it_made(audit: AuditFile) -> None:
    assert audit.write(lambda connection: connection.execute("SELECT 6 * 7").fetchone()[0]).result() == 42


def test_that_a_write_is_answered_only_when_others_can_read_it(audit: AuditFile) -> None:
    seen: Future[str] = Future()
    future = audit.write(_set("note", "kept"))
    future.add_done_callback(lambda _: seen.set_result(_get(audit, "note")))
    assert seen.result(250) == "kept"


def test_that_a_failing_write_is_undone_alone(audit: AuditFile) -> None:
    held = _Held(audit)

    def fails(connection: sqlite3.Connection) -> None:
        audits.set_setting(connection, "half", "done")
        raise ValueError("no")

    first, second, third = audit.write(_set("first")), audit.write(fails), audit.write(_set("third"))
    held.let_go()
    first.result()
    third.result()
    with pytest.raises(ValueError, match="no"):
        second.result()
    assert [_get(audit, name) for name in ("first", "half", "third")] == ["x", "", "x"]


def test_that_a_broken_constraint_surfaces_as_our_own_mistake(audit: AuditFile) -> None:
    with pytest.raises(sqlite3.IntegrityError):
        audit.write(lambda c: c.execute("INSERT INTO flag (cell_id, name) VALUES (999, 'leakage')")).result()
    audit.write(_set("note")).result()


def test_that_a_write_which_ends_the_transaction_itself_does_not_stop_the_writer(audit: AuditFile) -> None:
    with pytest.raises(sqlite3.Error):
        audit.write(lambda connection: connection.execute("COMMIT")).result()
    audit.write(_set("note")).result()
    assert _get(audit, "note") == "x"


def test_that_a_commit_which_fails_undoes_its_group_and_the_next_is_made(audit: AuditFile) -> None:
    def orphaned(connection: sqlite3.Connection) -> None:
        # Seen only by the COMMIT, which leaves the transaction open.
        connection.execute("PRAGMA defer_foreign_keys = ON")
        connection.execute("INSERT INTO flag (cell_id, name) VALUES (999, 'leakage')")

    held = _Held(audit)
    beside, orphan = audit.write(_set("beside")), audit.write(orphaned)
    held.let_go()
    for future in (held.future, beside, orphan):
        with pytest.raises(sqlite3.IntegrityError):
            future.result()
    audit.write(_set("next")).result()
    assert (_get(audit, "beside"), _get(audit, "next")) == ("", "x")


def test_that_a_write_whose_transaction_cannot_begin_is_answered(audit: AuditFile, path: Path) -> None:
    audit.write(lambda connection: connection.execute("PRAGMA busy_timeout = 0").fetchall()).result()
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StorageError) as refused:
            audit.write(_set("kept out")).result(250)
        other.execute("ROLLBACK")
    assert refused.value.fault is StorageFault.LOCKED
    assert path.name in str(refused.value)
    audit.write(_set("let in")).result()
    assert (_get(audit, "kept out"), _get(audit, "let in")) == ("", "x")


def test_that_a_cancelled_write_is_never_made(audit: AuditFile) -> None:
    held = _Held(audit)
    cancelled = audit.write(_set("cancelled"))
    assert cancelled.cancel()
    kept = audit.write(_set("kept"))
    held.let_go()
    kept.result()
    assert (_get(audit, "cancelled"), _get(audit, "kept")) == ("", "x")


def test_that_awaiting_a_write_on_a_loop_gives_its_result(audit: AuditFile) -> None:
    async def work() -> int:
        return await asyncio.wrap_future(audit.write(lambda c: c.execute("SELECT 5").fetchone()[0]))

    assert asyncio.run(work()) == 5


def test_that_closing_commits_what_is_queued(path: Path) -> None:
    audit = AuditFile.create(path, title="x")
    held = _Held(audit)
    futures = [audit.write(_set(f"n{i}")) for i in range(50)]
    held.let_go()
    audit.close()
    assert all(future.done() and future.exception() is None for future in futures)
    again = AuditFile.open(path)
    assert _get(again, "n49") == "x"
    again.close()


def _allow_pages(audit: AuditFile, more: int) -> None:
    def limit(connection: sqlite3.Connection) -> None:
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages + more}")

    audit.write(limit).result()


def test_that_a_full_disk_is_named_and_what_was_saved_stays(audit: AuditFile) -> None:
    audit.write(_set("saved")).result()
    _allow_pages(audit, 3)
    held = _Held(audit)
    small, large = audit.write(_set("small")), audit.write(_set("large", "x" * 100_000))
    held.let_go()
    error = large.exception()
    assert isinstance(error, StorageError)
    assert error.fault is StorageFault.FULL
    assert "Free some space" in error.remedy
    assert _get(audit, "large") == ""
    assert _get(audit, "small") == ("x" if small.exception() is None else "")
    assert _get(audit, "saved") == "x"


def test_that_writing_goes_on_once_there_is_room_again(audit: AuditFile) -> None:
    _allow_pages(audit, 0)
    with pytest.raises(StorageError):
        audit.write(_set("large", "x" * 100_000)).result()
    _allow_pages(audit, 1000)
    audit.write(_set("large", "x" * 100_000)).result()
    assert len(_get(audit, "large")) == 100_000


_UNTIL_KILLED = """
import sys
from pathlib import Path
from gpf_desktop.storage import audits
from gpf_desktop.storage.audit_file import AuditFile
audit = AuditFile.open(Path(sys.argv[1]))
n = 0
while True:
    futures = [
        audit.write(lambda c, n=n + i: audits.set_setting(c, f"n{n}", "x" * 500)) for i in range(int(sys.argv[2]))
    ]
    for future in futures:
        future.result()
        print(n, flush=True)
        n += 1
"""


@pytest.mark.parametrize(("together", "after"), [(1, 40), (20, 400)])
def test_that_everything_acknowledged_survives_a_kill(closed: Path, together: int, after: int) -> None:
    command = [sys.executable, "-c", _UNTIL_KILLED, str(closed), str(together)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for _ in range(after):
            process.stdout.readline()
        os.kill(process.pid, signal.SIGKILL)
        rest = process.stdout.read().splitlines()
    acknowledged = after + len([line for line in rest if line.isdigit()])
    audit = AuditFile.open(closed)
    stored = audit.read(lambda c: {row[0] for row in c.execute("SELECT name FROM setting WHERE name GLOB 'n[0-9]*'")})
    audit.close()
    assert {f"n{i}" for i in range(acknowledged - 1)} <= stored
