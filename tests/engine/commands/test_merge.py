"""What `gpf-desktop merge` refuses before it makes anything; parts that are merged stand in tests/journeys."""

import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from gpf_desktop.domain.errors import GpfError, UserError
from gpf_desktop.domain.ids import RunId
from gpf_desktop.domain.runs import RunState
from gpf_desktop.engine.commands import merge_command
from gpf_desktop.engine.commands.merge_command import merge_parts
from gpf_desktop.storage.audit_file import AuditFile
from tests.support.filled_audit import fill


@pytest.fixture
def part(tmp_path: Path) -> Path:
    audit = AuditFile.create(tmp_path / "part.gpf", title="Evening news")
    fill(audit, items=1)
    audit.close()
    return audit.path


def refused(parts: list[Path], target: Path) -> GpfError:
    before = {each: each.read_bytes() for each in parts}
    there = set(target.parent.iterdir())
    with pytest.raises(GpfError) as caught:
        merge_parts(parts, target, quiet=True)
    assert {each: each.read_bytes() for each in parts} == before
    assert {each for each in target.parent.iterdir() if each.suffix != ".lock"} <= there
    return caught.value


@pytest.mark.parametrize("way", ["itself", "another spelling", "a link", "a hard link"])
def test_that_one_file_named_twice_is_told_as_such(part: Path, tmp_path: Path, way: str) -> None:
    """It is open in no other window: this very command has it open."""
    (tmp_path / "sub").mkdir()
    (tmp_path / "link.gpf").symlink_to(part)
    os.link(part, tmp_path / "hard.gpf")
    again = {
        "itself": part,
        "another spelling": tmp_path / "sub" / ".." / "part.gpf",
        "a link": tmp_path / "link.gpf",
        "a hard link": tmp_path / "hard.gpf",
    }[way]
    error = refused([part, again], tmp_path / "whole.gpf")
    assert isinstance(error, UserError)
    assert error.what == f"{part} and {again} are one file."


def test_that_what_was_put_at_its_place_meanwhile_stays(
    part: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "whole.gpf"

    def meanwhile(*_: object, **__: object) -> dict[RunId, RunState]:
        target.write_text("another program's")
        return {}

    monkeypatch.setattr(merge_command, "_fill", meanwhile)
    with pytest.raises(UserError, match="is there already"):
        merge_parts([part], target, quiet=True)
    assert target.read_text() == "another program's"
    assert not list(tmp_path.glob(".whole*.part"))


@pytest.mark.parametrize("place", [0, 1])
def test_that_a_part_whose_counts_were_edited_is_named(part: Path, tmp_path: Path, place: int) -> None:
    other = Path(shutil.copy(part, tmp_path / "other.gpf"))
    with closing(sqlite3.connect(other, isolation_level=None)) as connection:
        connection.execute("UPDATE fit_group SET answers = answers + 1 WHERE id = 1")
    error = refused([other, part] if place == 0 else [part, other], tmp_path / "whole.gpf")
    assert "other.gpf" in error.what
    assert "a fit counts other answers than its cells have (1)" in error.what
