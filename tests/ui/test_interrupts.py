"""Ctrl+C in the terminal closes the window as its own close button does."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGINT to send")
def test_that_ctrl_c_closes_the_window_and_leaves_one_file(tmp_path: Path) -> None:
    audit = tmp_path / "a.gpf"
    script = (
        "import functools, pathlib, sys; from gpf_desktop import app; path = pathlib.Path(sys.argv[1]);"
        "sys.exit(app._show(lambda window: window.files.enter(path,"
        " functools.partial(window.context.engine.create, path, title='a'), lambda: print('ready', flush=True))))"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script, str(audit)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
    ) as window:
        assert window.stdout is not None
        assert window.stdout.readline().strip() == "ready"
        window.send_signal(signal.SIGINT)
        _, errors = window.communicate(timeout=250)
    assert window.returncode == 0, errors
    assert "Traceback" not in errors
    assert [path.name for path in tmp_path.glob("a.gpf*")] == ["a.gpf"]
