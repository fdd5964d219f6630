"""Tables in a zip or packed by gzip and its like: what is read of them, what is refused, and that nothing stays."""

import bz2
import gzip
import lzma
import os
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from backports import zstd

from gpf_desktop.documents import packed_tables
from gpf_desktop.documents.answer_files import read_answer_rows
from gpf_desktop.documents.packed_tables import files_in, has_tables, unpacked
from gpf_desktop.domain.errors import UserError

TABLE = b"model,response\nm,w\n"


def zipped(path: Path, **parts: bytes) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, body in parts.items():
            archive.writestr(name, body)
    return path


@pytest.mark.parametrize(
    ("suffix", "pack"), [("gz", gzip.compress), ("bz2", bz2.compress), ("xz", lzma.compress), ("zst", zstd.compress)]
)
def test_that_a_packed_table_is_read_and_nothing_of_it_stays(
    tmp_path: Path, suffix: str, pack: Callable[[bytes], bytes]
) -> None:
    path = tmp_path / f"a.csv.{suffix}"
    path.write_bytes(pack(TABLE))
    with unpacked([path]) as (table,):
        assert table.name == "a.csv"
        assert [dict(row.values) for row in read_answer_rows(table)] == [{"model": "m", "response": "w"}]
    assert not table.parent.parent.exists()
    path.write_bytes(b"no such thing")
    with pytest.raises(UserError, match=r"a.csv.* cannot be "), unpacked([path]):
        pass


def test_that_a_zip_gives_each_of_its_tables_and_nothing_that_systems_put_beside(tmp_path: Path) -> None:
    parts = {"b/one.csv": TABLE, "a/one.csv": TABLE, "read.me": b"", "__MACOSX/a/._one.csv": b"", ".x.csv": b""}
    path = zipped(tmp_path / "both.zip", **parts, **{"../../out.csv": TABLE, "C:\\own.JSONL": b"{}", "c.csv/": b""})
    with unpacked([path]) as tables:
        folder = tables[0].parent
        assert folder.name == "both"
        found = [str(table.relative_to(folder)) for table in tables]
    assert found == ["out.csv", "a/one.csv", "b/one.csv", "C/own.jsonl"]
    assert has_tables(path)


def test_that_a_complaint_names_the_file_that_was_chosen(tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.zip", **{"empty.jsonl": b""})
    with pytest.raises(UserError, match="is empty") as raised, unpacked([path]) as (table,):
        list(read_answer_rows(table))
    assert raised.value.what.startswith(str(path / "empty.jsonl"))


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ({"manifest.json": b"{}", "data/answers.jsonl": TABLE}, "is a shared file"),
        ({"notes.docx": b""}, "holds no file of answers"),
        ({"a.csv": b"x" * 3000}, "unpacks to more than"),
    ],
)
def test_that_other_zips_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, parts: dict[str, bytes], said: str
) -> None:
    monkeypatch.setattr(packed_tables, "_LARGEST", 2000)
    path = zipped(tmp_path / "a.zip", **parts)
    with pytest.raises(UserError, match=said), unpacked([path]):
        pass
    assert has_tables(path) == ("a.csv" in parts)
    packed = tmp_path / "b.csv.gz"
    packed.write_bytes(gzip.compress(b"x" * 3000))
    with pytest.raises(UserError, match="unpacks to more than"), unpacked([packed]):
        pass
    twice = tmp_path / "c.tar.gz"
    twice.write_bytes(gzip.compress(b""))
    with pytest.raises(UserError, match=r"is packed \(.tar.gz\)"), unpacked([twice]):
        pass


def test_that_a_folder_of_folders_gives_their_samples_and_no_totals(tmp_path: Path) -> None:
    """lm-evaluation-harness writes a folder for each model, with its totals beside its samples."""
    for model in ("oak", "elm"):
        (tmp_path / model).mkdir()
        for name in ("results_2026.json", "samples_a_2026.jsonl", "samples_b_2026.jsonl"):
            (tmp_path / model / name).write_bytes(TABLE)
    found = [path.relative_to(tmp_path).as_posix() for path in files_in([tmp_path])]
    assert found == [f"{model}/samples_{task}_2026.jsonl" for model in ("elm", "oak") for task in "ab"]
    (tmp_path / "own.csv").write_bytes(TABLE)
    assert files_in([tmp_path]) == [tmp_path / "own.csv"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes")
@pytest.mark.parametrize(("name", "said"), [("pipe.csv", "is a pipe"), ("zeros.csv", "is a device"), ("loop.csv", "")])
def test_that_what_is_read_for_ever_is_not_taken_out_of_a_folder(tmp_path: Path, name: str, said: str) -> None:
    (tmp_path / "a.csv").write_bytes(TABLE)
    if name == "pipe.csv":
        os.mkfifo(tmp_path / name)
    else:
        (tmp_path / name).symlink_to("/dev/zero" if said else tmp_path / name)
    with pytest.raises(UserError, match=f"{name} {said}"):
        files_in([tmp_path])
