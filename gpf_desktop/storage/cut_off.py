"""A round that was being asked when its program ended, told from the file without opening the audit."""

import sqlite3
from dataclasses import dataclass
from pathlib import Path

from gpf_desktop.domain.errors import StorageError
from gpf_desktop.domain.ids import RunId
from gpf_desktop.domain.runs import RunState
from gpf_desktop.storage.audit_file import looking_into


@dataclass(frozen=True, slots=True, kw_only=True)
class CutOff:
    """A round that stopped, and how far it was."""

    path: Path
    run_id: RunId
    name: str
    ended: int
    """Cells that have their answer, or a reason why there is none."""
    planned: int


def cut_off(path: Path) -> CutOff | None:
    """The newest round that the program's end cut off in the audit at *path*; None where there is none, or where that
    cannot be said without opening it."""
    # Whoever closes an audit takes the -wal file away.
    if not path.with_name(f"{path.name}-wal").exists():
        return None
    try:
        with looking_into(path) as connection:
            return _newest(connection, path)
    # Opening it says what is wrong, where somebody does.
    except (StorageError, sqlite3.Error, OSError):
        return None


def _newest(connection: sqlite3.Connection, path: Path) -> CutOff | None:
    row = connection.execute(
        "SELECT id, name FROM run WHERE state IN (?, ?) ORDER BY id DESC LIMIT 1", (RunState.RUNNING, RunState.PAUSING)
    ).fetchone()
    if row is None:
        return None
    ended, planned = connection.execute(
        "SELECT coalesce(sum(state IN ('answered', 'missing')), 0), count(*) FROM cell WHERE run_id = ?", (row[0],)
    ).fetchone()
    return CutOff(path=path, run_id=RunId(row[0]), name=str(row[1]), ended=ended, planned=planned)
