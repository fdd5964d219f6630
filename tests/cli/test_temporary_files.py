"""The system's folder for temporary files is as empty after a command, or a window, as it was before."""

import os
import sys
import tempfile
from pathlib import Path

import pytest

from gpf_desktop.temporary_files import in_one_place
from tests.support.interrupted_window import interrupt_window
from tests.support.warm_program import run_program

pytestmark = pytest.mark.slow


@pytest.fixture
def temporary(tmp_path: Path) -> Path:
    made = tmp_path / "temporary"
    made.mkdir()
    return made


def places(temporary: Path) -> dict[str, str]:
    # Windows asks by the last two.
    return dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(temporary))


@pytest.mark.timeout(900)  # seven programs, one after another
def test_that_no_command_leaves_anything_in_the_systems_temporary_folder(
    small_audit: Path, tmp_path: Path, temporary: Path
) -> None:
    artifact, made = tmp_path / "artifact.zip", tmp_path / "made.gpf"
    for command in (
        ("report", small_audit, "-o", tmp_path / "report.pdf"),
        ("export", small_audit, "-o", tmp_path / "data"),
        ("artifact", small_audit, "-o", artifact),
        ("verify", artifact),
        ("open", artifact, "-o", made),
        ("doctor", made),
        ("report", tmp_path / "nowhere.gpf", "-o", tmp_path / "never.pdf"),
    ):
        done = run_program(*command, env={**os.environ, "QT_QPA_PLATFORM": "offscreen", **places(temporary)})
        assert (done.returncode == 0) is ("nowhere.gpf" not in str(command)), (command, done.stderr)
        assert sorted(each.name for each in temporary.iterdir()) == [], command


def test_that_sqlite_sorts_where_python_writes_and_not_where_that_found_no_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.setenv("TMPDIR", str(tmp_path / "full"))
    # So that it is as it was after this test.
    monkeypatch.setenv("SQLITE_TMPDIR", "")
    monkeypatch.delenv("SQLITE_TMPDIR")
    in_one_place()
    assert os.environ["SQLITE_TMPDIR"] == tempfile.gettempdir() != str(tmp_path / "full")
    monkeypatch.setenv("SQLITE_TMPDIR", "chosen")
    in_one_place()
    assert os.environ["SQLITE_TMPDIR"] == "chosen"


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGINT to send")
def test_that_a_window_leaves_nothing_in_the_systems_temporary_folder(small_audit: Path, temporary: Path) -> None:
    interrupt_window(
        "window.files.open(path, lambda: (window.context.navigator.go('reports'), ready()))",
        small_audit,
        places(temporary),
    )
    assert sorted(each.name for each in temporary.iterdir()) == []
