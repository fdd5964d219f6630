"""What holds for every report format."""

import errno
import gc
import sys
from contextlib import closing
from pathlib import Path

import pytest
from docx import Document
from openpyxl import load_workbook
from pypdf import PdfReader

from gpf_desktop.domain.errors import StorageError, StorageFault
from gpf_desktop.engine.core.catalogue import exporters
from tests.support.reports import report

NAMES = sorted(exporters())


def export(name, made, target):
    exporter = exporters()[name]
    exporter.export(made, target, exporter.options())


@pytest.mark.parametrize("name", NAMES)
def test_that_a_report_becomes_one_file_and_nothing_beside_it(name, tmp_path):
    target = tmp_path / f"Report.{exporters()[name].suffix}"
    export(name, report(), target)
    assert [path.name for path in tmp_path.iterdir()] == [target.name]
    assert target.stat().st_size > 1000


def words_in(target: Path) -> str:
    match target.suffix:
        case ".pdf":
            said = [page.extract_text() for page in PdfReader(target).pages]
        case ".docx":
            said = [paragraph.text for paragraph in Document(str(target)).paragraphs]
        case ".xlsx":
            with closing(load_workbook(target, read_only=True)) as book:
                rows = [row for sheet in book.worksheets for row in sheet.iter_rows(values_only=True)]
            said = [str(cell) for row in rows for cell in row]
        case _:
            said = [target.read_text(encoding="utf-8")]
    return "".join("".join(said).split())


@pytest.mark.parametrize("name", NAMES)
def test_that_what_was_found_and_what_signs_mean_is_said(name, tmp_path):
    made = report()
    target = tmp_path / f"r.{exporters()[name].suffix}"
    export(name, made, target)
    said = words_in(target)
    for line in (*made.found, *(meaning for _, meaning in made.signs)):
        assert "".join(line.split()) in said


@pytest.mark.parametrize("name", NAMES)
def test_that_a_folder_that_is_not_there_is_named_and_nothing_is_left(name, tmp_path):
    target = tmp_path / "missing" / f"r.{exporters()[name].suffix}"
    with pytest.raises(StorageError) as raised:
        export(name, report(), target)
    assert raised.value.fault is StorageFault.MISSING
    assert "missing" in str(raised.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", NAMES)
def test_that_an_earlier_report_stays_when_the_new_one_cannot_be_written(name, tmp_path, monkeypatch):
    target = tmp_path / f"r.{exporters()[name].suffix}"
    target.write_bytes(b"the earlier one")

    def full(self: Path, target: Path) -> Path:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(StorageError) as raised:
        export(name, report(), target)
    assert raised.value.fault is StorageFault.FULL
    assert target.read_bytes() == b"the earlier one"
    assert [path.name for path in tmp_path.iterdir()] == [target.name]


@pytest.mark.skipif(sys.platform == "win32", reason="files have no largest size there")
@pytest.mark.parametrize("name", NAMES)
def test_that_a_disk_that_is_full_in_the_middle_is_told_and_nothing_else_is_said(name, tmp_path, capfd):
    import resource

    longest = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (500, longest[1]))
    try:
        with pytest.raises(StorageError) as raised:
            export(name, report(), tmp_path / f"r.{exporters()[name].suffix}")
        assert raised.value.fault is StorageFault.FULL
        del raised
        gc.collect()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, longest)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", NAMES)
def test_that_a_very_long_file_name_can_still_be_written_beside(name, tmp_path):
    suffix = exporters()[name].suffix
    target = tmp_path / f"{'n' * (255 - len(suffix) - 1)}.{suffix}"
    export(name, report(), target)
    assert target.exists()
