"""The audit that stands while a file is scored."""

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from gpf_desktop.cli import main
from gpf_desktop.domain.errors import UserError
from gpf_desktop.engine.commands import score_command
from gpf_desktop.engine.commands.score_command import score_file
from tests.engine.scoring.test_score_table import ROWS, write_csv

_KILLED = """
import os, sys
from gpf_desktop.__main__ import main
from gpf_desktop.engine.commands import score_command

score_command.score_again = lambda *_: os.kill(os.getpid(), 9)
sys.exit(main(sys.argv[1:]))
"""


def test_that_no_audit_stays_whatever_becomes_of_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    monkeypatch.setattr(tempfile, "tempdir", None)
    table = write_csv(tmp_path / "a.csv", ROWS)
    seen: list[int] = []
    made = score_command.make_audit

    def looked(*given: object) -> object:
        (folder,) = temporary.iterdir()
        # Answers of whoever scores them are nobody else's to read.
        seen.append(folder.stat().st_mode & 0o077)
        return made(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(score_command, "make_audit", looked)
    assert score_file("gpf-livenews", table, {}).counted["bundles"] == 7
    with pytest.raises(UserError, match="Line 5"):
        score_file("gpf-livenews", write_csv(tmp_path / "b.csv", [*ROWS[:3], ROWS[3] | {"condition": "so"}]), {})
    assert (seen, list(temporary.iterdir())) == ([0, 0] if os.name != "nt" else seen, [])
    if os.name != "nt":
        line = ["score", str(table), "-o", str(tmp_path / "s.csv")]
        done = subprocess.run([sys.executable, "-c", _KILLED, *line], check=False)
        assert done.returncode == -signal.SIGKILL
        assert len(list(temporary.iterdir())) == 1
        assert main(line, show_window=lambda _: 9, show_demo=lambda _: 9) == 0
        assert "Scored 7 sets of 43 answers." in capsys.readouterr().out
        assert list(temporary.iterdir()) == []
