"""Ctrl+C in the terminal closes the window as its own close button does."""

import sys
from pathlib import Path

import pytest

from tests.support.interrupted_window import interrupt_window


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGINT to send")
def test_that_ctrl_c_closes_the_window_and_leaves_one_file(tmp_path: Path) -> None:
    interrupt_window(
        "window.files.enter(path, functools.partial(window.context.engine.create, path, title='a'), ready)",
        tmp_path / "a.gpf",
    )
    assert [path.name for path in tmp_path.glob("a.gpf*")] == ["a.gpf"]
