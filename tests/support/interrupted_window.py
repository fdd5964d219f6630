"""A window in a process of its own that a signal closes."""

import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path


def interrupt_window(
    begin: str, path: Path, environment: Mapping[str, str] | None = None, by: signal.Signals = signal.SIGINT
) -> None:
    """Start a window, let the expression *begin* make it ready, and send it *by*: it closes itself, without an error.

    Arguments:
        begin: a Python expression of ``window``, ``path`` and ``ready``, which it calls once the window is ready.
        path: what ``path`` stands for.
        environment: what is put beside this process's own environment.
    """
    script = (
        "import functools, pathlib, sys; from gpf_desktop import app; path = pathlib.Path(sys.argv[1]);"
        "ready = lambda: print('ready', flush=True);"
        f"sys.exit(app._show(lambda window: {begin}))"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script, str(path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen", **(environment or {})},
    ) as window:
        assert window.stdout is not None
        assert window.stdout.readline().strip() == "ready"
        window.send_signal(by)
        _, errors = window.communicate(timeout=250)
    assert window.returncode == 0, errors
    assert "Traceback" not in errors
