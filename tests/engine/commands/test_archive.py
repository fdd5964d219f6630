"""`gpf-desktop archive`: an audit that gets smaller, and tells what it told."""

import json
import shutil
from pathlib import Path

import pytest

from gpf_desktop.cli import main
from gpf_desktop.domain.errors import UserError
from gpf_desktop.engine.commands.doctor_command import examine
from gpf_desktop.engine.commands.merge_command import merge_parts
from gpf_desktop.storage.audit_file import AuditFile
from tests.support.filled_audit import fill

PLAIN = ("--format", "csv")


def gpf_desktop(*arguments: object) -> int:
    return main([str(each) for each in arguments], show_window=lambda _: 0, show_demo=lambda _: 0)


def written(folder: Path) -> dict[str, bytes]:
    return {each.name: each.read_bytes() for each in sorted(folder.rglob("*")) if each.is_file()}


@pytest.fixture
def audit(tmp_path: Path) -> Path:
    made = AuditFile.create(tmp_path / "weekly.gpf", title="Weekly")
    fill(made, models_asked=("tailoring-0.6", "neutral"), dimensions=("Political",))
    made.close()
    return made.path


def test_that_an_audit_whose_texts_were_moved_tells_what_it_told(
    audit: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert gpf_desktop("tables", audit, "-o", tmp_path / "before", *PLAIN) == 0
    assert gpf_desktop("export", audit, "-o", tmp_path / "data", "--what", "answers", *PLAIN) == 0
    capsys.readouterr()
    assert gpf_desktop("archive", audit, "--before", "2001-01-01") == 0
    assert capsys.readouterr().out == "No round ended before then with texts in it.\n"
    assert gpf_desktop("archive", audit, "--before", "2100-01-01", "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert told["bytes_after"] == audit.stat().st_size
    assert told["folder"] == "weekly.gpf.texts"
    assert len(told["rounds"]) == 1
    assert told["texts"] > 0
    # Behind what everything of a new audit is kept in, which this small one had not yet.
    assert told["bytes_after"] < told["bytes_before"]
    # With their folder beside the audit they are read as before, and every score comes out of them anew.
    assert gpf_desktop("export", audit, "-o", tmp_path / "again", "--what", "answers", *PLAIN) == 0
    assert written(tmp_path / "again") == written(tmp_path / "data")
    assert examine(audit, lambda *_: None).passed
    with pytest.raises(UserError, match="has the texts of 1 round beside it"):
        merge_parts([audit], tmp_path / "whole.gpf", quiet=True)
    # Without it, tables say what they said, and what needs the texts says where they lie.
    shutil.move(audit.with_name("weekly.gpf.texts"), tmp_path / "elsewhere")
    assert gpf_desktop("tables", audit, "-o", tmp_path / "after", *PLAIN) == 0
    assert written(tmp_path / "after") == written(tmp_path / "before")
    capsys.readouterr()
    assert gpf_desktop("export", audit, "-o", tmp_path / "none", *PLAIN) == 2
    assert "Put the folder “weekly.gpf.texts” beside the audit again." in capsys.readouterr().err
    condition = examine(audit, lambda *_: None)
    assert [each.words for each in condition.lines if not each.passed] == [
        line for line in (each.words for each in condition.lines) if line.startswith("The texts of this round lie in")
    ]
    assert not condition.passed
    assert gpf_desktop("archive", audit, "--restore") == 2
    # Back they are as they were.
    shutil.move(tmp_path / "elsewhere", audit.with_name("weekly.gpf.texts"))
    assert gpf_desktop("archive", audit, "--restore") == 0
    shutil.rmtree(audit.with_name("weekly.gpf.texts"))
    assert gpf_desktop("export", audit, "-o", tmp_path / "back", "--what", "answers", *PLAIN) == 0
    assert written(tmp_path / "back") == written(tmp_path / "data")
    assert examine(audit, lambda *_: None).passed
