import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from gpf_desktop.documents.unfinished import MACHINE
from gpf_desktop.documents.whole_files import clear_leftovers, temporary_folder, whole_file, working_folder
from gpf_desktop.domain.errors import UserError


@pytest.fixture
def gone() -> int:
    """The number of a process that has ended."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def test_that_what_a_killed_program_began_goes_when_the_file_is_written_again(tmp_path: Path, gone: int) -> None:
    left = [tmp_path / f".study[1].gpf.{MACHINE}-{gone}.part{more}" for more in ("", "-wal")]
    others = [
        tmp_path / f".study[1].gpf.{MACHINE}-{os.getppid()}.part",
        # Of another computer, where a process of that number may be at work.
        tmp_path / f".study[1].gpf.00000000-{gone}.part",
        tmp_path / f".other.gpf.{MACHINE}-{gone}.part",
        tmp_path / f"study[1].gpf.{MACHINE}-{gone}.part",
        tmp_path / ".study[1].gpf.mine.part",
    ]
    for each in (*left, *others):
        each.touch()
    folders = [tmp_path / f".study[1].gpf.{number}.{MACHINE}-{number}.part" for number in (gone, os.getppid())]
    for each in folders:
        each.mkdir()
        (each / "study[1].gpf").touch()
    with whole_file(tmp_path / "study[1].gpf") as beside:
        beside.write_text("whole")
    assert not any(each.exists() for each in left)
    assert [each.exists() for each in folders] == [sys.platform == "win32", True]
    assert all(each.exists() for each in others)
    folders[0].mkdir(exist_ok=True)
    with working_folder(tmp_path, "study[1].gpf") as folder:
        (folder / "half").touch()
        assert [each.exists() for each in (*folders, folder)] == [sys.platform == "win32", True, True]
    assert not folder.exists()


@pytest.mark.skipif(sys.platform == "win32", reason="a folder is left alone there: a file in it may be open")
def test_that_a_copy_that_a_killed_program_left_among_temporary_files_goes_with_the_next(
    tmp_path: Path, gone: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with temporary_folder() as folder:
        left = tmp_path / folder.name.replace(f"-{os.getpid()}.", f"-{gone}.")
        left.mkdir()
        (left / "audit.gpf").touch()
        with temporary_folder() as second:
            assert sorted(tmp_path.iterdir()) == sorted([folder, second])
    assert list(tmp_path.iterdir()) == []


def test_that_leftovers_of_other_names_go_too(tmp_path: Path, gone: int) -> None:
    audit, other = tmp_path / f".b.gpf.{MACHINE}-{gone}.part", tmp_path / f".b.zip.{MACHINE}-{gone}.part"
    for each in (audit, other):
        each.touch()
    clear_leftovers(tmp_path, "*.gpf")
    assert not audit.exists()
    assert other.exists()


@pytest.mark.parametrize("letter", ["a", "ß", "審", "🦊"])
def test_that_a_name_as_long_as_the_disk_takes_is_written(tmp_path: Path, letter: str) -> None:
    target = tmp_path / (letter * (250 // len(letter.encode())))
    with whole_file(target) as beside:
        beside.write_text("whole")
    assert target.read_text() == "whole"


def test_that_an_audit_that_came_there_meanwhile_stays(tmp_path: Path) -> None:
    target = tmp_path / "x.gpf"

    def write() -> None:
        with whole_file(target) as beside:
            beside.write_text("ours")
            target.write_text("an audit of somebody")

    with pytest.raises(UserError, match="is an audit"):
        write()
    assert [each.read_text() for each in tmp_path.iterdir()] == ["an audit of somebody"]
