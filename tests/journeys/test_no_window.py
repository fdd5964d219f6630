"""Starting where no window can be shown."""

import os
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems always have a display")
@pytest.mark.parametrize("arguments", [["demo"], []])
def test_that_no_display_is_said_in_one_sentence(tmp_path: Path, arguments: list[str]) -> None:
    hidden = {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"}
    surroundings = {name: value for name, value in os.environ.items() if name not in hidden}
    audit = tmp_path / "a.gpf"
    started = subprocess.run(
        [sys.executable, "-m", "gpf_desktop", *arguments, *([str(audit)] if arguments else [])],
        env=surroundings,
        capture_output=True,
        text=True,
        timeout=250,
        check=False,
    )
    assert started.returncode == 3
    assert started.stderr.count("\n") == 1
    assert "--no-window" in started.stderr
    assert not audit.exists()


def test_that_an_option_that_demo_does_not_know_is_refused(tmp_path: Path) -> None:
    started = subprocess.run(
        [sys.executable, "-m", "gpf_desktop", "demo", "--nowindow", str(tmp_path / "a.gpf")],
        capture_output=True,
        text=True,
        timeout=250,
        check=False,
    )
    assert started.returncode == 2
    assert "--nowindow" in started.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="extensions are named otherwise")
def test_that_a_missing_library_of_qts_is_said_in_one_sentence(tmp_path: Path) -> None:
    # The linker refuses a file that is no library in the same way as one whose libraries are missing.
    qt = tmp_path / "PySide6"
    qt.mkdir()
    (qt / "__init__.py").touch()
    (qt / "QtCore.abi3.so").write_bytes(b"\x7fELF, and cut off")
    started = subprocess.run(
        [sys.executable, "-m", "gpf_desktop"],
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])},
        capture_output=True,
        text=True,
        timeout=250,
        check=False,
    )
    assert started.returncode == 3
    assert started.stderr.count("\n") == 1
    assert "a library is missing" in started.stderr
