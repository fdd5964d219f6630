"""Audits of a few rows, in real files."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from gpf_desktop.storage import archived_texts
from gpf_desktop.storage.audit_file import AuditFile


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "audit.gpf"


@pytest.fixture
def audit(path: Path) -> Iterator[AuditFile]:
    """An open audit without rows; closed after the test."""
    opened = AuditFile.create(path, title="Evening round")
    yield opened
    opened.close()


@pytest.fixture
def closed(path: Path) -> Path:
    """The path of an audit that was made and closed."""
    AuditFile.create(path, title="Evening round").close()
    return path


@pytest.fixture
def c(closed: Path) -> Iterator[sqlite3.Connection]:
    """A writing connection to the tables of an audit."""
    with closing(sqlite3.connect(closed, isolation_level=None)) as connection:
        archived_texts.let_read(connection, closed)
        yield connection
