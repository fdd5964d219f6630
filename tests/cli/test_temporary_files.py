"""The system's folder for temporary files is as empty after a command, or a window, as it was before."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow


@pytest.fixture
def temporary(tmp_path: Path) -> Path:
    made = tmp_path / "temporary"
    made.mkdir()
    return made


def environment(temporary: Path) -> dict[str, str]:
    # Short names for sockets are the window's business; Windows asks by the other two.
    places = dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(temporary))
    return {**os.environ, "QT_QPA_PLATFORM": "offscreen", **places}


def test_that_no_command_leaves_anything_in_the_systems_temporary_folder(
    small_audit: Path, tmp_path: Path, temporary: Path
) -> None:
    artifact, made = tmp_path / "artifact.zip", tmp_path / "made.gpf"
    for command in (
        ("conclusions", small_audit),
        ("tables", small_audit, "-o", tmp_path / "tables"),
        ("report", small_audit, "-o", tmp_path / "report.html"),
        ("report", small_audit, "-o", tmp_path / "report.pdf"),
        ("export", small_audit, "-o", tmp_path / "data"),
        ("artifact", small_audit, "-o", artifact),
        ("verify", artifact),
        ("open", artifact, "-o", made),
        ("doctor", made),
        ("report", tmp_path / "nowhere.gpf", "-o", tmp_path / "never.pdf"),
    ):
        done = subprocess.run(
            [sys.executable, "-m", "gpf_desktop", *map(str, command)],
            capture_output=True,
            text=True,
            timeout=250,
            check=False,
            env=environment(temporary),
        )
        assert (done.returncode == 0) is ("nowhere.gpf" not in str(command)), (command, done.stderr)
        assert sorted(each.name for each in temporary.iterdir()) == [], command


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGINT to send")
def test_that_a_window_leaves_nothing_in_the_systems_temporary_folder(small_audit: Path, temporary: Path) -> None:
    script = (
        "import pathlib, sys; from gpf_desktop import app;"
        "sys.exit(app._show(lambda window: window.files.open(pathlib.Path(sys.argv[1]), lambda: ("
        "window.context.navigator.go('reports'), print('ready', flush=True)))))"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script, str(small_audit)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(temporary),
    ) as window:
        assert window.stdout is not None
        assert window.stdout.readline().strip() == "ready"
        window.send_signal(signal.SIGINT)
        _, errors = window.communicate(timeout=250)
    assert window.returncode == 0, errors
    assert sorted(each.name for each in temporary.iterdir()) == []
