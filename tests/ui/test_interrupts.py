"""Ctrl+C in the terminal and the end of a session close the window as its own close button does."""

import signal
import sys
from pathlib import Path

import pytest

from tests.support.interrupted_window import interrupt_window


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there is no signal to send")
@pytest.mark.parametrize("by", [signal.SIGINT, signal.SIGTERM], ids=["Ctrl+C", "the end of a session"])
def test_that_a_signal_closes_the_window_and_leaves_one_file(by: signal.Signals, tmp_path: Path) -> None:
    interrupt_window(
        "window.files.enter(path, functools.partial(window.context.engine.create, path, title='a'), ready)",
        tmp_path / "a.gpf",
        by=by,
    )
    assert [path.name for path in tmp_path.glob("a.gpf*")] == ["a.gpf"]
