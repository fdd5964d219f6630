"""What is said when a report cannot be written: of its own place, and of files that it is made with."""

import errno
from pathlib import Path

import pytest

from gpf_desktop.domain.errors import StorageError, StorageFault
from gpf_desktop.exporters._files import written_beside


@pytest.mark.parametrize("code", [errno.ENOENT, errno.EACCES, errno.EIO])
def test_that_a_missing_file_of_the_program_is_not_told_as_the_target(tmp_path: Path, code: int) -> None:
    template = tmp_path / "program" / "templates" / "default.docx"
    with pytest.raises(StorageError) as told, written_beside(tmp_path / "report.docx"):
        raise OSError(code, "", str(template))
    assert str(template) in str(told.value)
    assert "no folder" not in str(told.value)


def test_that_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(StorageError) as told, written_beside(tmp_path / "gone" / "report.docx") as beside:
        beside.write_text("")
    assert told.value.fault is StorageFault.MISSING
    assert str(told.value).startswith(f"There is no folder {tmp_path / 'gone'}.")


def test_that_a_folder_above_that_is_not_there_is_the_targets(tmp_path: Path) -> None:
    with pytest.raises(StorageError) as told, written_beside(tmp_path / "gone" / "too" / "report.docx"):
        raise FileNotFoundError(errno.ENOENT, "", str(tmp_path / "gone"))
    assert "There is no folder" in str(told.value)


@pytest.mark.parametrize("named", [False, True])
def test_that_a_part_that_vanished_from_a_folder_that_stands_does_not_blame_the_folder(
    tmp_path: Path, named: bool
) -> None:
    with pytest.raises(StorageError) as told, written_beside(tmp_path / "report.docx") as beside:
        raise FileNotFoundError(errno.ENOENT, "", *([str(beside)] if named else []))
    assert "no folder" not in str(told.value)
    assert "report.docx" in str(told.value)


def test_that_a_template_in_the_targets_own_folder_is_named_too(tmp_path: Path) -> None:
    logo = tmp_path / "logo.png"
    with pytest.raises(StorageError) as told, written_beside(tmp_path / "report.docx"):
        logo.read_bytes()
    assert str(logo) in str(told.value)
