import os
import subprocess
import sys
from pathlib import Path

import pytest

from gpf_desktop.documents.whole_files import clear_leftovers, whole_file


@pytest.fixture
def gone() -> int:
    """The number of a process that has ended."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def test_that_what_a_killed_program_began_goes_when_the_file_is_written_again(tmp_path: Path, gone: int) -> None:
    left = [tmp_path / f".study[1].gpf.{gone}.part{more}" for more in ("", "-wal")]
    others = [
        tmp_path / f".study[1].gpf.{os.getppid()}.part",
        tmp_path / f".other.gpf.{gone}.part",
        tmp_path / f"study[1].gpf.{gone}.part",
        tmp_path / ".study[1].gpf.mine.part",
    ]
    for each in (*left, *others):
        each.touch()
    with whole_file(tmp_path / "study[1].gpf") as beside:
        beside.write_text("whole")
    assert not any(each.exists() for each in left)
    assert all(each.exists() for each in others)


def test_that_leftovers_of_other_names_go_once_they_are_old(tmp_path: Path, gone: int) -> None:
    fresh, old = tmp_path / f".a.gpf.{gone}.part", tmp_path / f".b.gpf.{gone}.part"
    for each in (fresh, old):
        each.touch()
    os.utime(old, (0, 0))
    clear_leftovers(tmp_path, "*.gpf", 3600)
    assert fresh.exists()
    assert not old.exists()
