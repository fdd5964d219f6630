"""What can be said of an audit whose program was killed, before anybody opens it."""

import shutil
from pathlib import Path

from gpf_desktop.domain.runs import RunState
from gpf_desktop.storage import runs
from gpf_desktop.storage.audit_file import AuditFile
from gpf_desktop.storage.cut_off import CutOff, cut_off
from gpf_desktop.storage.writer import Connection
from tests.storage import rows


def asked(audit: AuditFile) -> None:
    """A round of three cells is being asked, one of which has ended."""

    def write(connection: Connection) -> None:
        run_id = rows.run(connection)
        first, *_ = rows.planned(connection, run_id, *(rows.factors(name) for name in "abc"))
        connection.execute("UPDATE cell SET state = 'missing' WHERE id = ?", (first,))
        runs.set_state(connection, run_id, RunState.RUNNING)

    audit.write(write).result()


def killed(path: Path) -> Path:
    """The files that a kill would leave of the audit that is open at *path*."""
    left = path.with_name("killed.gpf")
    for suffix in ("", "-wal", "-shm"):
        shutil.copy(f"{path}{suffix}", f"{left}{suffix}")
    return left


def test_that_a_round_that_a_kill_stopped_is_told_and_the_audit_can_be_opened(audit: AuditFile) -> None:
    asked(audit)
    assert cut_off(audit.path) is None, "it is being asked in the program that has it open"
    left = killed(audit.path)
    (run,) = audit.read(runs.every)
    assert cut_off(left) == CutOff(path=left, run_id=run.id, name="Evening round", ended=1, planned=3)
    opened = AuditFile.open(left)
    opened.write(runs.mark_interrupted).result()
    assert cut_off(left) is None
    opened.close()
    assert cut_off(left) is None


def test_that_nothing_is_told_of_what_is_no_audit(tmp_path: Path) -> None:
    path = tmp_path / "other.gpf"
    for each in (path, tmp_path / "other.gpf-wal"):
        each.write_bytes(b"no audit")
    assert cut_off(path) is None
    assert path.read_bytes() == b"no audit"
