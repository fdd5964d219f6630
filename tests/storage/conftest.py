"""Audits of a few rows, in real files."""

from collections.abc import Iterator
from pathlib import Path

import pytest

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
