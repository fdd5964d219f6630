"""Several files that belong together, and what a kill between their last renames leaves."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from gpf_desktop.documents.targets import StandsAlreadyError, check_target
from gpf_desktop.documents.whole_files import together, whole_file

_NAMES = ("one.csv", "two.csv", "three.csv")
_KILLED = """
import os, sys
from pathlib import Path
from gpf_desktop.documents.whole_files import together, whole_file

replaced, replace = 0, Path.replace
def dies(self, target):
    global replaced
    if replaced == int(sys.argv[2]):
        os._exit(0)
    replaced += 1
    return replace(self, target)
Path.replace = dies
with together():
    for name in sys.argv[3:]:
        with whole_file(Path(sys.argv[1]) / name) as beside:
            beside.write_text(name)
"""


def _killed(folder: Path, *, after: int) -> None:
    subprocess.run([sys.executable, "-c", _KILLED, str(folder), str(after), *_NAMES], check=True)


def _write(folder: Path) -> None:
    for name in _NAMES:
        check_target(folder / name)
    with together():
        for name in _NAMES:
            with whole_file(folder / name) as beside:
                beside.write_text("again")
            assert not (folder / name).exists() or (folder / name).read_text() == name


@pytest.mark.parametrize("after", [0, 1, 2])
def test_that_what_a_kill_between_two_renames_left_is_replaced_without_being_asked(tmp_path: Path, after: int) -> None:
    _killed(tmp_path, after=after)
    assert [name for name in _NAMES if (tmp_path / name).exists()] == [*_NAMES[:after]]
    _write(tmp_path)
    assert {each.name: each.read_text() for each in tmp_path.iterdir()} == dict.fromkeys(_NAMES, "again")
    with pytest.raises(StandsAlreadyError):
        _write(tmp_path)


def test_that_what_somebody_else_wrote_or_changed_there_stays(tmp_path: Path) -> None:
    _killed(tmp_path, after=2)
    # As many letters as before.
    with (tmp_path / "two.csv").open("r+") as file:
        file.write("mine")
    found = (tmp_path / "two.csv").stat()
    os.utime(tmp_path / "two.csv", ns=(found.st_atime_ns, found.st_mtime_ns + 1_000_000_000))
    (tmp_path / "three.csv").write_text("three.csv")
    check_target(tmp_path / "one.csv")
    for name in ("two.csv", "three.csv"):
        with pytest.raises(StandsAlreadyError):
            check_target(tmp_path / name)


def test_that_what_a_program_that_is_at_it_put_there_stays(tmp_path: Path) -> None:
    _killed(tmp_path, after=1)
    (note,) = tmp_path.glob(".unfinished.*")
    check_target(tmp_path / "one.csv")
    note.rename(note.with_name(f"{note.name[: note.name.rindex('-')]}-{os.getpid()}.part"))
    with pytest.raises(StandsAlreadyError):
        check_target(tmp_path / "one.csv")


@pytest.mark.parametrize("note", ["", "[]", "{", json.dumps({"one.csv": None}), "\udcff"])
def test_that_a_note_that_says_nothing_lets_nothing_be_replaced(tmp_path: Path, note: str) -> None:
    _killed(tmp_path, after=1)
    (found,) = tmp_path.glob(".unfinished.*")
    found.write_bytes(note.encode(errors="surrogateescape"))
    with pytest.raises(StandsAlreadyError):
        check_target(tmp_path / "one.csv")


def test_that_where_one_of_several_files_fails_none_takes_its_place(tmp_path: Path) -> None:
    def write() -> None:
        with together():
            for name, number in (("one.csv", 1), ("two.csv", 0)):
                with whole_file(tmp_path / name) as beside:
                    beside.write_text(str(1 / number))

    with pytest.raises(ZeroDivisionError):
        write()
    assert list(tmp_path.iterdir()) == []
