"""Where PySide6 may make classes: on the window's thread alone, before Python 3.12."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.slow
def test_that_no_module_with_widgets_is_imported_off_the_gui_thread(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.support.imports_by_thread", str(tmp_path)],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    assert done.stdout.split() == []
